// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panes/rank_exit_model.h"

#include "ui/style/format.h"
#include "ui/style/glyphs.h"
#include "ui/style/window_words.h"

#include <algorithm>

namespace rankdeck::ui {

namespace {

// True if the file has only just been listed: it was not read yet, so nothing is wrong with it so far.
bool notJudged(const RankExit &rank) { return rank.savedVerdict == Verdict::unknown; }

QString savedWords(const RankExit &rank)
{
    if (notJudged(rank)) return RankExitModel::tr("seen, not checked");
    if (rank.savedVerdict) return verdictWord(*rank.savedVerdict);
    return rank.savedPath.empty() ? QString() : RankExitModel::tr("seen");
}

bool isIn(const std::vector<int> &ranks, const RankExit &rank)
{
    return !rank.confirmed && std::find(ranks.begin(), ranks.end(), rank.rank) != ranks.end();
}

Glyph sign(const RankExit &rank, int column, bool died, bool unheard)
{
    switch (column) {
    case RankExitModel::armed: return rank.armed || rank.confirmed ? Glyph::check : Glyph::queued;
    case RankExitModel::confirmed:
        return rank.confirmed ? Glyph::check : died ? Glyph::died : unheard ? Glyph::unknown : Glyph::queued;
    case RankExitModel::saved:
        if (notJudged(rank)) return Glyph::unread;
        if (rank.savedVerdict)
            return *rank.savedVerdict == Verdict::valid ? Glyph::check : verdictGlyph(*rank.savedVerdict);
        return rank.savedPath.empty() ? Glyph::queued : Glyph::saving;
    case RankExitModel::exited:
        if (died) return Glyph::died;
        if (!rank.exited) return unheard ? Glyph::unknown : Glyph::queued;
        return rank.exitCode.value_or(0) == 0 ? Glyph::check : Glyph::warns;
    default: return Glyph::none;
    }
}

}  // namespace

void RankExitModel::setRanks(std::vector<RankExit> ranks, Behind behind)
{
    m_behind = std::move(behind);
    setRows(std::move(ranks));
}

QVariant RankExitModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const RankExit &state = rowAt(index);
    if (role == Qt::ToolTipRole && !state.note.empty()) return toolTipOf(fromCore(state.note));
    if (role == Qt::TextAlignmentRole && index.column() == rank)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    const bool died = isIn(m_behind.died, state), unheard = isIn(m_behind.unheard, state);
    if (role == Qt::DecorationRole && index.column() != rank)
        return glyphIcon(sign(state, index.column(), died, unheard), Theme::of(nullptr));
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
    case rank: return number(state.rank);
    case confirmed:
        if (state.confirmedAt) return clockWords(*state.confirmedAt);
        return state.confirmed               ? tr("yes")
               : died                        ? tr("never")
               : unheard                     ? tr("no contact")
               : isIn(m_behind.hangs, state) ? tr("hangs")
                                             : tr("waits");
    case saved: return savedWords(state);
    case exited:
        if (died) return tr("died");
        return state.exited && state.exitCode ? tr("code %1").arg(*state.exitCode) : QString();
    default: return {};
    }
}

QVariant RankExitModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole && section == rank)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case rank: return tr("Rank");
    case armed: return tr("Armed");
    case confirmed: return tr("Confirmed");
    case saved: return tr("Saved");
    case exited: return tr("Exited");
    default: return {};
    }
}

}  // namespace rankdeck::ui
