// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/mindspore/group_info.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/invalid.h"
#include "core/checkpoint/codec/proto_fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace rankdeck {
namespace {

constexpr std::size_t maxRanks = 1u << 20;
constexpr std::size_t maxJson = 16u << 20;
constexpr std::size_t maxNotes = 20;

std::string_view trim(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\n')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.remove_suffix(1);
    return text;
}

// "0,8" or "8"
Result<std::vector<int>> rankText(std::string_view text)
{
    std::vector<int> ranks;
    for (const std::string &part : split(trim(text), ',')) {
        const auto rank = decimal(trim(part));
        if (!rank || *rank >= std::int64_t(maxRanks) || ranks.size() >= maxRanks)
            return invalid(message("expected ranks joined by commas, found '%1'", printable(text.substr(0, 60))));
        ranks.push_back(static_cast<int>(*rank));
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

std::string joined(const std::vector<int> &ranks)
{
    std::string text;
    for (const int rank : ranks) text += (text.empty() ? "" : ",") + std::to_string(rank);
    return text;
}

// Loaded rank → the ranks that load its file.
std::map<int, std::vector<int>> bySource(const std::map<int, int> &source)
{
    std::map<int, std::vector<int>> groups;
    for (const auto &[rank, from] : source) groups[from].push_back(rank);
    return groups;
}

}  // namespace

Result<std::vector<int>> parseGroupInfo(std::string_view bytes)
{
    // The field ckpt_restore_rank_list = 2 is a ParallelGroupRanks; its ranks are dim = 1, packed or not.
    std::vector<std::uint64_t> dims;
    bool there = false;
    ProtoFields fields(bytes);
    while (const auto field = fields.next()) {
        if (field->number != 2 || field->wire != 2) continue;
        there = true;
        ProtoFields ranks(field->bytes);
        while (const auto rank = ranks.next())
            if (rank->number == 1 && !appendIntegers(*rank, dims, maxRanks))
                return invalid(message("the list of ranks is damaged"));
        if (ranks.bad()) return invalid(message("the list of ranks is damaged"));
    }
    if (fields.bad() || bytes.empty())
        return invalid(bytes.empty() ? message("0 bytes") : message("not a group file, or a damaged group file"));
    if (!there)
        return fail(ErrorKind::unsupported, message("has no list of ranks to restore from: written by an old version"));
    std::vector<int> ranks;
    for (const std::uint64_t dim : dims) {
        if (dim >= maxRanks) return invalid(message("lists rank %1, which is out of range", dim));
        ranks.push_back(static_cast<int>(dim));
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

Result<RestoreMap> parseRestoreMap(std::string_view json)
{
    if (json.size() > maxJson)
        return fail(ErrorKind::unsupported, message("the map is larger than %1", bytesText(maxJson)));
    const auto parsed = nlohmann::json::parse(json, nullptr, false);
    if (!parsed.is_object()) return invalid(message("expected a JSON object like {\"0,8\": 8}"));
    RestoreMap out;
    for (const auto &[key, value] : parsed.items()) {
        const auto ranks = rankText(key);
        if (!ranks) return ranks.error();
        const auto from =
            value.is_string() ? rankText(value.get<std::string>())
            : value.is_number_unsigned()
                ? rankText(std::to_string(value.get<std::uint64_t>()))
                : Result<std::vector<int>>(invalid(message("ranks %1 do not load from any rank", printable(key))));
        if (!from) return from.error();
        if (from->size() != 1) return invalid(message("ranks %1 load from more than one rank", printable(key)));
        for (const int rank : *ranks)
            if (!out.source.emplace(rank, from->front()).second)
                return invalid(message("rank %1 is in two groups", rank));
        out.groups.push_back(*ranks);
        // The short form names only the failed ranks, so the loaded rank is added to its group: {"8": 0}.
        std::vector<int> &group = out.groups.back();
        if (!std::binary_search(group.begin(), group.end(), from->front()))
            group.insert(std::upper_bound(group.begin(), group.end(), from->front()), from->front());
    }
    std::sort(out.groups.begin(), out.groups.end());
    return out;
}

Result<std::vector<int>> parseRestoreRanks(std::string_view text)
{
    if (trim(text) == "-1" || trim(text).empty()) return std::vector<int>{};
    return rankText(text);
}

ReplicaGroups agreeOnGroups(const std::map<int, std::vector<int>> &lists, int worldSize)
{
    ReplicaGroups out;
    std::set<std::vector<int>> refused;
    const auto refuse = [&](const std::vector<int> &group, const Message &why) {
        if (refused.insert(group).second && out.notes.size() < maxNotes)
            out.notes.push_back(message("the group with ranks %1 is ignored: %2", rankList(group), why));
    };
    std::map<int, std::set<const std::vector<int> *>> named;  // rank → the different groups that name it
    std::set<std::vector<int>> distinct;
    for (const auto &[rank, list] : lists) {
        if (list.size() < 2) continue;
        const auto group = distinct.insert(list).first;
        for (const int member : list) named[member].insert(&*group);
    }
    for (const std::vector<int> &group : distinct) {
        if (group.front() < 0 || group.back() >= worldSize) {
            refuse(group, message("rank %1 is beyond the world size of %2", group.back(), worldSize));
            continue;
        }
        const auto other = std::find_if(group.begin(), group.end(), [&](int rank) { return named[rank].size() > 1; });
        if (other != group.end()) {
            refuse(group, message("rank %1 is also in another group", *other));
            continue;
        }
        const auto denies = std::find_if(group.begin(), group.end(), [&](int rank) {
            const auto own = lists.find(rank);
            return own != lists.end() && own->second != group;
        });
        if (denies != group.end()) {
            refuse(group, message("the file for rank %1 lists a different group", *denies));
            continue;
        }
        out.groups.push_back(group);
    }
    return out;
}

std::string restoreRanks(const std::map<int, int> &source)
{
    std::vector<int> sources;
    for (const auto &[from, ranks] : bySource(source)) sources.push_back(from);
    return sources.empty() ? "-1" : joined(sources);
}

std::string restoreRanksMap(const std::map<int, int> &source)
{
    std::map<std::vector<int>, int> groups;
    for (auto &[from, ranks] : bySource(source)) groups[ranks] = from;
    std::string text;
    for (const auto &[ranks, from] : groups)
        text += (text.empty() ? "" : ", ") + ("\"" + joined(ranks) + "\": " + std::to_string(from));
    return "{" + text + "}";
}

}  // namespace rankdeck
