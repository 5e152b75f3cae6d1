// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/facts/orphan_processes.h"

#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/host/job_places.h"
#include "core/recover/host/listeners.h"

#include <algorithm>
#include <future>
#include <set>

namespace rankdeck {

namespace {

constexpr std::size_t askedAtOnce = 128;  // processes of one node whose open files are read at once

bool inside(const std::string &path, const std::string &directory)
{
    return !directory.empty() && (path == directory || path.starts_with(directory + "/"));
}

// True for arguments that name strategy files, which two writers would corrupt. A script whose name mentions strategies
// is only read.
bool namesStrategyFile(const std::string &word)
{
    return word.find("strategy") != std::string::npos && word.find('/') != std::string::npos &&
           word.find('{') == std::string::npos && !word.ends_with(".py") && !word.ends_with(".sh");
}

// Paths to which the job writes on a node.
std::vector<std::string> ownPaths(const Job &job, const NodeSpec &node)
{
    std::set<std::string> paths;
    for (const int rank : node.ranks) {
        if (const auto log = pathOfRank(job, job.logs.path, rank); log && !log->empty()) paths.insert(dirName(*log));
        if (const auto path = pathOfRank(job, job.checkpoints.path, rank); path && !path->empty()) paths.insert(*path);
    }
    for (const std::string &word : job.launch.command)
        if (namesStrategyFile(word))
            paths.insert(
                absolutePath(job, word.find('=') == std::string::npos ? word : word.substr(word.find('=') + 1), &node));
    return {paths.begin(), paths.end()};
}

class Reading {
public:
    Reading(ActionContext &host, const JobState &view, const ProcessSnapshot &picture, SteadyTime deadline)
        : m_host(host), m_view(view), m_picture(picture), m_deadline(deadline)
    {}

    LeftoverFacts read(const LaunchPlan &launch)
    {
        ours();
        // All nodes are asked at the same time; the questions to one node follow each other.
        std::vector<std::future<void>> nodes;
        for (const NodeSpec &node : m_view.job.nodes)
            if (NodeClient *client = m_host.node(node.name))
                nodes.push_back(std::async(std::launch::async,
                                           [this, client, &node, &launch] { openFiles(*client, node, launch); }));
        for (std::future<void> &node : nodes) node.get();
        strangers();
        return std::move(m_facts);
    }

private:
    void ours()
    {
        for (const RankProcess &rank : m_picture.ranks)
            if (rank.alive.isYes() && rank.process && rank.sure)  // the finding ranks_unknown covers the others
                m_facts.all.push_back({OrphanProcess::Role::rank, rank.node, *rank.process, rank.rank});
        for (const auto &[name, node] : m_picture.nodes) {
            for (const ProcessInfo &other : node.others)
                m_facts.all.push_back({OrphanProcess::Role::launcher, name, other});
            for (const ProcessInfo &other : node.leftovers)
                m_facts.all.push_back({OrphanProcess::Role::leftover, name, other});
        }
    }

    std::map<std::string, int> listeners(NodeClient &client, const std::string &name, bool &known)
    {
        auto four = client.readFile("/proc/net/tcp", 16u << 20);
        auto six = client.readFile("/proc/net/tcp6", 16u << 20);
        const auto tcp = waitFor(four, m_deadline, name);
        const auto tcp6 = waitFor(six, m_deadline, name);
        // A kernel without IPv6 has no second list of sockets.
        known = tcp && (tcp6 || tcp6.error().kind == ErrorKind::notFound);
        std::map<std::string, int> all;
        if (tcp) all = listenersOf(tcp->bytes);
        if (tcp6) all.merge(listenersOf(tcp6->bytes));
        return all;
    }

    static Reply<Listing> askLinks(NodeClient &client, int pid)
    {
        return client.list({.root = "/proc/" + std::to_string(pid) + "/fd", .depth = 1, .maxEntries = 4096});
    }

    // answered: set to false if the node did not answer; "permission denied" counts as an answer.
    std::vector<std::string> links(Reply<Listing> reply, const std::string &name, bool &answered)
    {
        std::vector<std::string> found;
        const auto listing = waitFor(reply, m_deadline, name);
        if (listing)
            for (const FileEntry &entry : listing->entries) found.push_back(entry.linkTarget);
        else if (listing.error().kind == ErrorKind::timeout || listing.error().kind == ErrorKind::unreachable)
            answered = false;
        return found;
    }

    // Fills in the open files of this node's leftover processes. The facts about the port are filled in only on the
    // node that has the port.
    void openFiles(NodeClient &client, const NodeSpec &node, const LaunchPlan &launch)
    {
        const bool master = launch.masterPort > 0 && launch.masterNode == node.name;
        const bool any = std::any_of(m_facts.all.begin(), m_facts.all.end(),
                                     [&](const OrphanProcess &survivor) { return survivor.node == node.name; });
        if (!any && !master) return;
        bool known = false, answered = true;
        std::vector<std::pair<OrphanProcess *, Reply<Listing>>> replies;
        for (OrphanProcess &survivor : m_facts.all)
            if (survivor.node == node.name) replies.emplace_back(&survivor, askLinks(client, survivor.process.id.pid));
        const auto open = listeners(client, node.name, known);
        const auto directories = ownPaths(m_view.job, node);
        for (auto &[survivor, reply] : replies)
            survivor->holds = holdsOf(links(std::move(reply), node.name, answered), open, directories);
        if (!master) return;
        const bool listens =
            std::any_of(open.begin(), open.end(), [&](const auto &one) { return one.second == launch.masterPort; });
        if (!listens && !known) return;
        m_facts.portBusy = listens;
        if (listens) findHolder(client, node.name, open, launch.masterPort);
    }

    void findHolder(NodeClient &client, const std::string &name, const std::map<std::string, int> &open, int port)
    {
        const std::string hold = "port " + std::to_string(port);
        for (const OrphanProcess &survivor : m_facts.all)
            if (survivor.node == name &&
                std::find(survivor.holds.begin(), survivor.holds.end(), hold) != survivor.holds.end()) {
                m_facts.portHolder = survivor;
                return;
            }
        auto asked = client.processes({});
        const auto processes = waitFor(asked, m_deadline, name);
        if (!processes) return;
        bool answered = true;
        for (std::size_t begin = 0; begin < processes->size() && !m_facts.portHolder;) {
            std::vector<std::pair<const ProcessInfo *, Reply<Listing>>> replies;
            for (; begin < processes->size() && replies.size() < askedAtOnce; ++begin)
                if (const ProcessInfo &process = (*processes)[begin]; process.envReadable)
                    replies.emplace_back(&process, askLinks(client, process.id.pid));
            for (auto &[process, reply] : replies) {
                const auto holds = holdsOf(links(std::move(reply), name, answered), open, {});
                if (!m_facts.portHolder && std::find(holds.begin(), holds.end(), hold) != holds.end())
                    m_facts.portHolder = OrphanProcess{OrphanProcess::Role::stranger, name, *process, -1, {hold}};
            }
        }
        m_facts.holderSought = answered;
    }

    void strangers()
    {
        std::vector<std::pair<const NodeSpec *, Reply<std::vector<ProcessInfo>>>> replies;
        for (const NodeSpec &node : m_view.job.nodes) {
            if (node.ranks.empty()) continue;
            NodeClient *client = m_host.node(node.name);
            replies.emplace_back(&node, client ? client->processes(rankEnvNames()) : Reply<std::vector<ProcessInfo>>());
        }
        for (auto &[node, reply] : replies) strangersOn(*node, waitFor(reply, m_deadline, node->name));
    }

    void strangersOn(const NodeSpec &node, const Result<std::vector<ProcessInfo>> &processes)
    {
        if (!processes) {
            if (unanswered(m_view, node.name, processes.error()).kind != ErrorKind::unreachable)
                m_facts.unasked[node.name] = processes.error().message;
            return;
        }
        const auto paths = ownPaths(m_view.job, node);
        for (const ProcessInfo &process : *processes) {
            const bool known = std::any_of(m_facts.all.begin(), m_facts.all.end(), [&](const OrphanProcess &survivor) {
                return survivor.process.id.pid == process.id.pid &&
                       survivor.process.id.startTicks == process.id.startTicks;
            });
            if (known || !isRunning(process) || process.comm == "tail") continue;
            auto shared = sharedPaths(paths, process);
            if (shared.empty()) continue;
            const auto mark = process.env.find(jobMarkName);
            const bool own = mark != process.env.end() && mark->second == jobMark(m_view.job);
            (own ? m_facts.begun : m_facts.sharing)
                .push_back({OrphanProcess::Role::stranger, node.name, process, -1, std::move(shared)});
        }
    }

    ActionContext &m_host;
    const JobState &m_view;
    const ProcessSnapshot &m_picture;
    SteadyTime m_deadline;
    LeftoverFacts m_facts;
};

}  // namespace

std::vector<std::string> holdsOf(const std::vector<std::string> &links, const std::map<std::string, int> &listeners,
                                 const std::vector<std::string> &directories)
{
    std::set<std::string> holds;
    std::size_t files = 0;
    for (const std::string &link : links) {
        for (const std::string &device : {std::string("/dev/davinci"), std::string("/dev/nvidia")})
            if (link.starts_with(device) && link.find_first_not_of("0123456789", device.size()) == std::string::npos &&
                link.size() > device.size())
                holds.insert("device " + link.substr(device.size()));
        if (link.starts_with("socket:[") && link.ends_with("]")) {
            const auto found = listeners.find(link.substr(8, link.size() - 9));
            if (found != listeners.end()) holds.insert("port " + std::to_string(found->second));
        }
        const bool own = std::any_of(directories.begin(), directories.end(),
                                     [&](const std::string &directory) { return inside(link, directory); });
        if (own && files < 3 && holds.insert(printable(baseName(link))).second) ++files;
    }
    return {holds.begin(), holds.end()};
}

std::vector<std::string> sharedPaths(const std::vector<std::string> &ours, const ProcessInfo &other)
{
    std::set<std::string> shared;
    const auto compare = [&](const std::string &path) {
        for (const std::string &own : ours)
            if (inside(path, own)) shared.insert(own);
    };
    compare(other.stdoutPath);
    for (std::size_t at = 1; at < other.argv.size(); ++at) {
        std::string word = other.argv[at];
        if (word.starts_with("-") && word.find('=') != std::string::npos) word = word.substr(word.find('=') + 1);
        if (word.empty() || word.starts_with("-") || word.size() > 4096) continue;
        compare(word.starts_with("/") ? word : joinPath(other.cwd, word.starts_with("./") ? word.substr(2) : word));
    }
    return {shared.begin(), shared.end()};
}

LeftoverFacts readLeftovers(ActionContext &host, const JobState &view, const ProcessSnapshot &picture,
                            const LaunchPlan &launch, SteadyTime deadline)
{
    return Reading(host, view, picture, deadline).read(launch);
}

}  // namespace rankdeck
