// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/stop/exit_facts.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/flag/config_named.h"
#include "core/recover/flag/graceful_tags.h"
#include "core/recover/host/job_places.h"
#include "core/recover/host/path_stats.h"
#include "core/recover/stop/exit_consoles.h"
#include "core/recover/stop_method.h"

#include <algorithm>
#include <future>
#include <set>

namespace rankdeck {

namespace {

constexpr double leastSeconds = 5;  // for each question, however long the earlier ones took

std::map<int, std::string> staleSavesOf(ActionContext &host, const JobState &view, SteadyTime deadline)
{
    PathStats book;
    for (const NodeSpec &node : view.job.nodes)
        for (const int rank : node.ranks)
            for (const std::string &path : savesOfRank(view.job, rank)) book.want(node.name, path);
    book.read(host, deadline);
    std::map<int, std::string> found;
    for (const NodeSpec &node : view.job.nodes)
        for (const int rank : node.ranks)
            for (const std::string &path : savesOfRank(view.job, rank))
                if (!found.contains(rank) && book.exists(node.name, path).isYes()) found[rank] = path;
    return found;
}

// Directories of a rank's saves: the exit's own file and the periodic ones.
std::set<std::string> saveDirectories(const Job &job, int rank)
{
    std::set<std::string> directories;
    for (const std::string &path : savesOfRank(job, rank)) directories.insert(dirName(path));
    if (const auto path = pathOfRank(job, job.checkpoints.path, rank); path && !path->empty())
        directories.insert(path.value());
    return directories;
}

std::map<std::string, std::vector<DiskSpace>> roomOf(ActionContext &host, const JobState &view, SteadyTime deadline)
{
    std::map<std::string, Reply<std::vector<DiskSpace>>> replies;
    for (const NodeSpec &node : view.job.nodes) {
        std::set<std::string> directories;
        for (const int rank : node.ranks) directories.merge(saveDirectories(view.job, rank));
        NodeClient *client = host.node(node.name);
        if (client && !directories.empty())
            replies[node.name] = client->diskSpace({directories.begin(), directories.end()});
    }
    std::map<std::string, std::vector<DiskSpace>> rooms;
    for (auto &[node, reply] : replies)
        if (auto answer = waitFor(reply, deadline, node)) rooms[node] = std::move(answer.value());
    return rooms;
}

const ConfigCopy *copyOf(const ExitFacts &facts, int rank)
{
    for (const ConfigCopy &copy : facts.way == StopMethod::configMap ? facts.mounted : facts.copies)
        if (std::find(copy.ranks.begin(), copy.ranks.end(), rank) != copy.ranks.end()) return &copy;
    return nullptr;
}

bool isThat(const ConfigCopy &copy, const std::string &path)
{
    return path == plainPath("/", copy.path) || (copy.content && path == copy.content->realPath);
}

// Finds config files that the ranks name, other than that of the job file, after symbolic links were followed on their
// node.
void findElsewhere(ActionContext &host, ExitFacts &facts, SteadyTime deadline)
{
    std::map<std::pair<std::string, std::string>, Reply<FileContent>> asked;
    std::vector<std::pair<std::string, RankNames>> suspects;
    for (const RankProcess &rank : facts.processes.ranks) {
        const ConfigCopy *copy = copyOf(facts, rank.rank);
        const auto look = facts.looks.find(rank.rank);
        if (!copy || !rank.process || look == facts.looks.end()) continue;
        for (NamedConfig &named : namedConfigs(*rank.process, look->second, rank.rank, copy->path)) {
            facts.named.insert(rank.rank);
            if (isThat(*copy, named.path)) continue;
            Reply<FileContent> &reply = asked[{rank.node, named.path}];
            NodeClient *node = host.node(rank.node);
            if (!reply.valid() && node) reply = node->readFile(named.path);
            suspects.emplace_back(rank.node,
                                  RankNames{.rank = rank.rank, .named = std::move(named), .configured = copy->path});
        }
    }
    std::map<std::pair<std::string, std::string>, std::string> real;
    for (auto &[key, reply] : asked)
        if (const auto content = waitFor(reply, deadline, key.first)) real[key] = content->realPath;
    for (auto &[node, suspect] : suspects) {
        const ConfigCopy *copy = copyOf(facts, suspect.rank);
        const auto found = real.find({node, suspect.named.path});
        if (found == real.end() || !isThat(*copy, found->second)) facts.elsewhere.push_back(std::move(suspect));
    }
}

std::string slurmJobOf(const Job &job, const ProcessSnapshot &picture)
{
    if (!job.gracefulExit.slurmJob.empty()) return job.gracefulExit.slurmJob;
    std::string found;
    for (const RankProcess &rank : picture.ranks) {
        if (!rank.process) continue;
        const auto id = rank.process->env.find("SLURM_JOB_ID");
        if (id == rank.process->env.end() || (!found.empty() && id->second != found)) return {};
        found = id->second;
    }
    return found.find_first_not_of("0123456789") == std::string::npos ? found : std::string();
}

// nullopt: no rank's script shows a callback, or the scripts differ.
std::optional<ExitCallback> callbackOf(const std::map<int, ProcDetails> &looks)
{
    std::optional<ExitCallback> found;
    for (const auto &[rank, look] : looks) {
        std::optional<ExitCallback> own;
        for (const auto &[path, text] : look.texts)
            if (!own) own = exitCallbackOf(text);
        if (!own ||
            (found && (own->savesCheckpoint != found->savesCheckpoint || own->savesMindir != found->savesMindir)))
            return {};
        found = own;
    }
    return found;
}

void readConsoles(ActionContext &host, const Job &job, const std::string &own, ExitFacts &facts)
{
    auto exits = otherExits(host.journal(), job, own), resumes = otherResumes(host.journal(), job, own);
    if (!exits || !resumes) {
        facts.consolesUnknown = exits ? resumes.error() : exits.error();
        return;
    }
    facts.consoles = std::move(*exits);
    for (ExitElsewhere &resume : *resumes) facts.consoles.push_back(std::move(resume));
}

}  // namespace

Result<ExitFacts> readExitFacts(ActionContext &host, const JobState &view, const std::string &own, SteadyTime deadline)
{
    ExitFacts facts{.way = exitWayOf(view.job), .ends = host.scheduler().ends, .now = wallNow()};
    auto places = configPlaces(view.job);
    if (!places) return places.error();
    facts.copies = std::move(places.value());
    if (auto mounted = mountedPlaces(view.job)) facts.mounted = std::move(mounted.value());
    // All questions are sent at once: the answers take one round trip, however many there are.
    const auto later = std::launch::async;
    auto stale = std::async(later, [&] { return staleSavesOf(host, view, deadline); });
    auto room = std::async(later, [&] { return roomOf(host, view, deadline); });
    auto configs = std::async(later, [&] { readConfigs(host, facts.copies, deadline); });
    auto mounts = std::async(later, [&] { readConfigs(host, facts.mounted, deadline); });
    auto tags = std::async(later, [&] { return isConfirmed(facts.way) ? gracefulReadiness(host, view) : Known(); });
    auto claims = std::async(later, [&] { return readClaims(host, view, own, deadline); });
    facts.processes = askProcesses(host, view, deadline);
    // A slow answer of one node must not shorten the time for the next questions to the other nodes.
    const auto until = [deadline] { return std::max(deadline, inSeconds(leastSeconds)); };
    facts.looks = lookAtProcesses(host, facts.processes, until());
    if (isConfirmed(facts.way)) facts.callback = callbackOf(facts.looks);
    configs.get();
    mounts.get();
    findShared(facts.copies, view);
    if (isConfirmed(facts.way)) findElsewhere(host, facts, until());
    facts.claims = claims.get();
    facts.staleSaves = stale.get();
    facts.room = room.get();
    facts.gracefulReady = tags.get();
    readConsoles(host, view.job, own, facts);
    facts.slurmJob = slurmJobOf(view.job, facts.processes);
    return facts;
}

}  // namespace rankdeck
