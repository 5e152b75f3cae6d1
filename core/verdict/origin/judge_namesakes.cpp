// SPDX-License-Identifier: GPL-3.0-or-later
// Detection of files with unclear owners: files in one directory at one step that have the same tensors with different
// values. They are parts of ranks with unknown names (shard_a.pt, 9f3c.pt), or files of two runs. A process has only
// one state at one step, so none of these files is the whole state. This also applies to saves in which only one of
// these names is left. And it applies to ranks with several files whose names differ in a number: rank_0/part0_100.pt.
#include "core/base/text.h"
#include "core/checkpoint/read/saved_name.h"
#include "core/checkpoint/thresholds.h"
#include "core/verdict/origin/siblings.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

namespace rankdeck {
namespace {

using StatedPoint = std::pair<bool, std::int64_t>;  // whether it is a step; otherwise an epoch
struct Row {                                        // of one directory and point
    std::vector<const SetAssessment *> files = {};
    bool differs = false;
};

StatedPoint statedBy(const CheckpointSet &set)
{
    return {set.globalStep.has_value(), set.globalStep.value_or(set.epoch.value_or(0))};
}

const Member &fileOf(const SetAssessment &assessment) { return *assessment.parts.front().member; }

// True if each rank has one file of its own.
bool isOfSingleFiles(const SetAssessment &assessment)
{
    if (isLoneFile(assessment)) return true;
    return !assessment.sharedByRanks && !assessment.parts.empty() &&
           std::all_of(assessment.parts.begin(), assessment.parts.end(),
                       [](const Part &part) { return part.member && part.evidence && part.member->parts.empty(); });
}

bool mayStandAlone(const SetAssessment &assessment)
{
    return isOfSingleFiles(assessment) && !isCopyWord(baseName(fileOf(assessment).file.path)) &&
           (assessment.set.globalStep || assessment.set.epoch) && !isExport(*assessment.parts.front().evidence);
}

// True for lenet_1-3_50.ckpt: in such names, the number before epoch and step is that of a run, not of a part.
bool isNamedByMindSpore(const SetAssessment &assessment)
{
    return assessment.parts.front().evidence->format == Format::mindsporeCkpt && fileOf(assessment).name.epoch;
}

// True for part0_100.pt and part1_100.pt of one rank among several.
bool differInANumber(const SetAssessment &one, const SetAssessment &other)
{
    if (isNamedByMindSpore(one) && isNamedByMindSpore(other)) return false;
    const std::string a = baseName(fileOf(one).file.path), b = baseName(fileOf(other).file.path);
    return one.parts.size() > 1 && one.parts.size() == other.parts.size() && a != b &&
           withoutNumbers(a) == withoutNumbers(b) &&
           std::abs(fileOf(one).file.stat.mtimeNs - fileOf(other).file.stat.mtimeNs) <= threshold::oneSave;
}

// True if the structure is equal and the content is different.
bool areOfTwo(const SetAssessment &one, const SetAssessment &other)
{
    if (differInANumber(one, other)) return true;
    const Evidence &a = *one.parts.front().evidence, &b = *other.parts.front().evidence;
    return !a.tensors.empty() && a.tensors.sameStructure(b.tensors) && holdTheSame(&a, &b).isNo();
}

void doubtAll(const std::vector<const SetAssessment *> &files, const std::string &other)
{
    for (const SetAssessment *file : files)
        if (file->set.verdict == Verdict::valid)
            doubt(*file,
                  file->parts.size() > 1
                      ? message("each rank has other files of this step, such as %2 beside %1: one of them alone "
                                "may be only a part of the save",
                                printable(baseName(fileOf(*file).file.path)), printable(other))
                      : message("other files of this step, such as %2, have the tensors of %1 with different "
                                "values: it may belong to one rank or another run",
                                printable(baseName(fileOf(*file).file.path)), printable(other)));
}

}  // namespace

void judgeNamesakes(const std::vector<SetAssessment> &assessments)
{
    std::map<std::string, std::map<std::pair<std::string, StatedPoint>, Row>> runs;  // run → directory and point
    for (const SetAssessment &assessment : assessments)
        if (mayStandAlone(assessment))
            runs[assessment.run][{dirName(fileOf(assessment).file.path), statedBy(assessment.set)}].files.push_back(
                &assessment);
    for (auto &[run, rows] : runs) {
        std::size_t differing = 0;
        std::set<std::string> names;  // without numbers, of files that differ from one beside them
        std::string other;
        for (auto &[at, row] : rows) {
            for (std::size_t i = 1; i < row.files.size(); ++i)
                if (areOfTwo(*row.files.front(), *row.files[i])) row.differs = true;
            if (!row.differs) continue;
            ++differing;
            for (const SetAssessment *file : row.files) names.insert(withoutNumbers(baseName(fileOf(*file).file.path)));
            other = baseName(fileOf(*row.files.back()).file.path);
        }
        const bool always = 2 * differing > rows.size();
        for (auto &[at, row] : rows) {
            if (row.differs) {
                doubtAll(row.files, other);
                continue;
            }
            std::vector<const SetAssessment *> left;
            for (const SetAssessment *file : row.files)
                if (always && names.count(withoutNumbers(baseName(fileOf(*file).file.path))) != 0) left.push_back(file);
            doubtAll(left, other);
        }
    }
}

}  // namespace rankdeck
