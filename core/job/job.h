// SPDX-License-Identifier: GPL-3.0-or-later
// The operator's description of a job: nodes, ranks, paths, the graceful-exit file, the launch recipe. A plain value.
// Keys of the job file have the same names; core/job/job_file.h reads and writes it.
#pragma once

#include "core/base/shared_vector.h"
#include "core/framework/frameworks.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

enum class TransportKind { libssh, sshChild, local };

struct KubernetesSpec {           // key "kubernetes": how the cluster is reached; only kubectl uses tokens
    std::string via = {};         // the host on which kubectl runs, in a form that ssh takes; empty: this machine
    std::string kubeconfig = {};  // absolute, on the host that runs kubectl; empty: kubectl's own
    std::string context = {};
    std::string kubectl = "kubectl";  // program
    bool operator==(const KubernetesSpec &) const = default;
};
struct RelaySpec {          // the head node that opens the session to a node with its own ssh
    std::string name = {};  // as the job file names it: a node's name, or what ssh takes
    std::string host = {};  // what ssh takes, or "local"; empty: there is none
    TransportKind transport = TransportKind::libssh;
    std::string python = {};
    bool operator==(const RelaySpec &) const = default;
};
struct NodeSpec {
    std::string name;
    std::string
        host;  // what ssh takes, "local", "k8s:NAMESPACE/POD[:CONTAINER]" or "container:NAME" (container_host.h)
    std::vector<int> ranks = {};                      // ascending; the position is the local rank
    TransportKind transport = TransportKind::libssh;  // key "transport": "libssh" | "ssh"; host "local" → local
    std::string python = {};                          // interpreter on the node; empty: found automatically
    std::map<std::string, std::string> env = {};      // added to what is launched on this node only
    std::string via = {};                             // of a container: the ssh host through which it is reached
    KubernetesSpec kubernetes = {};                   // of a pod: the job's, without `via`
    RelaySpec relay = {};                             // key "relay", or its share of the job's "relays"
};

struct LogSpec {
    std::string path = {};      // of one rank, with placeholders
    std::string sample = {};    // RE2 with groups loss and any of epoch, step, global_step, lr, step_time_ms
    std::string resume = {};    // RE2 for the script's own line about a load: any of epoch, step, global_step, path
    std::string launcher = {};  // where msrun's or torchrun's own output is kept on each node
    std::string ttp = {};       // MindIO's own log on each node (ttp_log.log)
    // Role → label as the lines print it, for numbers that would be read wrongly; the roles are logFieldRoles.
    std::map<std::string, std::string> fields = {};
};
// Roles of numbers in a log line, as logs.fields and the JSON of `logs --explain` name them.
inline constexpr std::array<const char *, 9> logFieldRoles{"loss",      "step",       "epoch",        "total",     "lr",
                                                           "grad_norm", "loss_scale", "step_seconds", "throughput"};
enum class SavedBy { everyRank, firstOfNode, rank0 };
struct CheckpointSpec {
    std::string path = {};  // of one rank, with placeholders
    std::string prefix = {};
    std::vector<std::vector<int>> replicaGroups = {};  // ranks that hold the same parameters; empty: not given
    bool replicasAreAll = false;                       // "all": one group of all ranks
    SavedBy savedBy = SavedBy::everyRank;              // other values: one file serves several ranks
    int depth = 0;  // levels of folders below a path without placeholders; 0: the default. Not in the job file
};
struct GracefulExitSpec {
    std::string config = {};  // the JSON file that OnRequestExit reads
    // "[NAMESPACE/]NAME" of the ConfigMap whose key reset.json becomes that file. Then `config`, if given, is the path
    // at which the ranks read it, and is not written.
    std::string configMap = {};
    [[nodiscard]] bool hasConfig() const { return !config.empty() || !configMap.empty(); }
    std::string saves = {};  // its *_train.ckpt of one rank, with placeholders
    // For a framework without that file, one of these. Either a signal to the ranks ("USR1"), or a file whose presence
    // stops the script, or a signal through Slurm.
    std::string signal = {};
    std::string stopFile = {};
    std::string scancel = {};
    std::string slurmJob = {};  // scancel: the job id; empty: SLURM_JOB_ID of the ranks
};
struct ConfigValue {  // of a key of the script's configuration file
    std::string text;
    bool literal = false;  // true, false or a number: written without quotes
    bool operator==(const ConfigValue &) const = default;
};
struct VolcanoSpec {        // key "volcano": what a vcjob needs beyond the launch
    std::string file = {};  // the operator's own YAML on the node of submit_on; then most of the others are not needed
    std::string image = {};
    std::string nameSpace = "default";
    std::string queue = "default";
    std::string resource = "huawei.com/Ascend910";  // one device of it per rank
    std::map<std::string, std::string> mounts =
        {};  // path in the pods → path on the hosts, "nfs://server/path" or "memory://16Gi"
    std::map<std::string, std::string> labels = {};
    std::map<std::string, std::string> nodeSelector = {};
    int graceSeconds = 600;  // MindX DL forces the end of a pod after 900
    bool perPod = false;     // the command runs once in a pod and starts its ranks itself
};
struct LaunchSpec {
    std::string recipe = {};  // "msrun" | "command" | "torchrun" | "mpirun" | "slurm" | "volcano"
    std::string script = {};  // kind of script: "mindformers" | "resnet" | "pangu" | "pytorch" | "tensorflow"
    // YAML or Python file that gets the checkpoint's path; otherwise arguments get it.
    std::string config = {};
    std::map<std::string, ConfigValue> set = {};  // further keys of config
    std::string workdir = {};
    std::vector<std::string> command = {};
    bool perNode = false;  // the command runs once on a node and starts its ranks itself
    std::map<std::string, std::string> env = {};
    std::vector<std::string> faultTolerance = {};  // of MS_ENABLE_TFT: TTP, UCE, HCCE, ARF, TRE, TSP, RSC
    std::vector<std::string> options = {};         // of the launcher: sbatch, torchrun, msrun, mpirun
    std::string views = {};                        // where view directories are made; default: below .rankdeck
    std::string submitOn = {};                     // node that runs sbatch or kubectl; default: the first
    std::string masterAddr = {};                   // default: 127.0.0.1 on one node, otherwise the first node's address
    int masterPort = 8118;                         // msrun's own default
    std::string msrun = "msrun";                   // program
    std::string rankTable = {};                    // hccl.json: gives the ranks their places, without a scheduler
    // File in which MindX DL's scripts read the numbers of failed ranks.
    std::string faultNpus = "/user/restore/fault/config/fault-npus";
    VolcanoSpec volcano = {};
};

const char *savedByName(SavedBy by);  // "every_rank" …
const std::vector<std::string> &launchRecipes();
const std::vector<std::string> &faultToleranceModes();

struct Job {
    std::string name;
    std::string file = {};  // path from which it was read; empty if made in memory
    int worldSize = 0;      // 0: not given; then the highest rank of the nodes + 1
    Framework framework = Framework::automatic;
    SharedVector<NodeSpec> nodes = {};  // shared by copies of the job
    bool pathsShared = false;
    LogSpec logs = {};
    CheckpointSpec checkpoints = {};
    GracefulExitSpec gracefulExit = {};
    LaunchSpec launch = {};
    std::int64_t stepsPerEpoch = 0;  // 0: learned from logs and checkpoints
    std::string sshConfig = {};      // as ssh -F
    KubernetesSpec kubernetes = {};

    [[nodiscard]] int ranks() const;                       // world size if known, otherwise 0
    [[nodiscard]] const NodeSpec *nodeOf(int rank) const;  // nullptr when no node has it
    // Ranks of which one's file serves the others, from the job file; empty: none are named.
    [[nodiscard]] std::vector<std::vector<int>> replicaGroups() const;
    [[nodiscard]] int nodeIndex(const std::string &node) const;  // -1 when unknown

    // Makes the three functions above as fast for a thousand ranks as for one. Call it when the nodes do not change any
    // more. Without it, and for a job whose nodes were changed since, they search.
    void index();

private:
    struct Index;
    [[nodiscard]] const Index *validIndex() const;
    std::shared_ptr<const Index> m_index = {};  // shared by copies
};

}  // namespace rankdeck
