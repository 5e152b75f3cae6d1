// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/wording.h"

#include "core/base/text.h"

#include <algorithm>

namespace rankdeck {

std::string ranksText(std::vector<int> ranks)
{
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    if (ranks.empty()) return "no rank";
    return (ranks.size() == 1 ? "rank " : "ranks ") + rankList(ranks);
}

std::string namesText(const std::vector<std::string> &names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
        text += printable(names[i]);
    }
    return text;
}

std::string pidsText(const std::vector<ProcessInfo> &processes)
{
    std::string text;
    for (const ProcessInfo &process : processes)
        text +=
            (text.empty() ? "pid " : ", pid ") + std::to_string(process.id.pid) + " (" + printable(process.comm) + ")";
    return text;
}

std::string sentencesText(const std::vector<std::string> &sentences)
{
    std::string text;
    for (const std::string &sentence : sentences) text += (text.empty() ? "" : "; ") + sentence;
    return text;
}

Message setText(const CheckpointSet &set)
{
    if (set.epoch && set.step && set.globalStep)
        return terminalWords("set %1 (epoch %2, step %3, global step %4)", printable(set.id), grouped(*set.epoch),
                             grouped(*set.step), grouped(*set.globalStep));
    std::vector<std::string> parts;
    if (set.epoch) parts.push_back("epoch " + grouped(*set.epoch));
    if (set.step) parts.push_back("step " + grouped(*set.step));
    if (set.globalStep) parts.push_back("global step " + grouped(*set.globalStep));
    std::string text = "set " + printable(set.id);
    for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? " (" : ", ") + parts[i];
    return parts.empty() ? text : text + ")";
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
