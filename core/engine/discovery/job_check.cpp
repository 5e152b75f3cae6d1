// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/discovery/job_check.h"

#include "core/base/text.h"
#include "core/checkpoint/inventory/inventory.h"
#include "core/node/wait_for.h"
#include "core/recover/flag/config_copies.h"
#include "core/recover/host/job_places.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/launch/script_adapter.h"
#include "core/recover/resume/facts/program_lookup.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace rankdeck {

namespace {

constexpr std::size_t mostAsked = 256;  // directories of ranks, copies of a config
using What = JobCheck::What;

class Checking {
public:
    Checking(const Job &job, const NodeByName &nodes, SteadyTime deadline)
        : m_job(job), m_nodes(nodes), m_deadline(deadline)
    {}

    std::vector<JobCheck> run()
    {
        nodes();
        if (!m_job.logs.path.empty()) logs();
        if (!m_job.checkpoints.path.empty()) checkpoints();
        if (m_job.gracefulExit.hasConfig() || !m_job.gracefulExit.stopFile.empty()) config();
        if (!m_job.launch.workdir.empty()) workdir();
        if (!m_job.launch.command.empty() && !m_job.launch.recipe.empty()) command();
        return std::move(m_checks);
    }

private:
    struct Answered {
        bool good = false, bad = false;
        std::string problem = {};
    };
    static void count(JobCheck &check, const std::string &node, const Answered &answer)
    {
        check.good += answer.good ? 1 : 0;
        check.bad += answer.bad ? 1 : 0;
        if (answer.good || answer.problem.empty() || !check.problem.empty()) return;
        check.problem = message("%1: %2", printable(node), answer.problem);
    }
    // A missing answer leaves the check unknown.
    static Answered failed(const Error &error)
    {
        const bool silent = error.kind == ErrorKind::unreachable || error.kind == ErrorKind::timeout ||
                            error.kind == ErrorKind::cancelled;
        return {.bad = !silent, .problem = error.message};
    }

    void nodes()
    {
        JobCheck check{.what = What::nodes, .key = "nodes", .named = m_job.nodes.size()};
        for (const NodeSpec &spec : m_job.nodes) {
            const NodeClient *client = m_nodes(spec.name);
            if (client == nullptr) {
                count(check, spec.name, {.problem = message("the node is not connected")});
                continue;
            }
            const NodeStatus status = client->status();
            const bool over = status.state == NodeState::lost || status.state == NodeState::refused ||
                              status.state == NodeState::unsupported;
            const std::string why = status.reason.empty() ? nodeStateName(status.state) : status.reason;
            count(check, spec.name, {.good = status.state == NodeState::live, .bad = over, .problem = why});
        }
        m_checks.push_back(std::move(check));
    }

    void logs()
    {
        JobCheck check{.what = What::logs, .key = "logs.path"};
        for (const NodeSpec &node : m_job.nodes) check.named += node.ranks.size();
        const LogScan look = scanLogs(m_job, m_nodes, m_deadline);
        check.good = look.readable;
        check.more = look.withLoss;
        check.problem = look.problem;
        m_checks.push_back(std::move(check));
    }

    void checkpoints()
    {
        JobCheck check{.what = What::checkpoints, .key = "checkpoints.path"};
        std::vector<NodeListing> listings;
        std::set<std::string> shared;  // one listing serves all nodes
        for (const NodeSpec &node : m_job.nodes) {
            std::set<std::string> places;
            for (const int rank : node.ranks)
                if (auto path = pathOfRank(m_job, m_job.checkpoints.path, rank)) places.insert(std::move(*path));
            check.named += places.size();
            NodeClient *client = m_nodes(node.name);
            if (client == nullptr || places.size() > mostAsked) continue;
            std::vector<std::pair<std::string, Reply<FileContent>>> replies;
            for (const std::string &place : places) replies.emplace_back(place, client->readFile(place, 0));
            for (auto &[place, reply] : replies) count(check, node.name, directoryOf(reply, node.name, place));
            for (const ListRequest &root : checkpointRoots(m_job, node)) {
                if (m_job.pathsShared && !shared.insert(root.root).second) continue;
                auto asked = client->list(root);
                auto listing = waitFor(asked, m_deadline, node.name);
                if (listing && listing->error.empty()) listings.emplace_back(node.name, std::move(*listing));
            }
        }
        check.more = buildInventory(m_job, listings).members.size();
        m_checks.push_back(std::move(check));
    }

    Answered directoryOf(Reply<FileContent> &reply, const std::string &node, const std::string &place) const
    {
        const auto found = waitFor(reply, m_deadline, node);
        if (!found) return failed(found.error());
        if (found->stat.kind == 'd') return {.good = true};
        return {.bad = true, .problem = message("expected a directory, found a file at %1", printable(place))};
    }

    void config()
    {
        JobCheck check{.what = What::config,
                       .key = m_job.gracefulExit.hasConfig() ? "graceful_exit.config" : "graceful_exit.stop_file"};
        auto places = configPlaces(m_job);
        if (!places || places->empty() || places->size() > mostAsked) return;
        check.named = places->size();
        std::vector<std::optional<Reply<FileContent>>> replies;
        for (const ConfigCopy &place : *places) {
            NodeClient *client = place.configMap ? nullptr : m_nodes(place.node);
            replies.push_back(client != nullptr ? std::optional(client->readFile(place.path)) : std::nullopt);
        }
        for (std::size_t at = 0; at < replies.size(); ++at) {
            ConfigCopy &place = places.value()[at];
            if (!replies[at]) continue;  // a ConfigMap is read through the cluster, when the job is watched
            takeContent(place, waitFor(*replies[at], m_deadline, place.node));
            Answered answer{.good = place.flag.has_value()};
            if (place.problem) answer = failed(*place.problem);
            count(check, place.node, answer);
            if (place.content && place.content->writable) ++check.more;
            if (place.presence && !place.content && answer.good) check.more += mayMake(place) ? 1 : 0;
        }
        m_checks.push_back(std::move(check));
    }

    // True if a stop file may be made in its directory.
    bool mayMake(const ConfigCopy &place) const
    {
        auto asked = m_nodes(place.node)->diskSpace({dirName(place.path)});
        const auto room = waitFor(asked, m_deadline, place.node);
        return room && !room->empty() && room->front().exists && room->front().writable;
    }

    void workdir()
    {
        JobCheck check{.what = What::workdir, .key = "launch.workdir"};
        for (const NodeSpec &node : m_job.nodes) {
            if (node.ranks.empty()) continue;
            ++check.named;
            NodeClient *client = m_nodes(node.name);
            if (client == nullptr) continue;
            const std::string place = workdirOn(m_job, node);
            auto asked = client->readFile(place, 0);
            count(check, node.name, directoryOf(asked, node.name, place));
        }
        m_checks.push_back(std::move(check));
    }

    // Checks the command of a resume, with a placeholder for the chosen checkpoint.
    void command()
    {
        JobCheck check{.what = What::command, .key = "launch.command"};
        JobState view;
        const CheckpointSet set;
        const AdaptedScript script = adaptScript(m_job, set);
        view.job = script.job;
        for (const NodeSpec &node : m_job.nodes) {
            NodeStatus status;
            if (const NodeClient *client = m_nodes(node.name)) status = client->status();
            status.name = node.name;
            view.nodes.push_back(std::move(status));
        }
        RecipeInput input{.view = view, .set = set, .id = "check"};
        for (int rank = 0; rank < m_job.ranks(); ++rank) input.checkpoints[rank] = "checkpoint";
        for (const NodeSpec &node : m_job.nodes) input.viewDirectories[node.name] = "checkpoints";
        const Recipe *recipe = findRecipe(m_job.launch.recipe);
        if (recipe == nullptr || m_job.ranks() == 0) return;
        const LaunchPlan plan = recipe->plan(input);
        for (const Finding &finding : plan.findings)
            if (finding.result == Finding::Result::refuse && check.problem.empty()) check.problem = finding.text;
        check.named = plan.nodes.size();
        if (!check.problem.empty()) check.bad = check.named = std::max<std::size_t>(check.named, 1);
        // A script that is not given a checkpoint may choose the newest one itself; whether it does depends on its
        // kind.
        if (!script.namesCheckpoint && !script.takesNewest && script.settings.empty())
            check.more = 0;
        else
            check.more = 1;
        if (check.problem.empty()) programs(check, plan);
        m_checks.push_back(std::move(check));
    }

    void programs(JobCheck &check, const LaunchPlan &plan)
    {
        for (const NodePlan &node : plan.nodes) {
            NodeClient *client = m_nodes(node.node);
            if (client == nullptr || client->status().state != NodeState::live || node.launches.empty()) continue;
            const ProgramFacts facts = findProgramsOn(m_job, plan, node, *client, m_deadline);
            Answered answer{.good = true};
            const auto miss = [&answer](const std::string &what) {
                if (!answer.problem.empty()) return;
                answer = {.bad = true, .problem = message("%1 was not found", printable(what))};
            };
            if (facts.nodesWithoutProgram.contains(node.node)) miss(node.launches.front().argv.front());
            for (const auto &[name, program] : facts.workerMissing) miss(program);
            for (const auto &[name, path] : facts.scriptMissing) miss(path);
            for (const MissingProgram &missing : facts.missing) miss(missing.program);
            const auto unknown = facts.unknown.find(node.node);
            if (answer.good && unknown != facts.unknown.end())
                answer = {.problem = message("the node did not report whether %1 exists", printable(unknown->second))};
            count(check, node.node, answer);
        }
    }

    const Job &m_job;
    const NodeByName &m_nodes;
    SteadyTime m_deadline;
    std::vector<JobCheck> m_checks;
};

}  // namespace

std::vector<JobCheck> checkJob(const Job &job, const NodeByName &nodes, SteadyTime deadline)
{
    return Checking(job, nodes, deadline).run();
}

}  // namespace rankdeck
