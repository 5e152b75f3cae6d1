// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/resume_plan.h"

#include "core/recover/flag/flag_write.h"
#include "core/recover/launch/checkpoint_staging.h"
#include "core/recover/resume/checks/resume_checks.h"
#include "core/recover/wording.h"

#include <algorithm>

namespace rankdeck {

namespace {

NodePlan &nodeIn(Plan &plan, const std::string &name)
{
    auto found =
        std::find_if(plan.nodes.begin(), plan.nodes.end(), [&](const NodePlan &node) { return node.node == name; });
    return found != plan.nodes.end() ? *found : plan.nodes.emplace_back(NodePlan{.node = name});
}

using InodeOf = std::function<std::optional<std::uint64_t>(const std::string &node, const std::string &path)>;

// Returns the inode of an existing file as listed; an undo recognises moved files by it.
InodeOf inodesOf(const PathStats &book, const Inventory &inventory)
{
    return [&](const std::string &node, const std::string &path) -> std::optional<std::uint64_t> {
        if (const auto stat = book.stat(node, path)) return stat->inode;
        for (const Member &member : inventory.members)
            if (member.node == node && member.file.path == path) return member.file.stat.inode;
        return {};
    };
}

void addSteps(Plan &plan, const Job &job, const std::map<std::string, std::vector<FileActionRequest>> &steps,
              const InodeOf &inodeOf)
{
    for (const NodeSpec &node : job.nodes)
        if (const auto own = steps.find(node.name); own != steps.end()) {
            auto &files = nodeIn(plan, node.name).files;
            files.insert(files.end(), own->second.begin(), own->second.end());
            for (const FileActionRequest &step : own->second)
                if (const auto inode = inodeOf(node.name, step.path))
                    nodeIn(plan, node.name).inodes[step.path] = *inode;
        }
}

// Members that are on another node and can be copied from there, if the operator wants copies.
std::map<std::string, std::vector<FileCopy>> memberCopies(const ResumeFacts &facts)
{
    const CheckpointSet &set = *facts.choice.set;
    std::map<std::string, std::vector<FileCopy>> copies;
    if (!facts.options.fixing("member_missing")) return copies;
    for (const MemberVerdict &member : set.members)
        if (const NodeSpec *node = facts.view.job.nodeOf(member.rank);
            node && canCopy(facts.view, set, member, *node) && facts.book.exists(node->name, member.path).isNo()) {
            auto &list = copies[node->name];
            const bool had =
                std::any_of(list.begin(), list.end(), [&](const FileCopy &other) { return other.from == member.path; });
            if (!had)
                list.push_back({.fromNode = member.node,
                                .from = member.path,
                                .path = pathAfter(facts.layout, member.node, member.path),
                                .bytes = member.bytes});
        }
    return copies;
}

void addViews(Plan &plan, const ResumeFacts &facts)
{
    for (auto &[name, steps] : makeViews(facts.view.job, facts.layout.viewDirectories, linkedMembers(facts.layout))) {
        NodePlan &node = nodeIn(plan, name);
        node.files.insert(node.files.end(), steps.files.begin(), steps.files.end());
        node.edits.insert(node.edits.end(), steps.trackers.begin(), steps.trackers.end());
    }
}

void addLaunches(Plan &plan, const ResumeFacts &facts)
{
    plan.environments = facts.layout.launch.environments;
    plan.environments.push_back(facts.view.job.launch.env);
    for (const NodeSpec &node : facts.view.job.nodes) plan.environments.push_back(node.env);
    for (const NodePlan &own : facts.layout.launch.nodes) {
        NodePlan &node = nodeIn(plan, own.node);
        node.files.insert(node.files.end(), own.files.begin(), own.files.end());
        node.edits.insert(node.edits.end(), own.edits.begin(), own.edits.end());
        node.launches = own.launches;
        const int index = facts.view.job.nodeIndex(own.node);
        const NodeSpec *spec = index < 0 ? nullptr : &facts.view.job.nodes[std::size_t(index)];
        for (LaunchRequest &request : node.launches) {
            request.job = jobClaim(facts.view, spec, plan.id);
            request.env[jobMarkName] = jobMark(facts.view.job);
        }
    }
}

void addEdits(Plan &plan, const ResumeFacts &facts)
{
    if (auto edits = planFlag(facts.copies, false))
        for (NodePlan &node : edits.value()) {
            for (FileEdit &edit : node.edits) edit.takesBack = true;
            nodeIn(plan, node.node).edits = std::move(node.edits);
        }
    for (auto &[name, edits] : faultRecordEdits(*facts.choice.set, facts.gasps)) {
        auto &all = nodeIn(plan, name).edits;
        all.insert(all.end(), edits.begin(), edits.end());
    }
    const ConfigEdits config = scriptConfigEdits(facts.scriptConfigs);
    for (const auto &[name, edits] : config.byNode) {
        auto &all = nodeIn(plan, name).edits;
        all.insert(all.end(), edits.begin(), edits.end());
    }
    for (const auto &[name, steps] : config.directories) {
        auto &all = nodeIn(plan, name).files;
        all.insert(all.end(), steps.begin(), steps.end());
    }
}

Message summaryOf(const Plan &plan, const ResumeFacts &facts)
{
    std::size_t launches = 0, files = 0, edits = 0, ends = 0, copies = 0;
    for (const NodePlan &node : plan.nodes) {
        launches += node.launches.size();
        files += node.files.size();
        edits += node.edits.size();
        ends += node.ends.size();
        copies += node.copies.size();
    }
    Message work = message("%1 commands, %2 file steps, %3 edits", launches, files, edits);
    if (ends > 0) work = message("%1, %2 processes to end", work, ends);
    if (copies > 0) work = message("%1, %2 files to copy", work, copies);
    const Message what = message("resume %1 from %2 with the recipe %3", facts.view.job.name,
                                 setText(*facts.choice.set), facts.view.job.launch.recipe);
    return plan.nodes.size() == 1 ? message("%1: %2 on 1 node", what, work)
                                  : message("%1: %2 on %3 nodes", what, work, plan.nodes.size());
}

}  // namespace

Plan resumePlan(const ResumeFacts &facts)
{
    Plan plan;
    plan.id = facts.id;
    if (!facts.choice.fit()) return plan;
    const Job &job = facts.view.job;
    addEdits(plan, facts);
    for (auto &[node, ends] : leftoverEnds(facts.survivors, facts.options)) nodeIn(plan, node).ends = ends;
    for (auto &[node, copies] : memberCopies(facts)) nodeIn(plan, node).copies = copies;
    const InodeOf inodes = inodesOf(facts.book, *facts.view.inventory);
    addSteps(plan, job, facts.layout.saves.byNode, inodes);
    addSteps(plan, job, autoLoadedMoves(facts.places, facts.options, facts.id), inodes);
    addSteps(plan, job, facts.layout.newer.byNode, inodes);
    if (facts.gasps.loader == EmergencyLoader::ownFolder && facts.choice.set->kind == CheckpointKind::breakpoint)
        addSteps(plan, job, emergencyLinks(facts.view, *facts.choice.set, facts.book), inodes);
    addSteps(plan, job, facts.exitLoad.copies, inodes);
    addSteps(plan, job, facts.folders.aside, inodes);
    addSteps(plan, job, facts.folders.copies, inodes);
    addSteps(plan, job, facts.layout.logs.byNode, inodes);
    if (!facts.layout.viewDirectories.empty()) addViews(plan, facts);
    addLaunches(plan, facts);
    plan.summary = summaryOf(plan, facts);
    return plan;
}

}  // namespace rankdeck
