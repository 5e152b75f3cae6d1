// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/discover/text/host_list.h"

#include "core/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace rankdeck {

namespace {

constexpr std::size_t mostHosts = 1024;

using Names = std::vector<std::string>;

Error wrong(std::string_view text, const Message &found)
{
    return fail(ErrorKind::invalid,
                message("Expected hosts like ascend-[01-64], found \"%1\": %2.", printable(text), found));
}

Error tooMany()
{
    return fail(ErrorKind::invalid, message("Expected at most %1 hosts; list fewer hosts.", grouped(mostHosts)));
}

// "01-64" or "7", each with its leading zeros.
Result<Names> numbersOf(std::string_view range, std::string_view whole)
{
    const std::size_t dash = range.find('-');
    const std::string_view first = range.substr(0, dash);
    const std::string_view last = dash == std::string_view::npos ? first : range.substr(dash + 1);
    const auto from = decimal(first), to = decimal(last);
    if (!from || !to || *to < *from) return wrong(whole, message("\"%1\" is not a range of numbers", printable(range)));
    if (*to - *from >= std::int64_t(mostHosts)) return tooMany();
    Names numbers;
    for (std::int64_t number = *from; number <= *to; ++number) {
        std::string digits = std::to_string(number);
        if (digits.size() < first.size()) digits.insert(0, first.size() - digits.size(), '0');
        numbers.push_back(std::move(digits));
    }
    return numbers;
}

// Commas between brackets belong to them.
Names partsOf(std::string_view text)
{
    Names parts(1);
    int depth = 0;
    for (const char c : text) {
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (depth == 0 && (c == ',' || c == ' ' || c == '\t')) {
            parts.emplace_back();
            continue;
        }
        parts.back() += c;
    }
    parts.erase(std::remove(parts.begin(), parts.end(), std::string()), parts.end());
    return parts;
}

Result<Names> expandOne(const std::string &text)
{
    const std::size_t open = text.find('[');
    const std::size_t close = text.find(']', open);
    const bool isAddress = open != std::string::npos && close != std::string::npos &&
                           text.substr(open, close - open).find(':') != std::string::npos;
    if (open == std::string::npos || isAddress) {
        if (open == std::string::npos && text.find(']') != std::string::npos)
            return wrong(text, message("] without ["));
        return Names{text};
    }
    if (close == std::string::npos) return wrong(text, message("[ without ]"));
    const auto tails = expandOne(text.substr(close + 1));
    if (!tails) return tails.error();
    Names names;
    for (const std::string &range : split(std::string_view(text).substr(open + 1, close - open - 1), ',')) {
        const auto numbers = numbersOf(range, text);
        if (!numbers) return numbers.error();
        for (const std::string &number : *numbers)
            for (const std::string &tail : *tails) {
                if (names.size() >= mostHosts) return tooMany();
                names.push_back(text.substr(0, open) + number + tail);
            }
    }
    return names;
}

Result<Names> eachOnce(const Names &all)
{
    std::set<std::string> seen;
    Names names;
    for (const std::string &name : all)
        if (seen.insert(name).second) names.push_back(name);
    if (names.size() > mostHosts) return tooMany();
    return names;
}

}  // namespace

Result<Names> expandHosts(std::string_view text)
{
    Names all;
    for (const std::string &part : partsOf(text)) {
        const auto names = expandOne(part);
        if (!names) return names.error();
        all.insert(all.end(), names->begin(), names->end());
        if (all.size() > mostHosts) return tooMany();
    }
    return eachOnce(all);
}

Result<Names> hostsOfHostfile(std::string_view text)
{
    Names all;
    for (const std::string &raw : split(text, '\n')) {
        std::string line = raw.substr(0, raw.find('#'));
        std::replace_if(
            line.begin(), line.end(), [](char c) { return c == '\t' || c == '\r'; }, ' ');
        const std::size_t begin = line.find_first_not_of(' ');
        if (begin == std::string::npos) continue;
        const auto names = expandHosts(std::string_view(line).substr(begin, line.find(' ', begin) - begin));
        if (!names) return names.error();
        all.insert(all.end(), names->begin(), names->end());
        if (all.size() > mostHosts) return tooMany();
    }
    if (all.empty())
        return fail(ErrorKind::invalid, message("Expected a host on each line of the hostfile, found none."));
    return eachOnce(all);
}

Result<Names> hostsOfRankTable(const std::string &json)
{
    const auto document = nlohmann::json::parse(json, nullptr, false);
    const auto servers = document.is_object() ? document.find("server_list") : document.end();
    if (!document.is_object() || servers == document.end() || !servers->is_array())
        return fail(ErrorKind::invalid, message("Expected a rank table with a server_list, found other JSON."));
    Names all;
    for (const auto &server : *servers) {
        const auto id = server.is_object() ? server.find("server_id") : server.end();
        if (!server.is_object() || id == server.end() || !id->is_string())
            return fail(
                ErrorKind::invalid,
                message("Expected a server_id in each server of the rank table, found none in server %1.", all.size()));
        all.push_back(id->get<std::string>());
    }
    if (all.empty())
        return fail(ErrorKind::invalid, message("Expected servers in the rank table, found an empty server_list."));
    return eachOnce(all);
}

Result<Names> hostsOfFile(const std::string &text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string::npos && text[first] == '{' ? hostsOfRankTable(text) : hostsOfHostfile(text);
}

std::string slurmJobOf(std::string_view text)
{
    constexpr std::string_view mark = "slurm:";
    if (!text.starts_with(mark)) return {};
    const std::string_view job = text.substr(mark.size());
    const std::size_t bar = job.find('_');
    const bool isJob = decimal(job.substr(0, bar)) && (bar == std::string_view::npos || decimal(job.substr(bar + 1)));
    return isJob ? std::string(job) : std::string();
}

Names slurmHostsCommand(const std::string &job) { return {"squeue", "--noheader", "--format=%N", "--jobs=" + job}; }

Result<Names> hostsOfSlurm(const std::string &job, int exitCode, std::string_view output, std::string_view errors)
{
    if (exitCode != 0) {
        const std::string said = printable(errors.substr(0, errors.find('\n')));
        return fail(ErrorKind::notFound,
                    message("Expected the nodes of the Slurm job %1, squeue said: %2.", printable(job),
                            said.empty() ? message("exit code %1", exitCode) : Message(said)));
    }
    auto hosts = hostsOfHostfile(output);
    if (hosts && hosts->front().starts_with('(')) hosts->clear();
    if (!hosts || hosts->empty())
        return fail(ErrorKind::notFound,
                    message("Expected the nodes of the Slurm job %1, squeue listed none: the job has not "
                            "started, or has ended.",
                            printable(job)));
    return hosts;
}

}  // namespace rankdeck
