// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/scenes.h"
#include "ui/panels/events_filter.h"
#include "ui/panels/events_model.h"
#include "ui/panels/journal_model.h"
#include "ui/panels/log_model.h"
#include "ui/panes/proof_model.h"
#include "ui/panes/rank_exit_model.h"
#include "ui/panes/sets_model.h"
#include "ui/panes/tensors_model.h"
#include "ui/state/plan_text.h"

#include <QAbstractItemModelTester>

#include <gtest/gtest.h>

namespace rankdeck::ui::models_test {
namespace {

// The message handler of this program turns its warnings into failures.
using Tester = QAbstractItemModelTester;
constexpr auto warn = Tester::FailureReportingMode::Warning;

QString cell(const QAbstractItemModel &model, int row, int column)
{
    return model.index(row, column).data().toString();
}

std::vector<Event> events(std::uint64_t from, std::uint64_t to)
{
    std::vector<Event> all;
    for (std::uint64_t id = from; id <= to; ++id) {
        Event event;
        event.id = id;
        event.rank = static_cast<int>(id % 8);
        event.kind = id % 5 == 0 ? EventKind::error : EventKind::saved;
        event.text = "event " + std::to_string(id);
        all.push_back(event);
    }
    return all;
}

TEST(EventsModel, KeepsTheNewestEventsUpToALimit)
{
    EventsModel model(100);
    const Tester tester(&model, warn);
    model.append(events(1, 60));
    model.append(events(50, 130));  // events 50 to 60 are known already and not added again
    EXPECT_EQ(model.rowCount(), 100);
    EXPECT_EQ(cell(model, 0, EventsModel::text), QStringLiteral("event 130"));
    EXPECT_EQ(cell(model, 99, EventsModel::text), QStringLiteral("event 31"));
    EXPECT_EQ(model.newestId(), 130u);
    model.append(events(200, 500));
    EXPECT_EQ(model.rowCount(), 100);
    EXPECT_EQ(cell(model, 0, EventsModel::text), QStringLiteral("event 500"));
}

TEST(EventsFilter, FiltersByRankSeverityAndText)
{
    EventsModel model;
    EventsFilter filter(model);
    const Tester tester(&filter, warn);
    model.append(events(1, 80));
    EXPECT_EQ(filter.rowCount(), 80);
    filter.setRank(3);
    EXPECT_EQ(filter.rowCount(), 10);
    filter.setWeight(EventsFilter::Weight::errors);
    EXPECT_EQ(filter.rowCount(), 2);
    filter.setRank(-1);
    filter.setText(QStringLiteral("EVENT 80"));
    EXPECT_EQ(filter.rowCount(), 1);
    filter.setText(QStringLiteral("[unclosed ("));  // plain text, never a pattern
    EXPECT_EQ(filter.rowCount(), 0);
}

TEST(LogModel, LinesKeepTheirOffsetsAcrossPieces)
{
    LogModel model;
    const Tester tester(&model, warn);
    model.append(100, "half\nwhole line\nnext", false);
    EXPECT_EQ(model.rowCount(), 1);
    model.append(120, " goes on\r\n", false);
    ASSERT_EQ(model.rowCount(), 2);
    EXPECT_EQ(cell(model, 0, LogModel::offset), QStringLiteral("105"));
    EXPECT_EQ(cell(model, 1, LogModel::text), QStringLiteral("next goes on"));
    EXPECT_EQ(model.rowAt(118), 1);
    EXPECT_EQ(model.rowAt(104), -1);
    EXPECT_EQ(model.end(), 130u);
    model.append(999, "not what follows\n", false);
    EXPECT_EQ(model.rowCount(), 2);
}

TEST(LogModel, KeepsTheNewestLinesAndEscapesHostileBytes)
{
    LogModel model(10);
    const Tester tester(&model, warn);
    std::string bytes;
    for (int i = 0; i < 50; ++i) bytes += "line " + std::to_string(i) + "\n";
    model.append(0, bytes, true);
    EXPECT_EQ(model.rowCount(), 10);
    EXPECT_EQ(cell(model, 9, LogModel::text), QStringLiteral("line 49"));
    model.append(bytes.size(), std::string("\x1b[31mred\xff\0end\n", 14), true);
    EXPECT_FALSE(cell(model, 9, LogModel::text).contains(QChar(0x1b)));
    model.append(model.end(), std::string(9000, 'x') + "\n", true);
    EXPECT_TRUE(cell(model, 9, LogModel::text).endsWith(QLatin1String("more")));
    EXPECT_EQ(model.find(QStringLiteral("LINE 47"), 9, false), 5);
    EXPECT_EQ(model.find(QStringLiteral("nowhere"), 9, false), -1);
}

TEST(JournalModel, PutsNewEntriesOnTopAndExportsText)
{
    JournalModel model;
    const Tester tester(&model, warn);
    std::vector<JournalEntry> all = scenes::journal();
    model.setEntries({all[0], all[1]});
    model.setEntries(all);
    ASSERT_EQ(model.rowCount(), 4);
    EXPECT_EQ(cell(model, 0, JournalModel::outcome), QStringLiteral("stopped"));
    EXPECT_EQ(model.asText().count(QLatin1Char('\n')), 4);
    model.setEntries({});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(SetsModel, ShowsTheLostWorkOfEachSetOrWhyItIsUnusable)
{
    SetsModel model;
    const Tester tester(&model, warn);
    model.setSnapshot(scenes::died());
    EXPECT_EQ(cell(model, 0, SetsModel::verdict), QStringLiteral("INCOMPLETE"));
    EXPECT_EQ(cell(model, 0, SetsModel::lost), QStringLiteral("cannot be resumed"));
    EXPECT_EQ(cell(model, 2, SetsModel::set), QStringLiteral("40,600"));
    EXPECT_EQ(cell(model, 2, SetsModel::lost), QStringLiteral("437 steps, 30 min 40 s"));
    EXPECT_EQ(cell(model, 2, SetsModel::why), QStringLiteral("8 of 8 complete"));
    model.setShort(true);
    EXPECT_EQ(cell(model, 2, SetsModel::lost), QStringLiteral("437 steps"));
    EXPECT_EQ(cell(model, 0, SetsModel::lost), QStringLiteral("—"));
    model.setSnapshot(scenes::healthy());
    EXPECT_EQ(model.rowOf(QStringLiteral("2:40600")), 0);
}

TEST(SmallModels, PassTheModelTester)
{
    RankExitModel exit;
    const Tester one(&exit, warn);
    exit.setRanks(scenes::stopping(5, 2).exit->ranks, {});
    exit.setRanks(scenes::stopping(6, 3).exit->ranks, {});
    EXPECT_EQ(cell(exit, 7, RankExitModel::confirmed), QStringLiteral("waits"));
    EXPECT_EQ(cell(exit, 0, RankExitModel::saved), QStringLiteral("VALID"));
    ProofModel proof;
    const Tester two(&proof, warn);
    proof.setRanks(scenes::notProven().resume->ranks);
    EXPECT_EQ(cell(proof, 6, ProofModel::first), QStringLiteral("1"));
    TensorsModel tensors;
    const Tester three(&tensors, warn);
    tensors.setEvidence(scenes::tornEvidence());
    EXPECT_EQ(tensors.rowCount(), 16);
    EXPECT_FALSE(tensors.index(0, 0).data(Qt::BackgroundRole).isValid());
    EXPECT_TRUE(tensors.index(15, 0).data(Qt::BackgroundRole).isValid());  // claims more than the file holds
}

TEST(PlanText, ShowsFileStepsEditsAndTheLaunchCommand)
{
    const ResumeReport report = scenes::plannedResume({});
    const std::vector<PlanLine> all = planLines(report.plan.nodes[0], 0), few = planLines(report.plan.nodes[0], 4);
    EXPECT_EQ(all.size(), few.size() + 3);  // 8 links, or 4 and a line that counts the rest
    const auto has = [&](PlanLine::Kind kind, const char *text) {
        return std::any_of(all.begin(), all.end(), [&](const PlanLine &line) {
            return line.kind == kind && line.text.contains(QLatin1String(text));
        });
    };
    EXPECT_TRUE(has(PlanLine::Kind::removed, "-load_checkpoint: ''"));
    EXPECT_TRUE(has(PlanLine::Kind::added, "+load_checkpoint: /job/view-40600"));
    EXPECT_TRUE(has(PlanLine::Kind::command, "MS_ENABLE_GRACEFUL_EXIT=1"));
    EXPECT_TRUE(has(PlanLine::Kind::command, "--node_rank=0"));
    EXPECT_FALSE(has(PlanLine::Kind::same, "@@"));
}

}  // namespace
}  // namespace rankdeck::ui::models_test
