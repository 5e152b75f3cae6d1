// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/plan/copy_room.h"

#include "core/base/text.h"
#include "core/node/wait_for.h"

#include <map>

namespace rankdeck {

namespace {

using Needs = std::map<std::string, std::uint64_t>;  // directory → bytes

Needs needsOf(const NodePlan &node, const SizeOf &sizeOf)
{
    Needs needs;
    for (const FileCopy &copy : node.copies) needs[dirName(copy.path)] += copy.bytes;
    for (const FileActionRequest &step : node.files)
        if (step.action == FileAction::copyFile) needs[dirName(step.path)] += sizeOf(node.node, step.target);
    return needs;
}

std::vector<std::string> directoriesOf(const Needs &needs)
{
    std::vector<std::string> directories;
    for (const auto &[directory, bytes] : needs) directories.push_back(directory);
    return directories;
}

}  // namespace

std::vector<FullDisk> fullDisks(ActionContext &host, const Plan &plan, const SizeOf &sizeOf, SteadyTime deadline)
{
    std::map<std::string, Needs> byNode;
    std::map<std::string, Reply<std::vector<DiskSpace>>> replies;
    for (const NodePlan &node : plan.nodes) {
        Needs needs = needsOf(node, sizeOf);
        NodeClient *client = needs.empty() ? nullptr : host.node(node.node);
        if (!client) continue;
        replies[node.node] = client->diskSpace(directoriesOf(needs));
        byNode[node.node] = std::move(needs);
    }
    std::vector<FullDisk> full;
    for (auto &[name, reply] : replies) {
        const auto spaces = waitFor(reply, deadline, name);
        if (!spaces) continue;
        std::map<std::uint64_t, FullDisk> disks;  // by device
        std::size_t at = 0;
        for (const auto &[directory, bytes] : byNode[name]) {
            if (at >= spaces->size()) break;
            const DiskSpace &space = spaces.value()[at++];
            if (!space.error.empty()) continue;
            FullDisk &disk = disks[space.stat.device];
            disk.node = name;
            disk.directory = directory;
            disk.needed += bytes;
            disk.free = space.freeBytes;
        }
        for (const auto &[device, disk] : disks)
            if (disk.needed > disk.free) full.push_back(disk);
    }
    return full;
}

std::string fullDiskText(const FullDisk &disk)
{
    return "the plan copies " + bytesText(disk.needed) + " to " + printable(disk.directory) + " on node " +
           printable(disk.node) + ", where " + bytesText(disk.free) + " is free";
}

}  // namespace rankdeck
