// SPDX-License-Identifier: GPL-3.0-or-later
// Detection of files beside the checkpoints that one save lacks: a mark of its end, a configuration, a state that is
// not read. A file belongs to the save whose folder contains it, or whose number is in its name.
#include "core/base/text.h"
#include "core/checkpoint/name_words.h"
#include "core/checkpoint/read/saved_name.h"
#include "core/checkpoint/thresholds.h"
#include "core/verdict/laws.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

namespace rankdeck {
namespace {

constexpr int levels = 4;                // number of folders above a file of its save
constexpr std::size_t fewestOthers = 2;  // saves; with one, the file may have come with the last change of the script
constexpr std::size_t mostTold = 5;      // files reported for one save

constexpr std::size_t several = std::size_t(-1);

class Owners {
public:
    explicit Owners(const std::vector<SetAssessment> &saves)
    {
        for (std::size_t i = 0; i < saves.size(); ++i) {
            const Member *before = nullptr;
            for (const Part &part : saves[i].parts)
                if (part.member && part.member != before) take(i, *(before = part.member));
        }
    }

    [[nodiscard]] std::optional<std::size_t> ownerOf(const std::string &node, const std::string &path) const
    {
        std::string at = path;
        for (int level = 0; level < levels && at.size() > 1; ++level) {
            at = dirName(at);
            const auto found = m_folders.find(node + '\0' + at);
            if (found == m_folders.end()) continue;
            if (found->second != several) return found->second;
            break;
        }
        std::set<std::size_t> owners;
        const std::string base = baseName(path);
        for (const std::string_view number : numbersIn(base))
            if (const auto found = m_numbers.find(node + '\0' + dirName(path) + '\0' + std::string(number));
                found != m_numbers.end())
                owners.insert(found->second);
        if (owners.size() != 1 || *owners.begin() == several) return std::nullopt;
        return *owners.begin();
    }

private:
    static void add(std::unordered_map<std::string, std::size_t> &owners, std::string key, std::size_t save)
    {
        const auto [at, added] = owners.try_emplace(std::move(key), save);
        if (!added && at->second != save) at->second = several;
    }

    void take(std::size_t save, const Member &member)
    {
        if (member.parts.empty()) takeFile(save, member.node, member.file);
        for (const FileEntry &part : member.parts) takeFile(save, member.node, part);
    }

    // Also called with an empty node, for files that all nodes see.
    void takeFile(std::size_t save, const std::string &node, const FileEntry &file)
    {
        const std::string base = baseName(file.path);
        for (const std::string &own : {node, std::string()}) {
            std::string at = file.path;
            for (int level = 0; level < levels && at.size() > 1; ++level)
                add(m_folders, own + '\0' + (at = dirName(at)), save);
            for (const std::string_view number : numbersIn(base))
                add(m_numbers, own + '\0' + dirName(file.path) + '\0' + std::string(number), save);
        }
    }

    std::unordered_map<std::string, std::size_t> m_folders, m_numbers;
};

// True if the file was written with the save. Results of an evaluation are written later and belong to no save.
bool isWrittenWith(const SetAssessment &save, std::int64_t mtimeNs)
{
    std::int64_t last = 0;
    for (const Part &part : save.parts)
        if (part.member) last = std::max(last, part.member->file.stat.mtimeNs);
    return threshold::seconds(mtimeNs) - threshold::seconds(last) <= threshold::seconds(threshold::componentsOfASave);
}

using Run = std::tuple<std::string, int, CheckpointKind>;

}  // namespace

void judgeCompanions(const std::vector<SetAssessment> &saves, const JudgeContext &context)
{
    if (context.inventory.companions.empty()) return;
    std::map<Run, std::set<std::size_t>> runs;
    for (std::size_t i = 0; i < saves.size(); ++i)
        if (isUsable(saves[i]) && !saves[i].weightsOnly)
            runs[{saves[i].run, saves[i].set.attempt, saves[i].set.kind}].insert(i);
    const Owners owners(saves);
    std::map<std::pair<Run, std::string>, std::set<std::size_t>> having;  // by the path without numbers
    for (const auto &[node, path, mtimeNs] : context.inventory.companions)
        if (const auto owner = owners.ownerOf(node, path);
            owner && isUsable(saves[*owner]) && isWrittenWith(saves[*owner], mtimeNs)) {
            const SetAssessment &save = saves[*owner];
            having[{{save.run, save.set.attempt, save.set.kind}, withoutNumbers(path)}].insert(*owner);
        }
    std::map<std::size_t, std::size_t> told;
    for (const auto &[slot, have] : having) {
        const std::set<std::size_t> &all = runs[slot.first];
        if (have.size() < fewestOthers || have.size() + 1 != all.size()) continue;
        const auto lacking = std::find_if(all.begin(), all.end(), [&](std::size_t i) { return have.count(i) == 0; });
        if (lacking == all.end() || told[*lacking]++ >= mostTold) continue;
        saves[*lacking].blame("part_missing", message("%1 is missing, but all other saves of this run have it: the "
                                                      "save may not have finished, or a file was lost",
                                                      printable(baseName(slot.second))));
    }
}

}  // namespace rankdeck
