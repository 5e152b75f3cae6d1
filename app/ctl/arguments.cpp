// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/arguments.h"

#include "app/ctl/command.h"
#include "app/ctl/demo.h"
#include "app/ctl/output/columns.h"
#include "app/ctl/shell/completion.h"
#include "app/ctl/shell/job_choice.h"
#include "core/base/deadline.h"
#include "core/base/text.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <sstream>
#include <string_view>
#include <utility>

namespace rankdeck::ctl {
namespace {

const char *const footer =
    "Exit codes:\n"
    "  0    done, or the answer is yes\n"
    "  1    the answer is no: nothing VALID, refused, not proven, timed out\n"
    "  2    wrong usage, or a bad job file\n"
    "  3    a needed node could not be reached\n"
    "  4    internal error\n"
    "  130  ended by Ctrl-C\n"
    "Messages go to stderr; with --json stdout is one JSON document (watch: one object per line).";

// All values that the parser fills in, and the chosen command.
struct Arguments {
    Globals globals;
    DiscoverCommand discover;
    CheckpointsOptions checkpoints;
    InspectOptions inspect;
    LogsOptions logs;
    WatchOptions watch;
    ExitCommand exit;
    ResumeCommand resume;
    KeepCommand keep;
    ReportCommand report;
    DemoCommand demo;
    std::string shell;
    std::vector<std::string> rest;
    std::function<int()> command;
};

// Accepts 0 seconds to a year. The code tests for "inside the range", because every comparison with "nan" is false.
CLI::Validator waitRange()
{
    return {[](std::string &text) -> std::string {
                double seconds = 0;
                const bool number = CLI::detail::lexical_cast(text, seconds);
                if (number && seconds >= 0 && seconds <= maxWaitSeconds) return {};
                return "Value " + text + " is not in the range 0 to 31536000 seconds";
            },
            "0 - 31536000"};
}

CLI::App *add(CLI::App &app, Arguments &arguments, const std::string &name, const std::string &text,
              std::function<int()> command)
{
    CLI::App *sub = app.add_subcommand(name, text);
    sub->fallthrough();
    sub->callback([&arguments, command = std::move(command)] { arguments.command = command; });
    return sub;
}

// "status lenet.rankdeck.json" means "status --job lenet.rankdeck.json", as for the window.
CLI::App *takesJob(CLI::App *command, CLI::App &app, Globals &globals)
{
    command->add_option("JOB", globals.job, "The job file; the same as --job")
        ->type_name("")
        ->check([&app](const std::string &file) {
            return app.get_option("--job")->count() == 0 ? std::string() : "expected one job, found --job and " + file;
        });
    return command;
}

// Runs a command that needs a job. Without --job it uses the job file of the current directory.
int onJob(Globals &globals, const std::function<int()> &command, Asking asking = Asking::onTerminal)
{
    if (globals.job.empty()) {
        std::error_code error;
        const Result<std::string> file = jobOfDirectory(std::filesystem::current_path(error).string(), asking);
        if (!file) return say(file.error());
        globals.job = *file;
        if (asking == Asking::onTerminal && !globals.json) warn("using the job of this directory: " + *file);
    }
    return command();
}

void addGlobals(CLI::App &app, Globals &globals)
{
    app.add_flag("--json", globals.json, "One JSON document on stdout (watch: one object per line)");
    app.add_option("--job", globals.job, "The job file (*.rankdeck.json); default: the one in the current directory")
        ->type_name("FILE");
    app.add_option("--ssh-config", globals.sshConfig, "OpenSSH config, as for ssh -F; can also be set in the job file")
        ->type_name("FILE");
    app.add_flag("--accept-new-host-keys", globals.acceptNewHostKeys,
                 "Accept and remember unknown host keys; changed keys are still refused");
    app.add_option("--state-dir", globals.stateDirectory, "History and journal; default $XDG_STATE_HOME/rankdeck")
        ->type_name("DIR");
    app.add_option("--timeout", globals.timeout, "How long to wait for nodes to answer")
        ->type_name("SECONDS")
        ->check(waitRange())
        ->capture_default_str();
    app.add_flag("--verbose", globals.verbose, "More messages on stderr");
    app.set_version_flag("--version", "rankdeckctl " RANKDECK_VERSION);
}

void addSeeing(CLI::App &app, Arguments &a)
{
    CLI::App *finding = add(app, a, "discover", "Find running training jobs on hosts and print their job files",
                            [&a] { return discover(a.globals, a.discover); });
    finding
        ->add_option("hosts", a.discover.hosts,
                     "A host as for ssh, a range such as ascend-[01-64], slurm:JOBID, k8s:NAMESPACE or "
                     "k8s:NAMESPACE/POD, or local")
        ->type_name("HOST")
        ->required();
    finding->add_option("--write", a.discover.write, "Write NAME.rankdeck.json into this directory instead")
        ->type_name("DIR");
    KubernetesSpec &cluster = a.discover.kubernetes;
    finding
        ->add_option("--via", cluster.via,
                     "The ssh host that runs kubectl for k8s:… and squeue for slurm:…; default: this machine")
        ->type_name("HOST");
    finding->add_option("--kubeconfig", cluster.kubeconfig, "kubectl's config file, on the host that runs kubectl")
        ->type_name("PATH");
    finding->add_option("--context", cluster.context, "Context in the kubeconfig")->type_name("NAME");
    finding->add_option("--kubectl", cluster.kubectl, "Program to run; default: kubectl")->type_name("PROGRAM");
    CLI::App *looking = add(app, a, "status", "Current state: nodes, ranks, stop request, newest VALID set, lost work",
                            [&a] { return onJob(a.globals, [&a] { return status(a.globals); }); });
    takesJob(looking, app, a.globals);
    CLI::App *watching = add(app, a, "watch", "Follow samples, events, checkpoints and verdicts as they come",
                             [&a] { return onJob(a.globals, [&a] { return watch(a.globals, a.watch); }); });
    takesJob(watching, app, a.globals);
    watching->add_flag("--plain", a.watch.plain, "Print lines as they come, even on a terminal");
    watching->add_option("--for", a.watch.seconds, "End after this time; default: at Ctrl-C")
        ->type_name("SECONDS")
        ->check(waitRange());
    CLI::App *judging = add(app, a, "checkpoints", "Judge every checkpoint set of a job or a directory", [&a] {
        const auto judge = [&a] { return checkpoints(a.globals, a.checkpoints); };
        if (a.globals.job.empty() && a.checkpoints.directory.ends_with(".rankdeck.json"))
            a.globals.job = std::exchange(a.checkpoints.directory, {});
        return a.checkpoints.directory.empty() ? onJob(a.globals, judge) : judge();
    });
    judging
        ->add_option("directory", a.checkpoints.directory,
                     "Instead of a job: a directory here or on a host; or the job file itself")
        ->type_name("[HOST:]DIR");
    judging->add_option("--world-size", a.checkpoints.worldSize, "How many ranks a set must have; default: detected")
        ->check(CLI::Range(1, 1000000));
    judging->add_flag("--explain", a.checkpoints.explain,
                      "Show every reason for every set, and what was inferred for each path");
    judging->add_option("--prove", a.checkpoints.prove, "Have the framework load this set on its nodes")
        ->type_name("SET");
    CLI::App *inspecting =
        add(app, a, "inspect", "Judge single checkpoint files", [&a] { return inspect(a.globals, a.inspect); });
    inspecting->add_option("files", a.inspect.files, "Files here or on a host")->type_name("[HOST:]FILE")->required();
    CLI::App *reading = add(
        app, a, "logs", "Show how logs are read: kinds of lines, the meaning of their numbers, ignored lines", [&a] {
            const auto explain = [&a] { return logs(a.globals, a.logs); };
            return a.logs.files.empty() ? onJob(a.globals, explain) : explain();
        });
    reading->add_option("files", a.logs.files, "Log files on this machine, instead of a job's logs")->type_name("FILE");
    reading->add_flag("--explain", a.logs.explain, "The default; there is no other mode yet");
    CLI::App *asking =
        add(app, a, "stacks", "Stack traces of all ranks, grouped: the ranks that differ from the waiting ones",
            [&a] { return onJob(a.globals, [&a] { return stacks(a.globals); }); });
    takesJob(asking, app, a.globals);
    CLI::App *telling = add(app, a, "journal", "List actions with time and place; for one job if it is given",
                            [&a] { return journal(a.globals); });
    takesJob(telling, app, a.globals);
}

void addActing(CLI::App &app, Arguments &a)
{
    CLI::App *stopping = add(app, a, "exit", "Stop gracefully: preflight, arm, proof",
                             [&a] { return onJob(a.globals, [&a] { return gracefulExit(a.globals, a.exit); }); });
    takesJob(stopping, app, a.globals);
    stopping->add_flag("--dry-run", a.exit.dryRun, "Show the preflight and what would be written where");
    stopping->add_flag("--cancel", a.exit.cancel, "Take a stop request back, and report the effect");
    stopping->add_option("--wait", a.exit.wait, "How long to wait for the proof")
        ->type_name("SECONDS")
        ->check(waitRange())
        ->capture_default_str();
    stopping->add_option("--escalate", a.exit.escalate, "When the wait ends, signal the rank processes: term or kill")
        ->check(CLI::IsMember({"term", "kill"}));
    stopping->add_flag("--reachable-only", a.exit.reachableOnly,
                       "Arm the reachable nodes even if others cannot be reached");
    CLI::App *resuming = add(app, a, "resume", "Resume from the newest VALID set: plan, preflight, launch, proof",
                             [&a] { return onJob(a.globals, [&a] { return resume(a.globals, a.resume); }); });
    takesJob(resuming, app, a.globals);
    resuming->add_option("--set", a.resume.set, "Resume from this set instead, by its id")->type_name("ID");
    resuming->add_flag("--dry-run", a.resume.dryRun, "Show the plan; start nothing");
    resuming->add_flag("--script", a.resume.script, "Print the plan as a bash script; start nothing");
    resuming->add_flag("--allow-unproven", a.resume.allowUnproven, "Accept a set that is VALID-UNPROVEN");
    resuming->add_option("--wait", a.resume.wait, "How long to wait for the proof")
        ->type_name("SECONDS")
        ->check(waitRange())
        ->capture_default_str();
    resuming->add_flag("--stop-on-alarm", a.resume.stopOnAlarm,
                       "End the new attempt if it turns out not to continue from the set");
    resuming
        ->add_option("--fix", a.resume.fixes,
                     "Codes of preflight findings to fix as the plan says; all: every one that the plan can fix")
        ->type_name("CODE");
    CLI::App *keeping = add(app, a, "keep", "Keep a set safe from rotation, beside the checkpoints on each node",
                            [&a] { return onJob(a.globals, [&a] { return keep(a.globals, a.keep); }); });
    takesJob(keeping, app, a.globals);
    keeping->add_option("--set", a.keep.set, "The set, by its id")->type_name("ID");
    CLI::Option *list = keeping->add_flag("--list", a.keep.list, "List the kept sets, and where they are");
    CLI::Option *away = keeping->add_flag("--remove", a.keep.remove, "Stop keeping the set");
    CLI::Option *back = keeping->add_flag("--restore", a.keep.restore, "Put the set back among the checkpoints");
    away->excludes(list)->excludes(back);
    back->excludes(list);
    keeping->add_flag("--dry-run", a.keep.dryRun, "Show what would be created, and where; do nothing");
    CLI::App *cluster = add(app, a, "demo", "Start the demo cluster and print its job file's path",
                            [&a] { return demo(a.globals, a.demo); });
    addDemoOptions(*cluster, a.demo);
    CLI::App *telling =
        add(app, a, "report", "Write an incident report for whoever takes over: what happened, what it cost",
            [&a] { return onJob(a.globals, [&a] { return report(a.globals, a.report); }); });
    takesJob(telling, app, a.globals);
    telling->add_option("--html", a.report.html, "One HTML file, with a loss chart")->type_name("FILE");
    telling->add_option("--md", a.report.markdown, "Markdown; without FILE, to stdout")->type_name("FILE");
}

// Reports an unknown command such as "statsu". CLI11 would only say that a command is missing.
bool sayUnknown(const CLI::App &app)
{
    std::vector<std::string> known;
    for (const CLI::App *command : app.get_subcommands([](const CLI::App *one) { return !one->get_group().empty(); }))
        known.push_back(command->get_name());
    for (const std::string &word : app.remaining()) {
        if (word.empty() || word.front() == '-') continue;
        const std::string near = nearest(word, known);
        warn("there is no command \"" + word + "\"" +
             (near.empty() ? "; rankdeckctl --help lists the commands" : "; did you mean \"" + near + "\"?"));
        return true;
    }
    return false;
}

// Reports an unknown option such as "--wiat": checked against the chosen command, or against all commands if none was
// chosen.
bool sayUnknownOption(const CLI::App &app)
{
    std::vector<std::string> known;
    std::vector<const CLI::App *> places{&app};
    for (const CLI::App *chosen : app.get_subcommands()) places.push_back(chosen);
    for (const CLI::App *place : places)
        for (const CLI::Option *option : place->get_options())
            for (const std::string &name : option->get_lnames()) known.push_back("--" + name);
    for (const std::string &extra : app.remaining(true)) {
        const std::string word = extra.substr(0, extra.find('='));
        if (!word.starts_with("--") || word.size() < 4) continue;
        const std::string near = nearest(word, known);
        if (near.empty()) continue;
        warn("there is no option \"" + word + "\"; did you mean \"" + near + "\"?");
        return true;
    }
    return false;
}

void addCompletion(CLI::App &app, Arguments &a)
{
    CLI::App *completing =
        add(app, a, "completion", "Print the completion script of a shell: bash, zsh or fish", [&app, &a] {
            std::cout << completionScript(app, a.shell);
            return int(done);
        });
    // Used only by the completion scripts, on a Tab.
    add(app, a, "known-sets", "List the job's sets that this console knows, without asking the nodes", [&a] {
        return onJob(
            a.globals, [&a] { return knownSets(a.globals); }, Asking::never);
    })->group("");
    completing->add_option("shell", a.shell, "bash, zsh or fish")
        ->required()
        ->type_name("SHELL")
        ->check(CLI::IsMember(completedShells()));
}

}  // namespace

int run(int argc, char **argv)
{
    Arguments arguments;
    CLI::App app{"Watches distributed training over SSH, judges its checkpoints, stops it gracefully, and resumes it.",
                 "rankdeckctl"};
    app.require_subcommand(1);
    app.footer(footer);
    app.set_help_all_flag("--help-all", "Show the help for every command");
    addGlobals(app, arguments.globals);
    addSeeing(app, arguments);
    addActing(app, arguments);
    addCompletion(app, arguments);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        if (app.get_subcommands().empty() && error.get_exit_code() != 0 && sayUnknown(app)) return usage;
        if (error.get_exit_code() != 0 && sayUnknownOption(app)) return usage;
        std::ostringstream help;
        const int code = app.exit(error, help, std::cerr);
        printToFit(help.str());
        return code == 0 ? done : usage;
    }
    catchSignals();
    return arguments.command();
}

}  // namespace rankdeck::ctl
