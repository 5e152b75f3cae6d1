// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/job_key_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <string_view>
#include <utility>

namespace rankdeck::ui {

namespace {

struct JobKeyWords {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::JobKeyWords)
};

// clang-format off
constexpr std::pair<std::string_view, const char *> said[] = {
    {"rankdeck",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The version of this format: 1.")},
    {"name",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Of the job. Its history and its journal go by it and by the place of the job file.")},
    {"world_size",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Number of ranks. Default: the highest rank of the nodes and one.")},
    {"framework",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Whose logs and checkpoints these are. Default: found out.")},
    {"paths_shared",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "All nodes see the same files, as over NFS: a file is read and a config written once.")},
    {"steps_per_epoch",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Default: learned from the logs.")},
    {"ssh_config",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The OpenSSH config to use, as ssh -F. One that others may write is refused, as it can "
                       "run programs.")},
    {"relays",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "For hundreds of nodes: head nodes that open the sessions to all others with their own ssh, each "
                       "to an equal part of them. Names of nodes, or what ssh takes.")},
    {"nodes[].name",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "For people. Default: the host.")},
    {"nodes[].host",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "What ssh takes: an alias of its config, user@host:port, local for this machine, "
                       "k8s:NAMESPACE/POD for a pod, or container:NAME.")},
    {"nodes[].ranks",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The ranks on this node; the position is the local rank. Left out on all nodes: equal "
                       "parts in order, as msrun does.")},
    {"nodes[].via",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Of a pod or container: the ssh host that has kubectl, podman or docker.")},
    {"nodes[].relay",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The head node that opens the session to this one with its own ssh: the name of another node, or "
                       "what ssh takes. Default: its share of relays.")},
    {"nodes[].transport",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "libssh is the default; ssh takes the system's own program, for ProxyCommand and host "
                       "certificates.")},
    {"nodes[].python",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The python3 that answers on this node. Default: /usr/bin/python3, then that of PATH.")},
    {"nodes[].env",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Environment of what is launched on this node only.")},
    {"logs.path",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The log of one rank.")},
    {"logs.launcher",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Where the output of msrun or torchrun itself is kept on each node: the only witness of "
                       "a killed rank.")},
    {"logs.ttp",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "MindIO's own log on each node: its events, and which ranks are replicas.")},
    {"logs.sample",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "RE2 for a loss line of your own, with the group loss and any of epoch, step, "
                       "global_step, lr, step_time_ms.")},
    {"logs.resume",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "RE2 for the script's own line about a load: any of epoch, step, global_step, path.")},
    {"logs.fields",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Role → label, for numbers that would be read wrongly: loss, step, epoch, total, lr, grad_norm, "
                       "loss_scale, step_seconds, throughput. rankdeckctl logs shows how each number is read.")},
    {"checkpoints.path",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The directory of one rank.")},
    {"checkpoints.prefix",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The prefix of ModelCheckpoint: tells a second run from a prefix that ends in a number.")},
    {"checkpoints.replica_groups",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Ranks that hold the same parameters: \"all\", or lists of ranks. One of a group serves "
                       "the others.")},
    {"checkpoints.saved_by",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Which ranks save: every one, the first of each node, or rank 0 for all.")},
    {"graceful_exit.config",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The JSON file that OnRequestExit reads.")},
    {"graceful_exit.configmap",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "In pods: the ConfigMap whose key reset.json becomes that file. It is what is written.")},
    {"graceful_exit.saves",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The *_train.ckpt of one rank. MindSpore uses the device's number in its path.")},
    {"graceful_exit.signal",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "For a script without that file: the signal that is sent to every rank.")},
    {"graceful_exit.stop_file",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "For a script that stops when this file is there. It is removed when all ranks are gone.")},
    {"graceful_exit.scancel",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The signal that Slurm sends: scancel on the first node.")},
    {"graceful_exit.slurm_job",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "For scancel. Default: SLURM_JOB_ID of the ranks.")},
    {"launch.recipe",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Who starts the processes: msrun, torchrun or mpirun once per node, command once per "
                       "rank, or a cluster.")},
    {"launch.command",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The training command. A line with its launcher (msrun …, torchrun …) can be pasted: it "
                       "is taken apart.")},
    {"launch.workdir",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Where the commands run.")},
    {"launch.env",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Environment of every process.")},
    {"launch.script",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "How the training script is told what to load. Left out: by {checkpoint} in the command.")},
    {"launch.config",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The YAML or Python file in which the script is told what to load.")},
    {"launch.set",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Further keys of that file.")},
    {"launch.per_node",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The command runs once on a node and starts its ranks itself.")},
    {"launch.fault_tolerance",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "TTP, UCE, HCCE, ARF, TRE, TSP, RSC: becomes MS_ENABLE_TFT and MINDIO_FOR_MINDSPORE.")},
    {"launch.options",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Further options of the launcher.")},
    {"launch.master_addr",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Where the ranks meet. Default: the first node.")},
    {"launch.master_port",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Its port. Default: 8118.")},
    {"launch.msrun",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The program. Default: msrun of PATH.")},
    {"launch.rank_table",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "hccl.json on the nodes: the ranks are told their place by it.")},
    {"launch.fault_npus",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Where a script reads which ranks have failed. Written by a resume from a dying gasp.")},
    {"launch.views",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Where the directories that hold links to the chosen set are made. Default: "
                       ".rankdeck/views of the working directory.")},
    {"launch.submit_on",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The node that runs sbatch or kubectl. Default: the first with ranks.")},
    {"launch.volcano.file",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Your own YAML with the vcjob, on the node that submits. Then most keys below come from "
                       "it.")},
    {"launch.volcano.image",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The image of the pods.")},
    {"launch.volcano.namespace",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Default: default.")},
    {"launch.volcano.queue",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Default: default.")},
    {"launch.volcano.resource",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The device that each rank asks for. Default: huawei.com/Ascend910; empty: none.")},
    {"launch.volcano.mounts",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Path in the pods and path on the hosts, nfs://SERVER/PATH, or memory://16Gi for "
                       "/dev/shm.")},
    {"launch.volcano.labels",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Labels of the job and its pods.")},
    {"launch.volcano.node_selector",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Labels that a node must have.")},
    {"launch.volcano.grace_seconds",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "How long a pod may take to end. Default: 600.")},
    {"launch.volcano.per_pod",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The command runs once in a pod and starts its ranks itself.")},
    {"kubernetes.via",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The ssh host that runs kubectl. Default: this machine.")},
    {"kubernetes.context",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The context of kubectl.")},
    {"kubernetes.kubeconfig",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "Its absolute path on the host that runs kubectl.")},
    {"kubernetes.kubectl",
     QT_TRANSLATE_NOOP("rankdeck::ui::JobKeyWords",
                       "The program. Default: kubectl.")},
};
// clang-format on

}  // namespace

QString jobKeyHelp(const JobKey &key)
{
    const auto *found =
        std::find_if(std::begin(said), std::end(said), [&](const auto &one) { return one.first == key.path; });
    return found == std::end(said) ? QString() : JobKeyWords::tr(found->second);
}

QString jobFieldHint(const JobKey &key)
{
    switch (key.value) {
    case JobValue::ranks: return JobKeyWords::tr("Typed as 0-3, 5.");
    case JobValue::words: return JobKeyWords::tr("Typed as in a shell: words with blanks in quotes.");
    case JobValue::map: return JobKeyWords::tr("Typed as NAME=VALUE, one after the other.");
    case JobValue::other: return JobKeyWords::tr("Typed as JSON.");
    default: return {};
    }
}

}  // namespace rankdeck::ui
