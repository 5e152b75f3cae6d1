// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panes/sets_model.h"

#include "ui/state/act_state.h"
#include "ui/state/run_state.h"
#include "ui/style/format.h"
#include "ui/style/glyphs.h"
#include "ui/style/marks.h"
#include "ui/style/window_words.h"

#include <utility>

namespace rankdeck::ui {

void SetsModel::tellPrice(Row &row, const LostWork &price)
{
    if (!price.known)
        row.lost = QStringLiteral("—");
    else if (price.steps == 0)
        row.lost = row.shortLost = tr("0 steps");
    else {
        row.lost = tr("%1 steps, %2").arg(number(price.steps), durationWords(price.seconds));
        row.shortLost = tr("%1 steps").arg(number(price.steps));
    }
}

SetsModel::Row SetsModel::rowOf(const Snapshot &s, const CheckpointSet &set)
{
    Row row{.id = QString::fromStdString(set.id),
            .name = setWords(set),
            .lost = tr("cannot be resumed"),
            .shortLost = QStringLiteral("—"),
            .why = isKept(s.view, set) ? tr("kept; %1").arg(whyOf(set)) : whyOf(set),
            .verdict = set.verdict};
    if (canBeChosen(set, true)) tellPrice(row, lostWith(s, set));
    return row;
}

SetsModel::Row SetsModel::rowOf(const Snapshot &s, const KeptSet &set)
{
    Row row{.id = QString::fromStdString(set.id),
            .name = keptWords(set),
            .lost = set.whole.isNo() ? tr("cannot be resumed") : QStringLiteral("—"),
            .shortLost = QStringLiteral("—"),
            .why = set.whole.isYes() ? tr("put it back first") : fromCore(set.problem),
            .kept = true};
    row.why += QStringLiteral("; %1").arg(byteWords(bytesOf(set)));
    if (set.time) row.why += comma() + tr("saved %1").arg(clockWords(*set.time));
    if (set.whole.mayBe() && set.position) tellPrice(row, lostSince(s, *set.position));
    return row;
}

void SetsModel::setSnapshot(const Snapshot &s)
{
    std::vector<Row> rows;
    rows.reserve(s.view.checkpoints.sets.size() + s.view.kept->sets.size());
    auto kept = s.view.kept->sets.begin();
    const auto addKept = [&](const CheckpointSet *before) {  // adds the kept sets that are newer
        for (; kept != s.view.kept->sets.end(); ++kept) {
            if (before && std::pair(kept->attempt, kept->position.value_or(-1)) <=
                              std::pair(before->attempt, positionOf(*before)))
                return;
            if (mustBePutBack(s, kept->id)) rows.push_back(rowOf(s, *kept));
        }
    };
    for (const CheckpointSet &one : s.view.checkpoints.sets) {
        addKept(&one);
        if (!mustBePutBack(s, one.id)) rows.push_back(rowOf(s, one));
    }
    addKept(nullptr);
    if (rows == m_rows) return;
    bool same = rows.size() == m_rows.size();
    for (std::size_t i = 0; same && i < rows.size(); ++i) same = rows[i].id == m_rows[i].id;
    if (same) {
        m_rows = std::move(rows);
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnTotal - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

void SetsModel::setShort(bool on)
{
    if (std::exchange(m_short, on) == on || m_rows.empty()) return;
    Q_EMIT dataChanged(index(0, lost), index(rowCount() - 1, lost));
}

int SetsModel::rowOf(const QString &setId) const
{
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (m_rows[i].id == setId) return static_cast<int>(i);
    }
    return -1;
}

int SetsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SetsModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : columnTotal; }

QVariant SetsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    const Theme &theme = Theme::of(nullptr);
    const bool usable = row.kept || row.verdict == Verdict::valid || row.verdict == Verdict::validUnproven;
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case set: return row.name;
        case verdict: return row.kept ? tr("kept") : verdictWord(row.verdict);
        case lost: return m_short ? row.shortLost : row.lost;
        case why: return row.why;
        default: return {};
        }
    case Qt::DecorationRole:
        return index.column() == sign ? QVariant(glyphIcon(row.kept ? Glyph::saved : verdictGlyph(row.verdict), theme))
                                      : QVariant();
    case Qt::ToolTipRole: return toolTipOf(index.column() == lost ? row.lost : row.why);
    case Qt::ForegroundRole:
        return index.column() == lost && !usable ? QVariant(theme.color(Theme::Role::text2)) : QVariant();
    case Qt::AccessibleTextRole:
        return index.column() == sign ? QVariant(row.kept ? tr("kept") : verdictWord(row.verdict)) : QVariant();
    case idRole: return row.id;
    default: return {};
    }
}

QVariant SetsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case set: return tr("Set");
    case verdict: return tr("Verdict");
    case lost: return tr("Lost");
    case why: return tr("Why");
    default: return QString();
    }
}

}  // namespace rankdeck::ui
