// SPDX-License-Identifier: GPL-3.0-or-later
// What follows from the facts of a resume, made by hand: findings and the plan. Nothing is asked here.
#include "core/base/text.h"
#include "core/recover/resume/checks/resume_checks.h"
#include "core/recover/resume/resume_plan.h"
#include "tests/testbed/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace rankdeck {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

CheckpointSet setOfTwo(const std::string &id, CheckpointKind kind)
{
    CheckpointSet set{.id = id, .kind = kind, .verdict = Verdict::valid};
    set.position = 30;
    for (int rank = 0; rank < 2; ++rank)
        set.members.push_back({.rank = rank,
                               .node = "n" + std::to_string(rank),
                               .path = "/job/ckpt/rank_" + std::to_string(rank) + "/" + id + ".ckpt",
                               .bytes = 100});
    return set;
}

// Two live nodes, each with one rank and its file of the set; nothing runs and nothing is in the way.
class FactsOfAResume : public testing::Test {
protected:
    FactsOfAResume()
    {
        Job &job = view.job;
        job.name = "lenet";
        job.worldSize = 2;
        job.nodes = {{.name = "n0", .host = "a", .ranks = {0}}, {.name = "n1", .host = "b", .ranks = {1}}};
        job.logs.path = "/job/log/worker_{rank}.log";
        job.checkpoints.path = "/job/ckpt/rank_{rank}";
        job.launch.recipe = "command";
        job.launch.workdir = "/job";
        job.launch.command = {"python3", "train.py", "--resume", "{checkpoint}"};
        for (const NodeSpec &node : job.nodes) view.nodes.push_back({.name = node.name, .state = NodeState::live});
        view.checkpoints.sets = {setOfTwo("3-10", CheckpointKind::periodic)};
        view.checkpoints.recommended = "3-10";
    }

    // As readResumeFacts would, had every node said that nothing of the old attempt is there.
    ResumeFacts facts(const ResumeOptions &options = {})
    {
        ResumeFacts made;
        made.id = "resume-7";
        made.options = options;
        made.view = view;
        made.choice = chooseResume(view, options);
        if (!made.choice.fit()) return made;
        made.view.job = made.choice.script.job;
        for (const NodeSpec &node : made.view.job.nodes)
            for (const char *root : {"/job", "/job/log", "/job/ckpt/rank_0", "/job/ckpt/rank_1"}) {
                Listing listing;
                for (const std::string &path : there)
                    if (dirName(path) == root)
                        listing.entries.push_back({.path = path, .stat = {.kind = 'f', .size = 100}});
                made.book.answer(node.name, root, listing);
            }
        made.layout = layoutOf(made.view, made.choice, made.book, {}, made.id);
        return made;
    }
    static std::vector<std::string> refusals(const ResumeFacts &facts)
    {
        std::vector<std::string> codes;
        for (const Finding &finding : resumeFindings(facts))
            if (finding.result == Finding::Result::refuse) codes.emplace_back(finding.code.word());
        return codes;
    }
    JobState view;
    std::set<std::string> there{"/job/ckpt/rank_0/3-10.ckpt", "/job/ckpt/rank_1/3-10.ckpt",
                                "/job/ckpt/rank_0/graceful.ckpt", "/job/ckpt/rank_1/graceful.ckpt"};
};

TEST_F(FactsOfAResume, WhereNothingIsInTheWayThePlanStartsEachRankWithItsOwnFile)
{
    const ResumeFacts made = facts();
    EXPECT_THAT(refusals(made), IsEmpty());
    const Plan plan = resumePlan(made);
    EXPECT_EQ(plan.id, "resume-7");
    EXPECT_THAT(plan.summary, HasSubstr("2 commands, 0 file steps, 0 edits on 2 nodes"));
    ASSERT_EQ(plan.nodes.size(), 2u);
    for (std::size_t rank = 0; rank < 2; ++rank) {
        ASSERT_EQ(plan.nodes[rank].launches.size(), 1u);
        const LaunchRequest &launch = plan.nodes[rank].launches.front();
        EXPECT_EQ(launch.argv.back(), "/job/ckpt/rank_" + std::to_string(rank) + "/3-10.ckpt");
        EXPECT_EQ(launch.job.action, "resume-7");
        EXPECT_EQ(launch.job.key, plan.nodes[0].launches.front().job.key);
        EXPECT_TRUE(launch.env.contains(jobMarkName));
    }
}

TEST_F(FactsOfAResume, AChoiceThatIsNotFitIsAllThatIsSaid)
{
    view.job.launch.recipe = "nohup";
    const ResumeFacts made = facts();
    EXPECT_THAT(refusals(made), ElementsAre("recipe_unknown"));
    const Plan plan = resumePlan(made);
    EXPECT_EQ(plan.id, "resume-7");
    EXPECT_THAT(plan.nodes, IsEmpty());
    EXPECT_THAT(plan.summary, IsEmpty());
}

TEST_F(FactsOfAResume, EveryCheckIsAskedAndNoneHidesAnother)
{
    view.nodes[1].state = NodeState::lost;
    ResumeFacts made = facts();
    made.running.claims.push_back({.node = "n0", .held = Known::yes});
    made.running.claims.back().holder.text = "attempt 3 by eve@login";
    made.processes.ranks.push_back({.rank = 1, .node = "n1", .alive = true});
    made.programs.workerMissing["n0"] = "python3.12";
    made.programs.missing.push_back({.node = "n0", .program = "sbatch", .searched = {"/usr/bin"}});
    made.places.places.push_back({.node = "n0", .path = "/job/ckpt/rank_0", .known = true, .writable = false});
    made.places.autoLoaded.push_back({.node = "n0", .path = "/job/ckpt/hpc_ckpt_1.ckpt", .by = "Lightning"});
    made.scriptConfigs.refused = refusal("placeholder", "{ranc} is no placeholder", "correct it");
    EXPECT_THAT(refusals(made),
                ElementsAre("program_missing", "node_not_live", "attempt_running", "survivors", "interpreter_missing",
                            "checkpoint_directory_closed", "auto_loaded", "placeholder"));
}

TEST_F(FactsOfAResume, AnUnansweredClaimIsNoFreeJob)
{
    ResumeFacts made = facts({.fixes = {"all"}});
    made.running.claims.push_back({.node = "n1", .held = Known::unknown, .problem = "no answer"});
    EXPECT_THAT(refusals(made), ElementsAre("ranks_unknown"));
    made.options.fixes = {"ranks_unknown"};
    EXPECT_THAT(refusals(made), IsEmpty());
}

// Before: a directory that was not listed counted as empty, so nothing was moved and the launcher truncated the logs.
TEST_F(FactsOfAResume, ALogOfWhichNothingIsKnownIsNotWrittenOver)
{
    there.insert("/job/log/worker_0.log");
    ResumeFacts made = facts();
    EXPECT_THAT(refusals(made), IsEmpty());
    EXPECT_EQ(resumePlan(made).nodes[0].files.size(), 1u);
    Listing closed, many;
    closed.error = "Permission denied";
    many.truncated = true;
    for (const Result<Listing> &answer : {Result<Listing>(fail(ErrorKind::timeout, "no answer within 30 s")),
                                          Result<Listing>(closed), Result<Listing>(many)}) {
        made = facts({.fixes = {"all"}});
        made.book.answer("n0", "/job/log", answer);
        EXPECT_THAT(refusals(made), ElementsAre("outputs_unknown"));
        made.options.fixes = {"outputs_unknown"};
        EXPECT_THAT(refusals(made), IsEmpty());
    }
    made.book.answer("n0", "/job/log", fail(ErrorKind::notFound, "No such file or directory"));
    made.options.fixes.clear();
    EXPECT_THAT(refusals(made), IsEmpty());
}

TEST_F(FactsOfAResume, ADirectoryThatCouldNotBeSearchedIsToldAndStopsNothing)
{
    ResumeFacts made = facts();
    made.places.unsearched.push_back({"n1", "/job/ckpt", "too many entries"});
    const auto findings = resumeFindings(made);
    const auto told = std::find_if(findings.begin(), findings.end(),
                                   [](const Finding &finding) { return finding.code == "outputs_unknown"; });
    ASSERT_NE(told, findings.end());
    EXPECT_EQ(told->result, Finding::Result::warn);
    EXPECT_THAT(told->text, HasSubstr("/job/ckpt on node n1"));
    Listing gone;
    gone.error = "No such file or directory";
    EXPECT_FALSE(unknownIn("n1", "/job/ckpt", gone));
    EXPECT_FALSE(unknownIn("n1", "/job/ckpt", fail(ErrorKind::notFound, "")));
    EXPECT_TRUE(unknownIn("n1", "/job/ckpt", fail(ErrorKind::timeout, "")));
}

TEST_F(FactsOfAResume, ThePlanDoesWhatTheFixesOfTheFindingsSay)
{
    ResumeFacts made = facts();
    OrphanProcess survivor{.node = "n1", .process = {}};
    survivor.process.id.pid = 4711;
    made.survivors.all.push_back(survivor);
    made.places.autoLoaded.push_back({.node = "n0", .path = "/job/ckpt/hpc_ckpt_1.ckpt", .by = "Lightning"});
    EXPECT_THAT(refusals(made), ElementsAre("survivors", "auto_loaded"));
    const Plan idle = resumePlan(made);
    EXPECT_THAT(idle.nodes[0].files, IsEmpty());
    EXPECT_THAT(idle.nodes[1].ends, IsEmpty());

    made.options.fixes = {"survivors", "auto_loaded"};
    EXPECT_THAT(refusals(made), IsEmpty());
    const Plan fixing = resumePlan(made);
    for (const NodePlan &node : fixing.nodes) {
        if (node.node == "n1") {
            ASSERT_EQ(node.ends.size(), 1u);
            EXPECT_EQ(node.ends[0].process.pid, 4711);
        } else {
            ASSERT_EQ(node.files.size(), 1u);
            EXPECT_EQ(node.files[0].target, "/job/ckpt/hpc_ckpt_1.ckpt.moved-resume-7");
        }
    }
}

TEST_F(FactsOfAResume, TheSetOfAGracefulExitGivesWayToItsPeriodicSibling)
{
    view.checkpoints.sets = {setOfTwo("graceful", CheckpointKind::graceful),
                             setOfTwo("3-10", CheckpointKind::periodic)};
    view.checkpoints.recommended = "graceful";
    ResumeFacts made = facts();
    EXPECT_EQ(made.choice.sibling, "3-10");
    const auto findings = resumeFindings(made);
    const auto graceful = std::find_if(findings.begin(), findings.end(),
                                       [](const Finding &finding) { return finding.code == "graceful_set"; });
    ASSERT_NE(graceful, findings.end());
    EXPECT_TRUE(graceful->fixable);

    made = facts({.fixes = {"graceful_set"}});
    EXPECT_EQ(made.choice.set->id, "3-10");
    EXPECT_EQ(resumePlan(made).nodes[0].launches[0].argv.back(), "/job/ckpt/rank_0/3-10.ckpt");
}

}  // namespace
}  // namespace rankdeck
