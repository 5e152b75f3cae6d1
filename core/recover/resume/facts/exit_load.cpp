// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/facts/exit_load.h"

#include "core/base/text.h"
#include "core/recover/edit/python_edit.h"
#include "core/recover/flag/config_named.h"
#include "core/recover/host/job_places.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace rankdeck {

namespace {

template <std::size_t N>
bool hasAny(const std::string &text, const std::array<std::string_view, N> &words)
{
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

// The file that the callback loads: the file of a graceful set itself, otherwise the path in the job file. If that path
// contains the device, the folder may be named by the rank instead; only an existing file shows which name is used.
struct ExitFile {
    std::string path = {};
    Message problem = {};
};

ExitFile exitFile(const JobState &view, const CheckpointSet &set, const MemberVerdict &member, const NodeSpec &node,
                  const PathStats &book)
{
    if (set.kind == CheckpointKind::graceful) return {.path = member.path};
    const std::vector<std::string> places = savesOfRank(view.job, member.rank);
    if (places.empty())
        return {.problem =
                    message("the job file does not say where OnRequestExit looks for its file (graceful_exit.saves)")};
    if (places.size() == 1) return {.path = places.front()};
    const auto isThere = [&](const std::string &path) { return book.exists(node.name, path).isYes(); };
    const auto found = std::find_if(places.begin(), places.end(), isThere);
    if (found != places.end()) return {.path = *found};
    return {.problem = message("OnRequestExit of rank %1 looks for %2 or %3, but neither exists: write {rank} instead "
                               "of {device} in graceful_exit.saves",
                               member.rank, printable(places[0]), printable(places[1]))};
}

bool isExitScript(const std::string &script) { return trainsAndNeverLoads(script) && exitCallbackLoads(script); }

}  // namespace

bool trainsAndNeverLoads(const std::string &script)
{
    static constexpr std::array<std::string_view, 14> loads{
        "load_",  "Load",   ".load(", "load(",           "resum",           "Resum",     "RESUM",
        "restor", "Restor", "RESTOR", "from_pretrained", "from_checkpoint", "ckpt_path", "import *"};
    static constexpr std::array<std::string_view, 4> trains{".train(", ".fit(", ".backward(", "minimize("};
    return hasAny(script, trains) && !hasAny(script, loads);
}

bool exitCallbackLoads(const std::string &script)
{
    const auto callback = exitCallbackOf(script);
    return callback && callback->savesCheckpoint;
}

bool loadsIntoTrainCell(const std::string &script)
{
    const std::string text = squeezedPython(script);
    static constexpr std::array<std::string_view, 3> cells{"load_param_into_net(train", "load_param_into_net(model.",
                                                           "load_param_into_net(self.train"};
    return hasAny(text, cells) && text.find("graceful_init") == std::string::npos;
}

ExitLoad exitLoadOf(const JobState &view, const ResumeChoice &choice, const std::map<std::string, std::string> &scripts,
                    const PathStats &book, const ResumeLayout &layout, const CheckpointMends &mends)
{
    ExitLoad load;
    const CheckpointSet &set = *choice.set;
    const bool all = !scripts.empty() && std::all_of(scripts.begin(), scripts.end(),
                                                     [](const auto &entry) { return isExitScript(entry.second); });
    if (!all || choice.script.namesCheckpoint || choice.script.takesNewest) return load;
    std::set<std::string> made;
    for (const MemberVerdict &member : set.members) {
        const NodeSpec *node = view.job.nodeOf(member.rank);
        if (!node) continue;
        const ExitFile file = exitFile(view, set, member, *node, book);
        const std::string &place = file.path;
        if (!file.problem.empty())
            load.problem = file.problem;
        else if (!member.path.ends_with(".ckpt"))
            load.problem = message("OnRequestExit loads .ckpt files, and the set has a different format");
        else if (!mends.problem.empty())
            load.problem = mends.problem;
        if (!load.problem.empty()) return ExitLoad{.problem = load.problem};
        load.files[member.rank] = place;
        const std::string key = (view.job.pathsShared ? std::string() : node->name + ":") + place;
        if (!made.insert(key).second) continue;
        auto &steps = load.copies[node->name];
        const std::string folder = dirName(place);
        if (book.exists(node->name, folder).isNo() && made.insert(folder).second)
            steps.push_back({.action = FileAction::makeDirectory, .path = folder});
        FileActionRequest copy{
            .action = FileAction::copyFile, .path = place, .target = pathAfter(layout, node->name, member.path)};
        if (const auto own = mends.byRank.find(member.rank); own != mends.byRank.end()) copy.patches = own->second;
        steps.push_back(std::move(copy));
    }
    return load;
}

}  // namespace rankdeck
