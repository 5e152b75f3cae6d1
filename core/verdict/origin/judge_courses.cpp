// SPDX-License-Identifier: GPL-3.0-or-later
// Check of the weights along a run. A file of another run or another rank may have the right name, sizes and counts,
// but its weights do not fit the neighbouring saves. While training continues, nearly all signs stay the same; between
// unrelated weights, half of them agree by chance. If all files of a save changed like that, training began again and
// nothing was mixed.
#include "core/base/text.h"
#include "core/checkpoint/thresholds.h"
#include "core/verdict/laws.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

namespace rankdeck {
namespace {

using threshold::fewestSigns;

bool areMoments(std::string_view name) { return name.ends_with(secondMoments); }

std::string fileIn(const std::string &name)
{
    return areMoments(name) ? name.substr(0, name.size() - std::string_view(secondMoments).size()) : name;
}

using Key = std::pair<int, std::string>;  // rank and file below it

struct CourseSave {
    const SetAssessment *assessment = nullptr;
    std::int64_t position = 0;  // orders the saves of a run and measures the distance between them
    // True for a file with only weights beside the saves. It shows the state of the run at that time, but no run
    // continues from it.
    bool isWitness = false;
    std::map<Key, const WeightSigns *> files = {};
};

struct Agreement {
    int same = 0, all = 0;
    [[nodiscard]] double share() const { return all < fewestSigns ? -1 : double(same) / all; }
    [[nodiscard]] bool isUnlike() const { return all >= fewestSigns && share() < threshold::unlikeSigns; }
    [[nodiscard]] bool isAlike() const { return share() >= threshold::alikeSigns; }
};

Agreement agreementOf(const WeightSigns &one, const WeightSigns &other)
{
    Agreement out;
    for (const auto &[tensor, signs] : one) {
        const auto theirs = other.find(tensor);
        if (theirs == other.end() || theirs->second.size() != signs.size()) continue;
        for (std::size_t i = 0; i < signs.size(); ++i) {
            if (signs[i] == '0' || theirs->second[i] == '0') continue;
            ++out.all;
            out.same += signs[i] == theirs->second[i] ? 1 : 0;
        }
    }
    return out;
}

Agreement agreementAt(const CourseSave &one, const CourseSave &other, const Key &key)
{
    const auto own = one.files.find(key), theirs = other.files.find(key);
    return own == one.files.end() || theirs == other.files.end() ? Agreement{}
                                                                 : agreementOf(*own->second, *theirs->second);
}

// "step 20", "epoch 3, step 20"
std::string pointText(const CourseSave &save)
{
    const CheckpointSet &set = save.assessment->set;
    if (set.globalStep || !set.epoch) return "step " + grouped(save.position);
    return "epoch " + grouped(*set.epoch) + (set.step ? ", step " + grouped(*set.step) : std::string());
}

CourseSave courseSaveOf(const SetAssessment &assessment)
{
    CourseSave out{&assessment, assessment.set.globalStep.value_or(assessment.set.epoch.value_or(0)),
                   assessment.weightsOnly};
    const Member *before = nullptr;
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank) {
        const Part &part = assessment.parts[rank];
        if (!part.member || part.member == before || !part.evidence || !part.evidence->signs) continue;
        before = part.member;
        for (const auto &[name, signs] : *part.evidence->signs) out.files.emplace(Key(int(rank), name), &signs);
    }
    return out;
}

// The neighbouring saves that also have this file.
std::vector<const CourseSave *> besides(const std::vector<CourseSave> &saves, std::size_t at, const Key &key)
{
    std::vector<const CourseSave *> out;
    const auto has = [&](const CourseSave &save) { return agreementAt(saves[at], save, key).all >= fewestSigns; };
    for (std::size_t i = at; i-- > 0 && out.size() < threshold::neighbours;)
        if (has(saves[i])) out.push_back(&saves[i]);
    const std::size_t older = out.size();
    for (std::size_t i = at + 1; i < saves.size() && out.size() < older + threshold::neighbours; ++i)
        if (has(saves[i])) out.push_back(&saves[i]);
    return out;
}

// The reason why the file should resemble its neighbours; empty if there is no such reason.
std::string contrastOf(const CourseSave &save, const Key &key, const std::vector<const CourseSave *> &others)
{
    // Optimizer moments change faster than weights, in some optimizers very fast. Moments are therefore compared only
    // with moments.
    for (const CourseSave *other : others)
        for (const auto &[name, signs] : other->files) {
            if (name == key || areMoments(name.second) != areMoments(key.second)) continue;
            const Agreement taken = agreementOf(*save.files.at(key), *signs);
            if (taken.isAlike())
                return "but it matches " + (name.second.empty() ? "the file of rank " + std::to_string(name.first)
                                                                : printable(name.second));
            const Agreement rest = agreementAt(save, *other, name);
            if (rest.isAlike()) return "for another file " + grouped(rest.same) + " of " + grouped(rest.all);
        }
    for (const CourseSave *one : others)
        for (const CourseSave *other : others) {
            if (one->position >= other->position || !agreementAt(*one, *other, key).isAlike()) continue;
            const std::int64_t between = other->position - one->position;
            const std::int64_t away = std::max(one->position - save.position, save.position - other->position);
            if (away <= 3 * between)
                return "while those of " + pointText(*one) + " and " + pointText(*other) + " agree with each other";
        }
    return {};
}

void judgeFile(const std::vector<CourseSave> &saves, std::size_t at, const Key &key)
{
    const CourseSave &save = saves[at];
    const std::vector<const CourseSave *> others = besides(saves, at, key);
    if (others.empty()) return;
    for (const CourseSave *other : others)
        if (!agreementAt(save, *other, key).isUnlike()) return;
    const std::string contrast = contrastOf(save, key, others);
    if (contrast.empty()) return;
    const Agreement nearest = agreementAt(save, *others.front(), key);
    const SetAssessment &assessment = *save.assessment;
    const bool moments = areMoments(key.second);
    const std::string file = fileIn(key.second);
    const bool ofRank = file.empty();
    assessment.blame(
        "values_apart",
        message("%1 does not match the same file at %2 (%3, %4): it belongs to another run or rank, or was reset",
                ofRank ? message("the file of rank %1", key.first) : Message(printable(file)),
                pointText(*others.front()),
                moments ? message("only %1 of %2 optimizer second moments are of similar size", grouped(nearest.same),
                                  grouped(nearest.all))
                        : message("only %1 of %2 weight signs agree", grouped(nearest.same), grouped(nearest.all)),
                contrast),
        ofRank ? key.first : -1);
}

int signsIn(const WeightSigns &file)
{
    int all = 0;
    for (const auto &[tensor, signs] : file)
        all += int(signs.size() - std::size_t(std::count(signs.begin(), signs.end(), '0')));
    return all;
}

// Name of the file in the other save that has these tensors, although the file of the same name there has none of them.
// Empty if there is no such file.
std::string ownerOfTensors(const CourseSave &save, const Key &key, const CourseSave &other)
{
    const auto own = other.files.find(key);
    const WeightSigns &here = *save.files.at(key);
    if (own == other.files.end() || signsIn(*own->second) < fewestSigns || agreementOf(here, *own->second).all > 0)
        return {};
    for (const auto &[name, signs] : other.files)
        if (areMoments(name.second) == areMoments(key.second) && agreementOf(here, *signs).isAlike())
            return name.second.empty() ? rankText(std::size_t(name.first)) : printable(fileIn(name.second));
    return {};
}

// True if more of the other saves lack this file's tensors than have them: then this save is the odd one.
bool isOdd(const std::vector<CourseSave> &saves, std::size_t at, const Key &key)
{
    std::size_t have = 0, lack = 0;
    for (std::size_t i = 0; i < saves.size(); ++i) {
        const auto own = saves[i].files.find(key);
        if (i == at || own == saves[i].files.end()) continue;
        ++(agreementOf(*saves[at].files.at(key), *own->second).all > 0 ? have : lack);
    }
    return lack > have;
}

// The files of pipeline ranks have different tensors, so an exchanged file shows by its tensors. True: the exchange was
// reported.
bool judgeExchange(const std::vector<CourseSave> &saves, std::size_t at, const Key &key)
{
    std::string owner;
    const CourseSave *witness = nullptr;
    for (std::size_t i = at > 0 ? at - 1 : at; i < saves.size() && i <= at + 1 && owner.empty(); ++i) {
        if (i == at) continue;
        witness = &saves[i];
        owner = ownerOfTensors(saves[at], key, *witness);
    }
    if (owner.empty() || !isOdd(saves, at, key)) return false;
    const SetAssessment &assessment = *saves[at].assessment;
    const std::string file = fileIn(key.second);
    assessment.blame(
        "values_apart",
        message(
            "%1 has the tensors and values that %2 has at %3: the files were exchanged, or it comes from another rank",
            file.empty() ? message("the file of rank %1", key.first) : Message(printable(file)), owner,
            pointText(*witness)),
        file.empty() ? key.first : -1);
    return true;
}

// If only the epoch and the step within it are known: converts positions to steps, if the saves show the number of
// steps per epoch.
void placeWithinEpochs(std::vector<CourseSave> &saves)
{
    std::int64_t perEpoch = 1;
    const auto isPlaced = [](const CheckpointSet &set) { return set.globalStep || !set.epoch || !set.step; };
    for (const CourseSave &save : saves) {
        if (isPlaced(save.assessment->set)) return;
        perEpoch = std::max(perEpoch, *save.assessment->set.step + 1);
    }
    for (CourseSave &save : saves) save.position = *save.assessment->set.epoch * perEpoch + *save.assessment->set.step;
}

const std::string *firstLosses(const SetAssessment &assessment)
{
    const Evidence *evidence = assessment.parts.empty() ? nullptr : assessment.parts.front().evidence;
    if (!evidence) return nullptr;
    const auto losses = evidence->meta.find("first_losses");
    return losses == evidence->meta.end() ? nullptr : &losses->second;
}

// "5:3.904809 10:3.9 …": the loss of the first step, for a message.
std::string firstOf(const std::string &losses) { return printable(losses.substr(0, losses.find(' '))); }

bool contradict(const std::string &a, const std::string &b) { return !a.starts_with(b) && !b.starts_with(a); }

bool isAlike(const CourseSave &save, const CourseSave &other)
{
    return !save.files.empty() && std::all_of(save.files.begin(), save.files.end(), [&](const auto &file) {
        return areMoments(file.first.second) || agreementAt(save, other, file.first).isAlike();
    });
}

// The save to which the weights of a save belong that is the only one of its attempt. Usually this is an earlier save.
// It may be a later one if the losses of the attempts agree. A new run may have smaller steps than the older one; a run
// that went back to a save repeats its losses.
const CourseSave *ownerOf(const CourseSave &save, const std::map<int, std::vector<CourseSave>> &attempts)
{
    const int attempt = save.assessment->set.attempt;
    const CourseSave *owner = nullptr;
    for (const auto &[beside, saves] : attempts)
        for (const CourseSave &other : saves) {
            const bool mayOwn =
                beside < attempt ? other.position < save.position : saves.size() > 1 && save.position < other.position;
            if (beside == attempt || !mayOwn) continue;
            if (!contradict(*firstLosses(*save.assessment), *firstLosses(*other.assessment))) return nullptr;
            if (!owner && isAlike(save, other)) owner = &other;
        }
    return owner;
}

}  // namespace

std::string courseOf(const SetAssessment &assessment)
{
    std::string course = assessment.run + "/";
    const Member *first = assessment.parts.front().member;
    if (!first || !first->parts.empty()) return course;
    std::copy_if(assessment.prefix.begin(), assessment.prefix.end(), std::back_inserter(course),
                 [](char c) { return c < '0' || c > '9'; });
    return course;
}

void judgeCourses(const std::vector<SetAssessment> &assessments, const JudgeContext & /*context*/)
{
    std::map<std::tuple<std::string, int, std::size_t>, std::vector<CourseSave>> runs;  // series, attempt, ranks
    for (const SetAssessment &assessment : assessments) {
        const bool apart = assessment.weightsOnly && !assessment.sharedByRanks;
        if (!isUsable(assessment) || apart || assessment.parts.empty()) continue;
        if (!assessment.set.globalStep && !assessment.set.epoch) continue;
        CourseSave save = courseSaveOf(assessment);
        if (!save.files.empty())
            runs[{courseOf(assessment), assessment.set.attempt, assessment.parts.size()}].push_back(std::move(save));
    }
    for (auto &run : runs) {
        std::vector<CourseSave> &saves = run.second;
        if (saves.size() < 2) continue;
        placeWithinEpochs(saves);
        std::stable_sort(saves.begin(), saves.end(),
                         [](const CourseSave &a, const CourseSave &b) { return a.position < b.position; });
        for (std::size_t i = 0; i < saves.size(); ++i) {
            // gpu0.pt and gpu1.pt of one step: neither is the continuation of the other.
            const auto isTwin = [&](std::size_t other) {
                return saves[other].position == saves[i].position && !saves[other].isWitness;
            };
            if (saves[i].isWitness || (i > 0 && isTwin(i - 1)) || (i + 1 < saves.size() && isTwin(i + 1))) continue;
            for (const auto &[key, signs] : saves[i].files)
                if (!judgeExchange(saves, i, key)) judgeFile(saves, i, key);
        }
    }
}

// The losses in a Trainer's state belong to another run than the neighbouring saves, but the weights fit them. Either
// the state or the weights were copied there, or a run restarted from those weights, which its next save will show.
void judgeHistories(const std::vector<SetAssessment> &assessments, const JudgeContext & /*context*/)
{
    std::map<std::string, std::map<int, std::vector<CourseSave>>> runs;  // course → attempt
    for (const SetAssessment &assessment : assessments)
        if (isUsable(assessment) && firstLosses(assessment))
            runs[courseOf(assessment)][assessment.set.attempt].push_back(courseSaveOf(assessment));
    for (auto &[course, attempts] : runs)
        for (auto &[attempt, saves] : attempts) {
            if (saves.size() > 1) continue;
            const CourseSave &save = saves.front();
            const CourseSave *other = ownerOf(save, attempts);
            if (!other) continue;
            const SetAssessment &assessment = *save.assessment;
            assessment.blame(Verdict::validUnproven, "run_mismatch",
                             message("trainer_state.json has different losses (%1) than at %2 (%3), but its weights "
                                     "continue from there: the state belongs to another or a restarted run",
                                     firstOf(*firstLosses(assessment)), pointText(*other),
                                     firstOf(*firstLosses(*other->assessment))));
        }
}

}  // namespace rankdeck
