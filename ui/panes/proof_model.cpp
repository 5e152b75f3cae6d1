// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panes/proof_model.h"

#include "ui/style/format.h"
#include "ui/style/glyphs.h"
#include "ui/style/window_words.h"

namespace rankdeck::ui {

namespace {

const QString dash = QStringLiteral("—");

QString step(const std::optional<std::int64_t> &value) { return value ? number(*value) : dash; }
QString losses(const std::optional<double> &value) { return value ? lossText(*value) : dash; }
}  // namespace

bool ProofModel::speaksAgainst(const RankProof &proof, Known continues)
{
    return proof.firstStep && !proof.proven && continues.isNo();
}

void ProofModel::setRanks(std::vector<RankProof> ranks, Known continues)
{
    m_continues = continues;
    setRows(std::move(ranks));
}

QVariant ProofModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const RankProof &proof = rowAt(index);
    if (role == Qt::TextAlignmentRole && index.column() != joins)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role == Qt::ToolTipRole && !proof.note.empty()) return toolTipOf(fromCore(proof.note));
    if (role == Qt::DecorationRole && index.column() == joins)
        return glyphIcon(proof.proven                        ? Glyph::check
                         : speaksAgainst(proof, m_continues) ? Glyph::refuses
                         : proof.firstStep                   ? Glyph::saving
                                                             : Glyph::queued,
                         Theme::of(nullptr));
    if (role == Qt::AccessibleTextRole && index.column() == joins)
        return proof.proven                        ? tr("joins")
               : speaksAgainst(proof, m_continues) ? tr("does not continue the curve")
               : proof.firstStep                   ? tr("not settled yet")
                                                   : tr("waits");
    if (role == Qt::BackgroundRole && speaksAgainst(proof, m_continues))
        return Theme::of(nullptr).color(Theme::Role::tintBad);
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
    case rank: return number(proof.rank);
    case loaded: return step(proof.loadedGlobalStep);
    case first: return step(proof.firstStep);
    case loss: return losses(proof.firstLoss);
    case old: return losses(proof.oldLoss);
    case joins: return speaksAgainst(proof, m_continues) ? tr("no") : fromCore(proof.note);
    default: return {};
    }
}

QVariant ProofModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole && section != joins)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case rank: return tr("Rank");
    case loaded: return tr("Loaded step");
    case first: return tr("First step");
    case loss: return tr("First loss");
    case old: return tr("Old loss");
    case joins: return tr("Joins");
    default: return {};
    }
}

}  // namespace rankdeck::ui
