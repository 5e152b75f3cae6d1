// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/wording.h"

#include "core/base/text.h"

#include <algorithm>

namespace rankdeck {

Message ranksText(std::vector<int> ranks)
{
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    if (ranks.empty()) return message("no rank");
    return ranks.size() == 1 ? message("rank %1", ranks.front()) : message("ranks %1", rankList(ranks));
}

Message namesText(const std::vector<std::string> &names)
{
    if (names.size() < 2) return names.empty() ? Message() : Message(printable(names.front()));
    std::string first = printable(names.front());
    for (std::size_t i = 1; i + 1 < names.size(); ++i) first += ", " + printable(names[i]);
    return message("%1 and %2", first, printable(names.back()));
}

std::string pidsText(const std::vector<ProcessInfo> &processes)
{
    std::string text;
    for (const ProcessInfo &process : processes)
        text +=
            (text.empty() ? "pid " : ", pid ") + std::to_string(process.id.pid) + " (" + printable(process.comm) + ")";
    return text;
}

Message setText(const CheckpointSet &set)
{
    if (set.epoch && set.step && set.globalStep)
        return terminalWords("set %1 (epoch %2, step %3, global step %4)", printable(set.id), grouped(*set.epoch),
                             grouped(*set.step), grouped(*set.globalStep));
    std::string point;
    const auto add = [&point](const char *name, const std::optional<std::int64_t> &at) {
        if (at) point += (point.empty() ? "" : ", ") + std::string(name) + " " + grouped(*at);
    };
    add("epoch", set.epoch);
    add("step", set.step);
    add("global step", set.globalStep);
    return point.empty() ? message("set %1", printable(set.id)) : message("set %1 (%2)", printable(set.id), point);
}

std::string fileStepText(const FileActionRequest &step)
{
    switch (step.action) {
    case FileAction::move: return "move " + step.path + " to " + step.target;
    case FileAction::makeDirectory: return "make directory " + step.path;
    case FileAction::makeLink: return "link " + step.path + " to " + step.target;
    case FileAction::remove: return "remove " + step.path;
    case FileAction::removeEmptyDirectory: return "remove empty directory " + step.path;
    case FileAction::makeHardLink: return "keep " + step.target + " as " + step.path;
    case FileAction::copyFile:
        return "copy " + step.target + " to " + step.path +
               (step.patches.empty() ? "" : ", with " + std::to_string(step.patches.size()) + " values mended");
    }
    return step.path;
}

}  // namespace rankdeck
