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

// A node's disks, by device. A directory about which the node reports nothing becomes a separate entry.
std::vector<CopyRoom> roomsOf(const std::string &node, const Needs &needs, const Result<std::vector<DiskSpace>> &spaces)
{
    std::vector<CopyRoom> rooms;
    std::map<std::uint64_t, CopyRoom> disks;
    std::size_t at = 0;
    for (const auto &[directory, bytes] : needs) {
        const std::size_t i = at++;
        if (!spaces || i >= spaces->size() || !spaces.value()[i].error.empty()) {
            rooms.push_back({node, directory, bytes});
            continue;
        }
        const DiskSpace &space = spaces.value()[i];
        const std::uint64_t before = disks[space.stat.device].needed;
        disks[space.stat.device] = {node, directory, before + bytes, space.freeBytes};
    }
    for (auto &[device, room] : disks) rooms.push_back(std::move(room));
    return rooms;
}

}  // namespace

std::vector<CopyRoom> tightDisks(ActionContext &host, const Plan &plan, const SizeOf &sizeOf, SteadyTime deadline)
{
    std::map<std::string, Needs> byNode;
    std::map<std::string, Reply<std::vector<DiskSpace>>> replies;
    for (const NodePlan &node : plan.nodes) {
        Needs needs = needsOf(node, sizeOf);
        if (needs.empty()) continue;
        if (NodeClient *client = host.node(node.node)) replies[node.node] = client->diskSpace(directoriesOf(needs));
        byNode[node.node] = std::move(needs);
    }
    std::vector<CopyRoom> tight;
    for (const auto &[name, needs] : byNode) {
        const auto reply = replies.find(name);
        const Result<std::vector<DiskSpace>> spaces =
            reply == replies.end() ? fail(ErrorKind::notFound, message("there is no node %1", name))
                                   : waitFor(reply->second, deadline, name);
        for (CopyRoom &room : roomsOf(name, needs, spaces))
            if (!room.free || room.needed > *room.free) tight.push_back(std::move(room));
    }
    return tight;
}

Message copyRoomText(const CopyRoom &room)
{
    const Message place = message("the plan copies %1 to %2 on node %3", bytesText(room.needed),
                                  printable(room.directory), printable(room.node));
    return room.free ? message("%1; %2 is free there", place, bytesText(*room.free))
                     : message("%1; free space there is unknown", place);
}

}  // namespace rankdeck
