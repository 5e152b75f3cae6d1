// SPDX-License-Identifier: GPL-3.0-or-later
// Files of one point that differ in a number only, and each looks like a whole checkpoint of one process: step_200_gpu0.pt
// beside step_200_gpu1.pt, 0.pt beside 1.pt, node0/ beside node1/. The number may be a rank that no grammar knows, so none
// of them is VALID by itself, also where all but one are gone.
#include "core/base/text.h"
#include "core/verdict/set_assessment.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace rankdeck {
namespace {

// "step_200_gpu0": "step_#_gpu#".
std::string withoutNumbers(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        const bool digit = c >= '0' && c <= '9';
        if (!digit)
            out += c;
        else if (out.empty() || out.back() != '#')
            out += '#';
    }
    return out;
}

bool isNodeWord(std::string_view word)
{
    while (!word.empty() && std::string_view("_-.#").find(word.back()) != std::string_view::npos) word.remove_suffix(1);
    for (const std::string_view known : {"node", "host", "server", "machine", "pod", "n", "worker"})
        if (word == known) return true;
    return false;
}

// The folders of nodes without their numbers: node0/x and node1/x are one row.
std::string withoutNodes(const std::string &series)
{
    std::string out;
    for (const std::string &part : split(series, '/')) {
        const std::string bare = withoutNumbers(part);
        out += "/" + (isNodeWord(bare) ? bare : part);
    }
    return out;
}

using Point = std::tuple<std::optional<std::int64_t>, std::optional<std::int64_t>, std::optional<std::int64_t>, int,
                         CheckpointKind>;

Point pointOf(const SetAssessment &assessment)
{
    const CheckpointSet &set = assessment.set;
    return {set.epoch, set.step, set.globalStep, set.attempt, set.kind};
}

const Member *firstOf(const SetAssessment &assessment)
{
    for (const Part &part : assessment.parts)
        if (part.member) return part.member;
    return nullptr;
}

// One plain file that stands for everything, by no framework's own name.
bool isLoneFile(const SetAssessment &assessment)
{
    if (!assessment.sharedByRanks && assessment.parts.size() != 1) return false;
    const Part &part = assessment.parts.front();
    return part.member && part.member->file.stat.kind == 'f' && !part.member->name.sharedByRanks &&
           !part.member->name.rank && part.evidence && part.evidence->complete == true;
}

void doubt(SetAssessment &assessment, std::string text)
{
    assessment.found.unproven = true;
    assessment.addReason("rank_unproven", std::move(text));
    conclude(assessment);
}

void judgeFileRows(std::vector<SetAssessment> &assessments)
{
    using Key = std::tuple<std::string, std::string, int, Point>;  // pattern, directory, rerun, point
    std::map<Key, int> rows;
    std::set<std::string> numbered;
    for (const SetAssessment &assessment : assessments) {
        if (!isLoneFile(assessment)) continue;
        const Member &member = *assessment.parts.front().member;
        const std::string pattern = withoutNumbers(member.file.path);
        if (++rows[{pattern, dirName(member.file.path), member.name.rerun, pointOf(assessment)}] > 1)
            numbered.insert(pattern);
    }
    for (SetAssessment &assessment : assessments) {
        if (!isLoneFile(assessment)) continue;
        const std::string &path = assessment.parts.front().member->file.path;
        if (numbered.count(withoutNumbers(path)) != 0)
            doubt(assessment, printable(baseName(path)) +
                                  " has siblings of the same point whose names differ in a number only: it may be the "
                                  "part of one rank, and which is whose nothing shows");
    }
}

void judgeNodeRows(std::vector<SetAssessment> &assessments)
{
    std::map<std::pair<std::string, Point>, std::set<std::string>> rows;
    const auto rowOf = [](const SetAssessment &assessment, const Member &member) {
        return std::pair(withoutNodes(member.series), pointOf(assessment));
    };
    for (const SetAssessment &assessment : assessments)
        if (const Member *member = firstOf(assessment); member && member->file.stat.kind == 'f')
            rows[rowOf(assessment, *member)].insert(member->series);
    for (SetAssessment &assessment : assessments) {
        const Member *member = firstOf(assessment);
        if (!member || member->file.stat.kind != 'f' || assessment.set.verdict != Verdict::valid) continue;
        if (rows[rowOf(assessment, *member)].size() > 1)
            doubt(assessment, "the directories of several nodes hold files of this point: its ranks may be those of "
                              "one node only, or of several that were mixed");
    }
}

}  // namespace

void judgeSiblings(std::vector<SetAssessment> &assessments, const Expectation &expected)
{
    if (expected.worldSize == 1) return;  // it is said that there is one process
    judgeFileRows(assessments);
    judgeNodeRows(assessments);
}

}  // namespace rankdeck
