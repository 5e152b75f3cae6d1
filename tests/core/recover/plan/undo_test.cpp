// SPDX-License-Identifier: GPL-3.0-or-later
// An undo may change only the results of this action, as the journal or the file itself proves them.
#include "core/recover/host/path_stats.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/plan/plan_json.h"
#include "core/recover/plan/plan_runner.h"
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck::undo_test {
namespace {

using ::testing::HasSubstr;

std::uint64_t inodeOf(const std::string &path)
{
    struct stat info {};
    return ::stat(path.c_str(), &info) == 0 ? info.st_ino : 0;
}

JournalEntry entryOf(const std::string &state, const std::string &data)
{
    return {.action = "resume-1", .job = "fake", .kind = "resume", .state = state, .text = "", .data = data};
}

class Undo : public testing::Test {
protected:
    Undo()
    {
        m_host.write("job/old.log", "old");
        m_plan.nodes.push_back({.node = "n0"});
        m_plan.nodes[0].files = {{.action = FileAction::move,
                                  .path = m_host.file("job/old.log"),
                                  .target = m_host.file("job/old.attempt-0.log")}};
        m_plan.nodes[0].inodes[m_host.file("job/old.log")] = inodeOf(m_host.file("job/old.log"));
    }
    EngineHost m_host{{{0}}, "command"};
    Plan m_plan{.id = "resume-1", .summary = ""};
};

TEST_F(Undo, RestoresMovedFiles)
{
    StepLog log;
    ASSERT_TRUE(applyFiles(m_host, m_plan, log).has_value());
    EXPECT_FALSE(m_host.exists("job/old.log"));
    EXPECT_TRUE(undoPlan(m_host, m_plan, log).empty());
    EXPECT_EQ(m_host.read("job/old.log"), "old");
}

TEST_F(Undo, KeepsTheMoveOfAnotherConsole)
{
    // The other console has already made exactly the same move, and its attempt now writes to a new log.
    StepLog winner, loser;
    ASSERT_TRUE(applyFiles(m_host, m_plan, winner).has_value());
    ASSERT_FALSE(applyFiles(m_host, m_plan, loser).has_value());
    m_host.write("job/old.log", "new");
    EXPECT_TRUE(undoPlan(m_host, m_plan, loser).empty());
    EXPECT_EQ(m_host.read("job/old.log"), "new");
    EXPECT_EQ(m_host.read("job/old.attempt-0.log"), "old");
}

TEST_F(Undo, MovesNothingWhileAnotherAttemptRuns)
{
    StepLog log;
    ASSERT_TRUE(applyFiles(m_host, m_plan, log).has_value());
    m_host.write("job/old.log", "of the other attempt");
    const auto left = undoPlan(m_host, m_plan, log, {.displace = false});
    ASSERT_EQ(left.size(), 1u);
    EXPECT_THAT(left[0].text, HasSubstr("old.attempt-0.log"));
    EXPECT_EQ(m_host.read("job/old.log"), "of the other attempt");
    EXPECT_EQ(m_host.read("job/old.attempt-0.log"), "old");
}

// Regression: a step with an unreadable journal entry counted as not done, and the report claimed that all files were
// back.
class UndoHeld : public Undo {
protected:
    UndoHeld()
    {
        EXPECT_TRUE(m_held.take({placeOf("resume-1")}).has_value());
        EXPECT_TRUE(applyFiles(m_host, m_plan, m_log, {.held = &m_held}).has_value());
        m_host.stopNode("n0");
        m_host.joinNode("n0");
    }
    Reservation::Place placeOf(const std::string &action)
    {
        const JobState view = m_host.view();
        const NodeSpec &node = view.job.nodes[0];
        return {
            .node = "n0", .claim = jobReservation(view, &node, action), .runDirectory = runDirectory(view.job, &node)};
    }
    Reservation m_held{m_host};
    StepLog m_log;
};

// Regression: an undo made its steps although another attempt had the job, and moved files that were in its way.
TEST_F(UndoHeld, MovesNothingAfterALinkLossIfAnotherAttemptHoldsTheJob)
{
    Reservation other(m_host);
    ASSERT_TRUE(m_host.waitFor([&] { return other.take({placeOf("resume-2")}).has_value(); })) << "the link is back";
    m_host.write("job/old.log", "of the other attempt");
    const auto left = undoPlan(m_host, m_plan, m_log, {.held = &m_held});
    ASSERT_EQ(left.size(), 1u);
    EXPECT_THAT(left[0].text, HasSubstr("no longer reserved for resume-1"));
    EXPECT_EQ(m_host.read("job/old.log"), "of the other attempt");
    EXPECT_EQ(m_host.read("job/old.attempt-0.log"), "old");
}

TEST_F(UndoHeld, ReservesTheJobAgainAfterALinkLossAndRestoresEverything)
{
    EXPECT_TRUE(undoPlan(m_host, m_plan, m_log, {.held = &m_held}).empty());
    EXPECT_EQ(m_host.read("job/old.log"), "old");
}

// Regression: only steps of applyFiles checked the reservation. After a cut link, a long copy went on although another
// console might have the job.
TEST_F(UndoHeld, CopiesEditsAndCreatesNothingAfterALinkLoss)
{
    ASSERT_TRUE(m_host.waitFor([&] {
        NodeClient *node = m_host.node("n0");
        return node && node->status().state == NodeState::live;
    })) << "the link is back";
    m_host.write("job/config", "before");
    const auto config = m_host.node("n0")->readFile(m_host.file("job/config"), 100).get();
    ASSERT_TRUE(config.has_value());
    Plan plan{.id = "resume-1", .summary = ""};
    plan.nodes.push_back({.node = "n0"});
    plan.nodes[0].copies = {
        {.fromNode = "n0", .from = m_host.file("job/config"), .path = m_host.file("job/copy"), .bytes = 6}};
    const auto edit = [&](const std::string &name, const std::string &sha256) {
        return FileEdit{.path = m_host.file("job/" + name),
                        .before = sha256.empty() ? "" : "before",
                        .after = "after",
                        .diff = "",
                        .expectedSha256 = sha256};
    };
    plan.nodes[0].edits = {edit("config", config->sha256), edit("new", "")};
    StepLog log;
    for (const auto &apply : {applyCopies, applyEdits, applyNewFiles}) {
        const Status done = apply(m_host, plan, log, {.held = &m_held});
        ASSERT_FALSE(done.has_value());
        EXPECT_THAT(done.error().message, HasSubstr("no longer reserved for resume-1"));
    }
    EXPECT_EQ(m_host.read("job/config"), "before");
    for (const char *name : {"job/copy", "job/copy.copying-resume-1", "job/new"}) EXPECT_FALSE(m_host.exists(name));
}

TEST_F(Undo, TreatsStepsWithUnreadableEntriesAsPossiblyDone)
{
    for (const std::string data :
         {R"([{"node": "n0", "kind": "teleport", "index": 0, "fate": "done"}])", R"({"steps": 1})"}) {
        StepLog applied;
        ASSERT_TRUE(applyFiles(m_host, m_plan, applied).has_value());
        StepLog log(m_plan, {entryOf("preparing", ""), entryOf(stepEntry, data), entryOf("prepared", "")}, {});
        EXPECT_TRUE(undoPlan(m_host, m_plan, log).empty());
        EXPECT_EQ(m_host.read("job/old.log"), "old") << data;
    }
}

// Regression: if the answer to a step was lost, the file at its path was removed, even if another program had created
// it.
TEST_F(Undo, KeepsFilesThatMayBelongToOthersAfterALostAnswer)
{
    for (const FileAction action : {FileAction::copyFile, FileAction::makeHardLink, FileAction::makeLink}) {
        m_host.write("job/source", "new");
        m_host.write("job/made", "of somebody else");
        Plan plan{.id = "resume-1", .summary = ""};
        plan.nodes.push_back({.node = "n0"});
        plan.nodes[0].files = {
            {.action = action, .path = m_host.file("job/made"), .target = m_host.file("job/source")}};
        StepLog log;
        log.put("n0", StepKind::file, 0, {.fate = StepFate::lost});
        const auto left = undoPlan(m_host, plan, log);
        ASSERT_EQ(left.size(), 1u);
        EXPECT_THAT(left[0].text, HasSubstr("is left unchanged"));
        EXPECT_EQ(m_host.read("job/made"), "of somebody else");
    }
}

TEST_F(Undo, RemovesAFileProvenToBeItsOwnAfterALostAnswer)
{
    for (const FileAction action : {FileAction::copyFile, FileAction::makeLink}) {
        m_host.write("job/source", "new");
        Plan plan{.id = "resume-1", .summary = ""};
        plan.nodes.push_back({.node = "n0"});
        plan.nodes[0].files = {
            {.action = action, .path = m_host.file("job/made"), .target = m_host.file("job/source")}};
        StepLog done, log;
        ASSERT_TRUE(applyFiles(m_host, plan, done).has_value());
        log.put("n0", StepKind::file, 0, {.fate = StepFate::lost});
        EXPECT_TRUE(undoPlan(m_host, plan, log).empty());
        EXPECT_FALSE(m_host.exists("job/made"));
        EXPECT_TRUE(m_host.exists("job/source"));
    }
}

// A move creates the new name and then removes the old one. A console that dies in between leaves both names.
TEST_F(Undo, CompletesAnInterruptedMoveThatLeftTwoNames)
{
    ASSERT_EQ(::link(m_host.file("job/old.log").c_str(), m_host.file("job/old.attempt-0.log").c_str()), 0);
    StepLog log;
    log.put("n0", StepKind::file, 0, {.fate = StepFate::lost});
    EXPECT_TRUE(undoPlan(m_host, m_plan, log, {.displace = false}).empty());
    EXPECT_EQ(m_host.read("job/old.log"), "old");
    EXPECT_FALSE(m_host.exists("job/old.attempt-0.log"));
}

// The journal stores a new file without its secrets. A later write by another program is still detected.
TEST_F(Undo, RecognisesAPrivateFileWhoseSecretIsNotInTheJournal)
{
    Plan plan{.id = "resume-2", .summary = ""};
    plan.nodes.push_back({.node = "n0"});
    plan.nodes[0].edits.push_back({.path = m_host.file("job/job.sbatch"),
                                   .before = "",
                                   .after = "export HF_TOKEN=hf_12345\nsrun\n",
                                   .diff = "",
                                   .expectedSha256 = ""});
    plan.nodes[0].launches.push_back(
        {.id = "a", .runDirectory = m_host.file("run"), .argv = {"true"}, .env = {{"HF_TOKEN", "hf_12345"}}});
    StepLog log;
    ASSERT_TRUE(applyNewFiles(m_host, plan, log).has_value());
    struct stat info {};
    ASSERT_EQ(::stat(m_host.file("job/job.sbatch").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u);
    const auto kept = planFromJson(planToJson(withoutSecrets(plan)));
    ASSERT_TRUE(kept.has_value());
    const std::vector<JournalEntry> killed{entryOf("preparing", "")};
    m_host.write("job/job.sbatch", "export HF_TOKEN=hf_12345\nsrun --more\n");
    StepLog first(*kept, killed, {});
    EXPECT_EQ(undoPlan(m_host, *kept, first).size(), 1u) << "somebody has written into it";
    m_host.write("job/job.sbatch", "export HF_TOKEN=hf_12345\nsrun\n");
    StepLog second(*kept, killed, {});
    EXPECT_TRUE(undoPlan(m_host, *kept, second).empty());
    EXPECT_FALSE(m_host.exists("job/job.sbatch"));
}

// Workers such as those of msrun and torchrun: they run in their own sessions, so a signal to the launcher's group does
// not reach them.
TEST_F(Undo, EndsWorkersInSessionsOfTheirOwn)
{
    Plan plan{.id = "resume-3", .summary = ""};
    plan.nodes.push_back({.node = "n0"});
    const std::string file = m_host.file("job/worker");
    plan.nodes[0].launches.push_back({.id = "resume-3.n0",
                                      .runDirectory = m_host.file("run"),
                                      .argv = {"/usr/bin/python3", "-c",
                                               "import os, subprocess, sys, time\n"
                                               "worker = subprocess.Popen(['sleep', '300'], start_new_session=True)\n"
                                               "open(sys.argv[1] + '.new', 'w').write(str(worker.pid))\n"
                                               "os.rename(sys.argv[1] + '.new', sys.argv[1])\n"
                                               "time.sleep(300)",
                                               file},
                                      .output = m_host.file("out")});
    auto started = launchAll(m_host, plan);
    ASSERT_EQ(started.size(), 1u);
    ASSERT_FALSE(started[0].problem) << started[0].problem->message;
    ASSERT_TRUE(m_host.waitFor([&] { return m_host.exists("job/worker"); }));
    const int worker = std::stoi(m_host.read("job/worker"));
    EXPECT_THAT(stopStarted(m_host, started, {}), ::testing::IsEmpty());
    EXPECT_TRUE(m_host.waitFor([&] { return ::kill(worker, 0) != 0; })) << "pid " << worker;
}

TEST_F(Undo, ReportsFilesOfAnUnreachableNodeAsNotRestored)
{
    StepLog log;
    ASSERT_TRUE(applyFiles(m_host, m_plan, log).has_value());
    m_host.stopNode("n0");
    m_host.clock.setPace(20);  // it does not come back
    const auto left = undoPlan(m_host, m_plan, log);
    ASSERT_EQ(left.size(), 1u);
    EXPECT_EQ(left[0].node, "n0");
    EXPECT_EQ(left[0].path, m_host.file("job/old.log"));
}

TEST_F(Undo, KeepsAndReportsABackupThatMayBeADifferentFile)
{
    StepLog log;
    ASSERT_TRUE(applyFiles(m_host, m_plan, log).has_value());
    m_plan.nodes[0].inodes[m_host.file("job/old.log")] += 1u
                                                          << 30;  // as on a file system that assigns new inode numbers
    const auto left = undoPlan(m_host, m_plan, log);
    ASSERT_EQ(left.size(), 1u);
    EXPECT_THAT(left[0].text, HasSubstr("may be a different file"));
    EXPECT_EQ(m_host.read("job/old.attempt-0.log"), "old");
}

TEST(PathStats, EntryWithAStatErrorIsUnknown)
{
    PathStats book;
    book.want("n0", "/job/a");
    Listing listing;
    listing.root = "/job";
    listing.entries.push_back({.path = "/job/a", .stat = {}, .error = "Stale file handle"});
    listing.entries.push_back({.path = "/job/b", .stat = {.inode = 7}});
    book.answer("n0", "/job", listing);
    EXPECT_EQ(book.exists("n0", "/job/a"), Known::unknown);
    EXPECT_EQ(book.problem("n0", "/job/a"), "Stale file handle");
    EXPECT_EQ(book.exists("n0", "/job/b"), Known::yes);
    EXPECT_EQ(book.exists("n0", "/job/c"), Known::no);
}

TEST_F(Undo, ProvesAStepWithALostAnswerByItsInode)
{
    const std::vector<JournalEntry> killed{entryOf("preparing", "")};
    {
        StepLog done;
        ASSERT_TRUE(applyFiles(m_host, m_plan, done).has_value());
    }
    StepLog log(m_plan, killed, {});
    EXPECT_TRUE(undoPlan(m_host, m_plan, log).empty());
    EXPECT_EQ(m_host.read("job/old.log"), "old");
    // A file with the same name that this action did not make.
    StepLog again(m_plan, killed, {});
    m_host.write("job/old.attempt-0.log", "somebody's");
    m_plan.nodes[0].inodes[m_host.file("job/old.log")] += 1u << 30;
    EXPECT_TRUE(undoPlan(m_host, m_plan, again).empty());
    EXPECT_EQ(m_host.read("job/old.attempt-0.log"), "somebody's");
}

TEST_F(Undo, RemovesACopyOnlyIfItIsItsOwn)
{
    m_host.write("job/copied.ckpt", "theirs");
    Plan plan{.id = "resume-2", .summary = ""};
    plan.nodes.push_back({.node = "n0"});
    plan.nodes[0].copies.push_back(
        {.fromNode = "n0", .from = m_host.file("job/old.log"), .path = m_host.file("job/copied.ckpt"), .bytes = 6});
    StepLog log;
    log.put("n0", StepKind::copy, 0, {.fate = StepFate::done, .inode = inodeOf(m_host.file("job/copied.ckpt")) + 1});
    EXPECT_TRUE(undoPlan(m_host, plan, log).empty());
    EXPECT_EQ(m_host.read("job/copied.ckpt"), "theirs");
    log.put("n0", StepKind::copy, 0, {.fate = StepFate::done, .inode = inodeOf(m_host.file("job/copied.ckpt"))});
    EXPECT_TRUE(undoPlan(m_host, plan, log).empty());
    EXPECT_FALSE(m_host.exists("job/copied.ckpt"));
}

TEST(Steps, AreReadBackFromTheJournal)
{
    Plan plan{.id = "resume-1", .summary = ""};
    plan.nodes.push_back({.node = "n0"});
    plan.nodes[0].files.resize(3);
    std::vector<JournalEntry> entries{entryOf("preparing", "")};
    StepLog log([&](const std::string &data) -> Status {
        entries.push_back(entryOf(stepEntry, data));
        return Done{};
    });
    log.put("n0", StepKind::file, 0, {.fate = StepFate::done, .inode = 7});
    ASSERT_TRUE(log.flush().has_value());
    const StepLog again(plan, entries, {});
    EXPECT_EQ(again.of("n0", StepKind::file, 0).fate, StepFate::done);
    EXPECT_EQ(again.of("n0", StepKind::file, 0).inode, 7u);
    EXPECT_EQ(again.of("n0", StepKind::file, 1).fate, StepFate::lost) << "it may have been on its way";
    EXPECT_EQ(again.of("n0", StepKind::file, 2).fate, StepFate::notDone) << "it had not been sent";
}

}  // namespace
}  // namespace rankdeck::undo_test
