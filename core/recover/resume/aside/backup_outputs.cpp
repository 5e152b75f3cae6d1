// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/aside/backup_outputs.h"

#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/host/job_places.h"
#include "core/recover/host/rank_processes.h"
#include "core/recover/wording.h"

#include <algorithm>
#include <tuple>

namespace rankdeck {

namespace {

struct Place {
    std::string node;
    std::string path;
    int rank = -1;
    bool operator==(const Place &other) const { return node == other.node && path == other.path; }
};

std::vector<Place> placesOf(const Job &job, const std::string &pathTemplate, bool directory)
{
    std::vector<Place> places;
    if (pathTemplate.empty()) return places;
    for (const NodeSpec &node : job.nodes)
        for (const int rank : node.ranks) {
            const auto path = pathOfRank(job, pathTemplate, rank);  // the recipe's findings report its errors
            if (!path) continue;
            Place place{.node = node.name, .path = directory ? dirName(path.value()) : path.value(), .rank = rank};
            if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(std::move(place));
        }
    return places;
}

std::vector<Place> savePlaces(const Job &job, const SavesByNode &found)
{
    std::vector<Place> places;
    for (const auto &[node, paths] : found)
        for (const std::string &path : paths) places.push_back({.node = node, .path = path});
    for (const NodeSpec &node : job.nodes)
        for (const int rank : node.ranks)
            for (const std::string &path : savesOfRank(job, rank)) {
                Place place{.node = node.name, .path = path, .rank = rank};
                if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(std::move(place));
            }
    return places;
}

std::string withTag(const std::string &path, const std::string &tag)
{
    const std::string name = baseName(path);
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos || dot == 0) return path + "." + tag;
    return joinPath(dirName(path), name.substr(0, dot) + "." + tag + name.substr(dot));
}

Moves movesOf(const PathStats &book, const JobState &view, const std::vector<Place> &places,
              const std::function<std::string(const std::string &)> &target)
{
    Moves moves;
    std::vector<std::pair<Place, FileStat>> done;
    for (const Place &place : places) {
        const auto stat = book.stat(place.node, place.path);
        if (!stat) continue;
        moves.moved[place.node][place.path] = target(place.path);
        for (const NodeSpec &node : view.job.nodes)
            if (view.job.pathsShared) moves.moved[node.name][place.path] = target(place.path);
        const bool seen = std::any_of(done.begin(), done.end(), [&](const auto &other) {
            return other.first.path == place.path && sameThing(view, {.node = other.first.node, .stat = other.second},
                                                               {.node = place.node, .stat = *stat});
        });
        if (seen) continue;
        done.emplace_back(place, *stat);
        moves.byNode[place.node].push_back(
            {.action = FileAction::move, .path = place.path, .target = target(place.path)});
    }
    return moves;
}

// Only for live nodes; other nodes have a separate finding.
std::vector<UnknownPlace> unknownOf(const std::vector<Place> &places, const PathStats &book, const JobState &view)
{
    std::vector<UnknownPlace> unknown;
    for (const Place &place : places)
        if (isLive(view, place.node) && book.exists(place.node, place.path).isUnknown())
            unknown.push_back({place.node, place.path, book.problem(place.node, place.path)});
    return unknown;
}

}  // namespace

void wantLogs(PathStats &book, const Job &job, bool wholeDirectory)
{
    for (const Place &place : placesOf(job, job.logs.path, wholeDirectory)) book.want(place.node, place.path);
}

std::vector<UnknownPlace> unknownLogs(const PathStats &book, const JobState &view, bool wholeDirectory)
{
    return unknownOf(placesOf(view.job, view.job.logs.path, wholeDirectory), book, view);
}

std::vector<UnknownPlace> unknownSaves(const PathStats &book, const JobState &view, const SavesByNode &found)
{
    return unknownOf(savePlaces(view.job, found), book, view);
}

std::vector<UnknownPlace> unknownIn(const std::string &node, const std::string &root, const Result<Listing> &listing)
{
    if (!listing) {
        if (listing.error().kind == ErrorKind::notFound || listing.error().kind == ErrorKind::unreachable) return {};
        return {{node, root, listing.error().message}};
    }
    if (listing->error.find("No such file") != std::string::npos) return {};
    std::vector<UnknownPlace> unknown;
    if (!listing->error.empty()) unknown.push_back({node, root, listing->error});
    if (listing->truncated) unknown.push_back({node, root, "too many entries"});
    for (const FileEntry &entry : listing->entries)
        if (!entry.error.empty()) unknown.push_back({node, entry.path, entry.error});
    return unknown;
}

SavesByNode searchSaves(ActionContext &host, const Job &job, SteadyTime deadline, std::vector<UnknownPlace> &unknown)
{
    SavesByNode found;
    const auto env = job.launch.env.find("MS_ENABLE_GRACEFUL_EXIT");
    const bool graceful = job.gracefulExit.hasConfig() || (env != job.launch.env.end() && env->second == "1");
    if (!job.gracefulExit.saves.empty() || !graceful) return found;
    std::vector<std::tuple<std::string, std::string, Reply<Listing>>> replies;
    for (const NodeSpec &spec : job.nodes) {
        NodeClient *node = host.node(spec.name);
        if (!node || spec.ranks.empty()) continue;
        std::map<std::string, int> roots;
        for (const Place &place : placesOf(job, job.checkpoints.path, true))
            if (place.node == spec.name) roots[place.path] = 2;
        if (!job.launch.workdir.empty()) roots[workdirOn(job, spec)] = 3;
        for (const auto &[root, depth] : roots)
            replies.emplace_back(spec.name, root, node->list({.root = root, .depth = depth, .maxEntries = 20000}));
    }
    for (auto &[name, root, reply] : replies) {
        const auto listing = waitFor(reply, deadline, name);
        for (UnknownPlace &open : unknownIn(name, root, listing)) unknown.push_back(std::move(open));
        if (!listing) continue;
        for (const FileEntry &entry : listing->entries) {
            auto &paths = found[name];
            const bool save = entry.stat.kind == 'f' && entry.path.ends_with("_train.ckpt");
            if (save && std::find(paths.begin(), paths.end(), entry.path) == paths.end()) paths.push_back(entry.path);
        }
    }
    return found;
}

void wantSaves(PathStats &book, const Job &job, const SavesByNode &found)
{
    for (const Place &place : savePlaces(job, found)) book.want(place.node, place.path);
}

Moves moveLogs(const PathStats &book, const JobState &view, bool wholeDirectory)
{
    const auto places = placesOf(view.job, view.job.logs.path, wholeDirectory);
    const auto tagged = [&](int number) {
        const std::string tag = "attempt-" + std::to_string(number);
        return [wholeDirectory, tag](const std::string &path) {
            return wholeDirectory ? path + "." + tag : withTag(path, tag);
        };
    };
    int number = std::max(0, view.attempt);
    const auto taken = [&](int candidate) {
        return std::any_of(places.begin(), places.end(), [&](const Place &place) {
            return book.exists(place.node, tagged(candidate)(place.path)).isYes();
        });
    };
    while (taken(number)) ++number;
    Moves moves = movesOf(book, view, places, tagged(number));
    if (moves.moved.empty()) return moves;
    Finding finding = warning("old_logs", message("a new attempt would truncate the logs of the old one"),
                              message("the plan backs them up as attempt-%1", number));
    finding.fixable = true;
    moves.findings.push_back(std::move(finding));
    return moves;
}

Moves moveSaves(const PathStats &book, const JobState &view, const std::string &id, const SavesByNode &found)
{
    const auto places = savePlaces(view.job, found);
    Moves moves = movesOf(book, view, places, [&](const std::string &path) { return path + ".moved-" + id; });
    std::vector<int> ranks;
    std::string example;
    for (const Place &place : places)
        if (book.exists(place.node, place.path).isYes()) {
            if (place.rank >= 0) ranks.push_back(place.rank);
            if (example.empty()) example = place.path + " on node " + place.node;
        }
    if (example.empty()) return moves;
    const Message named = ranks.size() > 1 ? message("%1 and others", printable(example)) : printable(example);
    const Message which = ranks.empty() ? named : message("%1 (%2)", named, ranksText(ranks));
    Finding finding = warning(
        "stale_train_ckpt",
        message(
            "a graceful exit left %1: OnRequestExit loads it instead of the chosen set, or crashes on its global_step",
            which),
        message("the plan backs it up"));
    finding.fixable = true;
    moves.findings.push_back(std::move(finding));
    return moves;
}

}  // namespace rankdeck
