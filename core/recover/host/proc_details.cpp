// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/host/proc_details.h"

#include "core/base/text.h"
#include "core/node/wait_for.h"

#include <algorithm>
#include <charconv>

namespace rankdeck {

namespace {

constexpr std::uint32_t maxSourceBytes = 64u << 10;
constexpr std::size_t maxSources = 4;

std::optional<std::uint64_t> maskAfter(std::string_view status, std::string_view key)
{
    const std::size_t at = status.find(key);
    if (at == std::string_view::npos || (at > 0 && status[at - 1] != '\n')) return {};
    std::string_view digits = status.substr(at + key.size());
    digits.remove_prefix(std::min(digits.find_first_not_of(" \t"), digits.size()));
    std::uint64_t mask = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), mask, 16);
    if (problem != std::errc{} || end == digits.data()) return {};
    return mask;
}

Known bitOf(const std::optional<std::uint64_t> &mask, int signal)
{
    if (!mask || signal < 1 || signal > 64) return {};
    return (*mask >> (signal - 1) & 1) == 1;
}

// All requests to the node of one rank.
struct Asked {
    std::string node;
    std::vector<std::string> sources = {};
    Reply<std::vector<RangeReply>> texts = {};  // /proc/PID/status first, then the sources
    Reply<Listing> open = {};
};

ProcDetails lookOf(Asked &asked, SteadyTime deadline)
{
    ProcDetails look;
    if (const auto texts = waitFor(asked.texts, deadline, asked.node); texts && !texts->empty()) {
        look = signalMasks(texts->front().bytes);
        for (std::size_t i = 1; i < texts->size() && i <= asked.sources.size(); ++i)
            if (texts.value()[i].error.empty()) look.texts[asked.sources[i - 1]] = texts.value()[i].bytes;
    }
    if (const auto open = waitFor(asked.open, deadline, asked.node))
        for (const FileEntry &entry : open->entries)
            if (entry.linkTarget.ends_with(".json")) look.openJson.push_back(entry.linkTarget);
    return look;
}

}  // namespace

Known ProcDetails::catches(int signal) const { return bitOf(caught, signal); }
Known ProcDetails::ignores(int signal) const { return bitOf(ignored, signal); }

ProcDetails signalMasks(std::string_view status)
{
    ProcDetails look;
    look.caught = maskAfter(status, "SigCgt:");
    look.ignored = maskAfter(status, "SigIgn:");
    return look;
}

std::vector<std::string> sourcesOf(const ProcessInfo &process)
{
    std::vector<std::string> sources;
    for (std::string word : process.argv) {
        if (const std::size_t equals = word.find('='); word.starts_with("--") && equals != std::string::npos)
            word = word.substr(equals + 1);
        const bool source = word.ends_with(".py") || word.ends_with(".yaml") || word.ends_with(".yml");
        if (!source || sources.size() >= maxSources) continue;
        if (word.front() != '/' && process.cwd.empty()) continue;
        sources.push_back(word.front() == '/' ? word : joinPath(process.cwd, word));
    }
    return sources;
}

std::map<int, ProcDetails> lookAtProcesses(ActionContext &host, const ProcessSnapshot &picture, SteadyTime deadline)
{
    std::map<int, Asked> asked;
    std::map<std::string, std::vector<std::string>> readOn;  // ranks of a node share their sources: read once
    for (const RankProcess &rank : picture.ranks) {
        NodeClient *node = host.node(rank.node);
        if (!rank.alive.isYes() || !rank.process || !node) continue;
        const std::string proc = "/proc/" + std::to_string(rank.process->id.pid);
        Asked &ask = asked[rank.rank];
        ask.node = rank.node;
        std::vector<RangeRequest> ranges{{.path = proc + "/status", .offset = 0, .length = 8192}};
        for (const std::string &source : sourcesOf(*rank.process)) {
            std::vector<std::string> &done = readOn[rank.node];
            if (std::find(done.begin(), done.end(), source) != done.end()) continue;
            done.push_back(source);
            ask.sources.push_back(source);
            ranges.push_back({.path = source, .offset = 0, .length = maxSourceBytes});
        }
        ask.texts = node->read(std::move(ranges));
        ask.open = node->list({.root = proc + "/fd", .depth = 1, .maxEntries = 4096});
    }
    std::map<int, ProcDetails> looks;
    std::map<std::string, std::map<std::string, std::string>> texts;
    for (auto &[rank, ask] : asked) {
        looks[rank] = lookOf(ask, deadline);
        texts[ask.node].insert(looks[rank].texts.begin(), looks[rank].texts.end());
    }
    for (const RankProcess &rank : picture.ranks) {
        const auto look = looks.find(rank.rank);
        if (look == looks.end()) continue;
        for (const std::string &source : sourcesOf(*rank.process))
            if (const auto text = texts[rank.node].find(source); text != texts[rank.node].end())
                look->second.texts[source] = text->second;
    }
    return looks;
}

}  // namespace rankdeck
