// SPDX-License-Identifier: GPL-3.0-or-later
// Choice of the present run among several in one parent directory: exp_a and exp_b, version_0 and version_1, or a copy
// in a folder `old`. The largest step may be in an older run. The run that saved last is the present one; times within
// the same minute decide nothing.
#include "core/base/text.h"
#include "core/checkpoint/read/saved_name.h"
#include "core/checkpoint/thresholds.h"
#include "core/verdict/set_assessment.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace rankdeck {
namespace {

bool isOfPoint(std::string_view name)
{
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    std::string_view word = name.substr(0, digits);
    while (!word.empty() && std::string_view("_-=.").find(word.back()) != std::string_view::npos) word.remove_suffix(1);
    if (digits == name.size()) return false;
    if (word.empty()) return true;
    for (const std::string_view known :
         {"step", "iter", "iteration", "epoch", "checkpoint", "ckpt", "batch", "save", "ep", "-ba", "_ba"})
        if (word.ends_with(known)) return true;
    return false;
}

std::optional<std::int64_t> numberAtEnd(std::string_view name)
{
    return decimal(name.substr(name.find_last_not_of("0123456789") + 1));
}

// Folders such as s10 and s20: the letters have no known meaning, but the content of every set has the number of its
// folder.
struct PointFolder {
    std::set<std::int64_t> numbers = {};
    bool fits = true;

    void take(std::int64_t number, const CheckpointSet &set)
    {
        numbers.insert(number);
        fits = fits && (set.globalStep == number || set.epoch == number);
    }
    [[nodiscard]] bool countsPoints() const { return fits && numbers.size() > 1; }
};

std::string seriesOf(const SetAssessment &assessment)
{
    for (const Part &part : assessment.parts)
        if (const Member *member = part.member ? part.member : part.temporary) return member->series;
    return {};
}

// Calls act with each folder and the path to it, both without numbers: global_step5/worker_# and global_step10/worker_#
// are one row.
template <typename Act>
void eachFolder(const std::string &series, const Act &act)
{
    std::string above;
    for (const std::string &folder : split(series, '/')) {
        above += "/" + withoutNumbers(folder);
        act(above, folder);
    }
}

// Averages (`ema/`) and exports beside the saves are not runs: training never continues from them.
bool isOfNoRun(const SetAssessment &assessment)
{
    const auto &reasons = assessment.set.reasons;
    return std::any_of(reasons.begin(), reasons.end(),
                       [](const Reason &reason) { return reason.code == "weights_only"; });
}

// Three or more sibling folders with one save each belong to one run, if the newer saves have larger steps. Examples:
// v1, v2, v3; 2026-11-21_10-00; best, prev, latest.
void joinFoldersOfSaves(std::vector<SetAssessment> &assessments)
{
    struct Row {
        std::set<std::string> folders = {};
        std::vector<SetAssessment *> saves = {};
    };
    std::map<std::string, Row> rows;
    for (SetAssessment &assessment : assessments) {
        const std::vector<std::string> parts = split(assessment.run, '/');
        for (std::size_t turned = 0; turned < parts.size(); ++turned) {
            std::string key;
            for (std::size_t i = 0; i < parts.size(); ++i) key += "/" + (i == turned ? std::string("*") : parts[i]);
            rows[key].folders.insert(parts[turned]);
            rows[key].saves.push_back(&assessment);
        }
    }
    for (auto &[key, row] : rows) {
        std::vector<SetAssessment *> &saves = row.saves;
        if (saves.size() < 3 || row.folders.size() != saves.size()) continue;
        const auto isDated = [](const SetAssessment *save) { return save->set.globalStep && save->set.time; };
        if (!std::all_of(saves.begin(), saves.end(), isDated)) continue;
        std::sort(saves.begin(), saves.end(),
                  [](const auto *a, const auto *b) { return *a->set.globalStep < *b->set.globalStep; });
        const auto turnsBack = [](const SetAssessment *a, const SetAssessment *b) {
            return *a->set.globalStep == *b->set.globalStep || *a->set.time > *b->set.time;
        };
        if (std::adjacent_find(saves.begin(), saves.end(), turnsBack) != saves.end()) continue;
        for (SetAssessment *save : saves) save->run = key;
    }
}

}  // namespace

void findRuns(std::vector<SetAssessment> &assessments)
{
    std::map<std::string, PointFolder> words;
    for (const SetAssessment &assessment : assessments)
        eachFolder(seriesOf(assessment), [&](const std::string &word, const std::string &folder) {
            if (const auto number = numberAtEnd(folder)) words[word].take(*number, assessment.set);
        });
    for (SetAssessment &assessment : assessments)
        eachFolder(seriesOf(assessment), [&](const std::string &word, const std::string &folder) {
            if (isOfPoint(folder) || folder == "." || (numberAtEnd(folder) && words[word].countsPoints())) return;
            assessment.run += (assessment.run.empty() ? "" : "/") + folder;
        });
    joinFoldersOfSaves(assessments);
}

void preferPresentRun(std::vector<SetAssessment> &assessments)
{
    std::map<std::string, WallTime> newest;
    for (const SetAssessment &assessment : assessments) {
        if (!assessment.set.time || isOfNoRun(assessment)) continue;
        const auto [at, added] = newest.emplace(assessment.run, *assessment.set.time);
        if (!added) at->second = std::max(at->second, *assessment.set.time);
    }
    if (newest.size() < 2) return;
    const auto present = std::max_element(newest.begin(), newest.end(),
                                          [](const auto &a, const auto &b) { return a.second < b.second; });
    const bool told = std::all_of(newest.begin(), newest.end(), [&](const auto &run) {
        return run.first == present->first ||
               secondsBetween(run.second, present->second) > threshold::seconds(threshold::sameMinute);
    });
    for (SetAssessment &assessment : assessments) {
        const std::string run = assessment.run;
        if (!assessment.set.time || newest.count(run) == 0 || (told && run == present->first)) continue;
        const auto beside = present->first != run       ? present
                            : present == newest.begin() ? std::next(present)
                                                        : newest.begin();
        const std::string name = printable(baseName(run)), other = printable(baseName(beside->first));
        assessment.blame("other_run",
                         told ? message("from the run %1, whose newest file is dated %2; the current run is %3", name,
                                        clockTime(newest.at(run)), other)
                              : message("from the run %1, but there are other runs beside it, such as %2: the file "
                                        "times do not show which run is current",
                                        name, other));
    }
    if (!told) return;
    std::stable_partition(assessments.begin(), assessments.end(),
                          [&](const SetAssessment &assessment) { return assessment.run == present->first; });
}

}  // namespace rankdeck
