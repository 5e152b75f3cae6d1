// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/actions.h"

#include "core/base/deadline.h"
#include "core/base/text.h"
#include "core/node/node.h"
#include "core/node/wait_for.h"

#include <charconv>
#include <chrono>
#include <map>

namespace rankdeck {
namespace {

constexpr double answerSeconds = 10;
constexpr double lookSeconds = 0.5;     // between two readings of the CPU time
constexpr double ticksPerSecond = 100;  // USER_HZ, the same on every Linux
constexpr std::uint32_t lineBytes = 4096;

std::string procPath(int pid, const char *name) { return "/proc/" + std::to_string(pid) + "/" + name; }

struct Asked {
    std::size_t index;  // index of the rank in the answer
    std::string logPath;
};

std::string withoutEnd(std::string text)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.pop_back();
    return text;
}

// The fields of /proc/PID/stat after the command's name, which may contain any character.
std::vector<std::string> statFields(const std::string &stat)
{
    const std::size_t end = stat.rfind(')');
    return end == std::string::npos ? std::vector<std::string>{}
                                    : split(stat.substr(std::min(stat.size(), end + 2)), ' ');
}

std::optional<double> cpuTicks(const std::string &stat)
{
    const std::vector<std::string> fields = statFields(stat);
    if (fields.size() < 13) return std::nullopt;
    const auto user = decimal(fields[11]), system = decimal(fields[12]);
    return user && system ? std::optional(double(*user + *system)) : std::nullopt;
}

void take(RankStack &rank, const std::vector<RangeReply> &replies, std::size_t at)
{
    const RangeReply &stat = replies[at];
    const std::vector<std::string> fields = statFields(stat.bytes);
    if (!stat.error.empty() || fields.empty() || fields[0].size() != 1) {
        rank.problem = stat.error.empty() ? "its process cannot be read" : "its process: " + stat.error;
        return;
    }
    rank.state = fields[0][0];
    const std::string wchan = withoutEnd(replies[at + 1].bytes);
    if (wchan != "0") rank.wchan = printable(wchan);
    const std::string call = replies[at + 2].bytes;
    long number = 0;
    if (const auto [end, error] = std::from_chars(call.data(), call.data() + call.size(), number);
        error == std::errc() && end != call.data() && number >= 0)
        rank.syscall = number;
    std::string line;
    for (const std::string &one : split(replies[at + 3].bytes, '\n'))
        if (!withoutEnd(one).empty()) line = withoutEnd(one);
    rank.lastLine = printable(line.substr(0, 300));
}

// Four ranges per rank: stat, wchan, syscall, the end of its log.
constexpr std::size_t rangesPerRank = 4;

std::vector<RangeRequest> rangesOf(const std::vector<RankStack> &ranks, const std::vector<Asked> &asked)
{
    std::vector<RangeRequest> ranges;
    for (const Asked &one : asked) {
        const int pid = ranks[one.index].pid;
        for (const char *name : {"stat", "wchan", "syscall"})
            ranges.push_back({.path = procPath(pid, name), .offset = 0, .length = lineBytes});
        ranges.push_back({.path = one.logPath, .offset = lineBytes, .length = lineBytes, .fromEnd = true});
    }
    return ranges;
}

using Answers = std::map<std::string, Reply<std::vector<RangeReply>>>;

Answers ask(ActionContext &host, const std::vector<RankStack> &ranks,
            const std::map<std::string, std::vector<Asked>> &byNode)
{
    Answers answers;
    for (const auto &[name, asked] : byNode)
        if (NodeClient *node = host.node(name)) answers[name] = node->read(rangesOf(ranks, asked));
    return answers;
}

void waitALittle(ActionContext &host)
{
    const SteadyTime until = inSeconds(lookSeconds);
    while (steadyNow() < until && !host.stopRequested()) host.waitForChange(until);
}

}  // namespace

std::vector<RankStack> readStacks(ActionContext &host)
{
    const JobState view = host.view();
    std::vector<RankStack> ranks;
    std::map<std::string, std::vector<Asked>> byNode;
    for (const RankState &state : view.ranks) {
        RankStack rank{.rank = state.rank, .node = state.node, .step = state.progress.position};
        if (state.process && state.alive == true) {
            rank.pid = state.process->id.pid;
            byNode[state.node].push_back({ranks.size(), state.logPath});
        } else {
            rank.problem = state.alive == false ? "its process is gone" : "its process is unknown";
        }
        ranks.push_back(std::move(rank));
    }
    const SteadyTime began = steadyNow();
    Answers first = ask(host, ranks, byNode);
    std::vector<std::optional<double>> ticks(ranks.size());
    for (const auto &[name, asked] : byNode) {
        const auto replies = waitFor(first[name], inSeconds(answerSeconds), name);
        for (std::size_t i = 0; i < asked.size(); ++i) {
            RankStack &rank = ranks[asked[i].index];
            if (!replies || replies->size() < (i + 1) * rangesPerRank) {
                rank.problem = replies ? "its node returned an incomplete answer" : replies.error().message;
                continue;
            }
            take(rank, *replies, i * rangesPerRank);
            ticks[asked[i].index] = cpuTicks((*replies)[i * rangesPerRank].bytes);
        }
    }
    waitALittle(host);
    Answers second = ask(host, ranks, byNode);
    for (const auto &[name, asked] : byNode) {
        const auto replies = waitFor(second[name], inSeconds(answerSeconds), name);
        const double seconds = std::chrono::duration<double>(steadyNow() - began).count();
        for (std::size_t i = 0; replies && i < asked.size() && (i + 1) * rangesPerRank <= replies->size(); ++i) {
            const std::optional<double> before = ticks[asked[i].index];
            const std::optional<double> now = cpuTicks((*replies)[i * rangesPerRank].bytes);
            if (before && now && seconds > 0) ranks[asked[i].index].cpu = (*now - *before) / ticksPerSecond / seconds;
        }
    }
    return ranks;
}

}  // namespace rankdeck
