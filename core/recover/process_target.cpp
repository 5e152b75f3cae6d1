// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/process_target.h"

#include "core/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace rankdeck {

namespace {

constexpr std::size_t mostCommandBytes = 400;

std::string userOf(const NodeFacts &facts, std::uint32_t uid)
{
    if (uid == facts.uid && !facts.user.empty()) return facts.user;
    return uid == 0 ? "root" : "uid " + std::to_string(uid);
}

// Joins the text into one line, because printable() does not remove line ends.
std::string oneLine(const std::string &text)
{
    std::string line = printable(text);
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    return line;
}

std::string commandOf(const ProcessInfo &process)
{
    std::string command;
    for (const std::string &word : process.argv) {
        if (command.size() > mostCommandBytes) return command.substr(0, mostCommandBytes) + " …";
        command += (command.empty() ? "" : " ") + word;
    }
    return command.size() > mostCommandBytes ? command.substr(0, mostCommandBytes) + " …" : command;
}

}  // namespace

ProcessTarget targetOf(const std::string &node, const NodeFacts &facts, const ProcessInfo &process, int rank)
{
    return {.node = node,
            .rank = rank,
            .process = process.id,
            .group = process.group,
            .started = process.started,
            .user = userOf(facts, process.uid),
            .comm = process.comm,
            .command = commandOf(process),
            .log = process.stdoutPath};
}

bool sameProcess(const ProcessTarget &a, const ProcessTarget &b)
{
    return a.node == b.node && a.process.pid == b.process.pid && a.process.startTicks == b.process.startTicks;
}

Message targetName(const ProcessTarget &target)
{
    const Message name = message("pid %1 (%2, group %3) on node %4", target.process.pid, oneLine(target.comm),
                                 target.group, oneLine(target.node));
    return target.rank >= 0 ? message("rank %1, %2", target.rank, name) : name;
}

Message targetText(const ProcessTarget &target)
{
    Message text = targetName(target);
    if (target.started != WallTime{}) text = message("%1, started %2", text, clockTime(target.started));
    if (!target.user.empty()) text = message("%1, user %2", text, oneLine(target.user));
    text = target.log.empty() ? message("%1, no log file", text) : message("%1, log %2", text, oneLine(target.log));
    return target.command.empty() ? message("%1: command line not readable", text)
                                  : message("%1: %2", text, oneLine(target.command));
}

std::string targetsJson(const std::vector<ProcessTarget> &targets)
{
    nlohmann::ordered_json array = nlohmann::ordered_json::array();
    for (const ProcessTarget &target : targets)
        array.push_back({{"node", validUtf8(target.node)},
                         {"rank", target.rank},
                         {"pid", target.process.pid},
                         {"start_ticks", target.process.startTicks},
                         {"group", target.group},
                         {"user", validUtf8(target.user)},
                         {"log", validUtf8(target.log)},
                         {"command_line", validUtf8(target.command)},
                         {"sent", target.sent.isUnknown() ? nlohmann::ordered_json(nullptr)
                                                          : nlohmann::ordered_json(target.sent.isYes())},
                         {"reason", validUtf8(target.reason)}});
    return array.dump();
}

}  // namespace rankdeck
