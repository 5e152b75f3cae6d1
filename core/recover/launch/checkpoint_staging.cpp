// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/launch/checkpoint_staging.h"

#include "core/base/text.h"
#include "core/recover/edit/unified_diff.h"
#include "core/recover/host/job_places.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/wording.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace rankdeck {

namespace {

bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// "iter_0000100" → "100"; empty if the name is not `word` and a number.
std::string numberBehind(const std::string &name, const std::string &word)
{
    if (!name.starts_with(word) || name.size() == word.size()) return {};
    std::string number = name.substr(word.size());
    if (!std::all_of(number.begin(), number.end(), digit)) return {};
    const std::size_t first = number.find_first_not_of('0');
    return first == std::string::npos ? "0" : number.substr(first);
}

struct TrackerText {
    std::string name;
    std::string text;
};

// The tracker file with which a framework finds the newest checkpoint beside it. Empty name: the framework needs none.
TrackerText trackerFor(const ViewMember &member)
{
    const std::string name = baseName(member.path);
    for (const char *word : {"iter_", "iteration_"})
        if (const std::string number = numberBehind(name, word); !number.empty())
            return {"latest_checkpointed_iteration.txt", number};
    if (!numberBehind(name, "global_step").empty()) return {"latest", name};
    const bool index = std::any_of(member.parts.begin(), member.parts.end(),
                                   [](const std::string &part) { return part.ends_with(".index"); });
    if (index)
        return {"checkpoint",
                "model_checkpoint_path: \"" + name + "\"\nall_model_checkpoint_paths: \"" + name + "\"\n"};
    return {};
}

std::string linkName(const ViewMember &member, int rank, const std::string &target)
{
    const std::string name = member.name.empty() ? baseName(target) : member.name;
    return member.fromRank >= 0 && member.fromRank != rank ? nameForRank(name, member.fromRank, rank) : name;
}

class Builder {
public:
    Builder(ViewSteps &into, std::string directory) : m_into(into), m_directory(std::move(directory)) {}

    void begin() { make(building()); }

    void member(const ViewMember &member, int rank, const std::string &folder)
    {
        const std::string inside = folder.empty() ? building() : joinPath(building(), folder);
        if (!folder.empty()) make(inside);
        std::vector<std::string> targets = member.parts;
        if (targets.empty()) targets.push_back(member.path);
        for (const std::string &target : targets) {
            const std::string name = linkName(member, rank, target);
            m_into.files.push_back({.action = member.patches.empty() ? FileAction::makeLink : FileAction::copyFile,
                                    .path = joinPath(inside, name),
                                    .target = target,
                                    .patches = member.patches});
        }
        const TrackerText tracker = trackerFor(member);
        if (tracker.name.empty()) return;
        const std::string path = joinPath(folder.empty() ? m_directory : joinPath(m_directory, folder), tracker.name);
        m_into.trackers.push_back(newFile(path, tracker.text));
    }

    void end() { m_into.files.push_back({.action = FileAction::move, .path = building(), .target = m_directory}); }

private:
    [[nodiscard]] std::string building() const { return m_directory + ".tmp"; }
    void make(const std::string &path) { m_into.files.push_back({.action = FileAction::makeDirectory, .path = path}); }

    ViewSteps &m_into;
    std::string m_directory;
};

bool allLoadOne(const Job &job, const ViewMembers &members)
{
    if (members.empty()) return false;
    const ViewMember &first = members.begin()->second;
    const bool same = std::all_of(members.begin(), members.end(), [&](const auto &entry) {
        return entry.second.path == first.path && entry.second.fromRank < 0;
    });
    return same && (job.ranks() > 1 || !trackerFor(first).name.empty());
}

}  // namespace

std::map<std::string, std::string> viewDirectories(const Job &job, const std::string &id)
{
    std::map<std::string, std::string> directories;
    const bool one = job.pathsShared || nodesByRank(job).size() == 1;
    for (const NodeSpec *node : nodesByRank(job)) {
        const std::string views = job.launch.views.empty() ? joinPath(ownDirectory(job, node), "views")
                                                           : textOnNode(job.launch.views, job, *node);
        directories[node->name] = joinPath(views, one ? id : launchId(id, node->name));
    }
    return directories;
}

std::map<std::string, ViewSteps> makeViews(const Job &job, const std::map<std::string, std::string> &directories,
                                           const ViewMembers &members)
{
    std::map<std::string, ViewSteps> steps;
    std::set<std::string> made;
    const bool one = allLoadOne(job, members);
    for (const NodeSpec *node : nodesByRank(job)) {
        const auto directory = directories.find(node->name);
        if (directory == directories.end() || !made.insert(directory->second).second) continue;
        Builder builder(steps[node->name], directory->second);
        builder.begin();
        if (one) builder.member(members.begin()->second, members.begin()->first, {});
        for (const auto &[rank, member] : members) {
            const bool wanted =
                job.pathsShared || std::find(node->ranks.begin(), node->ranks.end(), rank) != node->ranks.end();
            if (wanted && !one) builder.member(member, rank, "rank_" + std::to_string(rank));
        }
        builder.end();
    }
    return steps;
}

std::string linkOf(const Job &job, const std::string &directory, const ViewMembers &members, int rank)
{
    const ViewMember &member = members.at(rank);
    const std::string name = linkName(member, rank, member.path);
    return joinPath(allLoadOne(job, members) ? directory : joinPath(directory, "rank_" + std::to_string(rank)), name);
}

std::string nameForRank(const std::string &name, int from, int to)
{
    const std::string number = std::to_string(from);
    // The name contains the rank as rank_0, or its prefix ends in the number, as in MindX DL's Pangu script:
    // pangu0-1_5….
    std::vector<std::size_t> places;
    for (const char *word : {"rank_", "rank"}) {
        const std::string key = word + number;
        for (std::size_t at = name.find(key); at != std::string::npos; at = name.find(key, at + 1))
            places.push_back(at + key.size() - number.size());
        if (!places.empty()) break;
    }
    const std::size_t dash = name.find('-');
    if (places.empty() && dash != std::string::npos && dash > number.size() && !digit(name[dash - number.size() - 1]) &&
        name[dash - number.size() - 1] != '_' && name.compare(dash - number.size(), number.size(), number) == 0)
        places.push_back(dash - number.size());
    std::string out = name;
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
        const std::size_t end = *place + number.size();
        if (end < name.size() && digit(name[end])) continue;  // rank_1 is also the beginning of rank_10
        out.replace(*place, number.size(), std::to_string(to));
    }
    return out;
}

std::vector<Finding> viewFindings(const Job &job, const std::map<std::string, std::string> &directories)
{
    std::string root = absolutePath(job, job.checkpoints.path.substr(0, job.checkpoints.path.find('{')));
    const bool cut = root.size() > 1 && root.back() != '/';
    if (cut && job.checkpoints.path.find('{') != std::string::npos) root = dirName(root);
    root = withoutSlash(std::move(root));
    for (const auto &[node, directory] : directories)
        if (!root.empty() && root != "/" && directory.starts_with(root + "/"))
            return {
                warning("view_in_checkpoints",
                        message("the staging directory %1 is inside the checkpoint directory %2: a script that "
                                "searches that directory finds each file twice",
                                printable(directory), printable(root)),
                        message("set launch.views in the job file to a directory outside the checkpoint directory"))};
    return {};
}

}  // namespace rankdeck
