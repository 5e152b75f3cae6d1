// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/protection.h"

#include <algorithm>

namespace rankdeck {

std::optional<std::vector<std::string>> protectionOf(const RankState &rank)
{
    if (!rank.process || !rank.process->envReadable) return {};
    std::vector<std::string> modes;
    const auto told = rank.process->env.find("MS_ENABLE_TFT");
    if (told == rank.process->env.end()) return modes;
    for (const std::string &mode : faultToleranceModes())
        if (told->second.find(mode + ":1") != std::string::npos) modes.push_back(mode);
    return modes;
}

Protection protectionOf(const JobState &view)
{
    Protection all;
    std::vector<std::vector<std::string>> ofRanks;
    for (const RankState &rank : view.ranks) {
        if (!rank.alive.isYes()) continue;
        if (auto modes = protectionOf(rank)) ofRanks.push_back(std::move(*modes));
    }
    all.known = static_cast<int>(ofRanks.size());
    for (const std::string &mode : faultToleranceModes())
        for (const std::vector<std::string> &modes : ofRanks)
            if (std::find(modes.begin(), modes.end(), mode) != modes.end()) {
                all.modes.push_back(mode);
                break;
            }
    all.ranks = static_cast<int>(std::count(ofRanks.begin(), ofRanks.end(), all.modes));
    return all;
}

}  // namespace rankdeck
