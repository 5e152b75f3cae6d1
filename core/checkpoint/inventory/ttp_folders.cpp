// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/ttp_folders.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/mindspore/mindspore_names.h"

#include <map>
#include <set>

namespace rankdeck {
namespace {

// The path up to its ttp_saved_checkpoints-step_N; empty: in no such folder.
std::string ttpFolderOf(const Member &member)
{
    if (member.name.kind != CheckpointKind::ttp) return {};
    std::string path = dirName(member.file.path);
    while (path.size() > 1 && !parseTtpFolder(baseName(path))) path = dirName(path);
    return path.size() > 1 ? path : std::string();
}

}  // namespace

void takeTtpFolder(const std::string &path, ParsedName &name)
{
    if (name.kind != CheckpointKind::ttp) return;
    for (const std::string &part : split(path, '/')) {
        const auto folder = parseTtpFolder(part);
        if (!folder) continue;
        name.globalStep = folder->step;
        name.temporary = name.temporary || folder->temporary;
    }
}

std::vector<std::string> joinTtpFolders(std::vector<Member> &members)
{
    std::vector<std::string> notes;
    std::map<std::string, std::set<std::string>> renamed;  // folder → nodes
    for (const Member &member : members)
        if (const auto folder = ttpFolderOf(member); !folder.empty() && !member.name.temporary)
            renamed[folder].insert(member.node);
    for (Member &member : members) {
        const std::string folder = ttpFolderOf(member);
        if (!member.name.temporary || member.name.extension == "tmp" || !folder.ends_with("_tmp")) continue;
        const auto twin = renamed.find(folder.substr(0, folder.size() - 4));
        if (twin == renamed.end() || twin->second.contains(member.node)) continue;
        member.name.temporary = false;
        notes.push_back(printable(folder) + " on " + member.node + " was renamed on " + *twin->second.begin() +
                        " only, as the controller does when each node has its own disk: the folder counts");
    }
    return notes;
}

}  // namespace rankdeck
