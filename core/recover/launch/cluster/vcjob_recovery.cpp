// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/launch/cluster/vcjob_recovery.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace rankdeck {

namespace {

using Told = std::map<std::string, std::string>;

std::string valueOf(const Told &told, const std::string &key)
{
    const auto found = told.find(key);
    return found == told.end() ? std::string() : found->second;
}

std::string trimmed(const std::string &text)
{
    const std::size_t begin = text.find_first_not_of(' ');
    return begin == std::string::npos ? std::string() : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

template <std::size_t N>
bool isOneOf(const std::string &word, const std::array<std::string_view, N> &words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

void addWord(std::string &text, const std::string &more) { text += (text.empty() ? "" : ", ") + more; }

}  // namespace

void checkRecovery(std::vector<Finding> &into, const Told &told)
{
    // The other strategies load no set: retry repeats a step in place, dump and exit end the job.
    static constexpr std::array<std::string_view, 3> again{"recover", "recover-in-place", "elastic-training"};
    static constexpr std::array<std::string_view, 3> ends{"retry", "dump", "exit"};
    static constexpr std::array<std::string_view, 4> health{"ignore", "graceExit", "forceExit", "hotSwitch"};
    std::string restarts, idle;
    for (const std::string &part : split(valueOf(told, "recover-strategy"), ',')) {
        const std::string word = trimmed(part);
        if (word.empty() || isOneOf(word, ends)) continue;
        addWord(isOneOf(word, again) ? restarts : idle, "recover-strategy " + printable(word));
    }
    if (valueOf(told, "pod-rescheduling") == "on") addWord(restarts, "pod-rescheduling on");
    const std::string strategy = valueOf(told, "subHealthyStrategy");
    if (strategy == "graceExit" || strategy == "hotSwitch") addWord(restarts, "subHealthyStrategy " + strategy);
    if (!strategy.empty() && !isOneOf(strategy, health)) addWord(idle, "subHealthyStrategy " + printable(strategy));
    for (const char *key : {"elastic-scheduling", "minReplicas"})
        if (told.contains(key)) addWord(idle, key);
    if (!restarts.empty())
        into.push_back(
            warning("vcjob_policy",
                    message("MindX DL will restart pods or processes of this job (%1) with the set that is chosen now",
                            restarts),
                    message("after a fault, check which set was loaded, or remove the setting")));
    if (!idle.empty())
        into.push_back(warning("vcjob_policy",
                               message("%1 has no effect: MindX DL does not know the value, or no longer supports it "
                                       "(elastic-scheduling, minReplicas)",
                                       idle),
                               message("correct or remove the setting; do not rely on it")));
    if (strategy == "forceExit")
        into.push_back(warning(
            "vcjob_policy",
            message("subHealthyStrategy is \"forceExit\": a failing device ends the job at once, without a save"),
            message("\"graceExit\" saves first; the script must save an emergency checkpoint")));
}

}  // namespace rankdeck
