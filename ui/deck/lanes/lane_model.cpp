// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/lanes/lane_model.h"

#include "ui/style/format.h"
#include "ui/style/marks.h"
#include "ui/style/window_words.h"

#include <algorithm>

namespace rankdeck::ui {
namespace {

bool sameRanks(const LaneData &one, const LaneData &other)
{
    return std::equal(one.rows.begin(), one.rows.end(), other.rows.begin(), other.rows.end(),
                      [](const LaneRow &a, const LaneRow &b) { return a.rank == b.rank; });
}

// The number of leading columns that both have in common.
std::size_t commonColumns(const LaneData &one, const LaneData &other)
{
    const std::size_t most = std::min(one.columns.size(), other.columns.size());
    std::size_t same = 0;
    while (same < most && one.columns[same].id == other.columns[same].id) ++same;
    return same;
}

}  // namespace

void LaneModel::setLanes(const LaneData &lanes)
{
    const std::size_t before = m_lanes.columns.size();
    const std::size_t common = commonColumns(m_lanes, lanes);
    if (!sameRanks(m_lanes, lanes) || common < before) {
        beginResetModel();
        m_lanes = lanes;
        endResetModel();
        return;
    }
    const bool changed = !std::equal(m_lanes.columns.begin(), m_lanes.columns.end(), lanes.columns.begin());
    const bool grows = lanes.columns.size() > before;
    if (grows) beginInsertColumns({}, static_cast<int>(before), static_cast<int>(lanes.columns.size()) - 1);
    m_lanes = lanes;
    if (grows) endInsertColumns();
    if (changed && before > 0 && !m_lanes.rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, static_cast<int>(before) - 1));
}

int LaneModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lanes.rows.size());
}

int LaneModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lanes.columns.size());
}

QVariant LaneModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)) return {};
    return cellWords(index.row(), index.column());
}

QVariant LaneModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const int count = orientation == Qt::Horizontal ? columnCount() : rowCount();
    if (section < 0 || section >= count || (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)) return {};
    return orientation == Qt::Horizontal ? columnWords(section) : rowWords(section);
}

QString LaneModel::cellWords(int row, int column) const
{
    QString words = tr("rank %1, step %2")
                        .arg(number(m_lanes.rows[static_cast<std::size_t>(row)].rank),
                             number(m_lanes.columns[static_cast<std::size_t>(column)].position));
    const MemberVerdict *member = m_lanes.memberAt(column, row);
    words += comma() + (member ? memberWord(*member) : tr("nothing known"));
    if (member && !member->note.empty()) words += comma() + fromCore(member->note);
    return words;
}

QString LaneModel::rowWords(int row) const
{
    const LaneRow &lane = m_lanes.rows[static_cast<std::size_t>(row)];
    const LaneBlock &block = m_lanes.blocks[static_cast<std::size_t>(lane.block)];
    QString words = tr("Rank %1, %2").arg(number(lane.rank), block.node);
    const QString note = laneNote(lane, m_lanes);
    if (!note.isEmpty()) words += comma() + note;
    if (lane.position) words += comma() + tr("step %1").arg(number(*lane.position));
    if (lane.loss) words += comma() + tr("loss %1").arg(lossText(*lane.loss));
    return words;
}

QString LaneModel::columnWords(int column) const
{
    const CheckpointSet &set = m_lanes.setOf(column);
    QString words = tr("Set %1, %2").arg(setWords(set), verdictWord(set.verdict));
    if (m_lanes.columns[static_cast<std::size_t>(column)].newestValid) words += comma() + tr("newest VALID");
    if (set.verdict != Verdict::valid) words += comma() + whyOf(set);
    return words;
}

QString laneNote(const LaneRow &row, const LaneData &lanes)
{
    switch (row.status) {
    case RankStatus::notStarted: return {};
    case RankStatus::waits: return row.hangs ? LaneModel::tr("hangs") : LaneModel::tr("waits");
    case RankStatus::died:
        return row.diedAt ? LaneModel::tr("died %1").arg(clockWords(*row.diedAt)) : LaneModel::tr("died");
    case RankStatus::exited: return LaneModel::tr("exited");
    case RankStatus::ended: return LaneModel::tr("ended");
    case RankStatus::noNews: return LaneModel::tr("no contact");
    case RankStatus::runs: break;
    }
    if (!row.position || !lanes.last || *row.position >= *lanes.last) return {};
    return QString::fromUtf8("\u2212%1").arg(number(*lanes.last - *row.position));
}

}  // namespace rankdeck::ui
