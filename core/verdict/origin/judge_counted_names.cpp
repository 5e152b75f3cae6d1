// SPDX-License-Identifier: GPL-3.0-or-later
// Check of numbers in file names against the content. A file epoch_3.pt contains epoch 3, or 2 if the script counts
// from 0, or 4 if it stores the next epoch. This difference is the same in all files of a run; a file with another
// difference contains another epoch than its name says. The same applies to TensorFlow's ckpt-30 and to model_30.pt,
// whose number is the step or counts something else.
#include "core/base/text.h"
#include "core/checkpoint/thresholds.h"
#include "core/verdict/laws.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace rankdeck {
namespace {

struct CountedName {
    std::size_t set = 0;
    std::int64_t named = 0, held = 0;
};

struct NameCount {
    const char *word;  // what is counted
    ReasonCode code;
    bool isOnlyOnce;  // two saves never have the same
    std::optional<std::int64_t> (*named)(const Member &member);
    std::optional<std::int64_t> (*held)(const Member &member, const Evidence &evidence);
};

std::optional<std::int64_t> epochOfName(const Member &member) { return member.name.epoch; }
std::optional<std::int64_t> epochWithin(const Member &, const Evidence &evidence) { return evidence.number("epoch"); }

// The number in names such as ckpt-30. If the grammar knows which number is the step, another rule compares it. A number
// before it counts something else, such as the runs in lenet_2-3_50.ckpt.
std::optional<std::int64_t> numberOfName(const Member &member)
{
    if (member.name.stepIsGuess) return member.name.globalStep;
    const std::string &name = member.name.prefix;
    if (member.name.globalStep || member.name.step) return std::nullopt;
    return decimal(name.substr(name.find_last_not_of("0123456789") + 1));
}

bool isTensorflow(const Evidence &evidence)
{
    return evidence.format == Format::tfV1 || evidence.format == Format::tfV2;
}

std::optional<std::int64_t> savesWithin(const Member &, const Evidence &evidence)
{
    return isTensorflow(evidence) ? evidence.number("save_counter") : std::nullopt;
}

// A number that counts saves is not a step, even if there was a save at each step.
std::optional<std::int64_t> stepWithin(const Member &member, const Evidence &evidence)
{
    const bool countsSaves = savesWithin(member, evidence) == numberOfName(member);
    const bool mayBeAStep = isTensorflow(evidence) || member.name.stepIsGuess;
    return mayBeAStep && !countsSaves ? evidence.number("global_step") : std::nullopt;
}

// The first complete file; another rule compares the files of one set with each other.
const Part *firstWhole(const SetAssessment &assessment)
{
    const auto found = std::find_if(assessment.parts.begin(), assessment.parts.end(), [](const Part &part) {
        return part.member && part.evidence && part.evidence->complete == true;
    });
    return found == assessment.parts.end() ? nullptr : &*found;
}

void blameName(const SetAssessment &assessment, const NameCount &count, const CountedName &name, bool sure)
{
    const std::string word = std::string(count.word) + " ";
    assessment.blame(sure ? Verdict::inconsistent : Verdict::validUnproven, count.code,
                     message("the name has %1%2, but the content has %3%4%5", word, grouped(name.named), word,
                             grouped(name.held),
                             sure ? message(": in this run, the other files differ from their names in a different way")
                                  : message(", like the content of another file")));
}

std::string withoutNumberAtEnd(const std::string &name)
{
    return name.substr(0, name.find_last_not_of("0123456789") + 1);
}

using NamedRun = std::tuple<std::string, std::string, int, CheckpointKind>;

// settled: runs whose names are known to count something else; adds the runs whose names have this count.
void judgeCount(const std::vector<SetAssessment> &assessments, const NameCount &count, std::set<NamedRun> &settled)
{
    std::map<NamedRun, std::vector<CountedName>> runs;
    for (std::size_t i = 0; i < assessments.size(); ++i) {
        const SetAssessment &assessment = assessments[i];
        const Part *part = firstWhole(assessment);
        const auto named = part ? count.named(*part->member) : std::nullopt;
        const auto held = part ? count.held(*part->member, *part->evidence) : std::nullopt;
        if (!named || !held) continue;
        runs[{dirName(part->member->series), withoutNumberAtEnd(assessment.prefix), assessment.set.attempt,
              assessment.set.kind}]
            .push_back({i, *named, *held});
    }
    for (const auto &[key, all] : runs) {
        std::map<std::int64_t, std::size_t> offsets;
        for (const CountedName &name : all) ++offsets[name.held - name.named];
        const auto usual = std::max_element(offsets.begin(), offsets.end(),
                                            [](const auto &a, const auto &b) { return a.second < b.second; });
        const bool sure = usual->second > 1 && 2 * usual->second > all.size();
        if (settled.count(key) != 0) continue;
        if (sure) settled.insert(key);
        if (offsets.size() < 2) continue;
        for (const CountedName &name : all) {
            const bool twice = count.isOnlyOnce && std::any_of(all.begin(), all.end(), [&](const CountedName &other) {
                                   return other.set != name.set && other.held == name.held && other.named != name.named;
                               });
            if (sure ? name.held - name.named != usual->first : twice)
                blameName(assessments[name.set], count, name, sure);
        }
    }
}

// A save whose number may count anything, with the step that its content shows.
struct NumberedSave {
    std::size_t set = 0;
    std::int64_t named = 0, held = 0;
    WallTime time = {};
};

// Steps must grow with the numbers in the names. If the names are used in turn, the steps grow with the file times
// instead.
bool contradict(const NumberedSave &one, const NumberedSave &other)
{
    const auto &[first, second] = one.named < other.named ? std::tie(one, other) : std::tie(other, one);
    return first.named < second.named && first.held >= second.held &&
           secondsBetween(first.time, second.time) > threshold::seconds(threshold::sameMinute);
}

// The saves that contradict most others, except saves whose number is their step.
void judgeNumbered(const std::vector<SetAssessment> &assessments, const std::vector<NumberedSave> &saves)
{
    std::vector<std::ptrdiff_t> contradicted;
    for (const NumberedSave &save : saves) {
        const auto others = std::count_if(saves.begin(), saves.end(),
                                          [&](const NumberedSave &other) { return contradict(save, other); });
        contradicted.push_back(save.named == save.held ? 0 : others);
    }
    const auto most = contradicted.empty() ? 0 : *std::max_element(contradicted.begin(), contradicted.end());
    for (std::size_t i = 0; i < saves.size() && most > 0; ++i)
        if (contradicted[i] == most)
            assessments[saves[i].set].blame(Verdict::validUnproven, "step_mismatch",
                                            message("the name has number %1 and the content step %2, which does not "
                                                    "fit the other saves: it may contain files of another save",
                                                    grouped(saves[i].named), grouped(saves[i].held)));
}

void judgeNumberedNames(const std::vector<SetAssessment> &assessments)
{
    std::map<NamedRun, std::vector<NumberedSave>> runs;
    for (std::size_t i = 0; i < assessments.size(); ++i) {
        const SetAssessment &assessment = assessments[i];
        const Part *part = firstWhole(assessment);
        if (!part || isTensorflow(*part->evidence) || !assessment.set.globalStep || !assessment.set.time) continue;
        if (const auto named = numberOfName(*part->member))
            runs[{dirName(part->member->series), withoutNumberAtEnd(assessment.prefix), assessment.set.attempt,
                  assessment.set.kind}]
                .push_back({i, *named, *assessment.set.globalStep, *assessment.set.time});
    }
    for (const auto &[key, saves] : runs) judgeNumbered(assessments, saves);
}

}  // namespace

void judgeCountedNames(const std::vector<SetAssessment> &assessments, const JudgeContext & /*context*/)
{
    std::set<NamedRun> byEpoch, byNumber;
    judgeCount(assessments, {"epoch", "epoch_mismatch", true, &epochOfName, &epochWithin}, byEpoch);
    judgeCount(assessments, {"step", "step_mismatch", false, &numberOfName, &stepWithin}, byNumber);
    judgeCount(assessments, {"save", "step_mismatch", true, &numberOfName, &savesWithin}, byNumber);
    judgeNumberedNames(assessments);
}

}  // namespace rankdeck
