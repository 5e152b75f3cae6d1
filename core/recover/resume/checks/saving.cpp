// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/recover/resume/checks/resume_checks.h"

#include <algorithm>

namespace rankdeck {

namespace {

// Recognises the option and its value as one argument of the command or as two.
bool saysOne(const std::vector<std::string> &command)
{
    const std::string option = "--keep_checkpoint_max";
    for (std::size_t at = 0; at < command.size(); ++at)
        if (command[at] == option + "=1" ||
            (command[at] == option && at + 1 < command.size() && command[at + 1] == "1"))
            return true;
    return false;
}

// Checks only the operator's own settings; the defaults of the script are unknown.
std::string keepsOne(const ResumeFacts &facts)
{
    const LaunchSpec &launch = facts.view.job.launch;
    if (saysOne(launch.command)) return "launch.command";
    const auto set = launch.set.find("keep_checkpoint_max");
    if (set != launch.set.end() && set->second.text == "1") return "launch.set";
    for (const auto &[node, script] : facts.programs.scriptTexts)
        for (const char *end : {",", ")", "\n"})
            if (contains(script, std::string("keep_checkpoint_max=1") + end))
                return "the script on node " + printable(node);
    return {};
}

bool goesAside(const ResumeFacts &facts, const Member &member)
{
    const auto moved = facts.layout.newer.moved.find(member.node);
    if (moved != facts.layout.newer.moved.end() && moved->second.contains(member.file.path)) return true;
    const auto folder = facts.folders.aside.find(member.node);
    return folder != facts.folders.aside.end() &&
           std::any_of(folder->second.begin(), folder->second.end(),
                       [&](const FileActionRequest &step) { return step.path == member.file.path; });
}

// Newest emergency checkpoint that the plan leaves in place; nullptr: none.
const Member *newestGasp(const ResumeFacts &facts)
{
    const Member *newest = nullptr;
    for (const Member &member : facts.view.inventory->members) {
        if (member.name.kind != CheckpointKind::breakpoint || goesAside(facts, member)) continue;
        if (!newest || member.file.stat.mtimeNs > newest->file.stat.mtimeNs) newest = &member;
    }
    return newest;
}

}  // namespace

void checkSaving(Findings &into, const ResumeFacts &facts)
{
    if (const std::string where = keepsOne(facts); !where.empty())
        into.push_back(warning("keeps_one_checkpoint",
                               message("%1 sets keep_checkpoint_max=1: MindSpore removes the only periodic checkpoint "
                                       "before it writes the next, so a failed save leaves none",
                                       where),
                               message("set 2 or more there, or keep the set first")));
    // MindX DL limits how often emergency checkpoints follow each other, and checks this limit only once, at the start.
    constexpr double minute = 60;
    const bool guarded =
        std::any_of(facts.programs.scriptTexts.begin(), facts.programs.scriptTexts.end(), [](const auto &entry) {
            return contains(entry.second, "breakpoint.ckpt") && contains(entry.second, "timedelta(minutes=1)");
        });
    const Member *gasp = guarded ? newestGasp(facts) : nullptr;
    const WallTime now = std::chrono::system_clock::from_time_t(facts.gasps.at);
    if (gasp && secondsBetween(consoleTime(facts.view, gasp->node, gasp->file.stat.mtimeNs), now) < minute)
        into.push_back(onNode(warning("gasp_guard",
                                      message("the script never writes an emergency checkpoint if one is less than a "
                                              "minute old at its start, as %1 is now",
                                              printable(gasp->file.path)),
                                      message("resume a minute later")),
                              gasp->node));
}

}  // namespace rankdeck
