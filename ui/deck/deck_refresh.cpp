// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/deck_impl.h"
#include "ui/deck/lanes/lane_model.h"
#include "ui/state/run_state.h"
#include "ui/style/format.h"
#include "ui/style/marks.h"
#include "ui/style/window_words.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace rankdeck::ui {

namespace {

constexpr std::size_t setsInSight = 10;
constexpr std::size_t hues = 6;
constexpr int manyRanks = 32;
constexpr qint64 slowQuery = 12;  // ms

QString madWords(const Outlier &outlier)
{
    const QString mads = QLocale().toString(std::abs(outlier.mads), 'f', 1);
    return (outlier.mads > 0 ? Deck::tr("rank %1 is %2 MAD above the median")
                             : Deck::tr("rank %1 is %2 MAD below the median"))
        .arg(outlier.rank)
        .arg(mads);
}

// The time of the newest sample of all ranks.
std::optional<WallTime> newestHeard(const LaneData &lanes)
{
    std::optional<WallTime> newest;
    for (const LaneRow &row : lanes.rows)
        if (row.heard) newest = std::max(newest.value_or(*row.heard), *row.heard);
    return newest;
}

std::vector<qint64> deathsOf(const LaneData &lanes)
{
    std::vector<qint64> steps;
    for (const LaneRow &row : lanes.rows)
        if (row.status == RankStatus::died && row.position) steps.push_back(*row.position);
    std::sort(steps.begin(), steps.end());
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    return steps;
}

bool sameRows(const LaneData &one, const LaneData &other)
{
    return one.rows == other.rows && one.blocks == other.blocks;
}

bool sameSets(const LaneData &one, const LaneData &other)
{
    return one.columns == other.columns && one.seams == other.seams && one.first == other.first;
}

}  // namespace

bool Deck::Impl::canDraw() const { return deck.isVisible() && !deck.window()->isMinimized(); }

void Deck::Impl::schedule(int milliseconds)
{
    if (!canDraw()) return;
    const int wait = std::max<int>(0, milliseconds - static_cast<int>(m_sinceFrame.elapsed()));
    if (m_frame.isActive() && m_frame.remainingTime() <= wait) return;
    m_frame.start(wait);
}

void Deck::Impl::frame()
{
    if (!canDraw()) return;
    m_sinceFrame.restart();
    if (m_snapshotDirty) takeSnapshot();
    // With very many ranks a query takes longer than a frame. Until the next query, the old curves move with the axis.
    const qint64 rest = m_sinceQuery.isValid() ? 2 * m_queryCost - m_sinceQuery.elapsed() : 0;
    if (m_plotDirty && rest <= 0) return refreshPlot();
    if (m_plotDirty) schedule(static_cast<int>(m_sinceFrame.elapsed() + rest));
}

void Deck::Impl::tick()
{
    if (!canDraw()) return;
    const WallTime at = scene.lanes.snapshot ? scene.lanes.snapshot->at : WallTime{};
    scene.now =
        knowsTime(at) ? at + std::chrono::floor<std::chrono::milliseconds>(steadyNow() - m_snapshotAt) : wallNow();
    lanes->tickAges();
    refreshReadout();
    refreshTexts();
    if (m_snapshotDirty || m_plotDirty) schedule(0);
}

void Deck::Impl::takeSnapshot()
{
    m_snapshotDirty = false;
    auto snapshot = feed.snapshot();
    const auto before = scene.lanes.snapshot;
    if (snapshot == before) return;
    m_snapshotAt = steadyNow();
    LaneData fresh = lanesOf(snapshot);
    const bool rows = !sameRows(fresh, scene.lanes);
    const bool sets = !sameSets(fresh, scene.lanes);
    const bool samples = !before || snapshot->samples != before->samples || fresh.last != scene.lanes.last ||
                         snapshot->view.attempts.size() != before->view.attempts.size();
    const bool price = fresh.last != scene.lanes.last;
    scene.lanes = std::move(fresh);
    scene.now = knowsTime(snapshot->at) ? snapshot->at : wallNow();
    double last = static_cast<double>(scene.lanes.last.value_or(0));
    for (const LaneColumn &column : scene.lanes.columns) last = std::max(last, static_cast<double>(column.position));
    for (const AttemptInfo &attempt : snapshot->view.attempts)
        last = std::max(last, static_cast<double>(attempt.lastStep.value_or(0)));
    const auto first = static_cast<double>(scene.lanes.first);
    axis.setJob(first, std::max(last, first + 10));
    if (!scene.selectedSet.isEmpty() && scene.selectedColumn() < 0) setSelectedSet({});
    keepInSight();
    if (rows || sets) {
        layOut();
        lanes->setLanes();
        attempts->update();
        history->setDeaths(deathsOf(scene.lanes));
    }
    if (sets || price) history->update();
    if (sets) steps->update();  // contains the line of the newest VALID set
    m_plotDirty = m_plotDirty || samples || sets;
    m_historyDirty = m_historyDirty || samples;
    m_linesDirty = m_linesDirty || samples;
    if (!m_plotDirty && rows) {
        plot->redraw();
        second->redraw();
    }
    if (m_plotDirty) return;  // refreshing the plot also does the rest
    refreshTexts();
    refreshReadout();
}

double Deck::Impl::ownSpan() const
{
    const double whole = (axis.last() - axis.first()) / 0.94;
    if (wantedSpan) return std::min(*wantedSpan, whole);
    std::vector<qint64> sets;  // pruned ones, too: they show the save interval
    for (const LaneColumn &column : scene.lanes.columns)
        if (!column.ghost && (sets.empty() || column.position > sets.back())) sets.push_back(column.position);
    if (sets.size() < 2) return whole;
    // If there are fewer sets than setsInSight, their average interval is used.
    const std::size_t shown = std::min(sets.size(), setsInSight);
    const double interval =
        static_cast<double>(sets.back() - sets[sets.size() - shown]) / static_cast<double>(shown - 1);
    const double sinceLast = axis.last() - static_cast<double>(sets.back());
    return std::min((interval * static_cast<double>(setsInSight) + sinceLast) * 1.06, whole);
}

// While the deck follows the run, the view moves only when the newest step reaches the right edge, and then by a larger
// distance.
void Deck::Impl::keepInSight()
{
    if (sight == Sight::free) return;
    const double last = axis.last();
    const double edge = axis.from() + 0.985 * axis.span();
    const bool inside = last <= edge && last > axis.from() + 0.25 * axis.span() && axis.from() <= last;
    if (sight == Sight::whole) {
        if (last > edge || axis.from() > axis.first() || last < axis.from() + 0.5 * axis.span())
            axis.show(axis.first() - 1, last + (last - axis.first()) * 0.06);
        return;
    }
    if (inside) return;
    const double span = ownSpan();
    axis.show(last - 0.94 * span, last + 0.06 * span);
}

void Deck::Impl::axisChanged()
{
    m_rangeBefore = std::exchange(m_range, {axis.from(), axis.to()});
    lanes->follow();
    attempts->update();
    steps->update();
    readout->update();
    m_plotDirty = true;
    if (m_queryCost > slowQuery) {
        plot->redraw();
        second->redraw();
    }
    schedule(0);
}

void Deck::Impl::refreshLines(const Run &run)
{
    if (m_linesDirty && (!m_sinceSlow.isValid() || m_sinceSlow.elapsed() > 900)) {
        m_sinceSlow.restart();
        m_linesDirty = false;
        m_outliers = outliersOf(run);
        if (m_historyDirty) {
            m_historyDirty = false;
            PlotQuery whole{axis.first(), std::max(axis.last(), axis.first() + 1), std::max(axis.width() / 2, 50)};
            history->setMedian(queryPlot(run, whole, m_historyCache).median);
        }
    }
    std::vector<int> drawn;
    const auto draw = [&](int rank) {
        if (rank >= 0 && std::find(drawn.begin(), drawn.end(), rank) == drawn.end()) drawn.push_back(rank);
    };
    draw(scene.selectedRank);
    for (const int rank : scene.pinned)
        if (drawn.size() < 16) draw(rank);
    std::vector<LegendOutlier> legend;
    for (const Outlier &outlier : m_outliers) {
        if (legend.size() >= hues || drawn.size() >= std::max(hues, scene.pinned.size() + 1)) break;
        draw(outlier.rank);
        const int row = scene.lanes.rowOf(outlier.rank);
        const QString node =
            row < 0 ? QString()
                    : scene.lanes.blocks[std::size_t(scene.lanes.rows[static_cast<std::size_t>(row)].block)].node;
        legend.push_back({outlier.rank, node, outlier.mads});
    }
    plot->setOutliers(legend,
                      static_cast<int>(scene.lanes.rows.size() - std::min(scene.lanes.rows.size(), m_outliers.size())));
    std::erase_if(scene.lineSlots,
                  [&](const auto &slot) { return std::find(drawn.begin(), drawn.end(), slot.first) == drawn.end(); });
    for (const int rank : drawn) {
        if (scene.lineSlots.count(rank) > 0) continue;
        int slot = 0;
        const auto taken = [&] {
            return std::any_of(scene.lineSlots.begin(), scene.lineSlots.end(),
                               [&](const auto &other) { return other.second == slot; });
        };
        while (taken()) ++slot;
        scene.lineSlots.emplace(rank, slot);
    }
}

void Deck::Impl::refreshPlot()
{
    m_plotDirty = false;
    const int ranks = static_cast<int>(scene.lanes.rows.size());
    const auto slotsBefore = scene.lineSlots;
    PlotData data;
    QElapsedTimer cost;
    cost.start();
    feed.withRun([&](const Run &run) {
        refreshLines(run);
        PlotQuery query{axis.from(), axis.to(), axis.width(), smoothing, ranks > manyRanks};
        for (const auto &[rank, slot] : scene.lineSlots) query.ranks.push_back(rank);
        for (const Seam &seam : scene.lanes.seams)
            if (seam.resumedFrom) query.seams.push_back(static_cast<double>(seam.position));
        data = queryPlot(run, query, m_plotCache);
        refreshSecond(run);
    });
    m_queryCost = cost.elapsed();
    m_sinceQuery.start();
    plot->setData(std::move(data));
    if (plot->labelWidth() > scene.rightMargin) layOut();
    plot->redraw();
    if (slotsBefore != scene.lineSlots) lanes->refreshSelection();
    const double steps1 = axis.stepsPerPixel();
    const QString perPixel = QLocale().toString(steps1, 'f', steps1 < 10 ? 1 : 0);
    QString words = steps1 <= 1 ? Deck::tr("1 step = %1 px, every sample drawn").arg(number(std::llround(1 / steps1)))
                                : Deck::tr("1 px = %1 steps, min and max kept, nothing hidden").arg(perPixel);
    if (ranks > manyRanks)
        words = Deck::tr("1 px = %1 steps, %2 ranks as an envelope, min and max kept; %3 drawn")
                    .arg(perPixel, number(ranks), Deck::tr("%n lines", nullptr, int(scene.lineSlots.size())));
    refreshReadout();
    refreshTexts();
    if (words == note) return;
    note = words;
    Q_EMIT deck.noteChanged();
}

void Deck::Impl::refreshTexts()
{
    if (!scene.lanes.snapshot) return;
    const Snapshot &s = *scene.lanes.snapshot;
    const bool samples = scene.lanes.last || s.samples > 0;
    QString empty;
    // While no node has answered, the state is unknown, not "not yet".
    const bool answered = std::any_of(s.view.nodes.begin(), s.view.nodes.end(), [](const NodeStatus &node) {
        return node.state == NodeState::live || knowsTime(node.lastContact);
    });
    if (!samples && !answered) {
        empty = Deck::tr("No node has answered yet: losses are unknown.");
    } else if (!samples) {
        int logs = 0;
        for (const RankState &rank : s.view.ranks) logs += rank.logPath.empty() ? 0 : 1;
        empty = logs > 0 ? Deck::tr("No loss line yet. Reading %n logs.", nullptr, logs)
                         : Deck::tr("No loss line yet. No log found yet.");
    }
    plot->setEmptyText(empty);
    QString noSet;
    if (scene.lanes.columns.empty() && !answered) {
        noSet = Deck::tr("No node has answered yet: checkpoints are unknown.");
    } else if (scene.lanes.columns.empty() && !s.view.checkpoints.settled) {
        noSet = Deck::tr("Checkpoints are being read.");
    } else if (scene.lanes.columns.empty()) {
        const QString path = fromNode(s.view.job.checkpoints.path);
        const int nodes = static_cast<int>(s.view.job.nodes.size());
        noSet = path.isEmpty()
                    ? Deck::tr("No checkpoint yet.")
                    : Deck::tr("No checkpoint yet in %1 on %2.").arg(path, Deck::tr("%n nodes", nullptr, nodes));
    }
    lanes->setEmptyText(noSet);
    QStringList words;
    const PlotData &data = plot->plotData();
    if (data.lastMedian && scene.lanes.last)
        words << Deck::tr("median %1 at %2").arg(lossText(*data.lastMedian), number(*scene.lanes.last));
    for (const Outlier &outlier : m_outliers)
        words << (outlier.mads > 0 ? Deck::tr("rank %1 above") : Deck::tr("rank %1 below")).arg(outlier.rank);
    if (const LaneColumn *valid = scene.newestValid())
        words << Deck::tr("newest VALID %1").arg(number(valid->position));
    if (!data.nonFinite.empty())
        words << Deck::tr("NaN or Inf from step %1").arg(number(qint64(data.nonFinite.front().step)));
    const QString all = words.join(QStringLiteral("; "));
    if (plot->canvas()->accessibleDescription() != all) plot->canvas()->setAccessibleDescription(all);
}

void Deck::Impl::refreshReadout()
{
    readout->setWords(readoutWords());
    if (sight != Sight::free)
        return readout->setFollowing(scene.lanes.last ? Deck::tr("following ▸") : QString(), false);
    const qint64 fresh = static_cast<qint64>(axis.last()) - lastWhenLeft;
    readout->setFollowing(fresh > 0 ? Deck::tr("▸ %1 new steps").arg(number(fresh)) : Deck::tr("▸ follow"), true);
}

ReadoutLine::Words Deck::Impl::setWordsOf(int column) const
{
    const CheckpointSet &set = scene.lanes.setOf(column);
    ReadoutLine::Words words;
    words.lead = Deck::tr("Selected set %1").arg(setWords(set));
    QStringList quiet;
    if (set.time) quiet << clockWords(*set.time) << ago(secondsSince(*set.time, scene.now));
    words.details = quiet.join(QString::fromUtf8(" · "));
    words.main = Deck::tr("%1: %2").arg(verdictWord(set.verdict), whyOf(set));
    const MemberVerdict *member = scene.lanes.memberAt(column, scene.selectedRow());
    if (!member) return words;
    words.rank = Deck::tr("rank %1 %2").arg(member->rank).arg(memberWord(*member));
    if (!member->note.empty()) words.rank += comma() + fromCore(member->note);
    return words;
}

ReadoutLine::Words Deck::Impl::readoutWords() const
{
    if (!scene.cursor && scene.selectedColumn() >= 0) return setWordsOf(scene.selectedColumn());
    if (!scene.cursor && !scene.lanes.last) return {};
    const double at = scene.cursor.value_or(static_cast<double>(scene.lanes.last.value_or(0)));
    std::optional<Reading> found;
    const double tolerance = std::max(50.0, 2 * axis.stepsPerPixel());
    feed.withRun([&](const Run &run) { found = readAt(run, at, scene.selectedRank, tolerance); });
    ReadoutLine::Words words;
    words.lead =
        scene.cursor ? Deck::tr("At %1").arg(number(qint64(at))) : Deck::tr("Newest sample %1").arg(number(qint64(at)));
    if (!found) {
        words.quiet = Deck::tr("no sample here");
        return words;
    }
    const QString dot = QString::fromUtf8(" · ");
    QStringList quiet;
    const auto time = scene.cursor ? found->time : newestHeard(scene.lanes);
    if (time) quiet << clockWords(*time);
    if (time && !scene.cursor) quiet << ago(secondsSince(*time, scene.now));
    quiet << attemptWords(found->attempt);
    words.quiet = quiet.join(dot);
    if (found->ranks > 0) {
        words.main = Deck::tr("median %1").arg(lossText(found->median));
        words.details = Deck::tr("min %1 (rank %2)").arg(lossText(found->least)).arg(found->leastRank) + dot +
                        Deck::tr("max %1 (rank %2)").arg(lossText(found->most)).arg(found->mostRank);
    }
    if (found->nonFinite > 0) words.main += dot + Deck::tr("NaN or Inf on %n ranks", nullptr, found->nonFinite);
    if (found->ofRank) words.rank = Deck::tr("rank %1 %2").arg(scene.selectedRank).arg(lossText(*found->ofRank));
    const auto outlier = std::find_if(m_outliers.begin(), m_outliers.end(), [&](const Outlier &one) {
        return scene.selectedRank < 0 || one.rank == scene.selectedRank;
    });
    if (!scene.cursor && outlier != m_outliers.end()) words.rank = madWords(*outlier);
    return words;
}

}  // namespace rankdeck::ui
