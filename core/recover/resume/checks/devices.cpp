// SPDX-License-Identifier: GPL-3.0-or-later
// Devices that had a memory error in the attempt that is resumed, according to their ranks: a launch would use them
// again.
#include "core/base/text.h"
#include "core/recover/resume/checks/resume_checks.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace rankdeck {

namespace {

// Texts of uncorrectable memory errors of a device: codes (507053 a memory UCE, 507054 of HBM), and MindSpore's
// messages.
constexpr std::array<std::string_view, 4> marks{"507053", "507054", "HBM MULTI BIT ECC", "UCEError"};

std::string_view markIn(std::string_view text)
{
    const auto found =
        std::find_if(marks.begin(), marks.end(), [&](std::string_view mark) { return contains(text, mark); });
    return found == marks.end() ? std::string_view() : *found;
}

struct Fault {
    std::string_view mark = {};
    std::string text = {};
    WallTime time = {};
};

std::string deviceOf(const Job &job, const RankState &rank)
{
    if (rank.process)
        if (const auto told = rank.process->env.find("DEVICE_ID"); told != rank.process->env.end())
            return "device " + printable(told->second);
    const NodeSpec *node = job.nodeOf(rank.rank);
    const auto place =
        node ? std::find(node->ranks.begin(), node->ranks.end(), rank.rank) : decltype(node->ranks.begin())();
    return node ? "device " + std::to_string(place - node->ranks.begin()) : "a device";
}

}  // namespace

void checkDevices(Findings &into, const ResumeFacts &facts)
{
    const JobState &view = facts.view;
    std::map<int, Fault> last;  // rank → its last error that was not repaired
    for (const Event &event : view.recentEvents) {
        if (event.rank < 0 || event.attempt != view.attempt) continue;
        if (event.kind == EventKind::repaired)
            last.erase(event.rank);
        else if (const std::string_view mark = markIn(event.text);
                 !mark.empty() && (event.kind == EventKind::uce || event.kind == EventKind::error))
            last[event.rank] = {.mark = mark, .text = event.text, .time = event.time};
    }
    for (const RankState &rank : view.ranks) {
        const auto fault = last.find(rank.rank);
        if (fault == last.end()) continue;
        const std::string line = fault->second.text.substr(0, fault->second.text.find('\n')).substr(0, 160);
        into.push_back(onNode(warning("device_unhealthy",
                                      message("rank %1 reported a memory error of %2 at %3 (%4), and no repair since: "
                                              "%5; the plan uses that device",
                                              rank.rank, deviceOf(view.job, rank), clockTime(fault->second.time),
                                              std::string(fault->second.mark), printable(line)),
                                      message("have the device checked or reset first (npu-smi info -t health), or "
                                              "give the rank a different device: a memory error may return")),
                              rank.node));
    }
}

}  // namespace rankdeck
