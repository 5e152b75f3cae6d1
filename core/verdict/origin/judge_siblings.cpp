// SPDX-License-Identifier: GPL-3.0-or-later
// Check of files that may belong to different ranks. They are files of one step whose names differ only in a number,
// and each looks like a whole checkpoint of one process. Examples are step_200_gpu0.pt beside step_200_gpu1.pt, 0.pt
// beside 1.pt, or `node0/` beside `node1/`. The number may be a rank in an unknown form. Therefore none of them is
// VALID alone, even if all others are gone. The same applies to folders of hosts.
#include "core/base/text.h"
#include "core/checkpoint/name_words.h"
#include "core/checkpoint/read/layouts.h"
#include "core/checkpoint/read/saved_name.h"
#include "core/checkpoint/thresholds.h"
#include "core/verdict/laws.h"
#include "core/verdict/origin/siblings.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace rankdeck {
namespace {

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

using NamedPoint = std::tuple<std::optional<std::int64_t>, std::optional<std::int64_t>, std::optional<std::int64_t>,
                              int, CheckpointKind>;

NamedPoint pointOf(const SetAssessment &assessment)
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

// True for a link to a file that is itself counted: it is not the part of another rank.
bool isSecondName(const Member &member, const std::set<std::string> &counted)
{
    const std::string &target = member.file.linkTarget;
    return !target.empty() &&
           counted.count(target.starts_with('/') ? target : joinPath(dirName(member.file.path), target)) != 0;
}

// The numbers in a file's name, without that of its own step or epoch.
std::vector<std::int64_t> otherNumbers(const SetAssessment &assessment, const std::string &base)
{
    const CheckpointSet &set = assessment.set;
    std::vector<std::int64_t> numbers;
    for (const std::string_view digits : numbersIn(base)) {
        const auto number = decimal(digits);
        if (number && number != set.globalStep && number != set.epoch && number != set.step) numbers.push_back(*number);
    }
    return numbers;
}

// Files whose names differ in numbers only: numbers of ranks, or of saves.
struct FileRow {
    struct File {
        const SetAssessment *assessment = nullptr;
        std::vector<std::int64_t> numbers = {};
    };
    using Key = std::tuple<std::string, int, NamedPoint>;  // directory, rerun, point
    std::map<Key, std::vector<File>> points = {};

    // Ranks all save at one point, and again at the next one. If each number occurs at only one point, the numbers
    // count saves, and two equal files are one save.
    [[nodiscard]] bool isOfRanks() const
    {
        std::map<std::vector<std::int64_t>, std::set<Key>> where;
        for (const auto &[key, files] : points)
            for (const File &file : files) where[file.numbers].insert(key);
        const bool recurs =
            std::any_of(where.begin(), where.end(), [](const auto &number) { return number.second.size() > 1; });
        return std::any_of(points.begin(), points.end(), [&](const auto &point) {
            const std::vector<File> &files = point.second;
            const bool alike = std::all_of(files.begin(), files.end(), [&](const File &file) {
                return file.numbers.size() == files.front().numbers.size();
            });
            const bool copies = std::all_of(files.begin(), files.end(), [&](const File &file) {
                return holdTheSame(file.assessment->parts.front().evidence,
                                   files.front().assessment->parts.front().evidence)
                    .isYes();
            });
            return files.size() > 1 && alike && (recurs || points.size() == 1 || !copies);
        });
    }
};

void judgeFileRows(const std::vector<SetAssessment> &assessments)
{
    std::set<std::string> counted;
    for (const SetAssessment &assessment : assessments)
        if (isLoneFile(assessment)) counted.insert(assessment.parts.front().member->file.path);
    std::map<std::string, FileRow> rows;  // by the path without numbers
    for (const SetAssessment &assessment : assessments) {
        if (!isLoneFile(assessment) || !isUsable(assessment)) continue;
        const Member &member = *assessment.parts.front().member;
        if (!isSecondName(member, counted))
            rows[withoutNumbers(member.file.path)]
                .points[{dirName(member.file.path), member.name.rerun, pointOf(assessment)}]
                .push_back({&assessment, otherNumbers(assessment, baseName(member.file.path))});
    }
    for (const SetAssessment &assessment : assessments) {
        if (!isLoneFile(assessment)) continue;
        const std::string &path = assessment.parts.front().member->file.path;
        if (const auto row = rows.find(withoutNumbers(path)); row != rows.end() && row->second.isOfRanks())
            doubt(assessment, message("other files of the same step differ from %1 only in a number in the name: it "
                                      "may belong to an unknown rank",
                                      printable(baseName(path))));
    }
}

// stage0_rank_1.pt beside stage1_rank_1.pt: the names have a second number beside the rank, which may also be needed to
// identify the rank.
void judgePrefixRows(const std::vector<SetAssessment> &assessments)
{
    using Row = std::pair<std::string, std::string>;  // series, prefix without its numbers
    const auto rowOf = [](const SetAssessment &assessment) -> std::optional<Row> {
        const Member *member = firstOf(assessment);
        if (!member || !member->name.rank || member->name.kind != CheckpointKind::other) return std::nullopt;
        const std::string bare = withoutNumbers(member->name.prefix);
        return bare == member->name.prefix ? std::nullopt : std::optional(Row{member->series, bare});
    };
    std::map<std::pair<Row, NamedPoint>, std::set<std::string>> rows;
    std::set<Row> doubtful;
    for (const SetAssessment &assessment : assessments) {
        const auto row = isUsable(assessment) ? rowOf(assessment) : std::nullopt;
        if (!row) continue;
        std::set<std::string> &prefixes = rows[{*row, pointOf(assessment)}];
        prefixes.insert(assessment.prefix);
        if (prefixes.size() > 1) doubtful.insert(*row);
    }
    for (const SetAssessment &assessment : assessments)
        if (const auto row = rowOf(assessment); row && doubtful.count(*row) != 0)
            doubt(assessment, message("the file names of this step contain a rank and a second number: the files may "
                                      "cover the ranks of only one stage or node"));
}

void judgeNodeRows(const std::vector<SetAssessment> &assessments)
{
    std::map<std::pair<std::string, NamedPoint>, std::set<std::string>> rows;
    const auto rowOf = [](const SetAssessment &assessment, const Member &member) {
        return std::pair(withoutNodes(member.series), pointOf(assessment));
    };
    for (const SetAssessment &assessment : assessments)
        if (const Member *member = firstOf(assessment); member && member->file.stat.kind == 'f' && isUsable(assessment))
            rows[rowOf(assessment, *member)].insert(member->series);
    for (const SetAssessment &assessment : assessments) {
        const Member *member = firstOf(assessment);
        if (!member || member->file.stat.kind != 'f' || assessment.set.verdict != Verdict::valid) continue;
        if (rows[rowOf(assessment, *member)].size() > 1)
            doubt(assessment, message("the directories of several nodes have files for this step: the set may cover "
                                      "only the ranks of one node, or mix several nodes"));
    }
}

// Folders that differ in one name only: the common part, and the folder's own name.
using Family = std::pair<std::string, std::string>;

// ckpt-20 and ckpt-30 contain saves of one run. A folder that has no sibling in one of them may have siblings in the
// other.
bool isOfAPoint(const std::string &folder)
{
    const ParsedName name = numberedName(folder);
    return !name.stepIsGuess && (name.globalStep || name.epoch);
}

std::vector<Family> familiesOf(const std::string &series)
{
    std::vector<Family> out;
    const std::vector<std::string> parts = split(series, '/');
    for (std::size_t turned = 0; turned < parts.size(); ++turned) {
        if (parts[turned].empty() || isCopyWord(parts[turned])) continue;
        std::string pattern;
        for (std::size_t i = 0; i < parts.size(); ++i)
            pattern += "/" + (i == turned            ? std::string("*")
                              : isOfAPoint(parts[i]) ? withoutNumbers(parts[i])
                                                     : parts[i]);
        out.emplace_back(std::move(pattern), parts[turned]);
    }
    return out;
}

// nid0412/step_200.pt and nid0977/step_200.pt, saved in the same minute: the folders belong to ranks with unknown
// names, or to two parallel runs. Nothing distinguishes the two cases, so none of the files is accepted alone.
void judgeTwins(const std::vector<SetAssessment> &assessments)
{
    using Key = std::tuple<std::string, std::string, NamedPoint>;      // pattern, name of the file, point
    using Twin = std::tuple<WallTime, std::string, const Evidence *>;  // time, folder, what is in it
    std::map<Key, std::vector<Twin>> rows;
    const auto eachFamily = [&](const SetAssessment &assessment, const auto &act) {
        const Member *member = firstOf(assessment);
        if (!member || member->file.stat.kind != 'f' || member->name.sharedByRanks || !assessment.set.time) return;
        for (Family &family : familiesOf(member->series)) act(*member, std::move(family));
    };
    for (const SetAssessment &assessment : assessments) {
        if (!isUsable(assessment)) continue;
        eachFamily(assessment, [&](const Member &member, Family family) {
            auto &[pattern, own] = family;
            rows[{std::move(pattern), baseName(member.file.path), pointOf(assessment)}].emplace_back(
                *assessment.set.time, std::move(own), assessment.parts.front().evidence);
        });
    }
    std::set<Family> twins;
    std::set<std::pair<Family, NamedPoint>> untold;  // two files may be copies, but one of them was not read
    for (auto &[key, row] : rows) {
        std::sort(row.begin(), row.end());
        for (std::size_t i = 1; i < row.size(); ++i) {
            const auto &[firstAt, first, firstEvidence] = row[i - 1];
            const auto &[secondAt, second, secondEvidence] = row[i];
            const double apart = secondsBetween(firstAt, secondAt);
            const Known copy = apart <= 0 ? holdTheSame(firstEvidence, secondEvidence) : Known::no;
            if (apart > threshold::seconds(threshold::sameMinute) || copy.isYes()) continue;
            for (const std::string &folder : {first, second}) {
                if (copy.isNo()) twins.insert({std::get<0>(key), folder});
                untold.insert({{std::get<0>(key), folder}, std::get<2>(key)});
            }
        }
    }
    for (const SetAssessment &assessment : assessments) {
        std::string other;
        eachFamily(assessment, [&](const Member &, const Family &family) {
            if (twins.count(family) != 0 || untold.count({family, pointOf(assessment)}) != 0) other = family.second;
        });
        if (!other.empty() && assessment.set.verdict == Verdict::valid)
            doubt(assessment,
                  message("the folders beside %1 have files with the same names and times. They may belong to other "
                          "ranks or to another run: set %2 or the job's path to show which",
                          printable(other), terminalWords("--world-size")));
    }
}

// The file step_30/rank_0.pt exists, but no save has a file of another rank. There is only one process, or rank 0 saves
// for all, or the disk of the other ranks was not listed. PyTorch scripts do all three.
void judgeFirstRankAlone(const std::vector<SetAssessment> &assessments)
{
    for (const SetAssessment &assessment : assessments) {
        if (assessment.sharedByRanks || assessment.parts.size() != 1) continue;
        const Part &part = assessment.parts.front();
        if (!part.member || !part.member->rankInPath || part.member->name.worldSize || !part.evidence) continue;
        const std::string &path = part.member->file.path;
        const bool torch = path.ends_with(".pt") || path.ends_with(".pth") || path.ends_with(".tar");
        if (torch && !part.evidence->number("world_size") && assessment.set.verdict == Verdict::valid)
            doubt(assessment,
                  message(
                      "%1 belongs to rank 0 by its path, and no other rank has a file. Rank 0 may save for all ranks, "
                      "or the others save elsewhere. Set the number of ranks or checkpoints.saved_by to show which",
                      printable(baseName(path))));
    }
}

// 300/actor.bin beside 300/critic.bin: names of unknown form, which may be parts of one save.
void judgeNumberedForms(const std::vector<SetAssessment> &assessments)
{
    std::map<std::string, std::string> forms;  // form of a name → one of its files
    for (const SetAssessment &assessment : assessments)
        if (const Member *member = firstOf(assessment); member && member->name.numbered)
            forms.emplace(withoutNumbers(member->file.path), baseName(member->file.path));
    if (forms.size() < 2) return;
    for (const SetAssessment &assessment : assessments) {
        const Member *member = firstOf(assessment);
        if (!member || !member->name.numbered) continue;
        const bool isFirst = withoutNumbers(member->file.path) == forms.begin()->first;
        const std::string &other = isFirst ? std::next(forms.begin())->second : forms.begin()->second;
        doubt(
            assessment,
            message(
                "%1 may be only a part of its save, because %2 is beside it: nothing shows which files belong together",
                printable(baseName(member->file.path)), printable(other)));
    }
}

}  // namespace

void judgeSiblings(const std::vector<SetAssessment> &assessments, const JudgeContext &context)
{
    if (context.expected.worldSize == 1) return;  // the job or an option states that there is one process
    judgeFirstRankAlone(assessments);
    judgeFileRows(assessments);
    judgeNamesakes(assessments);
    judgePrefixRows(assessments);
    judgeNodeRows(assessments);
    judgeTwins(assessments);
    judgeNumberedForms(assessments);
}

}  // namespace rankdeck
