// SPDX-License-Identifier: GPL-3.0-or-later
// Every recipe with every way in which ranks learn what to load, and without any such way, which is always refused.
#include "core/recover/resume/evidence/load_evidence.h"

#include "core/recover/launch/recipe.h"
#include "tests/core/recover/resume/checks/facts_of_a_resume.h"

#include <gmock/gmock.h>

#include <functional>

namespace rankdeck::load_evidence_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

struct Way {
    const char *name;
    LoadWay expected;
    std::function<void(Job &)> job;
    std::function<void(ResumeFacts &)> facts = [](ResumeFacts &) {};
};

void script(ResumeFacts &facts, const std::string &text)
{
    for (const char *node : {"n0", "n1"}) facts.programs.scriptTexts[node] = text;
}
void wrapper(ResumeFacts &facts, bool handsOn)
{
    for (const char *node : {"n0", "n1"}) facts.programs.wrappers[node] = {.path = "run.sh", .handsOn = handsOn};
}
auto command(std::vector<std::string> words)
{
    return [words](Job &job) { job.launch.command = words; };
}
auto text(std::string script_)
{
    return [script_](ResumeFacts &facts) { script(facts, script_); };
}

const std::string loadsWhatItIsTold =
    "p.add_argument('--resume', default=None)\nload_checkpoint(args.resume)\nmodel.train(9)\n";
const std::string findsTheNewest =
    "p = max(glob('./ckpt/rank_0/*.ckpt'), key=os.path.getmtime)\nload_checkpoint(p)\nmodel.train(9)\n";

const std::vector<Way> ways{
    {"placeholder", LoadWay::placeholder, command({"python3", "train.py", "--resume", "{checkpoint}"})},
    {"directory", LoadWay::placeholder, command({"python3", "train.py", "--resume={checkpoint_dir}"})},
    {"placeholder through a wrapper", LoadWay::placeholder, command({"bash", "run.sh", "{checkpoint}"}),
     [](ResumeFacts &facts) { wrapper(facts, true); }},
    {"folder of the script", LoadWay::staged, command({"python3", "train.py"}),
     [](ResumeFacts &facts) {
         facts.folders.newestOf = "/job/ckpt_0";
         for (const int rank : {0, 1}) facts.folders.loaded[rank] = {"/job/ckpt_0/3-10.ckpt"};
     }},
    {"folder of the script, not on this node", LoadWay::none, command({"python3", "train.py"}),
     [](ResumeFacts &facts) { facts.folders.newestOf = "/job/ckpt_0"; }},
    {"callback", LoadWay::staged, command({"python3", "train.py"}),
     [](ResumeFacts &facts) { facts.exitLoad.files[0] = "/job/ckpt/rank_0/LeNet_train.ckpt"; }},
    {"configuration", LoadWay::configuration,
     [](Job &job) {
         job.launch.command = {"python3", "train.py", "--config", "run.yaml"};
         job.launch.config = "/job/run.yaml";
         job.launch.set["load_from"] = {.text = "{checkpoint_dir}"};
     }},
    {"variable", LoadWay::variable,
     [](Job &job) {
         job.launch.command = {"python3", "train.py"};
         job.launch.env["START_FROM"] = "{checkpoint}";
     },
     text("load_checkpoint(os.environ['START_FROM'])\n")},
    {"another variable", LoadWay::none,
     [](Job &job) {
         job.launch.command = {"python3", "train.py"};
         job.launch.env["START"] = "{checkpoint}";
     },
     text("load_checkpoint(os.environ['START_FROM'])\n")},
    {"option", LoadWay::option, command({"python3", "train.py", "--load", "/job/ckpt"}), text(loadsWhatItIsTold)},
    {"script text", LoadWay::scriptText, command({"python3", "train.py"}), text(findsTheNewest)},
    {"script text with its switch", LoadWay::scriptText, command({"python3", "train.py", "--again"}),
     text("if args.again:\n    load_checkpoint(sorted(os.listdir('./ckpt'))[-1])\n")},

    {"option of a program without a script", LoadWay::placeholder,
     command({"llamafactory-cli", "train", "run.yaml", "--resume_from_checkpoint", "{checkpoint}"})},

    {"variable of make", LoadWay::none, command({"make", "train", "CKPT={checkpoint}"})},
    {"argument of a task runner", LoadWay::none, command({"npm", "run", "train", "--", "{checkpoint}"})},
    {"unknown option of a native program", LoadWay::none, command({"./train", "-l", "{checkpoint}"})},
    {"where a native program saves", LoadWay::none, command({"./train", "--save-checkpoint={checkpoint_dir}"})},
    {"make in a line of a shell", LoadWay::none, command({"bash", "-c", "cd /job && make CKPT={checkpoint}"})},
    {"option of a script that cannot be read", LoadWay::none, command({"python3", "train.py", "--load", "/job/ckpt"})},
    {"nothing is read", LoadWay::none, command({"python3", "train.py"})},
    {"no script", LoadWay::none, command({"make", "train"})},
    {"no load", LoadWay::none, command({"python3", "train.py"}), text("model.train(9)\n")},
    {"load of an unknown name", LoadWay::none, command({"python3", "train.py"}),
     text("model.train(1)\nparameters = load_checkpoint(newest)\n")},
    {"imports", LoadWay::none, command({"python3", "train.py"}), text("from trainer import main\nmain()\n")},
    {"option left out", LoadWay::none, command({"python3", "train.py"}), text(loadsWhatItIsTold)},
    {"switch left out", LoadWay::none, command({"python3", "train.py"}),
     text("if args.again:\n    load_checkpoint(sorted(os.listdir('./ckpt'))[-1])\n")},
    {"another folder", LoadWay::none, command({"python3", "train.py"}),
     text("load_checkpoint(sorted(os.listdir('./pretrained_nets'))[-1])\n")},
    {"another file", LoadWay::none, command({"python3", "train.py", "--resume", "/job/ckpt/old.ckpt"}),
     text(loadsWhatItIsTold)},
    {"where it saves", LoadWay::none, command({"python3", "train.py", "--save-dir", "/job/ckpt"}),
     text(loadsWhatItIsTold)},
    {"wrapper that hands nothing on", LoadWay::none, command({"bash", "run.sh", "{checkpoint}"}),
     [](ResumeFacts &facts) { wrapper(facts, false); }},
    {"wrapper that cannot be read", LoadWay::none, command({"bash", "run.sh", "{checkpoint}"}),
     [](ResumeFacts &facts) {
         facts.programs.unreadWrappers = {{"n0", "run.sh"}, {"n1", "run.sh"}};
     }},
    {"line that uses no argument", LoadWay::none, command({"bash", "-c", "python3 train.py", "{checkpoint}"})},
    {"variable that nobody reads", LoadWay::none,
     [](Job &job) {
         job.launch.command = {"python3", "train.py"};
         job.launch.env["START_FROM"] = "{checkpoint}";
     },
     text(loadsWhatItIsTold)},
    {"configuration that nobody reads", LoadWay::none,
     [](Job &job) {
         job.launch.command = {"python3", "train.py"};
         job.launch.config = "/job/run.yaml";
         job.launch.set["load_from"] = {.text = "{checkpoint}"};
     },
     text(loadsWhatItIsTold)},
};

class EveryRecipe : public FactsOfAResume, public testing::WithParamInterface<std::string> {
protected:
    void SetUp() override
    {
        plain = view.job;
        view.job.launch.recipe = GetParam();
        view.job.launch.masterAddr = "10.0.0.1";
        view.job.launch.volcano.image = "train:1";
        recipe = view.job;
    }
    static const Finding *finding(const std::vector<Finding> &findings, FindingCode code)
    {
        for (const Finding &one : findings)
            if (one.code == code) return &one;
        return nullptr;
    }
    Job plain, recipe;
};

TEST_P(EveryRecipe, StartsWithEvidenceOfALoadAndIsRefusedWithoutIt)
{
    for (const Way &way : ways) {
        SCOPED_TRACE(way.name);
        view.job = recipe;
        way.job(view.job);
        for (const std::string fix : {"all", "checkpoint_not_named", "starts_from_zero"}) {
            ResumeFacts made = facts({.fixes = {fix}});
            ASSERT_TRUE(made.choice.fit());
            way.facts(made);
            const LoadEvidence evidence = loadEvidence(made, made.view.job.nodes.front());
            EXPECT_EQ(static_cast<int>(evidence.way), static_cast<int>(way.expected))
                << evidence.text << testing::PrintToString(evidence.against);
            const auto findings = resumeFindings(made);
            if (way.expected == LoadWay::option || way.expected == LoadWay::scriptText) {
                EXPECT_NE(finding(findings, "checkpoint_not_named"), nullptr);
            }
            const Finding *found = finding(findings, "starts_from_zero");
            ASSERT_EQ(found != nullptr, way.expected == LoadWay::none);
            if (!found) continue;
            EXPECT_EQ(found->result, fix == "all" ? Finding::Result::refuse : Finding::Result::warn);
            EXPECT_THAT(found->fix, HasSubstr("--fix checkpoint_not_named"));
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Launch, EveryRecipe, testing::ValuesIn(recipeNames()),
                         [](const auto &one) { return one.param; });

class Evidence : public FactsOfAResume {};

TEST_F(Evidence, SearchingScriptMustFindTheChosenSet)
{
    view.job.launch.command = {"python3", "train.py"};
    view.checkpoints.sets.insert(view.checkpoints.sets.begin(), setOfTwo("4-10", CheckpointKind::periodic));
    view.checkpoints.sets.front().verdict = Verdict::corrupt;
    ResumeFacts made = facts();
    script(made, "load_checkpoint(sorted(os.listdir('./ckpt'))[-1])\n");
    const LoadEvidence evidence = loadEvidence(made, made.view.job.nodes.front());
    EXPECT_FALSE(evidence.isThere());
    EXPECT_THAT(evidence.against, Contains(HasSubstr("is newer than the chosen set")));
}

TEST_F(Evidence, RefusalNamesTheScriptAndThreeSolutions)
{
    view.job.launch.command = {"python3", "train.py"};
    ResumeFacts made = facts();
    script(made, loadsWhatItIsTold);
    for (const Finding &finding : resumeFindings(made)) {
        if (finding.code != "starts_from_zero") continue;
        EXPECT_THAT(finding.text, HasSubstr("names neither {checkpoint} nor {checkpoint_dir}"));
        EXPECT_THAT(finding.text, HasSubstr("only with resume, which"));
        EXPECT_THAT(finding.fix, HasSubstr("{checkpoint}"));
        EXPECT_THAT(finding.fix, HasSubstr("launch.config"));
        EXPECT_THAT(finding.fix, HasSubstr("--fix checkpoint_not_named"));
        return;
    }
    ADD_FAILURE() << "no refusal";
}

TEST_F(Evidence, DoesNotSufficeIfTheScriptIgnoresTheCheckpoint)
{
    const std::string loadsNothing = "model.train(90)\n";
    const std::string startsAnother =
        "import subprocess, sys\nsubprocess.run([sys.executable, 'train.py', '--lr', '0.1'])\n";
    const std::string handsOn = "import subprocess, sys\nsubprocess.run(['python3', 'train.py'] + sys.argv[1:])\n";
    const std::string importsAll = "from trainer.cli import main\nmain()\n";
    const std::string takesAFile = "if os.path.isfile(args.resume):\n    load_checkpoint(args.resume)\n";
    const struct {
        std::string word, script;
        bool refused;
    } rows[] = {{"{checkpoint}", loadsNothing, true},
                {"/job/ckpt/rank_{rank}", loadsNothing, true},
                {"{checkpoint}", "load_checkpoint(sys.argv[1])\nmodel.train(90)\n", false},
                {"{checkpoint}", startsAnother, true},
                {"{checkpoint}", "import os\nos.system('torchrun train.py')\n", true},
                {"{checkpoint}", handsOn, false},
                {"{checkpoint}", importsAll, false},
                {"{checkpoint_dir}", takesAFile, true},
                {"{checkpoint}", takesAFile, false}};
    for (const auto &row : rows) {
        view.job.launch.command = {"python3", "train.py", row.word};
        ResumeFacts made = facts();
        script(made, row.script);
        EXPECT_EQ(testing::Matches(Contains("starts_from_zero"))(refusals(made)), row.refused)
            << row.word << " for " << row.script;
    }
}

TEST_F(Evidence, MissingOnOneNodeIsEnoughToRefuse)
{
    view.job.launch.command = {"bash", "run.sh", "{checkpoint}"};
    ResumeFacts made = facts();
    wrapper(made, true);
    made.programs.wrappers["n1"].handsOn = false;
    EXPECT_THAT(refusals(made), Contains("starts_from_zero"));
}

}  // namespace
}  // namespace rankdeck::load_evidence_test
