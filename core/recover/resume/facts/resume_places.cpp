// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/facts/resume_places.h"

#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/host/job_places.h"
#include "core/recover/host/rank_processes.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <tuple>

namespace rankdeck {

namespace {

std::int64_t numberIn(const std::string &text)
{
    std::int64_t number = -1;
    const std::size_t at = text.find_first_of("0123456789");
    if (at != std::string::npos) std::from_chars(text.data() + at, text.data() + text.size(), number);
    return number;
}

SavePlace &placeAt(std::vector<SavePlace> &places, const std::string &node, const std::string &path)
{
    const auto found = std::find_if(places.begin(), places.end(),
                                    [&](const SavePlace &place) { return place.node == node && place.path == path; });
    return found != places.end() ? *found : places.emplace_back(SavePlace{.node = node, .path = path});
}

std::vector<SavePlace> placesOf(const JobState &view, const CheckpointSet &set)
{
    std::vector<SavePlace> places;
    const Job &job = view.job;
    for (const NodeSpec &node : job.nodes)
        for (const int rank : node.ranks) {
            if (const auto path = pathOfRank(job, job.checkpoints.path, rank); path && !path->empty())
                placeAt(places, node.name, *path).ranks.push_back(rank);
            const auto log = pathOfRank(job, job.logs.path, rank);
            if (!log || log->empty()) continue;
            SavePlace &place = placeAt(places, node.name, dirName(*log));
            place.ranks.push_back(rank);
            place.checkpoints = false;
        }
    if (!job.checkpoints.path.empty()) return places;
    for (const MemberVerdict &member : set.members)
        if (!member.path.empty()) placeAt(places, member.node, dirName(member.path)).ranks.push_back(member.rank);
    return places;
}

void readAbout(ActionContext &host, std::vector<SavePlace> &places, SteadyTime deadline)
{
    std::vector<Reply<FileContent>> replies;
    for (const SavePlace &place : places) {
        NodeClient *node = host.node(place.node);
        replies.push_back(node ? node->readFile(place.path, 0) : Reply<FileContent>());
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto about = waitFor(replies[i], deadline, places[i].node);
        if (!about) continue;  // missing: it will be created, or has its own finding
        places[i].known = true;
        places[i].writable = about->writable;
        places[i].owner = about->owner;
        places[i].device = about->stat.device;
        if (about->freeBytes != std::numeric_limits<std::uint64_t>::max()) places[i].freeBytes = about->freeBytes;
    }
}

void readMembers(ActionContext &host, const JobState &view, const CheckpointSet &set, PlaceFacts &into,
                 SteadyTime deadline)
{
    std::map<std::string, std::vector<MemberAccess>> byNode;
    for (const MemberVerdict &member : set.members)
        if (const NodeSpec *node = view.job.nodeOf(member.rank); node && !member.path.empty())
            byNode[node->name].push_back({.rank = member.rank, .node = node->name, .path = member.path});
    std::map<std::string, Reply<std::vector<RangeReply>>> replies;
    for (const auto &[name, members] : byNode) {
        NodeClient *node = host.node(name);
        if (!node) continue;
        std::vector<RangeRequest> ranges;
        for (const MemberAccess &member : members) ranges.push_back({.path = member.path, .offset = 0, .length = 1});
        replies[name] = node->read(std::move(ranges));
    }
    for (auto &[name, reply] : replies) {
        const auto found = waitFor(reply, deadline, name);
        std::vector<MemberAccess> &members = byNode[name];
        if (!found) {
            if (unanswered(view, name, found.error()).kind == ErrorKind::unreachable) continue;  // has its own finding
            members.front().problem = found.error().message;
            into.members.push_back(std::move(members.front()));
            continue;
        }
        for (std::size_t i = 0; i < members.size() && i < found->size(); ++i) {
            const RangeReply &range = found.value()[i];
            members[i].uid = range.stat.uid;
            const bool other = range.error.find("No such file") != std::string::npos ||
                               range.error.find("s a directory") != std::string::npos;
            if (!other) members[i].problem = range.error;
            into.members.push_back(std::move(members[i]));
        }
    }
}

void readAutoLoaded(ActionContext &host, PlaceFacts &facts, SteadyTime deadline)
{
    std::map<std::string, std::set<std::string>> roots;
    for (const SavePlace &place : facts.places)
        if (place.checkpoints)
            for (const std::string &root : {place.path, dirName(place.path)}) roots[place.node].insert(root);
    std::vector<std::tuple<std::string, std::string, Reply<Listing>>> replies;
    for (const auto &[name, paths] : roots)
        if (NodeClient *node = host.node(name))
            for (const std::string &root : paths)
                replies.emplace_back(name, root, node->list({.root = root, .depth = 2, .maxEntries = 20000}));
    std::set<std::pair<std::string, std::string>> seen;
    for (auto &[name, root, reply] : replies) {
        const auto listing = waitFor(reply, deadline, name);
        for (UnknownPlace &open : unknownIn(name, root, listing)) facts.unsearched.push_back(std::move(open));
        if (!listing) continue;
        for (const FileEntry &entry : listing->entries) {
            AutoLoaded found = autoLoadedOf(entry);
            if (found.by.empty() || !seen.insert({name, entry.path}).second) continue;
            found.node = name;
            facts.autoLoaded.push_back(std::move(found));
        }
    }
}

}  // namespace

AutoLoaded autoLoadedOf(const FileEntry &entry)
{
    const std::string name = baseName(entry.path);
    if (name.starts_with("hpc_ckpt_") && name.ends_with(".ckpt"))
        return {.node = {}, .path = entry.path, .by = "Lightning", .step = -1};
    const bool iteration = name.starts_with("iter_") && name.find_first_not_of("0123456789", 5) == std::string::npos &&
                           entry.stat.kind == 'd';
    if (iteration && baseName(dirName(entry.path)) == "non_persistent")
        return {.node = {}, .path = entry.path, .by = "Megatron", .step = numberIn(name)};
    return {};
}

PlaceFacts readPlaces(ActionContext &host, const JobState &view, const CheckpointSet &set, SteadyTime deadline)
{
    PlaceFacts facts{.places = placesOf(view, set)};
    readAbout(host, facts.places, deadline);
    readMembers(host, view, set, facts, deadline);
    readAutoLoaded(host, facts, deadline);
    return facts;
}

std::map<std::string, std::vector<FileActionRequest>>
autoLoadedMoves(const PlaceFacts &facts, const ResumeOptions &options, const std::string &id)
{
    std::map<std::string, std::vector<FileActionRequest>> moves;
    if (!options.fixing("auto_loaded")) return moves;
    for (const AutoLoaded &found : facts.autoLoaded)
        moves[found.node].push_back(
            {.action = FileAction::move, .path = found.path, .target = found.path + ".moved-" + id});
    return moves;
}

}  // namespace rankdeck
