// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/notice.h"

#include "tests/ui/fault_scenes.h"
#include "ui/state/act_state.h"
#include "ui/state/run_state.h"

#include <QApplication>
#include <QRegularExpression>
#include <QTranslator>

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace rankdeck::ui::notice_test {
namespace {

using Kind = Notice::Kind;

Kind kindOf(const Snapshot &s) { return mostUrgent(s, scenes::now()).value().kind; }

TEST(Notice, HealthyJobHasNone) { EXPECT_FALSE(mostUrgent(scenes::healthy(), scenes::now()).has_value()); }

TEST(Notice, DeathNamesTheFirstFailedRankItsStepAndTheFix)
{
    const auto notice = mostUrgent(scenes::died(), scenes::now());
    ASSERT_TRUE(notice);
    EXPECT_EQ(notice->kind, Kind::died);
    EXPECT_EQ(notice->level, Notice::Level::bad);
    EXPECT_EQ(notice->fact, QStringLiteral("Rank 5 died at step 41,037"));
    EXPECT_TRUE(notice->rest.contains(QLatin1String("UCE error 507053")));
    ASSERT_EQ(notice->acts.size(), 2u);
    EXPECT_EQ(notice->acts[0].act, NoticeAct::showFailure);
    EXPECT_EQ(notice->acts[1].text, QStringLiteral("Resume from 40,600…"));
}

TEST(Notice, SortsNoticesFromDeathToWarning)
{
    Snapshot s = scenes::healthy();
    s.messages = {"job file: unknown key \"worldsize\""};
    EXPECT_EQ(kindOf(s), Kind::warning);
    s.view.nodes[0].state = NodeState::stale;
    EXPECT_EQ(kindOf(s), Kind::stale);
    for (CheckpointSet &set : s.view.checkpoints.sets) set.verdict = Verdict::incomplete;
    EXPECT_EQ(kindOf(s), Kind::nothingValid);
    Snapshot overdue = scenes::stopping(5, 2);
    overdue.exit->started = scenes::now() - std::chrono::seconds(180);
    s.exit = overdue.exit;
    s.view.flags = overdue.view.flags;
    EXPECT_EQ(kindOf(s), Kind::armedOverdue);
    s.view.nodes[1].state = NodeState::lost;
    EXPECT_EQ(kindOf(s), Kind::lost);
    s.exit.reset();
    s.view.ranks[5].alive = false;
    s.view.ranks[5].exitCode = 1;
    EXPECT_EQ(kindOf(s), Kind::died);
}

// Snapshots of jobs in trouble, which together raise most alarms.
std::vector<Snapshot> troubled()
{
    std::vector<Snapshot> all{scenes::died(), scenes::notProven(), scenes::stopping(5, 2), scenes::stopping(0, 0)};
    all.back().exit->started = scenes::now() - std::chrono::seconds(180);
    for (auto *happen : {scenes::killAll, scenes::killOne, scenes::hang, scenes::nan, scenes::cut, scenes::cutAll,
                         scenes::killAndCut, scenes::fullDisk, scenes::killTwo, scenes::hangAndCut, scenes::comesLate,
                         scenes::leftEarly, scenes::nanAndNothingLeft, scenes::nanAndKept}) {
        all.push_back(scenes::healthy());
        happen(all.back());
    }
    for (const NodeState state : {NodeState::lost, NodeState::stale, NodeState::needsYou, NodeState::refused,
                                  NodeState::unsupported, NodeState::connecting, NodeState::queued}) {
        all.push_back(scenes::healthy());
        all.back().view.nodes[0].state = state;
        all.back().view.nodes[0].reason = message("%1 is lost", "ascend-01");
    }
    all.push_back(scenes::healthy());
    all.back().view.flags[0].armed = true;
    all.push_back(scenes::healthy());
    for (CheckpointSet &set : all.back().view.checkpoints.sets) {
        set.verdict = Verdict::incomplete;
        set.reasons.clear();
    }
    return all;
}

bool isHan(QChar letter) { return letter.script() == QChar::Script_Han; }

// Texts that are not made of parts, like the lines of a log, have no translation.
void removePlainTexts(const Message &message, QString &from)
{
    if (message.format().empty() && message.size() > 3) from.remove(QString::fromStdString(message));
    for (const Message &part : message.parts()) removePlainTexts(part, from);
}

// A Chinese window shows alarms in Chinese. Only texts from a node, a log or a job file stay as they are.
TEST(Notice, AlarmsAreInChineseInAChineseWindow)
{
    QTranslator texts;
    ASSERT_TRUE(texts.load(QStringLiteral(":/i18n/rankdeck_zh_CN.qm")));
    QApplication::installTranslator(&texts);
    const QRegularExpression english(QStringLiteral("[A-Za-z]{4,}( [a-z]{2,}){2,}"));
    std::set<AlarmCode> seen;
    for (const Snapshot &s : troubled())
        for (const Alarm &alarm : findAlarms(pictureOf(s, scenes::now()))) {
            if (alarm.code == AlarmCode::note) continue;  // notes about the console's own files keep their text
            seen.insert(alarm.code);
            const Notice notice = noticeOf(alarm, s, scenes::now());
            EXPECT_TRUE(std::any_of(notice.fact.begin(), notice.fact.end(), isHan)) << notice.fact.toStdString();
            QString words = notice.fact + QStringLiteral(" | ") + notice.rest;
            removePlainTexts(alarm.rest, words);
            EXPECT_FALSE(english.match(words).hasMatch()) << alarmCodeName(alarm.code) << ": " << words.toStdString();
        }
    EXPECT_GE(seen.size(), 11u);
    QApplication::removeTranslator(&texts);
}

TEST(Notice, StackTracesAreNotOfferedIfNoRankRuns)
{
    Alarm alarm{
        .code = AlarmCode::stalled, .which = AlarmCase::isDeserted, .ranks = {3}, .acts = {AlarmAct::showFailure}};
    EXPECT_EQ(noticeOf(alarm, scenes::healthy(), scenes::now()).acts.front().text.toStdString(), "Show the failure");
    alarm.which = AlarmCase::isUnseen;
    EXPECT_EQ(noticeOf(alarm, scenes::healthy(), scenes::now()).acts.front().text.toStdString(), "Show the failure");
    alarm.which = AlarmCase::only;
    EXPECT_EQ(noticeOf(alarm, scenes::healthy(), scenes::now()).acts.front().act, NoticeAct::showRanks);
}

// No choice is offered if no set can be chosen.
TEST(Notice, SetsAreOnlyShownIfNoneCanBeChosen)
{
    Snapshot s = scenes::healthy();
    s.view.checkpoints.recommended.reset();
    for (CheckpointSet &set : s.view.checkpoints.sets) set.verdict = Verdict::corrupt;
    EXPECT_EQ(resumeWords(s).toStdString(), "Show the sets");
    s.view.checkpoints.sets.front().verdict = Verdict::validUnproven;
    EXPECT_EQ(resumeWords(s).toStdString(), "Choose a set…");
}

// Regression: no set of the attempt could be kept, and there was no set to resume from.
TEST(Notice, OffersAKeptSetThatRotationRemoved)
{
    Snapshot s = scenes::healthy();
    scenes::nanAndKept(s);
    const std::vector<Notice> all = notices(s, scenes::now());
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].rest.toStdString(), "40,200 is kept: put it back, then resume from it. A stop would save NaN.");
    EXPECT_EQ(all[0].set, QStringLiteral("2:40200"));
    EXPECT_EQ(all[0].acts.front().act, NoticeAct::openResume);
    EXPECT_EQ(all[0].acts.front().text.toStdString(), "Put 40,200 back and resume from it…");
    EXPECT_EQ(all[1].fact.toStdString(), "No checkpoint set can be resumed by all ranks");
    EXPECT_EQ(lostWords(s, scenes::now()).caption.toStdString(), "Lost already, since step 40,200");
    EXPECT_EQ(resumeState(s).note.toStdString(), "40,200 is kept: put it back");
    EXPECT_TRUE(resumeState(s).enabled);
    EXPECT_EQ(resumeState(s).set, QStringLiteral("2:40200"));
}

TEST(Notice, WorstNoticeCountsTheOthers)
{
    Snapshot s = scenes::died();
    s.messages = {"one", "two"};
    EXPECT_EQ(notices(s, scenes::now()).size(), 4u) << "died, a stale node, two notes";
    EXPECT_TRUE(mostUrgent(s, scenes::now())->rest.endsWith(QLatin1String("And 3 more.")));
}

TEST(Notice, CrashOfTheWholeJobIsNotShownAsANormalEnd)
{
    Snapshot s = scenes::healthy();
    for (RankState &rank : s.view.ranks) {
        rank.alive = false;
        rank.seenAlive = true;
        rank.error = RankError{scenes::now(), "OSError: [Errno 27] File too large", {}, 0};
    }
    s.view.ranks[7].error->time = scenes::now() - std::chrono::seconds(4);
    const auto notice = mostUrgent(s, scenes::now());
    ASSERT_TRUE(notice);
    EXPECT_EQ(notice->kind, Kind::died);
    EXPECT_EQ(notice->rank, 7);
    EXPECT_EQ(notice->fact, QStringLiteral("All 8 ranks died at step 40,712, rank 7 first"));
    EXPECT_TRUE(notice->rest.contains(QLatin1String("(the disk is full).")));
    EXPECT_TRUE(runState(s).exited.empty()) << "the glyph of a proven exit is for proven exits";
    s.view.ranks[3].error->time = s.view.ranks[7].error->time;
    EXPECT_EQ(mostUrgent(s, scenes::now())->fact, QStringLiteral("All 8 ranks died at step 40,712, ranks 3, 7 first"));
    for (RankState &rank : s.view.ranks) rank.error->time = scenes::now();
    EXPECT_EQ(mostUrgent(s, scenes::now())->fact.toStdString(),
              "All 8 ranks died at step 40,711");  // step of the rank that is behind
}

TEST(Notice, DeathPrecedesTheStopThatWaitsForIt)
{
    Snapshot s = scenes::stopping(0, 0);
    s.view.ranks[2].alive = false;
    s.view.ranks[2].seenAlive = true;
    const std::vector<Notice> all = notices(s, scenes::now());
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].kind, Kind::died);
    EXPECT_EQ(all[1].kind, Kind::stopStuck);
    EXPECT_EQ(all[1].fact, QStringLiteral("The stop cannot finish: rank 2 died"));
}

TEST(Notice, NoValidSetNamesTheNearestSet)
{
    Snapshot s = scenes::healthy();
    s.view.checkpoints.sets = {scenes::died().view.checkpoints.sets.front()};
    const auto notice = mostUrgent(s, scenes::now());
    ASSERT_TRUE(notice);
    EXPECT_EQ(notice->rest, QStringLiteral("Nearest: 41,000, rank 5 has only a .tmp, 212 of 494 MB."));
}

TEST(Notice, FailedProofNamesTheRankThatStartedFromZero)
{
    const auto notice = mostUrgent(scenes::notProven(), scenes::now());
    ASSERT_TRUE(notice);
    EXPECT_EQ(notice->kind, Kind::notProven);
    EXPECT_EQ(notice->rank, 6);
    EXPECT_EQ(notice->fact, QStringLiteral("Not proven: rank 6 started at step 1"));
}

TEST(Notice, LeftoverFlagOffersToClearIt)
{
    Snapshot s = scenes::healthy();
    s.view.flags[0].armed = true;
    const auto notice = mostUrgent(s, scenes::now());
    ASSERT_TRUE(notice);
    EXPECT_EQ(notice->kind, Kind::leftArmed);
    EXPECT_EQ(notice->acts.front().act, NoticeAct::cancelStop);
}

TEST(Notice, NodeWithAQuestionOffersToAnswerIt)
{
    Snapshot s = scenes::healthy();
    s.view.nodes[1].state = NodeState::needsYou;
    s.view.nodes[1].hostKey = HostKeyQuestion{"ascend-02", "10.0.0.2", "ssh-ed25519", "SHA256:abc", "known_hosts"};
    const auto notice = mostUrgent(s, scenes::now());
    ASSERT_TRUE(notice);
    EXPECT_EQ(notice->fact, QStringLiteral("Node ascend-02 shows an unknown host key"));
    EXPECT_EQ(notice->acts.front().act, NoticeAct::answerNode);
}

TEST(Notice, OffersAtMostTwoButtons)
{
    for (const Snapshot &s : {scenes::died(), scenes::notProven(), scenes::stopping(5, 2), scenes::resumable()}) {
        if (const auto notice = mostUrgent(s, scenes::now())) { EXPECT_LE(notice->acts.size(), 2u); }
    }
}

TEST(Notice, AcknowledgedAlarmLeavesTheBannerAndIsCounted)
{
    const Snapshot s = scenes::died();
    const auto first = mostUrgent(s, scenes::now());
    ASSERT_TRUE(first);
    EXPECT_FALSE(first->key.isEmpty());
    const auto all = notices(s, scenes::now());
    EXPECT_EQ(first->all, static_cast<int>(all.size()));
    std::set<QString> seen;
    for (const Notice &one : all) seen.insert(one.key);
    EXPECT_FALSE(mostUrgent(s, scenes::now(), seen)) << "each was acknowledged";
    seen.erase(all.back().key);
    EXPECT_EQ(mostUrgent(s, scenes::now(), seen)->key, all.back().key);
}

TEST(Notice, NaNOffersToKeepTheGoodSetAndShowsTheResult)
{
    Notice notice;
    notice.set = QStringLiteral("0:14-1");
    notice.acts = {{NoticeAct::keepSet, QStringLiteral("Keep 1,400")}, {NoticeAct::openResume, {}}};
    Keeping keeping;
    Notice same = notice;
    wordKeeping(same, keeping);
    EXPECT_EQ(same.acts.size(), 2u) << "nothing was asked yet";
    keeping.report = KeepReport{.outcome = "failed", .set = {}, .text = "n0: No space left on device"};
    Notice failed = notice;
    wordKeeping(failed, keeping);
    EXPECT_EQ(failed.rest, QStringLiteral("Not kept: n0: No space left on device."));
    EXPECT_EQ(failed.acts.size(), 2u) << "it can be tried again";
    keeping.report->outcome = "kept";
    wordKeeping(notice, keeping);
    EXPECT_EQ(notice.rest, QStringLiteral("The set is now protected beside the checkpoints."));
    EXPECT_EQ(notice.acts.front().act, NoticeAct::openResume);
}

}  // namespace
}  // namespace rankdeck::ui::notice_test
