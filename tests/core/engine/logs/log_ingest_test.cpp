// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/engine/logs/log_ingest_fixture.h"

#include <gmock/gmock.h>

namespace rankdeck::log_ingest_test {
namespace {

// A console that reads a log only once must not miss the last message of a rank because it waits for more lines.
TEST_F(LogIngestTest, ReadsTheLastMessageOfAnOldLogFirst)
{
    const std::string text = lines(1, 1, 3) +
                             "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n"
                             "RuntimeError: injected failure:\nsecond line of the message\n";
    const auto errors = [&] {
        return std::count_if(m_events.begin(), m_events.end(),
                             [](const Event &event) { return event.kind == EventKind::error; });
    };
    const auto open = [&](int id, std::chrono::seconds age) {
        TailEvent opened{.id = id, .change = TailChange::opened};
        const WallTime written = std::chrono::system_clock::now() - age;
        opened.stat.mtimeNs = std::chrono::nanoseconds(written.time_since_epoch()).count();
        opened.stat.size = text.size();
        m_logs->event(opened);
    };
    open(0, std::chrono::minutes(5));
    push(0, text.substr(0, 60));
    EXPECT_EQ(errors(), 0) << "there is more of it";
    push(0, text.substr(60));
    EXPECT_EQ(errors(), 1);
    EXPECT_THAT(m_events.back().text, testing::HasSubstr("injected failure"));
    open(1, std::chrono::seconds(0));
    push(1, text);
    EXPECT_EQ(errors(), 1) << "it may still be written";
    push(0, lines(1, 4, 5));
    EXPECT_EQ(samplesOf(0, 0), 5u) << "it went on";
}

// If the lines have no prefixes, the log counts for one rank; the others are unknown.
TEST_F(LogIngestTest, LogSharedBySeveralRanksCountsForTheFirstRank)
{
    Job job = twoNodes();
    job.logs.path = "/l/train.log";
    for (const bool shared : {false, true}) {
        job.pathsShared = shared;
        m_logs = ingest(job);
        ASSERT_TRUE(m_logs->prepare().has_value());
        EXPECT_EQ(m_logs->pathOf(0), "/l/train.log");
        EXPECT_EQ(m_logs->pathOf(1), "");
        EXPECT_EQ(m_logs->pathOf(2), shared ? "" : "/l/train.log") << "another machine's file, or the same";
        m_offsets.clear();
        m_samples.clear();
        push(0, lines(1, 1, 3));
        EXPECT_EQ(m_samples.size(), 3u);
        EXPECT_EQ(m_samples.front().rank, 0);
    }
}

TEST_F(LogIngestTest, DividesOneLogOfSeveralRanksByItsPrefixes)
{
    Job job = twoNodes();
    job.logs.path = "/l/train.log";
    m_logs = ingest(job);
    ASSERT_TRUE(m_logs->prepare().has_value());
    std::string text;
    for (int step = 1; step < 4; ++step)
        for (int rank = 0; rank < 2; ++rank)
            text += "[rank" + std::to_string(rank) + "]: step " + std::to_string(step) + " loss " +
                    std::to_string(rank) + ".5\n";
    text += "[rank7]: step 9 loss 9.5\n";
    push(0, text);
    std::map<int, int> counts;
    for (const auto &sample : m_samples) ++counts[sample.rank];
    EXPECT_EQ(counts[1], 3);
    EXPECT_EQ(counts[0], 4) << "a rank that does not write this log is not invented";
    EXPECT_EQ(m_logs->pathOf(1), "/l/train.log");
}

TEST_F(LogIngestTest, FirstLineOfAnyRankBeginsTheFirstAttemptOnce)
{
    ASSERT_TRUE(m_ready);
    EXPECT_EQ(m_run.currentAttempt(), -1) << "a job that has not logged has no attempt";
    push(0, lines(1, 1, 2));
    push(2, lines(1, 1, 1));
    EXPECT_EQ(m_begun, std::vector<int>{0});
    EXPECT_THAT(m_samples, testing::ElementsAre(Told{0, 0, 1}, Told{0, 0, 2}, Told{2, 0, 1}));
}

// The line of TimeMonitor comes before the first evaluation, which therefore does not count as a hang.
TEST_F(LogIngestTest, TimeMonitorShowsTheEpochLengthBeforeTheNextEpochBegins)
{
    rankdeck::Run run;
    std::shared_mutex mutex;
    LogIngest::Sinks sinks;
    sinks.samples = [](int, int, const std::vector<Sample> &, WallTime) {};
    sinks.event = [](const Event &) {};
    sinks.logEvent = [](int, const LogEvent &, WallTime) {};
    sinks.attemptBegan = [](int) {};
    m_job.stepsPerEpoch = 0;
    m_logs = std::make_unique<LogIngest>(m_job, run, mutex, sinks);
    ASSERT_TRUE(m_logs->prepare().has_value());
    push(0, lines(1, 1, 100));
    EXPECT_EQ(run.stepsPerEpoch(), 0);
    push(0, "Train epoch time: 25000.000 ms, per step time: 250.000 ms\n");
    EXPECT_EQ(run.stepsPerEpoch(), 100);
    EXPECT_TRUE(run.progress(0).atFirstEpochEnd);
    m_logs.reset();
}

TEST_F(LogIngestTest, LinesBeforeTheFirstReadGetTheTimeOfTheFile)
{
    const auto now = std::chrono::system_clock::now();
    const auto nodeTime = now - std::chrono::seconds(300) + std::chrono::seconds(40);  // its clock is 40 s ahead
    const std::string old = lines(1, 1, 5);
    TailEvent opened{.id = 0, .change = TailChange::opened};
    opened.stat.size = old.size();
    opened.stat.mtimeNs = std::chrono::duration_cast<std::chrono::nanoseconds>(nodeTime.time_since_epoch()).count();
    m_logs->event(opened, 40);
    push(0, old);
    EXPECT_NEAR(secondsBetween(m_run.progress(0).heard, now), 300, 1);
    push(0, lines(1, 6, 6));
    EXPECT_LT(secondsBetween(now, m_run.progress(0).heard), 200) << "written since";
    EXPECT_GE(m_run.progress(0).heard, now);
}

TEST_F(LogIngestTest, ReadsEachLineOnceHoweverItWasSplit)
{
    const std::string text = lines(1, 1, 3);
    for (std::size_t at = 0; at < text.size(); at += 7) push(0, text.substr(at, 7));
    EXPECT_THAT(m_samples, testing::ElementsAre(Told{0, 0, 1}, Told{0, 0, 2}, Told{0, 0, 3}));
}

TEST_F(LogIngestTest, ReportsAMissingLogUntilItExists)
{
    EXPECT_EQ(m_logs->problemOf(0), "") << "nobody has looked yet: that is no problem of the log";
    m_logs->event({.id = 0, .change = TailChange::missing});
    EXPECT_EQ(m_logs->problemOf(0), "No such file or directory");
    m_logs->event({.id = 1, .change = TailChange::unreadable, .text = "Permission denied"});
    EXPECT_EQ(m_logs->problemOf(1), "Permission denied");
    push(0, lines(1, 1, 1));
    m_logs->event({.id = 1, .change = TailChange::opened});
    EXPECT_EQ(m_logs->problemOf(0), "");
    EXPECT_EQ(m_logs->problemOf(1), "");
}

TEST_F(LogIngestTest, IsCompleteWhenEachLogOfTheNodeIsFoundOrMissing)
{
    push(0, lines(1, 1, 1));
    EXPECT_FALSE(m_logs->answered("a"));
    m_logs->event({.id = 1, .change = TailChange::missing});
    EXPECT_TRUE(m_logs->answered("a"));
    EXPECT_FALSE(m_logs->answered("b"));
    EXPECT_FALSE(m_logs->answered());
    m_logs->event({.id = 2, .change = TailChange::opened});
    EXPECT_TRUE(m_logs->answered());
}

TEST_F(LogIngestTest, FollowsTheLogsOfEachNodeAndTheVisibleLogFaster)
{
    const std::vector<TailSpec> a = m_logs->tails({"a"}, {1, 2});
    ASSERT_EQ(a.size(), 2u);
    EXPECT_EQ(a[0].path, "/l/worker_0.log");
    EXPECT_EQ(a[0].pace, TailPace::usual);
    EXPECT_EQ(a[1].pace, TailPace::onScreen);
    EXPECT_EQ(m_logs->tails({"a"}, {1, 2}, false)[1].pace, TailPace::unwatched);
    EXPECT_FALSE(a[0].from) << "nothing is known of it: its end is wanted, not its place of last time";
    ASSERT_EQ(m_logs->tails({"b"}, {}).size(), 1u);
    EXPECT_EQ(m_logs->tails({"b"}, {})[0].path, "/l/worker_2.log");
}

TEST_F(LogIngestTest, ContinuesALogThroughAnotherNode)
{
    push(0, lines(1, 1, 2));
    const std::vector<TailSpec> all = m_logs->tails(std::set<std::string>{"a", "b"}, {});
    ASSERT_EQ(all.size(), 3u) << "one node reads for both";
    ASSERT_TRUE(all[0].from);
    EXPECT_EQ(all[0].from->offset, m_offsets[0]);
    EXPECT_FALSE(all[2].from);
}

TEST_F(LogIngestTest, FollowsADiscoveredLauncherLogOncePerNode)
{
    EXPECT_TRUE(m_logs->addLauncher("a", "/l/msrun.out"));
    EXPECT_FALSE(m_logs->addLauncher("a", "/l/msrun.out"));
    EXPECT_TRUE(m_logs->addLauncher("b", "/l/msrun.out")) << "the same path of another machine is another file";
    EXPECT_EQ(m_logs->tails({"a"}, {}).size(), 3u);
    EXPECT_EQ(m_logs->tails({"b"}, {}).size(), 2u);
}

// Without this, its death would be reported before the message that explains it.
TEST_F(LogIngestTest, TracebackOfAnEndedProcessIsComplete)
{
    push(1, lines(1, 1, 2) + "Traceback (most recent call last):\n  File \"train.py\", line 1, in <module>\nOSError: "
                             "[Errno 28] No space left on device\n");
    m_logs->ended(0);
    m_logs->ended(1);
    ASSERT_FALSE(m_events.empty());
    EXPECT_EQ(m_events.back().kind, EventKind::error);
    EXPECT_EQ(m_events.back().rank, 1);
    EXPECT_NE(m_events.back().text.find("No space left"), std::string::npos) << m_events.back().text;
}

TEST_F(LogIngestTest, AssignsALauncherMessageAboutAPidToItsRank)
{
    m_logs->addLauncher("a", "/l/msrun.out");
    const int launcher = m_logs->tails({"a"}, {}).back().id;
    m_pids[{"a", 4711}] = 1;
    push(0, header(4710) + lines(1, 1, 1));
    m_reportedRanks.clear();
    push(launcher, "[ERROR] ME(1:1,MainProcess):2026-01-01-00:00:00.000.000 [mindspore/parallel/cluster/process_entity/"
                   "_api.py:1] Worker process 4711 exit with exception.\n");
    push(launcher, "[ERROR] ME(1:1,MainProcess):2026-01-01-00:00:00.000.000 [mindspore/parallel/cluster/process_entity/"
                   "_api.py:1] Worker process 4710 exit with exception.\n");
    m_logs->tick();
    std::vector<int> ranks;
    for (const Event &event : m_events)
        if (event.kind == EventKind::rankDied) ranks.push_back(event.rank);
    EXPECT_EQ(ranks, (std::vector<int>{1, 0})) << "by /proc, and where that never saw it, by its own log's header";
}

// A log that was already long when the console opened it: its end is read first, then the rest is requested.
class OlderPart : public LogIngestTest {
protected:
    OlderPart()
    {
        m_offsets[0] = m_older.size();
        push(0, lines(1, 4, 6));
    }
    LogIngest::Backfill asked()
    {
        const std::vector<LogIngest::Backfill> wanted = m_logs->wantedBackfills();
        EXPECT_EQ(wanted.size(), 1u);
        return wanted.empty() ? LogIngest::Backfill{} : wanted.front();
    }
    [[nodiscard]] Result<RangeReply> answerTo(const RangeRequest &range) const
    {
        RangeReply reply;
        const std::string whole = m_older + lines(1, 4, 6);
        reply.offset = range.offset;
        reply.bytes = whole.substr(range.offset, range.length);
        reply.stat.size = whole.size();
        reply.stat.inode = 1;
        return reply;
    }
    std::string m_older = lines(1, 1, 3);
};

TEST_F(OlderPart, IsRequestedOnceAndPrecedesTheRest)
{
    EXPECT_LT(m_logs->backfillShare(), 1);
    const LogIngest::Backfill wanted = asked();
    EXPECT_EQ(wanted.node, "a");
    EXPECT_TRUE(m_logs->wantedBackfills().empty()) << "it is on its way";
    m_logs->backfilled(wanted.id, m_logs->generation(wanted.id), answerTo(wanted.range));
    EXPECT_TRUE(m_logs->wantedBackfills().empty());
    EXPECT_EQ(m_logs->backfillShare(), 1);
    ASSERT_EQ(samplesOf(0, 0), 6u);
    std::vector<std::int64_t> places;
    for (const PlacedSample &sample : m_run.series(0, 0)->samples(0, 100)) places.push_back(sample.step);
    EXPECT_EQ(places, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(m_run.progress(0).position, 6) << "the oldest bytes came last and are no progress";
}

TEST_F(OlderPart, IsDroppedIfTheLogWasReplacedSince)
{
    const LogIngest::Backfill wanted = asked();
    const int generation = m_logs->generation(wanted.id);
    begunAgain(0, TailChange::truncated);
    push(0, lines(1, 1, 1));
    m_logs->backfilled(wanted.id, generation, answerTo(wanted.range));
    EXPECT_EQ(samplesOf(0, 0), 2u) << "bytes of the file that was are not put into the attempt that is";
    EXPECT_EQ(samplesOf(0, 1), 1u);
}

// Without this, a node that does not answer would be asked fifty times a second.
TEST_F(OlderPart, IsNotRequestedAgainUntilTheLogIsReopened)
{
    const LogIngest::Backfill wanted = asked();
    m_logs->backfilled(wanted.id, m_logs->generation(wanted.id), fail(ErrorKind::unreachable, "gone"));
    EXPECT_TRUE(m_logs->wantedBackfills().empty());
    m_logs->event({.id = 0, .change = TailChange::opened, .from = m_offsets[0]});
    const LogIngest::Backfill again = asked();
    m_logs->backfilled(again.id, m_logs->generation(again.id), answerTo(again.range));
    EXPECT_EQ(samplesOf(0, 0), 6u);
}

TEST_F(OlderPart, OldErrorDoesNotGetTheCurrentStep)
{
    m_older = lines(1, 1, 2) + "[ERROR] ME(1:1,MainProcess):2026-01-01-00:00:00.000.000 [x.py:1] broke\n";
    m_logs = ingest(m_job);
    ASSERT_TRUE(m_logs->prepare().has_value());
    m_offsets[0] = m_older.size();
    push(0, lines(1, 4, 6));
    m_events.clear();
    const LogIngest::Backfill wanted = asked();
    m_logs->backfilled(wanted.id, m_logs->generation(wanted.id), answerTo(wanted.range));
    ASSERT_EQ(m_events.size(), 2u) << "the log's first line, and the error";
    EXPECT_EQ(m_events[1].kind, EventKind::error);
    EXPECT_FALSE(m_events[1].position) << "the step of now is not the step of then";
    EXPECT_EQ(m_events[1].time, m_run.attempts().front().started);
    EXPECT_EQ(m_events[1].logOffset, lines(1, 1, 2).size());
}

TEST_F(LogIngestTest, ContinuesInTheMiddleOfALineAfterARestart)
{
    const std::string third = lines(1, 3, 3);
    push(0, header(77) + lines(1, 1, 2) + third.substr(0, 10));
    const std::vector<LogPosition> kept = m_logs->positions();
    ASSERT_EQ(kept.size(), 1u) << "of a log that has said nothing there is nothing to keep";
    m_logs = ingest(m_job);
    ASSERT_TRUE(m_logs->prepare().has_value());
    m_logs->restore(kept);
    const std::vector<TailSpec> tails = m_logs->tails({"a"}, {});
    ASSERT_TRUE(tails[0].from);
    EXPECT_EQ(tails[0].from->offset, m_offsets[0]);
    EXPECT_FALSE(tails[1].from);
    push(0, third.substr(10) + lines(1, 4, 4));
    EXPECT_EQ(samplesOf(0, 0), 4u);
    EXPECT_EQ(m_begun, std::vector<int>{0}) << "a restart of the console is no attempt of the job";
    begunAgain(0, TailChange::replaced);
    push(0, header(77) + lines(1, 5, 5), 2);
    EXPECT_EQ(m_begun, std::vector<int>{0}) << "pid and last step of before the restart still count";
}

TEST_F(LogIngestTest, DropsOffsetsOfALogThatHasMoved)
{
    push(0, lines(1, 1, 2));
    const std::vector<LogPosition> kept = m_logs->positions();
    m_job.logs.path = "/elsewhere/worker_{rank}.log";
    m_logs = ingest(m_job);
    ASSERT_TRUE(m_logs->prepare().has_value());
    m_logs->restore(kept);
    EXPECT_FALSE(m_logs->tails({"a"}, {})[0].from);
}

TEST_F(LogIngestTest, RefusesAWrongPlaceholderOrPattern)
{
    m_job.logs.path = "/l/worker_{rnak}.log";
    EXPECT_FALSE(ingest(m_job)->prepare().has_value());
    m_job = twoNodes();
    m_job.logs.sample = "loss (";
    EXPECT_EQ(ingest(m_job)->prepare().error().kind, ErrorKind::invalid);
}

TEST_F(LogIngestTest, IgnoresChunksOfALogThatIsNotFollowed)
{
    push(99, lines(1, 1, 1));
    m_logs->event({.id = 99, .change = TailChange::truncated});
    m_logs->backfilled(99, 0, fail(ErrorKind::unreachable, "gone"));
    EXPECT_TRUE(m_samples.empty());
    EXPECT_EQ(m_logs->generation(99), -1);
    EXPECT_EQ(m_logs->pathOf(99), "");
}

}  // namespace
}  // namespace rankdeck::log_ingest_test
