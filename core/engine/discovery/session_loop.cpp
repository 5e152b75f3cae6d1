// SPDX-License-Identifier: GPL-3.0-or-later
// Turns of a DiscoverySession's thread: starts scans, makes jobs from their results, and reads the files of these jobs.
#include "core/base/deadline.h"
#include "core/engine/discovery/session_impl.h"

#include <algorithm>
#include <set>

namespace rankdeck {

namespace {

constexpr auto betweenScans = std::chrono::seconds(10);
constexpr auto betweenLooks = std::chrono::seconds(20);
constexpr auto othersMayJoin = std::chrono::milliseconds(700);
constexpr double scanSeconds = 15, lookSeconds = 15;

template <class T>
bool isReady(const std::future<T> &future)
{
    return future.valid() && future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

std::set<std::string> processesOf(const FoundJob &job, const std::vector<HostTraces> &hosts)
{
    std::set<std::string> all;
    for (const FoundNode &node : job.nodes)
        for (const auto &[number, rank] : node.ranks)
            all.insert(hosts[node.host].host + " " + std::to_string(number) + " " +
                       std::to_string(rank.process.id.pid) + " " + std::to_string(rank.process.id.startTicks));
    return all;
}

std::string keyOf(const std::set<std::string> &processes)
{
    std::string key;
    for (const std::string &one : processes) key += one + "\n";
    return key;
}

bool isPartOf(const std::string &key, const std::set<std::string> &processes)
{
    return std::any_of(processes.begin(), processes.end(),
                       [&](const std::string &one) { return key.find(one + "\n") != std::string::npos; });
}

}  // namespace

NodeByName DiscoverySession::Impl::Asked::byName() const
{
    std::map<std::string, std::shared_ptr<ConnectedNode>> named;
    for (const FoundNode &node : job.nodes) named[node.name] = nodes[node.host];
    return [named](const std::string &name) -> NodeClient * {
        const auto found = named.find(name);
        return found == named.end() ? nullptr : &found->second->node();
    };
}

void DiscoverySession::Impl::run()
{
    for (;;) {
        std::deque<std::function<void()>> calls;
        {
            std::unique_lock lock(m_mutex);
            const bool waits = scanning() || m_reaching.valid() || m_checking.valid();
            waitFor(m_wake, lock, std::chrono::milliseconds(waits ? 30 : 250),
                    [&] { return m_stop || !m_calls.empty(); });
            if (m_stop) return;
            calls.swap(m_calls);
        }
        for (const auto &call : calls) call();
        if (turn() || !calls.empty()) publish();
    }
}

bool DiscoverySession::Impl::turn()
{
    const SteadyTime now = steadyNow();
    const bool wasReaching = m_reaching.valid();
    nameReached();
    startScans(now);
    const bool scanned = takeScans(now);
    if (scanned) regroup();
    startLooks(now);
    startPastLooks();
    const bool checked = takeCheck();
    startCheck(now);
    m_left.erase(std::remove_if(m_left.begin(), m_left.end(), [](const auto &one) { return isReady(one); }),
                 m_left.end());
    return scanned || checked || (wasReaching && !m_reaching.valid());
}

bool DiscoverySession::Impl::scanning() const
{
    return std::any_of(m_hosts.begin(), m_hosts.end(), [](const auto &host) { return host->scan.valid(); });
}

void DiscoverySession::Impl::startScans(SteadyTime now)
{
    for (const auto &host : m_hosts) {
        if (host->scan.valid() || host->look.node.state != NodeState::live || now < host->nextScan) continue;
        auto node = connected(host->look.host);
        if (!node) continue;
        host->scan = std::async(std::launch::async, [node = std::move(node), name = host->look.host] {
            return scanHost(node->node(), name, inSeconds(scanSeconds));
        });
    }
}

bool DiscoverySession::Impl::takeScans(SteadyTime now)
{
    bool any = false;
    for (const auto &host : m_hosts) {
        if (!isReady(host->scan)) continue;
        any = true;
        Result<HostTraces> scan = host->scan.get();
        host->nextScan = now + betweenScans;
        host->look.problem = scan ? Message() : scan.error().message;
        if (!scan) continue;  // the previous result stays
        host->look.scanned = true;
        host->look.ranks = scan->ranks.size();
        host->look.unreadable = scan->unreadable;
        host->traces = std::move(*scan);
    }
    return any;
}

DiscoverySession::Impl::Entry *DiscoverySession::Impl::entryOf(std::size_t id)
{
    for (const auto &entry : m_jobs)
        if (entry->look.id == id) return entry.get();
    return nullptr;
}

std::string DiscoverySession::Impl::freeName(const std::string &wanted, const Entries &before) const
{
    const auto taken = [](const Entries &entries, const std::string &name) {
        return std::any_of(entries.begin(), entries.end(), [&](const auto &one) { return one && one->name == name; });
    };
    std::string name = wanted;
    for (int number = 2; taken(m_jobs, name) || taken(before, name); ++number)
        name = wanted + "-" + std::to_string(number);
    return name;
}

void DiscoverySession::Impl::retire(std::unique_ptr<Entry> entry)
{
    *entry->asked.over = true;
    if (entry->looking.valid()) m_left.push_back(std::move(entry->looking));
}

// Keeps the earlier entry if the same processes run. If ranks were added, the earlier results stay until their files
// are read.
void DiscoverySession::Impl::addJob(FoundJob job, const Traces &traces,
                                    const std::vector<std::shared_ptr<ConnectedNode>> &nodes, Entries &before)
{
    const auto processes = processesOf(job, *traces);
    const std::string key = keyOf(processes);
    const auto find = [&](const auto &is) {
        return std::find_if(before.begin(), before.end(), [&](const auto &one) { return one && is(one->key); });
    };
    if (const auto same = find([&](const std::string &known) { return known == key; }); same != before.end()) {
        m_jobs.push_back(std::move(*same));
        return;
    }
    auto entry = std::make_unique<Entry>();
    if (const auto grown = find([&](const std::string &known) { return isPartOf(known, processes); });
        grown != before.end()) {
        entry->look = (*grown)->look;
        entry->name = (*grown)->name;
        entry->evidence = (*grown)->evidence;
        retire(std::move(*grown));
    } else {
        entry->look.id = m_nextId++;
    }
    entry->key = key;
    JobEvidence evidence;
    evidence.program = programOf(job.first());  // of which it has its name
    // A job that has grown can still be watched as before, until the files on its new nodes are read.
    if (entry->look.looked)
        entry->look.joining = job.ranks() - std::min(job.ranks(), entry->look.found.ranks.size());
    else
        entry->look.found = draftJob(job, *traces, entry->evidence.value_or(evidence));
    if (entry->name.empty()) entry->name = freeName(entry->look.found.job.name, before);
    entry->look.found.job.name = entry->name;
    entry->look.found.job.sshConfig = m_setup.connect.sshConfig;
    entry->asked = {.job = std::move(job), .traces = traces, .nodes = {}, .survey = {}};
    entry->asked.nodes.resize(nodes.size());
    for (const FoundNode &node : entry->asked.job.nodes) entry->asked.nodes[node.host] = nodes[node.host];
    entry->asked.survey = std::make_shared<Survey>(entry->asked.byName());
    entry->lookAt = steadyNow() + othersMayJoin;
    m_jobs.push_back(std::move(entry));
}

void DiscoverySession::Impl::regroup()
{
    auto traces = std::make_shared<std::vector<HostTraces>>();
    std::vector<std::shared_ptr<ConnectedNode>> nodes;
    for (const auto &host : m_hosts) {
        auto node = connected(host->look.host);
        if (!host->traces || !node) continue;
        traces->push_back(*host->traces);
        nodes.push_back(std::move(node));
    }
    Entries before = std::exchange(m_jobs, {});
    for (FoundJob &job : findJobs(*traces)) addJob(std::move(job), traces, nodes, before);
    for (auto &gone : before) {
        if (!gone) continue;
        if (gone->look.looked) addPast(gone->look.found.job);
        retire(std::move(gone));
    }
    std::sort(m_jobs.begin(), m_jobs.end(), [](const auto &a, const auto &b) { return a->look.id < b->look.id; });
}

// Starts at once if all hosts have answered; otherwise waits for hosts that may still answer, so that a job is not read
// twice.
void DiscoverySession::Impl::startLooks(SteadyTime now)
{
    const bool joined = !scanning();
    for (const auto &entry : m_jobs) {
        const bool first = !entry->looking.valid() && !entry->evidence;
        if (entry->looking.valid() && !isReady(entry->looking)) continue;
        if (now < entry->lookAt && !(first && joined)) continue;
        entry->lookAt = now + betweenLooks;
        entry->looking = std::async(std::launch::async, [this, asked = entry->asked, id = entry->look.id,
                                                         name = entry->name] { look(asked, id, name); });
    }
}

// Runs on its own thread, and publishes its results part by part.
void DiscoverySession::Impl::look(const Asked &asked, std::size_t id, std::string name)
{
    const SteadyTime deadline = inSeconds(lookSeconds);
    const auto over = [this, &asked] { return m_ends || *asked.over; };
    const auto tell = [this, id, ended = asked.over](std::function<void(Entry &)> part) {
        post([this, id, ended, part = std::move(part)] {
            if (Entry *entry = *ended ? nullptr : entryOf(id)) part(*entry);
        });
    };
    HostClients clients;
    for (const auto &node : asked.nodes) clients.push_back(node ? &node->node() : nullptr);
    const JobEvidence evidence = gatherEvidence(asked.job, clients, deadline);
    DiscoveredJob draft = draftJob(asked.job, *asked.traces, evidence);
    draft.job.name = std::move(name);
    draft.job.sshConfig = m_setup.connect.sshConfig;
    if (over()) return;
    tell([evidence, draft](Entry &entry) {
        entry.evidence = evidence;
        entry.look.found = draft;
        entry.look.looked = true;
        entry.look.joining = 0;
    });
    const NodeByName nodes = asked.byName();
    const LogScan logs = scanLogs(draft, nodes, deadline);
    if (over()) return;
    tell([logs](Entry &entry) { entry.look.logs = logs; });
    const CheckpointScan checkpoints = scanCheckpoints(draft.job, nodes, *asked.survey, deadline, over);
    if (over()) return;
    tell([checkpoints](Entry &entry) { entry.look.checkpoints = checkpoints; });
}

void DiscoverySession::Impl::publish()
{
    auto picture = std::make_shared<DiscoveryPicture>();
    for (const auto &host : m_hosts) picture->hosts.push_back(host->look);
    for (const auto &entry : m_jobs) picture->jobs.push_back(entry->look);
    picture->ended = endedJobScans();
    picture->check = m_check;
    {
        const std::scoped_lock lock(m_mutex);
        m_picture = std::move(picture);
    }
    m_changed();
}

}  // namespace rankdeck
