// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/discover/cluster_draft.h"

#include "core/base/text.h"
#include "core/job/container_host.h"
#include "core/job/path_template.h"

#include <algorithm>
#include <set>

namespace rankdeck {

namespace {

constexpr const char *console = "console";

// True for volumes that are lost with the pod.
bool goesWithThePod(const std::string &volume) { return volume.empty() || volume == "emptyDir"; }

class Fitting {
public:
    Fitting(DiscoveredJob &draft, const ClusterJob &cluster) : m_draft(draft), m_job(draft.job), m_cluster(cluster) {}

    void fit(const KubernetesSpec &spec, bool sameFiles)
    {
        m_job.name = m_cluster.name;
        m_job.kubernetes = spec;
        for (NodeSpec &node : m_job.nodes) {
            if (!isContainerHost(node.host)) continue;
            node.via = spec.via;
            node.kubernetes = spec;
            node.kubernetes.via.clear();
        }
        pods();
        stop();
        places(sameFiles);
        if (sameFiles) addConsole(spec);
        ownAddresses();
        launch(spec, sameFiles);
    }

private:
    void note(DiscoveryCode code, Message text, bool act = false)
    {
        m_draft.notes.push_back({code, std::move(text), act});
    }

    void drop(DiscoveryCode code)
    {
        std::erase_if(m_draft.notes, [&](const DiscoveryNote &one) { return one.code == code; });
    }

    void pods()
    {
        for (const ClusterPod &pod : m_cluster.pods)
            if (!pod.state.empty()) note("pod_not_running", message("pod %1 is %2", pod.name, pod.state), true);
        if (!m_cluster.isThere)
            note("vcjob_gone",
                 message("the vcjob %1 no longer exists or cannot be read: the job can be watched and stopped, but not "
                         "resumed from here",
                         m_cluster.name),
                 true);
        if (!m_cluster.rankTable.empty() && m_cluster.rankTable != "completed" && m_cluster.rankTable != "complete")
            note("rank_table", message("rings-config-%1 has status %2, expected completed. The ranks are waiting for "
                                       "that; discover again afterwards",
                                       m_cluster.name, m_cluster.rankTable));
    }

    void stop()
    {
        GracefulExitSpec &stop = m_job.gracefulExit;
        if (!m_cluster.configUnknown.empty())
            note("config_unknown",
                 message("cannot tell whether there is a ConfigMap for a graceful stop: %1 Discover again, or set "
                         "graceful_exit.configmap",
                         m_cluster.configUnknown),
                 true);
        if (m_cluster.configMap.empty()) return;
        stop.configMap = m_cluster.nameSpace + "/" + m_cluster.configMap;
        if (stop.config.empty() && !m_cluster.configPath.empty()) stop.config = literalText(m_cluster.configPath);
        drop("no_graceful_config");
        if (m_cluster.configFrozen)
            note("config_frozen",
                 message("the pods mount %1 at %2 through subPath: changes never reach the pods. Mount the ConfigMap "
                         "as a directory",
                         m_cluster.configMap, printable(m_cluster.configPath)),
                 true);
    }

    void places(bool sameFiles)
    {
        const std::string *paths[] = {&m_job.logs.path, &m_job.checkpoints.path};
        std::set<std::string> lost;
        for (const std::string *path : paths)
            if (!path->empty() && goesWithThePod(volumeOf(m_cluster, *path))) lost.insert(*path);
        for (const std::string &path : lost)
            note("in_the_pod",
                 message("%1 exists only in the pod and is lost when the pod is deleted: mount a volume",
                         printable(path)),
                 true);
        if (sameFiles || !lost.empty()) return;
        note("files_elsewhere",
             message("the host that runs kubectl does not see the pods' files, and a pod that has ended cannot show "
                     "them. Add a node without ranks that mounts %1 at the same place, set launch.submit_on to it, and "
                     "set paths_shared",
                     printable(m_job.checkpoints.path.empty() ? m_job.logs.path : m_job.checkpoints.path)),
             true);
    }

    void addConsole(const KubernetesSpec &spec)
    {
        NodeSpec node{.name = console, .host = spec.via.empty() ? "local" : spec.via};
        if (spec.via.empty()) node.transport = TransportKind::local;
        for (int number = 2; m_job.nodeIndex(node.name) >= 0; ++number)
            node.name = std::string(console) + "-" + std::to_string(number);
        m_job.launch.submitOn = node.name;
        m_job.nodes.push_back(std::move(node));
        m_job.pathsShared = true;
    }

    // New pods have new addresses and names.
    void ownAddresses()
    {
        std::set<std::string> own, dropped;
        for (const ClusterPod &pod : m_cluster.pods) {
            own.insert(pod.name);
            if (!pod.ip.empty()) own.insert(pod.ip);
        }
        const auto clean = [&](std::map<std::string, std::string> &env) {
            std::erase_if(env, [&](const auto &entry) {
                const bool ours = own.contains(entry.second) || entry.first.starts_with("VC_") ||
                                  entry.first.starts_with("VK_") || entry.first.starts_with("KUBERNETES_");
                if (ours) dropped.insert(entry.first);
                return ours;
            });
        };
        clean(m_job.launch.env);
        for (NodeSpec &node : m_job.nodes) clean(node.env);
        if (own.contains(m_job.launch.masterAddr)) m_job.launch.masterAddr.clear();
    }

    void launch(const KubernetesSpec &spec, bool sameFiles)
    {
        LaunchSpec &launch = m_job.launch;
        if (!m_cluster.isThere) return;
        launch.recipe = "volcano";
        launch.volcano.nameSpace = m_cluster.nameSpace;
        launch.volcano.resource = m_cluster.resource;
        m_draft.vcjob = m_cluster.object;
        note("vcjob_file",
             spec.via.empty() && sameFiles
                 ? message("a resume reads the vcjob from launch.volcano.file on the node that submits; --write DIR "
                           "puts the "
                           "cluster's object beside the job file")
                 : message("a resume reads the vcjob from launch.volcano.file on the node that submits; --write DIR "
                           "puts the cluster's object beside the job file. Copy it to that node and set "
                           "launch.volcano.file to it"),
             !spec.via.empty() || !sameFiles);
    }

    DiscoveredJob &m_draft;
    Job &m_job;
    const ClusterJob &m_cluster;
};

}  // namespace

void fitToCluster(DiscoveredJob &draft, const ClusterJob &job, const KubernetesSpec &cluster, bool sameFiles)
{
    Fitting(draft, job).fit(cluster, sameFiles);
}

}  // namespace rankdeck
