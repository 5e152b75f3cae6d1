// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scheduler/slurm_answers.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace rankdeck {

namespace {

// The value of a key in a line of KEY=VALUE KEY=VALUE. Values contain blanks, so the line is searched for keys.
std::string valueOf(std::string_view line, std::string_view key)
{
    std::size_t from = 0;
    while (true) {
        const std::size_t at = line.find(key, from);
        if (at == std::string_view::npos) return {};
        from = at + key.size();
        if ((at != 0 && line[at - 1] != ' ') || from >= line.size() || line[from] != '=') continue;
        const std::string_view value = line.substr(from + 1);
        return std::string(value.substr(0, value.find(' ')));
    }
}

// Up to the end of the line: the last value, which may hold blanks.
std::string restOf(std::string_view line, std::string_view key)
{
    const std::size_t at = line.find(" " + std::string(key) + "=");
    return at == std::string_view::npos ? std::string() : std::string(line.substr(at + key.size() + 2));
}

std::optional<WallTime> timeOf(const std::string &text)
{
    return text.size() == 19 && text[10] == 'T' ? parseIsoTime(text + "Z") : std::nullopt;
}

bool isNothing(const std::string &value) { return value.empty() || value == "None" || value == "(null)"; }

bool hasEnded(std::string_view state)
{
    static constexpr std::array<std::string_view, 10> ends{"BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE",
                                                           "FAILED",    "NODE_FAIL", "PREEMPTED", "OUT_OF_MEMORY",
                                                           "TIMEOUT",   "REVOKED"};
    return std::find(ends.begin(), ends.end(), state) != ends.end();
}

// "0:9" is by signal 9.
std::string exitWords(const std::string &code)
{
    const std::size_t colon = code.find(':');
    if (colon == std::string::npos) return {};
    const std::string signal = code.substr(colon + 1);
    return ", exit code " + code.substr(0, colon) + (signal == "0" ? "" : ", signal " + signal);
}

void takeState(SlurmJobAnswer &said, std::string_view line, const std::string &name)
{
    // For a cancelled or completed job it is still the reason of an earlier wait.
    const bool stale = said.state == "CANCELLED" || said.state == "COMPLETED";
    const std::string reason = stale ? std::string() : valueOf(line, "Reason");
    const std::string why = isNothing(reason) ? std::string() : ": " + printable(reason);
    if (said.state == "PENDING" || said.state == "CONFIGURING" || said.state == "SUSPENDED")
        said.facts.push_back({.code = SchedulerFactCode::jobWaits,
                              .text = name + " is " + said.state + why,
                              .time = timeOf(valueOf(line, "SubmitTime"))});
    else if (hasEnded(said.state))
        said.facts.push_back(
            {.code = SchedulerFactCode::jobState,
             .text = name + " is " + said.state + why + exitWords(printable(valueOf(line, "ExitCode"))),
             .time = timeOf(valueOf(line, "EndTime"))});
    else if (said.state == "RUNNING" && valueOf(line, "TimeLimit") != "UNLIMITED")
        said.ends = timeOf(valueOf(line, "EndTime"));
}

// The node of the job file that is on a machine of that name.
std::string nodeNamed(const Job &job, const std::string &machine)
{
    for (const NodeSpec &node : job.nodes) {
        const std::string host = node.host.substr(node.host.find('@') + 1);
        if (node.name == machine || host == machine || host.starts_with(machine + ".")) return node.name;
    }
    return {};
}

}  // namespace

Result<SlurmJobAnswer> readSlurmJob(std::string_view line)
{
    line = line.substr(0, line.find('\n'));
    const std::string id = valueOf(line, "JobId");
    SlurmJobAnswer said{.state = printable(valueOf(line, "JobState")),
                        .partition = printable(valueOf(line, "Partition"))};
    if (id.empty() || said.state.empty())
        return fail(ErrorKind::invalid, message("expected a job in the output of scontrol show job, found \"%1\"",
                                                printable(line.substr(0, 60))));
    if (const std::string nodes = valueOf(line, "NodeList"); !isNothing(nodes)) said.nodes = nodes;
    said.restarts = static_cast<int>(decimal(valueOf(line, "Restarts")).value_or(0));
    const std::string name = "job " + printable(id);
    if (said.restarts > 0)
        said.facts.push_back({.code = SchedulerFactCode::rescheduled,
                              .text = name + " was requeued " + std::to_string(said.restarts) +
                                      (said.restarts == 1 ? " time" : " times"),
                              .time = said.state == "PENDING" ? timeOf(valueOf(line, "SubmitTime"))
                                                              : timeOf(valueOf(line, "StartTime"))});
    takeState(said, line, name);
    return said;
}

Result<std::vector<SchedulerFact>> readSlurmNodes(std::string_view lines, const Job &job)
{
    std::vector<SchedulerFact> facts;
    for (const std::string &line : split(lines, '\n')) {
        if (line.empty()) continue;
        const std::string name = printable(valueOf(line, "NodeName")), state = printable(valueOf(line, "State"));
        if (name.empty() || state.empty())
            return fail(ErrorKind::invalid, message("expected nodes in the output of scontrol show node, found \"%1\"",
                                                    printable(line.substr(0, 60))));
        static constexpr std::array<std::string_view, 5> bad{"DOWN", "DRAIN", "FAIL", "NOT_RESPONDING", "*"};
        if (std::none_of(bad.begin(), bad.end(), [&](auto word) { return state.find(word) != std::string::npos; }))
            continue;
        const std::string reason = restOf(line, "Reason");
        facts.push_back(
            {.code = SchedulerFactCode::nodeTrouble,
             .text = "machine " + name + " is " + state + (isNothing(reason) ? "" : ": " + printable(reason)),
             .node = nodeNamed(job, name)});
    }
    return facts;
}

std::vector<SchedulerFact> readSlurmAccounting(std::string_view lines)
{
    std::vector<SchedulerFact> facts;
    for (const std::string &line : split(lines, '\n')) {
        const std::vector<std::string> fields = split(line, '|');
        if (fields.size() < 5) continue;
        const std::string state = printable(fields[1].substr(0, fields[1].find(' ')));
        const bool again = state == "REQUEUED";
        if (!again && !hasEnded(state)) continue;
        facts.push_back(
            {.code = again ? SchedulerFactCode::rescheduled : SchedulerFactCode::jobState,
             .text = "job " + printable(fields[0]) + " is " + printable(fields[1]) + exitWords(printable(fields[2])),
             .time = timeOf(fields[4])});
    }
    return facts;
}

std::string newestSlurmJob(std::string_view lines, std::string_view prefix)
{
    std::int64_t newest = -1;
    for (const std::string &line : split(lines, '\n')) {
        const std::size_t blank = line.find(' ');
        if (blank == std::string::npos || !std::string_view(line).substr(blank + 1).starts_with(prefix)) continue;
        if (const auto id = decimal(line.substr(0, blank))) newest = std::max(newest, *id);
    }
    return newest < 0 ? std::string() : std::to_string(newest);
}

}  // namespace rankdeck
