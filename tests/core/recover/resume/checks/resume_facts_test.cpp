// SPDX-License-Identifier: GPL-3.0-or-later
// Findings and the plan that follow from the facts of a resume. The test sets the facts by hand, and no node is asked.
#include "core/recover/resume/checks/resume_checks.h"
#include "core/recover/resume/resume_plan.h"
#include "tests/core/recover/resume/checks/facts_of_a_resume.h"
#include "tests/testbed/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace rankdeck::resume_facts_test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(FactsOfAResume, PlanWithoutObstaclesStartsEachRankWithItsOwnFile)
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

TEST_F(FactsOfAResume, RefusesToStartALauncherOfAllRanksOncePerRank)
{
    view.job.launch.command.insert(view.job.launch.command.begin(), {"accelerate", "launch"});
    EXPECT_THAT(refusals(facts()), ElementsAre("job_file"));
}

TEST_F(FactsOfAResume, UnusableChoiceIsTheOnlyFinding)
{
    view.job.launch.recipe = "nohup";
    const ResumeFacts made = facts();
    EXPECT_THAT(refusals(made), ElementsAre("job_file"));
    const Plan plan = resumePlan(made);
    EXPECT_EQ(plan.id, "resume-7");
    EXPECT_THAT(plan.nodes, IsEmpty());
    EXPECT_THAT(plan.summary, IsEmpty());
}

TEST_F(FactsOfAResume, RefusesAJobThatCannotBeStarted)
{
    const Job good = view.job;
    view.job.launch.workdir = "/job/nowhere";
    EXPECT_THAT(refusals(facts()), Contains("program_missing"));
    view.job = good;
    view.job.launch.command = {"python3", "{chekpoint}"};
    EXPECT_THAT(refusals(facts()), Contains("placeholder"));
    view.job = good;
    view.job.launch.command.clear();
    EXPECT_THAT(refusals(facts()), ElementsAre("job_file"));
}

TEST_F(FactsOfAResume, ReportsRunningRanksEvenIfNoSetIsUsable)
{
    view.checkpoints = {};
    view.ranks.resize(2);
    view.ranks[0].alive = Known::yes;
    EXPECT_THAT(refusals(facts()), ElementsAre("no_valid_set", "survivors"));
    view.ranks[0].alive = Known::unknown;
    EXPECT_THAT(refusals(facts()), ElementsAre("no_valid_set"));
}

TEST_F(FactsOfAResume, RunsEveryCheckAndReportsAllFindings)
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
    EXPECT_THAT(refusals(made), ElementsAre("program_missing", "node_not_live", "attempt_running", "survivors",
                                            "program_missing", "directory_closed", "auto_loaded", "placeholder"));
}

TEST_F(FactsOfAResume, UnansweredClaimDoesNotMeanAFreeJob)
{
    ResumeFacts made = facts({.fixes = {"all"}});
    made.running.claims.push_back({.node = "n1", .held = Known::unknown, .problem = "no answer"});
    EXPECT_THAT(refusals(made), ElementsAre("ranks_unknown"));
    made.options.fixes = {"ranks_unknown"};
    EXPECT_THAT(refusals(made), IsEmpty());
}

// Regression: a directory that was not listed counted as empty, so nothing was moved and the launcher truncated the
// logs.
TEST_F(FactsOfAResume, RefusesToOverwriteALogInAnUnlistedDirectory)
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

TEST_F(FactsOfAResume, RefusesIfExitSavesThatMightBeLoadedCannotBeListed)
{
    view.job.gracefulExit.saves = "/job/saves/rank_{rank}/lenet_train.ckpt";
    ResumeFacts made = facts();
    for (const char *node : {"n0", "n1"}) {
        made.book.answer(node, "/job/saves/rank_0", fail(ErrorKind::notFound, "No such file or directory"));
        made.book.answer(node, "/job/saves/rank_1", fail(ErrorKind::notFound, "No such file or directory"));
    }
    EXPECT_THAT(refusals(made), IsEmpty());
    made.book.answer("n1", "/job/saves/rank_1", fail(ErrorKind::permission, "Permission denied"));
    EXPECT_THAT(refusals(made), ElementsAre("outputs_unknown"));
    made.options.fixes = {"all"};
    EXPECT_THAT(refusals(made), ElementsAre("outputs_unknown"));
    made.options.fixes = {"outputs_unknown"};
    EXPECT_THAT(refusals(made), IsEmpty());
}

TEST_F(FactsOfAResume, ReportsAnUnsearchedDirectoryWithoutBlocking)
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
    EXPECT_TRUE(unknownIn("n1", "/job/ckpt", gone).empty());
    EXPECT_TRUE(unknownIn("n1", "/job/ckpt", fail(ErrorKind::notFound, "")).empty());
    EXPECT_EQ(unknownIn("n1", "/job/ckpt", fail(ErrorKind::timeout, "")).size(), 1u);
    Listing partly;
    partly.entries.push_back({.path = "/job/ckpt/rank_1", .stat = {}, .error = "Permission denied"});
    partly.entries.push_back({.path = "/job/ckpt/rank_2", .stat = {.kind = 'd'}});
    const auto closed = unknownIn("n1", "/job/ckpt", partly);
    ASSERT_EQ(closed.size(), 1u);
    EXPECT_EQ(closed[0].path, "/job/ckpt/rank_1");
}

TEST_F(FactsOfAResume, PlanContainsTheStepsThatTheFixesDescribe)
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

TEST_F(FactsOfAResume, PanguStrategyFileMustExistAndNotBeOverwritten)
{
    view.job.launch.command = {"python3", "train.py", "--strategy_load_ckpt_path=strategy.ckpt",
                               "--pre_trained={checkpoint}"};
    const auto codes = [&](const std::string &script) {
        ResumeFacts made = facts();
        made.programs.scriptTexts["n0"] = script;
        std::vector<std::string> said;
        for (const Finding &finding : resumeFindings(made))
            if (finding.code == "strategy_file")
                said.push_back(
                    (finding.text.find("writes its strategy") != std::string::npos ? "overwritten " : "missing ") +
                    finding.node);
        return said;
    };
    EXPECT_THAT(codes(""), ElementsAre("missing n0", "missing n1"));
    there.insert("/job/strategy.ckpt");
    EXPECT_THAT(codes(""), IsEmpty());
    EXPECT_THAT(codes("strategy_ckpt_save_file='strategy.ckpt')\n"), ElementsAre("overwritten n0"));
    EXPECT_THAT(codes("strategy_ckpt_save_file_path = '/job/strategy.ckpt'\n"), ElementsAre("overwritten n0"));
    EXPECT_THAT(codes("strategy_ckpt_save_file = \"/job/other.ckpt\"\n"), IsEmpty());
    EXPECT_THAT(
        codes("if args.strategy_load_ckpt_path == path:\n  path = 'new'\nstrategy_ckpt_save_file='strategy.ckpt'\n"),
        IsEmpty());
    view.job.launch.command[2] = "--strategy_load_ckpt_path=/job/s_{rank}.ckpt";
    EXPECT_THAT(codes(""), IsEmpty());
}

class Protection : public FactsOfAResume {
protected:
    std::vector<std::string> texts(const std::string &modes, const std::string &script)
    {
        view.job.launch.env["MS_ENABLE_TFT"] = modes;
        ResumeFacts made = facts();
        made.programs.scriptTexts["n0"] = script;
        made.programs.withoutMindio["n1"] = "/venv/lib/python3.11/site-packages";
        std::vector<std::string> said;
        for (const Finding &finding : resumeFindings(made))
            if (finding.code == "fault_tolerance") said.push_back(finding.text);
        return said;
    }
};

TEST_F(Protection, WarnsOfScriptsThatMindSporeCannotProtect)
{
    const std::string graph = "ms.set_context(mode=ms.GRAPH_MODE, jit_level='O0')\nmodel.train(1, data, sink_size=1)\n";
    EXPECT_THAT(texts("{TTP:1,UCE:1}", graph), ElementsAre(HasSubstr("has no mindio_ttp in /venv/lib")));
    EXPECT_THAT(texts("{TRE:1}", "ms.set_context(mode=ms.PYNATIVE_MODE)\n"), IsEmpty()) << "it needs no MindIO";
    EXPECT_THAT(texts("{TTP:1}", "ms.set_context(mode=ms.PYNATIVE_MODE)\n"),
                ElementsAre(HasSubstr("graph mode"), HasSubstr("mindio_ttp")));
    EXPECT_THAT(texts("{TTP:1}", "model.train(1, data, sink_size = 20)\n"),
                ElementsAre(HasSubstr("sink_size above 1"), HasSubstr("mindio_ttp")));
    EXPECT_THAT(texts("{TTP:1}", "set_context(jit_level=\"O2\")\n"), ElementsAre(HasSubstr("mindio_ttp")));
    EXPECT_THAT(texts("{TTP:1,ARF:1}", "set_context(jit_level=\"O2\")\n"),
                ElementsAre(HasSubstr("jit_level O2"), HasSubstr("mindio_ttp")));
    EXPECT_THAT(texts("{TTP: 1}", graph), ElementsAre(HasSubstr("without blanks")));
    const std::string registers = "cb = train.TFTRegister(0, '127.0.0.1', 30051, './ttp')\nmodel.train(5, data)\n";
    EXPECT_THAT(texts("{TTP:1}", registers), ElementsAre(HasSubstr("wraps no optimizer"), HasSubstr("mindio_ttp")));
    EXPECT_THAT(texts("{TTP:1}", "opt = nn.OptTFTWrapper(opt)\n" + registers), ElementsAre(HasSubstr("mindio_ttp")));
    EXPECT_THAT(texts("{TTP:1}", "opt = TrainFaultTolerance.get_optimizer_wrapper(cls)\n" + registers),
                ElementsAre(HasSubstr("mindio_ttp")));
}

// Devices whose ranks reported a memory error: a launch uses these devices again.
class DeviceFaults : public FactsOfAResume {
protected:
    std::vector<std::string> texts()
    {
        std::vector<std::string> said;
        for (const Finding &finding : resumeFindings(facts()))
            if (finding.code == "device_unhealthy") said.push_back(finding.node + ": " + finding.text);
        return said;
    }
    void event(EventKind kind, int rank, const std::string &text, int attempt = 0)
    {
        view.recentEvents.push_back({.rank = rank, .attempt = attempt, .kind = kind, .text = text});
    }
};

TEST_F(DeviceFaults, CauseAWarningUntilARepairIsReported)
{
    view.attempt = 0;
    view.ranks = {};
    for (const int rank : {0, 1}) view.ranks.push_back({.rank = rank, .node = "n" + std::to_string(rank)});
    EXPECT_THAT(texts(), IsEmpty());
    event(EventKind::uce, 1, "UCEError error occurs when execute, error_code=507053");
    EXPECT_THAT(texts(), ElementsAre(AllOf(HasSubstr("n1: rank 1 reported a memory error of device"),
                                           HasSubstr("507053"), HasSubstr("the plan uses that device"))));
    event(EventKind::repaired, 1, "uce wrapper caught repair finish");
    EXPECT_THAT(texts(), IsEmpty()) << "mended in place";
    event(EventKind::error, 0, "rtMemcpy failed, ret=507054");
    EXPECT_THAT(texts(), ElementsAre(HasSubstr("n0: rank 0")));
    view.attempt = 1;
    EXPECT_THAT(texts(), IsEmpty()) << "of an earlier attempt";
    event(EventKind::error, 0, "ValueError: 507054 is no shape", 1);
    event(EventKind::warning, 0, "UCEError is handled", 1);
    EXPECT_THAT(texts(), ElementsAre(HasSubstr("n0: rank 0"))) << "errors and faults only";
}

// MindSpore's own example of the graceful exit: the script has no option, and loads only the file that OnRequestExit
// finds.
class OfAnExitScript : public FactsOfAResume {
protected:
    OfAnExitScript()
    {
        view.job.launch.command = {"python3", "train.py"};
        view.checkpoints.sets = {setOfTwo("graceful", CheckpointKind::graceful),
                                 setOfTwo("3-10", CheckpointKind::periodic)};
        view.checkpoints.recommended = "graceful";
        scripts["n0"] = scripts["n1"] = "cb = OnRequestExit(file_name='LeNet')\nmodel.train(1, data)\n";
        mends.byRank[1] = {{.offset = 7, .before = "1", .after = "0"}};
    }
    ResumeFacts told(const ResumeOptions &options = {})
    {
        ResumeFacts made = facts(options);
        made.mends = mends;
        made.programs.scriptTexts = scripts;
        made.exitLoad = exitLoadOf(made.view, made.choice, scripts, made.book, made.layout, mends);
        return made;
    }
    std::map<std::string, std::string> scripts;
    CheckpointMends mends;
};

TEST_F(OfAnExitScript, PatchedSetIsCopiedToThePathOfTheCallback)
{
    view.job.gracefulExit.saves = "/job/ckpt/rank_{rank}/graceful.ckpt";
    const ResumeFacts made = told();
    EXPECT_THAT(refusals(made), IsEmpty());
    const Plan plan = resumePlan(made);
    ASSERT_EQ(plan.nodes.size(), 2u);
    for (std::size_t rank = 0; rank < 2; ++rank) {
        const std::string path = "/job/ckpt/rank_" + std::to_string(rank) + "/graceful.ckpt";
        const auto &files = plan.nodes[rank].files;
        ASSERT_GE(files.size(), 2u);
        EXPECT_EQ(files[0].action, FileAction::move);
        EXPECT_EQ(files[0].path, path);
        EXPECT_EQ(files[0].target, path + ".moved-resume-7");
        EXPECT_EQ(files[1].action, FileAction::copyFile);
        EXPECT_EQ(files[1].path, path);
        EXPECT_EQ(files[1].target, path + ".moved-resume-7");
        EXPECT_EQ(files[1].patches.size(), rank);
    }
}

TEST_F(OfAnExitScript, PeriodicSetIsCopiedThereToo)
{
    view.job.gracefulExit.saves = "/job/ckpt/rank_{rank}/LeNet_train.ckpt";
    mends = {};
    const ResumeFacts made = told({.set = "3-10"});
    EXPECT_THAT(refusals(made), IsEmpty());
    const Plan plan = resumePlan(made);
    ASSERT_EQ(plan.nodes[0].files.size(), 1u);
    EXPECT_EQ(plan.nodes[0].files[0].path, "/job/ckpt/rank_0/LeNet_train.ckpt");
    EXPECT_EQ(plan.nodes[0].files[0].target, "/job/ckpt/rank_0/3-10.ckpt");
    const auto findings = resumeFindings(made);
    EXPECT_TRUE(std::any_of(findings.begin(), findings.end(),
                            [](const Finding &finding) { return finding.code == "train_ckpt_loaded"; }));
}

TEST_F(OfAnExitScript, RefusesSetsThatCannotBeCopiedThereWithAReason)
{
    const auto why = [&](const ResumeFacts &made) {
        for (const Finding &finding : resumeFindings(made))
            if (finding.code == "starts_from_zero") return finding.text;
        return Message();
    };
    EXPECT_THAT(why(told({.set = "3-10"})), HasSubstr("graceful_exit.saves"));
    // Rank 1 is device 0 of its node. No existing folder shows whether its callback counts ranks or devices.
    view.job.gracefulExit.saves = "/job/ckpt/rank_{device}/LeNet_train.ckpt";
    EXPECT_THAT(why(told({.set = "3-10"})),
                AllOf(HasSubstr("neither exists"), HasSubstr("rank_0/LeNet"), HasSubstr("rank_1/LeNet")));
    there.insert("/job/ckpt/rank_1/LeNet_train.ckpt");
    const ResumeFacts shown = told({.set = "3-10"});
    EXPECT_EQ(shown.exitLoad.files.at(1), "/job/ckpt/rank_1/LeNet_train.ckpt");
    view.job.gracefulExit.saves = "/job/ckpt/rank_{rank}/graceful.ckpt";
    mends.problem = "/job/ckpt/rank_1/graceful.ckpt could not be read to correct it";
    EXPECT_THAT(why(told()), HasSubstr("could not be read"));
    for (const Finding &finding : resumeFindings(told()))
        if (finding.code == "graceful_set") {
            EXPECT_THAT(finding.text, HasSubstr("it cannot be corrected: /job/ckpt/rank_1"));
        }
    mends.problem.clear();
    scripts["n1"] = "cb = OnRequestExit(save_ckpt=False)\nmodel.train(1, data)\n";
    EXPECT_THAT(why(told()), HasSubstr("every rank would start from zero"));
    // A script that would load the file if the command named it.
    scripts["n0"] = scripts["n1"] = "p.add_argument('--resume')\nload_checkpoint(args.resume)\nmodel.train(1, data)\n";
    EXPECT_THAT(why(told()), HasSubstr("every rank would start from zero"));
    view.job.launch.command.insert(view.job.launch.command.end(), {"--resume", "{checkpoint}"});
    EXPECT_THAT(why(told()), IsEmpty());
}

// A script that loads a file of its own choice gets a patched copy in the staging directory, under the original name.
TEST_F(OfAnExitScript, AnotherScriptGetsAPatchedCopyInsteadOfALink)
{
    view.job.launch.command = {"python3", "train.py", "--resume", "{checkpoint}"};
    view.checkpoints.recommended = "3-10";
    ResumeFacts made = facts();
    made.layout = layoutOf(made.view, made.choice, made.book, {}, made.id, {}, mends);
    const Plan plan = resumePlan(made);
    const std::string copy = "/job/.rankdeck/views/" + launchId("resume-7", "n1");
    const auto &files = plan.nodes[1].files;
    const auto at = std::find_if(files.begin(), files.end(),
                                 [](const FileActionRequest &step) { return step.action == FileAction::copyFile; });
    ASSERT_NE(at, files.end());
    EXPECT_EQ(at->target, "/job/ckpt/rank_1/3-10.ckpt");
    EXPECT_EQ(at->patches.size(), 1u);
    EXPECT_EQ(plan.nodes[1].launches[0].argv.back(), copy + "/rank_1/3-10.ckpt");
    EXPECT_EQ(plan.nodes[0].launches[0].argv.back(), "/job/ckpt/rank_0/3-10.ckpt") << "its file needs nothing";
}

TEST_F(FactsOfAResume, PrefersThePeriodicSetOverTheGracefulSetOfTheSameStep)
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
    EXPECT_THAT(refusals(made), IsEmpty());
    EXPECT_EQ(resumePlan(made).nodes[0].launches[0].argv.back(), "/job/ckpt/rank_0/3-10.ckpt");
}

}  // namespace
}  // namespace rankdeck::resume_facts_test
