// SPDX-License-Identifier: GPL-3.0-or-later
// The attempt to which a line belongs, for logs that are emptied, replaced, rotated, or written by a launch.
#include "tests/core/engine/logs/log_ingest_fixture.h"

#include <gmock/gmock.h>

namespace rankdeck::log_attempts_test {
namespace {

const char *const farewell =
    "[WARNING] ME(77:1,MainProcess):2026-01-01-00:00:00.000.000 "
    "[mindspore/train/callback/_on_request_exit.py:240] Graceful exit is triggered, stop training.\n";

TEST_F(LogIngestTest, EmptiedLogIsANewAttemptOnlyAfterNewLines)
{
    push(0, lines(1, 1, 5));
    begunAgain(0, TailChange::truncated);
    EXPECT_EQ(m_run.currentAttempt(), 0) << "a log that was cleared does not say that anybody began anew";
    push(0, lines(1, 1, 1));
    EXPECT_EQ(m_run.currentAttempt(), 1);
}

TEST_F(LogIngestTest, JoinsAllRanksOfARelaunchInOneAttempt)
{
    for (const int rank : {0, 1, 2}) push(rank, lines(1, 1, 4));
    for (const int rank : {0, 1, 2}) begunAgain(rank, TailChange::truncated);
    for (const int rank : {2, 0, 1}) push(rank, lines(1, 1, 2));
    EXPECT_EQ(m_begun, (std::vector<int>{0, 1}));
    for (const int rank : {0, 1, 2}) {
        EXPECT_EQ(samplesOf(rank, 0), 4u) << rank;
        EXPECT_EQ(samplesOf(rank, 1), 2u) << rank;
    }
}

// logrotate's copytruncate and the > of the next launch have the same effect on the file.
TEST_F(LogIngestTest, EmptiedLogContinuesIfTheSameProcessWritesIt)
{
    listed(0, 70);
    push(0, lines(1, 1, 4));
    begunAgain(0, TailChange::truncated);
    push(0, lines(1, 5, 6));
    push(0, lines(1, 7, 7));
    EXPECT_EQ(m_run.currentAttempt(), 0);
    EXPECT_EQ(samplesOf(0, 0), 4u) << "whose they are is not known yet";
    EXPECT_TRUE(m_logs->positions().empty()) << "who goes on here reads them again";
    listed(0, 70);
    EXPECT_EQ(m_begun, std::vector<int>{0});
    EXPECT_EQ(samplesOf(0, 0), 7u);
    EXPECT_EQ(m_logs->positions().size(), 1u);
}

TEST_F(LogIngestTest, EmptiedLogIsANewAttemptIfAnotherProcessWritesIt)
{
    for (const int next : {71, 0}) {  // 0: no process is left
        const int was = std::max(0, m_run.currentAttempt());
        listed(0, 70);
        push(0, lines(1, 1, 4));
        begunAgain(0, TailChange::truncated);
        push(0, lines(1, 5, 6));
        EXPECT_EQ(m_run.currentAttempt(), was);
        listed(0, next);
        EXPECT_EQ(m_run.currentAttempt(), was + 1) << next;
        EXPECT_EQ(samplesOf(0, was + 1), 2u);
        push(0, farewell);
        begunAgain(0, TailChange::replaced);
        push(0, lines(1, 1, 1));
    }
}

TEST_F(LogIngestTest, DoesNotWaitForProcessesIfTheLinesShowTheAttempt)
{
    listed(0, 70);
    push(0, lines(1, 1, 4));
    begunAgain(0, TailChange::truncated);
    push(0, lines(1, 3, 4));
    EXPECT_EQ(m_begun, (std::vector<int>{0, 1})) << "its steps go back";
    begunAgain(0, TailChange::truncated);
    push(0, "=> loaded checkpoint '/c/0.ckpt' (epoch 1)\n" + lines(1, 5, 6));
    EXPECT_EQ(m_begun.size(), 3u) << "nobody loads in the middle of a run";
    push(0, header(77) + lines(1, 7, 8));
    const auto begun = m_begun.size();
    begunAgain(0, TailChange::truncated);
    push(0, header(77) + lines(1, 9, 9));
    EXPECT_EQ(m_begun.size(), begun) << "its lines name the same process";
    begunAgain(0, TailChange::truncated);
    push(0, header(78) + lines(1, 10, 10));
    EXPECT_EQ(m_begun.size(), begun + 1) << "and another one";
}

TEST_F(LogIngestTest, EmptiedLogWithUnknownWritersIsANewAttempt)
{
    push(0, lines(1, 1, 4));
    begunAgain(0, TailChange::truncated);
    push(0, lines(1, 5, 6));
    EXPECT_EQ(m_begun, (std::vector<int>{0, 1}));
}

// The log is emptied twice before a process list comes: the lines in between belong to no known process.
TEST_F(LogIngestTest, LogEmptiedTwiceBetweenProcessListsIsANewAttempt)
{
    listed(0, 70);
    push(0, lines(1, 1, 4));
    begunAgain(0, TailChange::truncated);
    push(0, lines(1, 5, 6));
    begunAgain(0, TailChange::truncated);
    EXPECT_EQ(samplesOf(0, 1), 2u);
    push(0, lines(1, 7, 8));
    listed(0, 70);
    EXPECT_EQ(samplesOf(0, 1), 4u);
    EXPECT_EQ(m_begun, (std::vector<int>{0, 1}));
}

TEST_F(LogIngestTest, RotatedLogOfTheSameProcessContinues)
{
    push(0, header(77) + lines(1, 1, 4));
    begunAgain(0, TailChange::replaced);
    push(0, header(77) + lines(1, 5, 6), 2);
    EXPECT_EQ(m_begun, std::vector<int>{0});
    EXPECT_EQ(samplesOf(0, 0), 6u);
}

TEST_F(LogIngestTest, ReplacedLogOfAnotherProcessIsANewAttemptEvenIfStepsContinue)
{
    push(0, header(77) + lines(1, 1, 4));
    begunAgain(0, TailChange::replaced);
    push(0, header(78) + lines(1, 5, 6), 2);
    EXPECT_EQ(m_begun, (std::vector<int>{0, 1}));
    EXPECT_EQ(samplesOf(0, 1), 2u);
}

// The engine is informed of a launch before it happens, and again when all nodes have answered. In between, a rank may
// already log. Its steps may continue without a gap, and none of its lines names the process.
TEST_F(LogIngestTest, LinesLoggedBeforeALaunchIsConfirmedBelongToItsAttempt)
{
    for (const int rank : {0, 1, 2}) push(rank, lines(1, 1, 4));
    const WallTime at = std::chrono::system_clock::now();
    m_logs->expectLoads({{0, {"/c/0.ckpt"}}, {1, {"/c/1.ckpt"}}, {2, {"/c/2.ckpt"}}});
    begunAgain(0, TailChange::replaced);
    push(0, lines(1, 5, 6), 2);
    EXPECT_EQ(m_run.launchedAttempt(at, 4), 1);
    begunAgain(2, TailChange::replaced);
    push(2, lines(1, 5, 6), 2);
    EXPECT_EQ(m_begun, (std::vector<int>{0, 1}));
    EXPECT_EQ(samplesOf(0, 1), 2u);
    EXPECT_EQ(samplesOf(2, 1), 2u);
    begunAgain(0, TailChange::replaced);
    push(0, lines(1, 7, 8), 3);
    EXPECT_EQ(samplesOf(0, 1), 4u) << "a rotation of the new attempt is none of its own";
}

TEST_F(LogIngestTest, RotationAfterAFailedLaunchIsNotANewAttempt)
{
    push(0, lines(1, 1, 4));
    m_logs->expectLoads({{0, {"/c/0.ckpt"}}});
    m_logs->expectLoads({});
    begunAgain(0, TailChange::replaced);
    push(0, lines(1, 5, 6), 2);
    EXPECT_EQ(m_begun, std::vector<int>{0});
}

// A launch by another console is not announced to this one.
TEST_F(LogIngestTest, ReplacedLogAfterAnExitLineIsANewAttempt)
{
    push(0, lines(1, 1, 4) + farewell);
    ASSERT_THAT(m_events, testing::Contains(testing::Field(&Event::kind, EventKind::gracefulExit)));
    begunAgain(0, TailChange::replaced);
    push(0, lines(1, 5, 6), 2);
    EXPECT_EQ(m_begun, (std::vector<int>{0, 1}));
}

// The next process appends to the log, so a later rotation is that of a running process.
TEST_F(LogIngestTest, LogThatContinuedAfterAnExitLineHasNotEndedWhenRotated)
{
    push(0, header(77) + lines(1, 1, 4) + farewell);
    push(0, lines(1, 5, 7));
    begunAgain(0, TailChange::replaced);
    push(0, lines(1, 8, 9), 2);
    EXPECT_EQ(m_begun, std::vector<int>{0});
    EXPECT_EQ(samplesOf(0, 0), 9u);
}

TEST_F(LogIngestTest, LossOfTheSameStepMayFollowTheExitLine)
{
    push(0, header(77) + lines(1, 1, 4) + farewell + lines(1, 5, 5));
    begunAgain(0, TailChange::replaced);
    push(0, header(77) + lines(1, 6, 7), 2);
    EXPECT_EQ(m_begun, (std::vector<int>{0, 1}));
}

TEST_F(LogIngestTest, RemembersAnExitLineAfterARestartUnlessLinesFollowed)
{
    push(0, header(77) + lines(1, 1, 4) + farewell + lines(1, 5, 5));
    push(1, header(77) + lines(1, 1, 4) + farewell);
    push(1, lines(1, 5, 6));
    const std::vector<LogPosition> kept = m_logs->positions();
    for (const Event &event : m_events) m_run.add(event);
    m_logs = ingest(m_job);
    ASSERT_TRUE(m_logs->prepare().has_value());
    m_logs->restore(kept);
    begunAgain(1, TailChange::replaced);
    push(1, header(77) + lines(1, 7, 8), 2);
    EXPECT_EQ(m_begun, std::vector<int>{0}) << "it went on after its farewell";
    begunAgain(0, TailChange::replaced);
    push(0, header(77) + lines(1, 6, 7), 2);
    EXPECT_EQ(m_begun, (std::vector<int>{0, 1}));
}

TEST_F(LogIngestTest, ReplacedLogThatBeginsWithALoadIsANewAttempt)
{
    push(0, lines(1, 1, 4));
    begunAgain(0, TailChange::replaced);
    push(0, "resume from /c/0.ckpt: epoch 1, step 4, global_step 4\n" + lines(1, 5, 6), 2);
    EXPECT_EQ(m_begun, (std::vector<int>{0, 1}));
}

TEST_F(LogIngestTest, SilentRankBelongsToTheNewestAttempt)
{
    for (const int rank : {0, 1}) push(rank, lines(1, 1, 4));
    begunAgain(1, TailChange::truncated);
    push(1, lines(1, 1, 2));
    begunAgain(1, TailChange::truncated);
    push(1, lines(1, 1, 3));
    begunAgain(0, TailChange::replaced);
    push(0, lines(1, 1, 3), 2);
    EXPECT_EQ(m_begun, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(samplesOf(0, 2), 3u);
}

TEST_F(LogIngestTest, ReplacedLogWhoseStepsRestartIsANewAttempt)
{
    push(0, lines(2, 1, 4));
    begunAgain(0, TailChange::replaced);
    push(0, lines(1, 9, 9), 2);
    EXPECT_EQ(m_begun, (std::vector<int>{0, 1}));
}

}  // namespace
}  // namespace rankdeck::log_attempts_test
