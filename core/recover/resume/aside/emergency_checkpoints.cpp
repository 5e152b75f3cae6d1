// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/aside/emergency_checkpoints.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/mindspore/group_info.h"
#include "core/job/path_template.h"
#include "core/node/wait_for.h"
#include "core/recover/edit/unified_diff.h"
#include "core/recover/host/job_places.h"
#include "core/recover/launch/checkpoint_staging.h"
#include "core/recover/launch/recipe.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace rankdeck {

namespace {

// The text of each function, without the functions nested in it.
std::vector<std::string> functionsOf(const std::string &script)
{
    std::vector<std::string> functions(1);
    for (const std::string &line : split(script, '\n')) {
        const std::size_t start = line.find_first_not_of(" \t");
        if (start != std::string::npos && line.compare(start, 4, "def ") == 0) functions.emplace_back();
        if (start != std::string::npos && line[start] != '#') functions.back() += line + "\n";
    }
    return functions;
}

// False for a loader of periodic files, which names emergency checkpoints only to skip them ("if file not in …").
bool loadsGasps(const std::string &function)
{
    return contains(function, "breakpoint") && contains(function, "load_checkpoint(") &&
           !contains(function, " not in ");
}

}  // namespace

EmergencyLoader emergencyLoaderOf(const std::map<std::string, std::string> &scripts)
{
    for (const auto &[node, script] : scripts) {
        const auto functions = functionsOf(script);
        if (std::none_of(functions.begin(), functions.end(), loadsGasps)) continue;
        if (contains(script, "gen_fault_tolerance_strategy")) return EmergencyLoader::generator;
        return contains(script, "RESTORE_RANKS") ? EmergencyLoader::variables : EmergencyLoader::ownFolder;
    }
    return EmergencyLoader::notSeen;
}

std::string ownPlace(const MemberVerdict &member)
{
    const int from = member.fromRank.value_or(member.rank);
    if (from == member.rank) return member.path;
    const std::string folder = dirName(member.path);
    return joinPath(joinPath(dirName(folder), nameForRank(baseName(folder), from, member.rank)),
                    nameForRank(baseName(member.path), from, member.rank));
}

std::vector<ConfigCopy> readFaultRecords(ActionContext &host, const JobState &view, SteadyTime deadline)
{
    const Job &job = view.job;
    std::vector<ConfigCopy> records;
    std::vector<Reply<FileContent>> replies;
    for (const NodeSpec *spec : nodesByRank(job)) {
        NodeClient *node = host.node(spec->name);
        const std::string path = textOnNode(job.launch.faultNpus, job, *spec);
        records.push_back({.node = spec->name, .path = path, .ranks = spec->ranks});
        replies.push_back(node ? node->readFile(path, 1u << 20) : Reply<FileContent>());
    }
    for (std::size_t i = 0; i < records.size(); ++i) {
        auto content = waitFor(replies[i], deadline, records[i].node);
        if (content)
            records[i].content = std::move(content.value());
        else
            records[i].problem = content.error();
    }
    findShared(records, view);
    return records;
}

std::vector<int> faultsFor(const CheckpointSet &set)
{
    std::vector<int> faults;
    for (const MemberVerdict &member : set.members)
        if (member.fromRank && *member.fromRank != member.rank) faults.push_back(member.rank);
    if (!faults.empty()) return faults;
    const auto told = set.facts.find("replica_groups");
    if (told == set.facts.end()) return {};
    for (const std::string &group : split(told->second, ';'))
        if (const auto ranks = parseRestoreRanks(group); ranks && ranks->size() > 1)
            return {*std::max_element(ranks->begin(), ranks->end())};
    return {};
}

std::string faultRecord(const std::vector<int> &faults, std::int64_t at)
{
    std::string ranks;
    for (const int rank : faults) ranks += (ranks.empty() ? "\"" : ", \"") + std::to_string(rank) + "\"";
    return R"({"FaultRankIds": [)" + ranks + R"(], "CreatTime": )" + std::to_string(at) + "}\n";
}

std::map<std::string, std::vector<FileActionRequest>> emergencyLinks(const JobState &view, const CheckpointSet &set,
                                                                     const PathStats &book)
{
    std::map<std::string, std::vector<FileActionRequest>> steps;
    std::set<std::string> made;
    for (const MemberVerdict &member : set.members) {
        const NodeSpec *node = view.job.nodeOf(member.rank);
        const std::string place = ownPlace(member);
        if (!node || place == member.path || !made.insert(place).second) continue;
        const std::string folder = dirName(place);
        if (book.exists(node->name, folder).isNo() && made.insert(folder).second)
            steps[node->name].push_back({.action = FileAction::makeDirectory, .path = folder});
        steps[node->name].push_back({.action = FileAction::makeLink, .path = place, .target = member.path});
    }
    return steps;
}

std::map<std::string, std::vector<FileEdit>> faultRecordEdits(const CheckpointSet &set, const EmergencyFacts &gasps)
{
    std::map<std::string, std::vector<FileEdit>> edits;
    const std::vector<int> faults = faultsFor(set);
    if (faults.empty() || set.kind != CheckpointKind::breakpoint) return edits;
    const std::string after = faultRecord(faults, gasps.at);
    for (const ConfigCopy &record : gasps.records)
        if (record.content && record.sameAs.empty())
            edits[record.node].push_back({.path = record.path,
                                          .before = record.content->bytes,
                                          .after = after,
                                          .diff = unifiedDiff(record.path, record.content->bytes, after),
                                          .expectedSha256 = record.content->sha256});
    return edits;
}

}  // namespace rankdeck
