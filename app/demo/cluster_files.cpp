// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/cluster_files.h"

#include "app/demo/home.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/job/job_file.h"

#include <pwd.h>
#include <shadow.h>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck::demo {
namespace {

std::string serverKey(const ClusterLayout &layout, const std::string &node)
{
    return joinPath(layout.home, "sshd/" + node + "_key");
}
std::string serverConfig(const ClusterLayout &layout, const std::string &node)
{
    return joinPath(layout.home, "sshd/" + node + ".conf");
}
std::string serverLog(const ClusterLayout &layout, const std::string &node)
{
    return joinPath(layout.home, "sshd/" + node + ".log");
}
std::string userKey(const ClusterLayout &layout) { return joinPath(layout.home, "id_ed25519"); }

std::string userName()
{
    const passwd *const user = getpwuid(geteuid());
    return user ? user->pw_name : "root";
}

// A locked account can log in with a key only if PAM makes the decision.
bool accountLocked()
{
    const spwd *const shadow = geteuid() == 0 ? getspnam(userName().c_str()) : nullptr;
    return shadow && shadow->sp_pwdp && shadow->sp_pwdp[0] == '!';
}

std::string quoted(const std::string &path) { return "\"" + path + "\""; }

std::string serverConfigText(const ClusterLayout &layout, const std::string &node, const std::string &extra)
{
    return "HostKey " + quoted(serverKey(layout, node)) + "\nAuthorizedKeysFile " +
           quoted(joinPath(layout.home, "authorized_keys")) + "\nPidFile none\nStrictModes no\nUsePAM " +
           (accountLocked() ? "yes" : "no") +
           "\nPermitRootLogin yes\nPubkeyAuthentication yes\nPasswordAuthentication no\nKbdInteractiveAuthentication "
           "no\n"
           "X11Forwarding no\nAllowAgentForwarding no\nAllowTcpForwarding no\nPermitUserRC no\nPrintMotd "
           "no\nPrintLastLog no\n"
           "UseDNS no\nMaxStartups 100:30:200\nMaxSessions 50\nLoginGraceTime 60\nSetEnv " +
           std::string(clusterMark) + "=" + layout.id + " " + quoted("HOME=" + layout.home) +
           "\nSubsystem sftp internal-sftp\n" + extra;
}

Status makeKey(const std::string &keygen, const std::string &path, const std::string &comment, const std::string &log)
{
    return runToEnd({{keygen, "-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", path}, {}, {}, log});
}

// If started as root, sshd requires this directory; distributions create it when their own sshd starts.
Status makePrivilegeSeparationDirectory()
{
    if (geteuid() != 0 || mkdir("/run/sshd", 0755) == 0 || errno == EEXIST) return Done{};
    return fail(ErrorKind::permission, "sshd needs the directory /run/sshd, which does not exist and cannot be "
                                       "created. Create it: mkdir -m 0755 /run/sshd");
}

Status writeServer(const ClusterLayout &layout, const std::string &node, const std::string &sshd,
                   const std::string &keygen)
{
    const std::string log = joinPath(layout.home, "setup.log");
    if (auto made = makeKey(keygen, serverKey(layout, node), "rankdeck-demo " + node, log); !made) return made;
    // Newer servers penalize addresses whose clients hang up early. Here all clients share one address, so penalties
    // are turned off.
    for (const std::string extra : {"PerSourcePenalties no\n", ""}) {
        if (auto written = writeLocalFileAtomically(serverConfig(layout, node), serverConfigText(layout, node, extra));
            !written)
            return written;
        if (runToEnd({{sshd, "-t", "-f", serverConfig(layout, node)}, {}, {}, log})) return Done{};
    }
    return runToEnd({{sshd, "-t", "-f", serverConfig(layout, node)}, {}, {}, log});
}

std::string clientConfigText(const ClusterLayout &layout, const KeeperReady &ready)
{
    std::string text = "# The demo cluster's own: nothing of ~/.ssh is read or written.\n";
    const auto path = [](const std::string &p) { return quoted(replaceAll(p, "%", "%%")); };
    for (std::size_t i = 0; i < layout.nodes.size(); ++i)
        text +=
            "Host " + layout.nodes[i] + "\n    HostName 127.0.0.1\n    Port " + std::to_string(ready.ports[i]) + "\n";
    return text + "Host *\n    User " + userName() + "\n    IdentityFile " + path(userKey(layout)) +
           "\n    IdentitiesOnly yes\n    IdentityAgent none\n    UserKnownHostsFile " +
           path(joinPath(layout.home, "known_hosts")) +
           "\n    GlobalKnownHostsFile /dev/null\n    StrictHostKeyChecking yes\n    UpdateHostKeys no\n    "
           "HashKnownHosts no\n"
           "    ForwardAgent no\n    PasswordAuthentication no\n    KbdInteractiveAuthentication no\n";
}

std::string secondsText(double seconds)
{
    std::ostringstream text;
    text << seconds;
    return text.str();
}

std::vector<std::string> trainerCommand(const ClusterLayout &layout, const std::string &node)
{
    const auto &o = layout.options;
    const std::string base = nodeDirectory(layout.home, node);
    return {layout.trainer,
            "--out",
            joinPath(base, "ckpt"),
            "--graceful",
            joinPath(base, "graceful.json"),
            "--epochs",
            std::to_string(o.epochs),
            "--steps",
            std::to_string(o.stepsPerEpoch),
            "--step-seconds",
            secondsText(o.stepSeconds),
            "--save-steps",
            std::to_string(o.saveSteps),
            "--keep",
            std::to_string(o.keep),
            "--seed",
            std::to_string(o.seed),
            "--collective-seconds",
            secondsText(o.collectiveSeconds),
            "--no-loss-monitor",
            "--faults",
            faultsDirectory(layout.home),
            "--node",
            node};
}

std::map<std::string, std::string> launchEnvironment(const ClusterLayout &layout)
{
    return {{"MS_ENABLE_GRACEFUL_EXIT", "1"},
            {"MS_SCHED_HOST", "127.0.0.1"},
            {"MS_WORKER_NUM", std::to_string(layout.options.ranks)},
            {clusterMark, layout.id}};
}

}  // namespace

std::string sshConfigFile(const std::string &home) { return joinPath(home, "ssh_config"); }
std::string faultsDirectory(const std::string &home) { return joinPath(home, "faults"); }

ClusterLayout layOut(DemoOptions options, std::string id, std::string home, std::string trainer)
{
    ClusterLayout layout{std::move(options), std::move(id), std::move(home), std::move(trainer), {}, {}};
    const int nodes = layout.options.nodes, ranks = layout.options.ranks;
    for (int i = 0; i < nodes; ++i) {
        layout.nodes.push_back("node" + std::to_string(i));
        const int held = ranks / nodes + (i < ranks % nodes ? 1 : 0);
        layout.nodeOfRank.insert(layout.nodeOfRank.end(), static_cast<std::size_t>(held), i);
    }
    return layout;
}

Status writeServerSide(const ClusterLayout &layout, const std::string &sshd)
{
    const std::string keygen = findProgram("ssh-keygen");
    if (keygen.empty())
        return fail(ErrorKind::unsupported,
                    "ssh-keygen is not installed: expected it in PATH. Install the OpenSSH client.");
    if (auto made = makePrivilegeSeparationDirectory(); !made) return made;
    for (const auto &directory : {joinPath(layout.home, "sshd"), faultsDirectory(layout.home)})
        if (auto made = makeLocalDirectories(directory); !made) return made;
    if (auto made = makeKey(keygen, userKey(layout), "rankdeck-demo", joinPath(layout.home, "setup.log")); !made)
        return made;
    const auto publicKey = readLocalFile(userKey(layout) + ".pub");
    if (!publicKey) return publicKey.error();
    if (auto written = writeLocalFileAtomically(joinPath(layout.home, "authorized_keys"), publicKey.value()); !written)
        return written;
    for (const auto &node : layout.nodes) {
        if (auto written = writeServer(layout, node, sshd, keygen); !written) return written;
        const std::string base = nodeDirectory(layout.home, node);
        for (const auto *part : {"log", "ckpt"})
            if (auto made = makeLocalDirectories(joinPath(base, part)); !made) return made;
        if (auto written = writeLocalFileAtomically(joinPath(base, "graceful.json"), "{\"GracefulExit\": 0}\n");
            !written)
            return written;
    }
    return Done{};
}

Result<std::string> writeClientSide(const ClusterLayout &layout, const KeeperReady &ready)
{
    std::string knownHosts;
    for (std::size_t i = 0; i < layout.nodes.size(); ++i) {
        const auto key = readLocalFile(serverKey(layout, layout.nodes[i]) + ".pub");
        if (!key) return key.error();
        knownHosts += "[127.0.0.1]:" + std::to_string(ready.ports[i]) + " " + key.value();
    }
    if (auto written = writeLocalFileAtomically(joinPath(layout.home, "known_hosts"), knownHosts); !written)
        return written.error();
    if (auto written = writeLocalFileAtomically(sshConfigFile(layout.home), clientConfigText(layout, ready)); !written)
        return written.error();
    const std::string path = joinPath(layout.home, "demo.rankdeck.json");
    if (auto written = writeLocalFileAtomically(path, jobToJson(demoJob(layout, ready.schedulerPort))); !written)
        return written.error();
    return path;
}

KeeperPlan keeperPlan(const ClusterLayout &layout, const std::string &sshd)
{
    KeeperPlan plan;
    plan.id = layout.id;
    plan.directory = layout.home;
    plan.owner = processStart(getpid());
    plan.pollSeconds = layout.options.ownerPollSeconds;
    plan.stepSeconds = layout.options.stepSeconds;
    plan.sshd = sshd;
    plan.faults = faultsDirectory(layout.home);
    for (const auto &node : layout.nodes)
        plan.nodes.push_back({node, serverConfig(layout, node), serverLog(layout, node)});
    std::vector<int> local(layout.nodes.size(), 0);
    for (int rank = 0; rank < layout.options.ranks; ++rank) {
        const auto index = static_cast<std::size_t>(layout.nodeOfRank[static_cast<std::size_t>(rank)]);
        const std::string base = nodeDirectory(layout.home, layout.nodes[index]);
        ChildSpec spec{trainerCommand(layout, layout.nodes[index]), launchEnvironment(layout), base,
                       joinPath(base, "log/worker_" + std::to_string(rank) + ".log")};
        spec.env["RANK_ID"] = spec.env["MS_NODE_ID"] = std::to_string(rank);
        spec.env["RANK_SIZE"] = std::to_string(layout.options.ranks);
        spec.env["DEVICE_ID"] = std::to_string(local[index]++);
        spec.env["MS_ROLE"] = "MS_WORKER";
        plan.ranks.push_back(std::move(spec));
    }
    return plan;
}

Job demoJob(const ClusterLayout &layout, int schedulerPort)
{
    Job job;
    job.name = "demo";
    job.worldSize = layout.options.ranks;
    job.framework = Framework::mindspore;
    job.sshConfig = sshConfigFile(layout.home);
    for (const auto &name : layout.nodes) job.nodes.push_back({name, name});
    for (int rank = 0; rank < layout.options.ranks; ++rank)
        job.nodes[static_cast<std::size_t>(layout.nodeOfRank[static_cast<std::size_t>(rank)])].ranks.push_back(rank);
    const std::string home = replaceAll(replaceAll(layout.home, "{", "{{"), "}", "}}");
    const std::string base = joinPath(home, "{node}");
    job.logs.path = joinPath(base, "log/worker_{rank}.log");
    job.logs.resume =
        R"(^resume from (?P<path>.+): epoch (?P<epoch>\d+), step (?P<step>\d+), global_step (?P<global_step>\d+)$)";
    job.checkpoints = {joinPath(base, "ckpt/rank_{rank}"), "lenet"};
    job.gracefulExit = {.config = joinPath(base, "graceful.json"),
                        .saves = joinPath(base, "ckpt/rank_{device}/LeNet5_train.ckpt")};
    job.stepsPerEpoch = layout.options.stepsPerEpoch;
    job.launch.recipe = "command";
    job.launch.workdir = home;
    ClusterLayout templated = layout;
    templated.home = home;
    templated.trainer = replaceAll(replaceAll(layout.trainer, "{", "{{"), "}", "}}");
    job.launch.command = trainerCommand(templated, "{node}");
    job.launch.command.insert(job.launch.command.begin() + 1, {"--resume", "{checkpoint}"});
    job.launch.env = launchEnvironment(layout);
    job.launch.env["MS_SCHED_PORT"] = std::to_string(schedulerPort);
    return job;
}

}  // namespace rankdeck::demo
