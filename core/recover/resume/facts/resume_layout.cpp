// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/facts/resume_layout.h"

#include "core/base/text.h"
#include "core/recover/launch/checkpoint_staging.h"
#include "core/recover/launch/script_config.h"
#include "core/recover/resume/facts/backup_newer_checkpoints.h"

#include <algorithm>

namespace rankdeck {

namespace {

void pinParts(ResumeLayout &layout, const MemberVerdict &member, const Member &listed)
{
    const auto pin = [&](const FileEntry &entry) {
        const bool had = std::any_of(layout.pinned.begin(), layout.pinned.end(), [&](const PinnedFile &other) {
            return other.node == member.node && other.path == entry.path;
        });
        if (!had)
            layout.pinned.push_back({.rank = member.rank,
                                     .node = member.node,
                                     .path = entry.path,
                                     .pathNow = entry.path,
                                     .stat = entry.stat});
    };
    if (listed.parts.empty()) pin(listed.file);
    for (const FileEntry &part : listed.parts) pin(part);
}

// Where each rank's file will be: a chosen set that is a graceful exit's own is moved aside with it.
void pinMembers(ResumeLayout &layout, const JobState &view, const CheckpointSet &set, const PathStats &book)
{
    for (const MemberVerdict &member : set.members) {
        const NodeSpec *node = view.job.nodeOf(member.rank);
        if (!node) continue;
        PinnedFile file{.rank = member.rank, .node = node->name, .path = member.path, .pathNow = member.path};
        if (const auto moved = layout.saves.moved.find(node->name); moved != layout.saves.moved.end())
            if (const auto to = moved->second.find(member.path); to != moved->second.end()) file.path = to->second;
        if (const auto stat = book.stat(node->name, member.path)) file.stat = *stat;
        const bool own = member.node == node->name;
        if (!own && !book.exists(node->name, member.path)) file.stat.inode = 0;  // a copy, compared by its hash
        for (const Member &listed : view.inventory->members) {
            if (listed.node != member.node || listed.file.path != member.path) continue;
            if (own) file.stat = listed.file.stat;
            // What is copied, and the files of a checkpoint of several, must stay as they were judged too.
            if (!own || !listed.parts.empty()) pinParts(layout, member, listed);
        }
        for (const Member &listed : view.inventory->members)
            if (listed.node == member.node && listed.file.path == member.path)
                for (const FileEntry &part : listed.parts)
                    if (dirName(part.path) == dirName(member.path) && part.path.starts_with(member.path))
                        file.parts.push_back(part.path);
        if (member.fromRank) file.fromRank = *member.fromRank;
        layout.members.push_back(std::move(file));
    }
}

}  // namespace

RecipeInput recipeInput(const JobState &view, const CheckpointSet &set, const ResumeLayout &layout,
                        const std::string &id)
{
    RecipeInput input{
        .view = view, .set = set, .id = id, .viewDirectories = layout.viewDirectories, .configs = layout.configs};
    input.vcjobYaml = layout.vcjobYaml;
    for (const PinnedFile &member : layout.members) input.checkpoints[member.rank] = member.path;
    return input;
}

ResumeLayout layoutOf(const JobState &view, const ResumeChoice &choice, const PathStats &book,
                      const SavesByNode &searched, const std::string &id, std::optional<Result<std::string>> vcjobYaml)
{
    ResumeLayout layout;
    layout.vcjobYaml = std::move(vcjobYaml);
    layout.saves = moveSaves(book, view, id, searched);
    layout.logs = moveLogs(book, view, choice.recipe->ownsLogDirectory);
    if (choice.script.takesNewest) layout.newer = moveNewer(view, *choice.set, id);
    pinMembers(layout, view, *choice.set, book);
    if (choice.script.usesView) layout.viewDirectories = viewDirectories(view.job, id);
    layout.configs = configCopies(recipeInput(view, *choice.set, layout, id), choice.script.settings);
    layout.launch = choice.recipe->plan(recipeInput(view, *choice.set, layout, id));
    return layout;
}

bool canCopy(const CheckpointSet &set, const MemberVerdict &member, const NodeSpec &node)
{
    return member.node != node.name && !member.node.empty() && member.bytes > 0 &&
           set.facts.find("framework") == set.facts.end();
}

}  // namespace rankdeck
