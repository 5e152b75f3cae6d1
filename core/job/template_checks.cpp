// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/template_checks.h"

#include "core/base/text.h"
#include "core/job/path_template.h"

#include <algorithm>

namespace rankdeck {
namespace {

class Checks {
public:
    Checks(ReadState &state, const Job &job) : m_state(state)
    {
        m_node = {{"node", "n"}, {"node_index", "0"}, {"world_size", std::to_string(job.ranks())}};
        m_rank = m_node;
        for (const char *name : {"rank", "local_rank", "device"}) m_rank[name] = "0";
        m_launch = m_rank;
        m_launchOnNode = m_node;
        for (const char *name : {"checkpoint_dir", "epoch", "step", "global_step"})
            m_launch[name] = m_launchOnNode[name] = "x";
        m_launch["checkpoint"] = "x";
    }

    // For one rank: logs, checkpoints, the file of the graceful exit.
    void ofRank(const std::string &key, const std::string &text) { settle(key, expand(text, m_rank)); }
    // Values for a launch, with the checkpoint.
    void ofLaunch(const std::string &key, const std::string &text) { settle(key, expand(text, m_launch)); }
    // One value for all ranks of a node.
    void ofNode(const std::string &key, const std::string &text) { settle(key, expandWords(text, m_node)); }
    void environment(const std::string &key, const std::map<std::string, std::string> &env, const std::string &recipe)
    {
        // A launcher is one process per node and passes its own environment to all ranks there. A pod's is in its YAML.
        const Placeholders &there = launcherNamed(recipe) ? m_launchOnNode : recipe == "volcano" ? m_rank : m_launch;
        for (const auto &[name, value] : env) settle(key + "." + name, expandWords(value, there));
    }

private:
    void settle(const std::string &key, const Result<std::string> &expanded)
    {
        if (!expanded)
            m_state.wrong(key, message("only placeholders that are available here"), expanded.error().message);
    }

    ReadState &m_state;
    Placeholders m_node, m_rank, m_launch, m_launchOnNode;
};

void checkLaunch(Checks &checks, const Job &job)
{
    const LaunchSpec &launch = job.launch;
    checks.ofNode("launch.workdir", launch.workdir);
    checks.ofNode("launch.views", launch.views);
    checks.ofNode("launch.rank_table", launch.rankTable);
    checks.ofNode("launch.fault_npus", launch.faultNpus);
    checks.ofNode("launch.master_addr", launch.masterAddr);
    checks.ofNode("launch.msrun", launch.msrun);
    checks.ofRank("launch.config", launch.config);
    for (std::size_t i = 0; i < launch.command.size(); ++i)
        checks.ofLaunch("launch.command[" + std::to_string(i) + "]", launch.command[i]);
    for (std::size_t i = 0; i < launch.options.size(); ++i)
        checks.ofNode("launch.options[" + std::to_string(i) + "]", launch.options[i]);
    for (const auto &[name, value] : launch.set) checks.ofLaunch("launch.set." + name, value.text);
    checks.environment("launch.env", launch.env, launch.recipe);
    for (std::size_t n = 0; n < job.nodes.size(); ++n)
        checks.environment("nodes[" + std::to_string(n) + "].env", job.nodes[n].env, launch.recipe);
}

}  // namespace

void checkTemplates(ReadState &state, const Job &job)
{
    Checks checks(state, job);
    checks.ofRank("logs.path", job.logs.path);
    checks.ofNode("logs.launcher", job.logs.launcher);
    checks.ofNode("logs.ttp", job.logs.ttp);
    checks.ofRank("checkpoints.path", job.checkpoints.path);
    checks.ofRank("graceful_exit.config", job.gracefulExit.config);
    checks.ofRank("graceful_exit.saves", job.gracefulExit.saves);
    checks.ofRank("graceful_exit.stop_file", job.gracefulExit.stopFile);
    checkLaunch(checks, job);
    const bool known = std::any_of(job.nodes.begin(), job.nodes.end(),
                                   [&](const NodeSpec &node) { return node.name == job.launch.submitOn; });
    if (!job.launch.submitOn.empty() && !known)
        state.wrong("launch.submit_on", message("the name of a node of the job"),
                    "\"" + printable(job.launch.submitOn) + "\"");
}

}  // namespace rankdeck
