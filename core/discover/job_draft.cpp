// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/discover/job_draft.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/formats.h"
#include "core/checkpoint/inventory/inventory.h"
#include "core/discover/job_hosts.h"
#include "core/discover/launch/launch_words.h"
#include "core/job/launcher_words.h"
#include "core/job/path_template.h"
#include "core/recover/wording.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace rankdeck {

namespace {

std::string list(const std::vector<std::string> &names)
{
    std::string text;
    for (const std::string &name : names) text += (text.empty() ? "" : ", ") + printable(name);
    return text;
}

class Draft {
public:
    Draft(const FoundJob &found, const std::vector<HostTraces> &hosts, const JobEvidence &evidence)
        : m_found(found), m_hosts(hosts), m_evidence(evidence)
    {
        if (const auto &launcher = m_found.first().launcher) m_launcher = launcherWords(launcher->argv);
    }

    DiscoveredJob make()
    {
        nodes();
        stopSwitch();
        places();
        recipe();
        command();
        environment();
        name();
        return std::move(m_out);
    }

private:
    void note(DiscoveryCode code, Message text, bool act = false)
    {
        m_out.notes.push_back({code, std::move(text), act});
    }

    std::string variable(const std::string &name) const
    {
        const auto found = m_found.first().environment.find(name);
        return found == m_found.first().environment.end() ? std::string() : found->second;
    }

    void nodes()
    {
        Job &job = m_out.job;
        job.worldSize = m_found.worldSize;
        std::set<int> seen;
        for (const FoundNode &node : m_found.nodes) {
            const std::string &host = m_hosts[node.host].host;
            NodeSpec spec{.name = node.name, .host = host};
            if (host == "local") spec.transport = TransportKind::local;
            for (const auto &[number, rank] : node.ranks) {
                spec.ranks.push_back(number);
                seen.insert(number);
                m_out.ranks.push_back({number, node.name, rank.process.id.pid, rank.log});
            }
            job.nodes.push_back(std::move(spec));
        }
        std::vector<int> missing;
        for (int rank = 0; rank < job.worldSize; ++rank)
            if (!seen.contains(rank)) missing.push_back(rank);
        if (!missing.empty()) {
            m_out.otherHosts = hostsNotAsked(m_found.first(), m_hosts, m_evidence.hostsInFiles);
            note(
                "ranks_elsewhere",
                message(
                    "expected %1 ranks, found %2; %3 run on hosts that were not given (or are dead): add those hosts%4",
                    job.worldSize, seen.size(), ranksText(missing),
                    m_out.otherHosts.empty() ? Message() : message(", probably %1", list(m_out.otherHosts))),
                true);
        }
        if (m_found.oneMachine)
            note("one_machine",
                 message("several of the hosts are the same machine; its ranks were divided among them"));
    }

    void stopSwitch()
    {
        StopSwitch &facts = m_out.stopSwitch;
        const FrameworkInfo *info = frameworkOfProcess(m_found.first().environment);
        if (const std::string_view own = stopSwitchIn(m_found.first().environment); !own.empty())
            facts.variable = own;
        else if (info != nullptr)
            facts.variable = info->stopSwitch;
        m_out.started = m_found.first().process.started;
        for (const FoundNode &node : m_found.nodes)
            for (const auto &[number, rank] : node.ranks) {
                m_out.started = std::min(m_out.started, rank.process.started);
                ++(rank.environment.empty()                 ? facts.unknown
                   : stopSwitchIn(rank.environment).empty() ? facts.off
                                                            : facts.on);
            }
    }

    void places()
    {
        Job &job = m_out.job;
        logs();
        job.launch.workdir = workdir();
        if (m_evidence.checkpoints) {
            job.checkpoints = {*m_evidence.checkpoints, m_evidence.prefix};
        } else if (!m_evidence.severalPlaces.empty()) {
            note("checkpoint_places",
                 message("the ranks' checkpoint directories have no common pattern (%1): set checkpoints.path by hand",
                         list(m_evidence.severalPlaces)),
                 true);
        } else {
            note("no_checkpoints_yet",
                 message("no checkpoint was found in %1: discover again after the first save, or set checkpoints.path",
                         m_evidence.searched.empty() ? message("any directory") : Message(list(m_evidence.searched))),
                 true);
        }
        if (m_evidence.ttpLog) job.logs.ttp = *m_evidence.ttpLog;
        for (const std::string &problem : m_evidence.configProblems)
            note("config_unreadable", message("the job's save directory could not be read from %1", problem));
        if (m_evidence.gracefulConfig)
            job.gracefulExit = {.config = *m_evidence.gracefulConfig, .saves = m_evidence.gracefulSaves.value_or("")};
        else if (const std::string_view name = stopSwitchIn(m_found.first().environment); !name.empty())
            note("no_graceful_config",
                 message("the run has %1=1, but no JSON with GracefulExit was found: set graceful_exit.config to the "
                         "file that OnRequestExit reads",
                         std::string(name)),
                 true);
        const bool perNode = [&] {
            for (const std::string *path : {&job.logs.path, &job.checkpoints.path, &job.gracefulExit.config})
                if (path->find("{node}") != std::string::npos || path->find("{node_index}") != std::string::npos)
                    return true;
            return false;
        }();
        job.pathsShared = m_evidence.pathsShared && !perNode;
    }

    void logs()
    {
        Job &job = m_out.job;
        const auto texts = m_found.texts([](const RankTrace &rank) { return rank.log; });
        std::set<std::string> files;
        for (const RankText &text : texts) files.insert(text.text);
        if (files.contains("")) {
            note("no_log",
                 message("at least one rank writes its output to no file, so its losses cannot be followed. Start the "
                         "job with its output in files, and set logs.path"),
                 true);
            return;
        }
        if (files.size() == 1 && texts.size() > 1) {
            job.logs.path = literalText(joinPath(dirName(*files.begin()), "rank_")) + "{rank}.log";
            note("one_log_for_all",
                 message("all ranks write to %1, so their lines cannot be separated; a resume will write %2 instead",
                         printable(*files.begin()), printable(job.logs.path)));
            return;
        }
        if (const auto pattern = textPattern(texts))
            job.logs.path = *pattern;
        else
            note("log_names",
                 message("the ranks' logs have no common pattern (%1, %2): set logs.path by hand",
                         printable(*files.begin()), printable(*files.rbegin())),
                 true);
    }

    std::string workdir()
    {
        std::set<std::string> directories;
        for (const RankText &text : m_found.texts([](const RankTrace &rank) { return rank.process.cwd; }))
            directories.insert(text.text);
        if (directories.size() == 1) return literalWords(*directories.begin());
        std::string common = *directories.begin();
        while (common.size() > 1 && !std::all_of(directories.begin(), directories.end(), [&](const std::string &each) {
                   return each.starts_with(common + "/") || each == common;
               }))
            common = dirName(common);
        note("workdirs_differ", message("the ranks run in several directories (%1); a resume runs all of them in %2",
                                        list({directories.begin(), directories.end()}), printable(common)));
        return literalWords(common);
    }

    void recipe()
    {
        Job &job = m_out.job;
        LaunchSpec &launch = job.launch;
        const FrameworkInfo *info = frameworkOfProcess(m_found.first().environment);
        launch.recipe = m_launcher                        ? m_launcher->kind
                        : info && isStillLaunchers(*info) ? info->launcher.program
                                                          : "command";
        if (info && !info->variables.role.empty()) job.framework = info->id.value_or(Framework::automatic);
        if (const FrameworkInfo *own = frameworkOfProgram(programOf(m_found.first())); own && own->id)
            job.framework = *own->id;
        const FrameworkInfo *launched = frameworkOfLauncher(launch.recipe);
        if (!launched) return;
        launch.masterAddr = told("master_addr", launched->variables.masterHost);
        const std::string port = told("master_port", launched->variables.masterPort);
        std::from_chars(port.data(), port.data() + port.size(), launch.masterPort);
        if (launch.recipe == "msrun") msrunProgram(launched->launcher);
        launcherOutput();
    }

    // Its launcher is not visible, but its marks in the environment of its ranks are.
    bool isStillLaunchers(const FrameworkInfo &info) const
    {
        const Launcher &launcher = info.launcher;
        if (launcher.marksRanks.empty()) return true;
        return variable(std::string(info.variables.role)) == info.variables.worker &&
               m_out.job.logs.path.ends_with("/" + std::string(launcher.rankLog)) &&
               !variable(std::string(launcher.marksRanks)).empty();
    }

    std::string told(const std::string &option, const Words &names) const
    {
        if (m_launcher)
            for (const std::string &spelled : {option, replaceAll(option, "_", "-")})
                if (const auto found = m_launcher->option(spelled)) return *found;
        for (const std::string_view name : names)
            if (const std::string value = variable(std::string(name)); !value.empty()) return value;
        return {};
    }

    void msrunProgram(const Launcher &launcher)
    {
        LaunchSpec &launch = m_out.job.launch;
        if (m_launcher) {
            launch.msrun = m_launcher->program;
            for (const auto &[option, value] : m_launcher->options)
                if (!launcher.ownOptions.contains(option)) launch.options.push_back("--" + option + "=" + value);
            return;
        }
        const std::string beside = joinPath(dirName(m_found.first().process.exe), "msrun");
        note("launcher_gone", message("msrun itself has ended; its options were read from the ranks' environment"));
        if (beside.starts_with("/") && !beside.starts_with("/usr/bin/")) launch.msrun = beside;
    }

    void launcherOutput()
    {
        const auto texts = m_found.texts(
            [](const RankTrace &rank) { return rank.launcher ? rank.launcher->stdoutPath : std::string(); });
        const bool all =
            std::all_of(texts.begin(), texts.end(), [](const RankText &text) { return !text.text.empty(); });
        if (const auto pattern = all ? textPattern(texts) : std::nullopt) m_out.job.logs.launcher = *pattern;
    }

    // True for the argument that names the checkpoint from which this attempt was resumed.
    static bool namesCheckpoint(const std::vector<std::string> &argv, std::size_t at)
    {
        const std::size_t equals = argv[at].find('=');
        const bool option = argv[at].starts_with("--") && equals != std::string::npos;
        const std::string value = option ? argv[at].substr(equals + 1) : argv[at];
        const bool named = option ? isResumeOption(argv[at].substr(0, equals)) : at > 0 && isResumeOption(argv[at - 1]);
        return named && parseCheckpointName(baseName(value), "").has_value();
    }

    void command()
    {
        LaunchSpec &launch = m_out.job.launch;
        const std::vector<std::string> &words = m_found.first().process.argv;
        bool namesIt = false;
        for (std::size_t at = 0; at < words.size(); ++at) {
            const auto texts = m_found.texts([at](const RankTrace &rank) {
                return at < rank.process.argv.size() ? rank.process.argv[at] : std::string();
            });
            if (namesCheckpoint(words, at)) {
                const std::size_t equals = words[at].starts_with("--") ? words[at].find('=') : std::string::npos;
                launch.command.push_back((equals == std::string::npos ? "" : words[at].substr(0, equals + 1)) +
                                         "{checkpoint}");
                namesIt = true;
            } else if (const auto pattern = textPattern(texts)) {
                launch.command.push_back(*pattern);
            } else {
                launch.command.push_back(literalText(words[at]));
                note("words_differ",
                     message("the ranks' commands differ in \"%1\" in a way that no placeholder can express: correct "
                             "launch.command",
                             printable(words[at])),
                     true);
            }
        }
        if (!namesIt) addResumeOption();
    }

    void addResumeOption()
    {
        const std::string program = printable(baseName(m_evidence.program));
        if (m_evidence.resumeOption.empty()) {
            note("checkpoint_not_named",
                 message("found no option of %1 that accepts a checkpoint to load: put {checkpoint} (or "
                         "{checkpoint_dir}) into launch.command at the right place",
                         program),
                 true);
            return;
        }
        auto &words = m_out.job.launch.command;
        words.push_back(m_evidence.resumeOption);
        words.emplace_back("{checkpoint}");
        note("resume_option",
             message("the run was started without a checkpoint; %1 has the option %2, so launch.command ends with %3 "
                     "{checkpoint}. Check that the option accepts one file",
                     program, m_evidence.resumeOption, m_evidence.resumeOption));
    }

    void environment()
    {
        const bool ownLauncher = m_out.job.launch.recipe != "command";
        std::vector<std::map<std::string, std::string>> perNode;
        std::set<std::string> secrets;
        for (const FoundNode &node : m_found.nodes) {
            const HostTraces &host = m_hosts[node.host];
            const RankTrace &rank = node.ranks.begin()->second;
            const std::map<std::string, std::string> *source = &rank.environment;
            if (rank.launcher)
                if (const auto own = host.launcherEnvironments.find(rank.launcher->id.pid);
                    own != host.launcherEnvironments.end() && !own->second.empty())
                    source = &own->second;
            ChosenEnvironment chosen = chooseEnvironment(*source, host.login, ownLauncher, m_evidence.text);
            secrets.insert(chosen.secrets.begin(), chosen.secrets.end());
            perNode.push_back(std::move(chosen.job));
        }
        for (const auto &entry : perNode.front()) {
            const auto &name = entry.first, &value = entry.second;  // Clang 14 captures no structured binding
            const bool everywhere = std::all_of(perNode.begin(), perNode.end(), [&](const auto &own) {
                const auto found = own.find(name);
                return found != own.end() && found->second == value;
            });
            if (everywhere) m_out.job.launch.env[name] = literalWords(value);
        }
        for (std::size_t index = 0; index < perNode.size(); ++index)
            for (const auto &[name, value] : perNode[index])
                if (!m_out.job.launch.env.contains(name)) m_out.job.nodes[index].env[name] = literalWords(value);
        if (!secrets.empty())
            note("secrets_left_out", message("variables left out because they look like secrets: %1. Set them in the "
                                             "login's environment on the nodes",
                                             list({secrets.begin(), secrets.end()})));
    }

    void name()
    {
        std::string stem = baseName(m_evidence.program);
        if (stem.ends_with(".py")) stem.resize(stem.size() - 3);
        static const std::set<std::string> everybodys{"train", "main", "run", "pretrain", "finetune", "run_mindformer"};
        if (everybodys.contains(stem)) stem = baseName(m_out.job.launch.workdir) + "-" + stem;
        for (char &c : stem)
            if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                  c == '.'))
                c = '-';
        m_out.job.name = stem.empty() ? "job" : stem;
    }

    const FoundJob &m_found;
    const std::vector<HostTraces> &m_hosts;
    const JobEvidence &m_evidence;
    std::optional<LauncherWords> m_launcher;
    DiscoveredJob m_out;
};

}  // namespace

DiscoveredJob draftJob(const FoundJob &found, const std::vector<HostTraces> &hosts, const JobEvidence &evidence)
{
    return Draft(found, hosts, evidence).make();
}

}  // namespace rankdeck
