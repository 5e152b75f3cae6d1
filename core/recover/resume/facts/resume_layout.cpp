// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/facts/resume_layout.h"

#include "core/base/text.h"
#include "core/recover/launch/script_config.h"
#include "core/recover/resume/aside/backup_newer_checkpoints.h"

#include <algorithm>

namespace rankdeck {

namespace {

void pinParts(ResumeLayout &layout, const MemberVerdict &member, const Member &listed)
{
    const auto pin = [&](const FileEntry &entry) {
        const bool had = std::any_of(layout.pinned.begin(), layout.pinned.end(), [&](const PinnedFile &other) {
            return other.node == member.node && other.pathNow == entry.path;
        });
        if (!had)
            layout.pinned.push_back({.rank = member.rank,
                                     .node = member.node,
                                     .path = pathAfter(layout, member.node, entry.path),
                                     .pathNow = entry.path,
                                     .stat = entry.stat});
    };
    if (listed.parts.empty()) pin(listed.file);
    for (const FileEntry &part : listed.parts) pin(part);
}

// Sets the final path of each rank's file. If the chosen set is that of a graceful exit, it is renamed, and its files
// get new paths.
void pinMembers(ResumeLayout &layout, const JobState &view, const CheckpointSet &set, const PathStats &book)
{
    for (const MemberVerdict &member : set.members) {
        const NodeSpec *node = view.job.nodeOf(member.rank);
        if (!node) continue;
        PinnedFile file{.rank = member.rank,
                        .node = node->name,
                        .path = pathAfter(layout, node->name, member.path),
                        .pathNow = member.path};
        if (const auto stat = book.stat(node->name, member.path)) file.stat = *stat;
        const bool own = member.node == node->name;
        if (!own && !book.exists(node->name, member.path).isYes()) {  // a copy, compared by its hash
            file.path = pathAfter(layout, member.node, member.path);
            file.stat.inode = 0;
        }
        for (const Member &listed : view.inventory->members) {
            if (listed.node != member.node || listed.file.path != member.path) continue;
            if (own) file.stat = listed.file.stat;
            // Copied files, and all files of a checkpoint that has several, must also be unchanged since they were
            // judged.
            if (!own || !listed.parts.empty()) pinParts(layout, member, listed);
        }
        file.parts = filesOfPrefix(view, member);
        if (member.fromRank) file.fromRank = *member.fromRank;
        layout.members.push_back(std::move(file));
    }
}

// A renamed file has a name that no framework loads, so it is linked under its old name. MindSpore takes only names
// that end in .ckpt.
void linkMembers(ResumeLayout &layout, const Job &job, bool wanted, const std::string &id)
{
    const auto moved = [](const PinnedFile &file) { return file.path != file.pathNow || !file.patches.empty(); };
    if (!wanted && std::none_of(layout.members.begin(), layout.members.end(), moved)) return;
    layout.viewDirectories = viewDirectories(job, id);
    const ViewMembers members = linkedMembers(layout);
    for (PinnedFile &file : layout.members)
        if (const auto directory = layout.viewDirectories.find(file.node);
            moved(file) && directory != layout.viewDirectories.end())
            file.link = linkOf(job, directory->second, members, file.rank);
}

}  // namespace

std::string pathAfter(const ResumeLayout &layout, const std::string &node, const std::string &path)
{
    const auto moved = layout.saves.moved.find(node);
    if (moved == layout.saves.moved.end()) return path;
    const auto to = moved->second.find(path);
    return to == moved->second.end() ? path : to->second;
}

RecipeInput recipeInput(const JobState &view, const CheckpointSet &set, const ResumeLayout &layout,
                        const std::string &id)
{
    RecipeInput input{
        .view = view, .set = set, .id = id, .viewDirectories = layout.viewDirectories, .configs = layout.configs};
    input.vcjobYaml = layout.vcjobYaml;
    for (const PinnedFile &member : layout.members)
        input.checkpoints[member.rank] = member.link.empty() ? member.path : member.link;
    return input;
}

ViewMembers linkedMembers(const ResumeLayout &layout)
{
    ViewMembers members;
    for (const PinnedFile &file : layout.members)
        members[file.rank] = {.path = file.path,
                              .parts = file.parts,
                              .fromRank = file.fromRank,
                              .name = file.path == file.pathNow ? std::string() : baseName(file.pathNow),
                              .patches = file.patches};
    return members;
}

ResumeLayout layoutOf(const JobState &view, const ResumeChoice &choice, const PathStats &book,
                      const SavesByNode &searched, const std::string &id, std::optional<Result<std::string>> vcjobYaml,
                      const CheckpointMends &mends)
{
    ResumeLayout layout;
    layout.vcjobYaml = std::move(vcjobYaml);
    layout.saves = moveSaves(book, view, id, searched);
    layout.logs = moveLogs(book, view, choice.recipe->ownsLogDirectory);
    if (choice.script.takesNewest) layout.newer = moveNewer(view, *choice.set, id);
    pinMembers(layout, view, *choice.set, book);
    for (PinnedFile &file : layout.members)
        if (const auto own = mends.byRank.find(file.rank); own != mends.byRank.end() && file.fromRank < 0)
            file.patches = own->second;
    linkMembers(layout, view.job, choice.script.usesView, id);
    layout.configs = configCopies(recipeInput(view, *choice.set, layout, id), choice.script.settings);
    layout.launch = choice.recipe->plan(recipeInput(view, *choice.set, layout, id));
    return layout;
}

std::vector<std::string> filesOfPrefix(const JobState &view, const MemberVerdict &member)
{
    std::vector<std::string> files;
    for (const Member &listed : view.inventory->members)
        if (listed.node == member.node && listed.file.path == member.path)
            for (const FileEntry &part : listed.parts)
                if (dirName(part.path) == dirName(member.path) && part.path.starts_with(member.path))
                    files.push_back(part.path);
    return files;
}

bool canCopy(const JobState &view, const CheckpointSet &set, const MemberVerdict &member, const NodeSpec &node)
{
    return member.node != node.name && !member.node.empty() && member.bytes > 0 &&
           set.facts.find("framework") == set.facts.end() && filesOfPrefix(view, member).empty();
}

}  // namespace rankdeck
