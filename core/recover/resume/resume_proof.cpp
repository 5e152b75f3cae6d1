// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/resume_proof.h"

#include "core/base/text.h"
#include "core/parse/path_witness.h"
#include "core/recover/resume/aside/emergency_checkpoints.h"
#include "core/recover/wording.h"

#include <algorithm>
#include <cmath>

namespace rankdeck {

namespace {

double medianOf(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

Witness compared(std::int64_t said, const std::optional<std::int64_t> &expected)
{
    if (!expected) return Witness::silent;
    return said == *expected ? Witness::agrees : Witness::contradicts;
}

bool samePath(const std::string &said, const std::string &told) { return namesSamePath(said, plainPath(told)); }

// True for the path at which the rank's own loader finds the file of the replica that serves this rank.
bool isOwnPlace(const std::string &said, int rank, const CheckpointSet &set)
{
    const auto at = static_cast<std::size_t>(rank);
    if (rank < 0 || at >= set.members.size() || set.members[at].rank != rank) return false;
    const MemberVerdict &member = set.members[at];
    return member.fromRank && samePath(said, ownPlace(member));
}

// True for the file itself, and for paths in the staging directory.
bool asTold(const std::string &said, int rank, const ResumeBaseline &baseline)
{
    const auto told = baseline.checkpoints.find(rank);
    if (told != baseline.checkpoints.end() && samePath(said, told->second)) return true;
    if (isOwnPlace(said, rank, baseline.set)) return true;
    if (const auto any = baseline.anyOf.find(rank); any != baseline.anyOf.end())
        return std::any_of(any->second.begin(), any->second.end(),
                           [&](const std::string &path) { return samePath(said, path); });
    const auto view = baseline.views.find(rank);
    return view != baseline.views.end() &&
           (samePath(said, view->second) || plainPath(said).starts_with(plainPath(view->second) + "/"));
}

// A first step that is up to half a printing interval or one epoch late still counts as "right after".
std::int64_t patience(std::int64_t stepsPerEpoch) { return std::max<std::int64_t>(stepsPerEpoch, 200); }

std::string number(double value)
{
    std::string text = std::to_string(value);
    while (text.size() > 1 && text.back() == '0' && text[text.size() - 2] != '.') text.pop_back();
    return text;
}

struct Judged {
    RankProof proof;
    bool contradicts = false;
};

struct LossVerdict {
    Witness witness = Witness::silent;
    Message note = {};
};

// A single loss may be noise. The set is contradicted by the median of the first few losses, or by one loss far above
// the old curve.
LossVerdict judgeLosses(const std::vector<PlacedSample> &first, const std::optional<LossBand> &band)
{
    std::vector<double> losses;
    for (const PlacedSample &sample : first) {
        if (!std::isfinite(sample.loss))
            return {Witness::contradicts, message("one of its first losses is not a number")};
        losses.push_back(sample.loss);
    }
    if (!band) return {Witness::silent, message("its loss could not be compared: the old loss curve is unknown there")};
    const double above = medianOf(losses) - band->median;
    if (above <= band->allowed) return {Witness::agrees, {}};
    const Message seen =
        losses.size() == 1 ? message("its first loss") : message("the median of its first %1 losses", losses.size());
    const Message where = message("%1 %2 is above the old loss curve (%3 + %4)", seen, number(band->median + above),
                                  number(band->median), number(band->allowed));
    if (losses.size() >= firstSamplesKept || above > 5 * band->allowed) return {Witness::contradicts, where};
    return {Witness::silent, message("%1; this may be noise until %2 losses are available", where, firstSamplesKept)};
}

// The last step of the set and the first step of the new attempt, both counted by epochs. If a script skipped steps,
// global_step and the epochs no longer agree.
struct Seam {
    std::int64_t last = 0, first = 0;
    std::int64_t stepsPerEpoch = 0;
};

std::optional<Seam> seamOf(const ResumeBaseline &baseline, std::int64_t first, std::int64_t stepsPerEpoch)
{
    const CheckpointSet &set = baseline.set;
    if (baseline.byEpoch && first > *baseline.position + stepsPerEpoch) return {};  // the set counts its epochs from 0
    if (set.epoch && set.step && stepsPerEpoch > 0 && *set.step <= stepsPerEpoch)
        return Seam{(*set.epoch - 1) * stepsPerEpoch + *set.step, first, stepsPerEpoch};
    if (!baseline.position) return {};
    return Seam{*baseline.position, first, stepsPerEpoch};
}

// Scripts that resume whole epochs begin at the start of an epoch: the next one, or that of the set again.
void measureSeam(RankProof &proof, const Seam &seam)
{
    const bool atEpoch = seam.stepsPerEpoch > 1 && (seam.first - 1) % seam.stepsPerEpoch == 0;
    // If only some steps are printed, the steps in between are unknown.
    if (seam.first != seam.last + 1 && !atEpoch) return;
    proof.skippedSteps = std::max<std::int64_t>(0, seam.first - seam.last - 1);
    proof.repeatedSteps = std::max<std::int64_t>(0, seam.last + 1 - seam.first);
}

// "continues at epoch 137, step 1; steps 8 to 10 of epoch 136 are skipped"
Message seamText(const RankProof &proof, const Seam &seam)
{
    const std::int64_t skipped = proof.skippedSteps.value_or(0), repeated = proof.repeatedSteps.value_or(0);
    if (seam.stepsPerEpoch < 2 || (skipped == 0 && repeated == 0)) return {};
    const auto epochOf = [&seam](std::int64_t at) { return std::to_string((at - 1) / seam.stepsPerEpoch + 1); };
    const auto stepOf = [&seam](std::int64_t at) { return std::to_string((at - 1) % seam.stepsPerEpoch + 1); };
    const std::int64_t from = skipped > 0 ? seam.last + 1 : seam.first, to = skipped > 0 ? seam.first - 1 : seam.last;
    const bool one = epochOf(from) == epochOf(to);
    const Message steps = from == to ? message("step %1 of epoch %2", stepOf(from), epochOf(from))
                          : one      ? message("steps %1 to %2 of epoch %3", stepOf(from), stepOf(to), epochOf(to))
                                : message("step %1 of epoch %2 to step %3 of epoch %4", stepOf(from), epochOf(from),
                                          stepOf(to), epochOf(to));
    const Message way =
        skipped > 0 ? (from == to ? message("%1 is skipped", steps) : message("%1 are skipped", steps))
                    : (from == to ? message("%1 is trained again", steps) : message("%1 are trained again", steps));
    return message("continues at epoch %1, step %2; %3", epochOf(seam.first), stepOf(seam.first), way);
}

// stepOffset: of the new attempt on the job's axis.
Judged judgeRank(const RankState &rank, const ResumeBaseline &baseline, std::int64_t stepsPerEpoch,
                 std::int64_t stepOffset)
{
    Judged judged{.proof = {.rank = rank.rank}};
    RankProof &proof = judged.proof;
    const Witness line = lineWitness(rank, baseline);
    if (rank.resumed) proof.loadedGlobalStep = rank.resumed->globalStep;
    if (rank.resumed) proof.loadedPath = rank.resumed->path;
    if (line == Witness::agrees) {
        if (!rank.resumed->byPath) proof.witness.emplace_back("line");
        if (!proof.loadedPath.empty() && asTold(proof.loadedPath, rank.rank, baseline))
            proof.witness.emplace_back("path");
    }
    if (line == Witness::agrees && !proof.loadedGlobalStep) proof.loadedGlobalStep = baseline.set.globalStep;
    if (line == Witness::contradicts) {
        judged.contradicts = true;
        const std::string said = printable(rank.resumed->text.substr(0, 200));
        proof.note = rank.resumed->nothingLoaded
                         ? message("its log says that it loaded nothing: %1", said)
                         : message("its log says that it loaded a different checkpoint: %1", said);
    }
    if (rank.firstSamples.empty()) {
        if (proof.note.empty() && rank.awaited && rank.alive.mayBe())
            proof.note = message("no step yet: it was trying to reach the scheduler at %1", rank.awaited->address);
        else if (proof.note.empty())
            proof.note =
                rank.alive.isNo() ? message("no step yet, and its process was not found") : message("no step yet");
        return judged;
    }
    proof.firstStep = rank.firstSamples.front().step;
    if (!rank.firstWithoutLoss) proof.firstLoss = rank.firstSamples.front().loss;
    const Witness step = stepWitness(rank, baseline, stepsPerEpoch);
    const auto old = baseline.oldLosses.find(rank.rank);
    const auto band =
        old == baseline.oldLosses.end() ? std::nullopt : lossBand(old->second, baseline.position.value_or(0));
    if (band) proof.oldLoss = band->median;
    const LossVerdict loss = rank.firstWithoutLoss
                                 ? LossVerdict{Witness::silent, message("its log lines contain no loss to compare")}
                                 : judgeLosses(rank.firstSamples, band);
    const bool lossAgrees = loss.witness == Witness::agrees;
    if (step == Witness::agrees && !baseline.countsAnew) proof.witness.emplace_back("step");
    if (lossAgrees) proof.witness.emplace_back("loss");
    const auto seam =
        baseline.countsAnew ? std::nullopt : seamOf(baseline, *proof.firstStep - stepOffset, stepsPerEpoch);
    if (step == Witness::agrees && seam) measureSeam(proof, *seam);
    const auto add = [&](const Message &note) {
        if (!note.empty()) proof.note = proof.note.empty() ? note : message("%1; %2", proof.note, note);
    };
    add(loss.note);
    if (baseline.countsAnew && lossAgrees)
        add(message("its script counts from epoch 1 again; its losses show that it loaded the set"));
    if (seam) add(seamText(proof, *seam));
    if (step == Witness::contradicts && line != Witness::agrees) {
        judged.contradicts = true;
        const Message start = message("it started at step %1, expected the step after %2", grouped(*proof.firstStep),
                                      grouped(baseline.position.value_or(0)));
        add(*proof.firstStep <= 1 ? message("%1: a silent start from zero", start) : start);
    } else if (step == Witness::contradicts) {
        add(message("it counts its steps from %1 although it loaded the set", grouped(*proof.firstStep)));
    }
    judged.contradicts = judged.contradicts || loss.witness == Witness::contradicts;
    const bool stepGood =
        step == Witness::agrees || (step == Witness::contradicts && line == Witness::agrees && lossAgrees);
    const bool lossWaits = band && loss.witness == Witness::silent;
    const bool loaded =
        baseline.byEpoch ? line == Witness::agrees && lossAgrees : line == Witness::agrees || lossAgrees;
    proof.proven = !judged.contradicts && stepGood && !lossWaits && loaded;
    if (baseline.byEpoch && !judged.contradicts)
        add(message("the set has epoch %1 but no step, so the log line, the loss and the first epoch must all agree",
                    *baseline.set.epoch));
    if (!proof.proven && !judged.contradicts && stepGood && !lossWaits)
        add(message("nothing in its log shows that weights were loaded; set logs.resume in the job file to the line "
                    "that the script prints"));
    return judged;
}

}  // namespace

void placeBaseline(ResumeBaseline &baseline, std::int64_t stepsPerEpoch)
{
    const CheckpointSet &set = baseline.set;
    baseline.position = set.position ? set.position : set.globalStep;
    baseline.byEpoch = !baseline.position && set.epoch && *set.epoch > 0 && !set.step && stepsPerEpoch > 0;
    if (baseline.byEpoch) baseline.position = *set.epoch * stepsPerEpoch;
}

std::optional<LossBand> lossBand(const std::vector<PlacedSample> &samples, std::int64_t around)
{
    std::vector<PlacedSample> near;
    for (const PlacedSample &sample : samples)
        if (std::isfinite(sample.loss)) near.push_back(sample);
    std::sort(near.begin(), near.end(), [around](const PlacedSample &a, const PlacedSample &b) {
        return std::abs(a.step - around) < std::abs(b.step - around);
    });
    if (near.size() > 41) near.resize(41);
    if (near.size() < 3) return {};
    std::vector<double> values, deviations;
    for (const PlacedSample &sample : near) values.push_back(sample.loss);
    const double median = medianOf(values);
    for (const double value : values) deviations.push_back(std::abs(value - median));
    return LossBand{.median = median, .allowed = std::max(4 * medianOf(deviations), 0.1 * std::abs(median))};
}

Witness lineWitness(const RankState &rank, const ResumeBaseline &baseline)
{
    if (!rank.resumed) return Witness::silent;
    const LogEvent &line = *rank.resumed;
    if (line.nothingLoaded) return Witness::contradicts;
    std::vector<Witness> said;
    if (!line.path.empty() && baseline.checkpoints.contains(rank.rank))
        said.push_back(asTold(line.path, rank.rank, baseline) ? Witness::agrees : Witness::contradicts);
    if (line.globalStep)
        said.push_back(
            compared(*line.globalStep, baseline.set.globalStep ? baseline.set.globalStep : baseline.position));
    if (line.epoch) said.push_back(compared(*line.epoch, baseline.set.epoch));
    if (std::find(said.begin(), said.end(), Witness::contradicts) != said.end()) return Witness::contradicts;
    if (std::find(said.begin(), said.end(), Witness::agrees) != said.end()) return Witness::agrees;
    // A step alone may be counted within the epoch, the attempt or the whole run; each of these three is accepted.
    if (!line.step) return Witness::silent;
    for (const auto &expected : {baseline.set.step, baseline.set.globalStep, baseline.position})
        if (compared(*line.step, expected) == Witness::agrees) return Witness::agrees;
    return Witness::contradicts;
}

Witness stepWitness(const RankState &rank, const ResumeBaseline &baseline, std::int64_t stepsPerEpoch)
{
    if (rank.firstSamples.empty() || !baseline.position) return Witness::silent;
    const std::int64_t first = rank.firstSamples.front().step, last = *baseline.position;
    if (baseline.byEpoch) {
        const bool atEpoch = stepsPerEpoch > 0 && (first - 1) / stepsPerEpoch - (last - 1) / stepsPerEpoch <= 2;
        return first > last && atEpoch ? Witness::agrees : Witness::contradicts;
    }
    if (first > last) return first <= last + patience(stepsPerEpoch) ? Witness::agrees : Witness::contradicts;
    // MindSpore resumes whole epochs: after a set from the middle of an epoch, the script may repeat that epoch from
    // its beginning.
    const bool epochStart =
        stepsPerEpoch > 1 && (first - 1) % stepsPerEpoch == 0 && first > last - stepsPerEpoch && first > 1;
    return epochStart ? Witness::agrees : Witness::contradicts;
}

bool ResumeProof::proven() const
{
    return !ranks.empty() && std::all_of(ranks.begin(), ranks.end(), [](const RankProof &rank) { return rank.proven; });
}

Known ResumeProof::continues() const
{
    if (!contradicting.empty()) return false;
    if (proven()) return true;
    return {};
}

Message ResumeProof::remarks() const
{
    std::map<std::string, std::pair<Message, std::vector<int>>> byNote;
    for (const RankProof &rank : ranks) {
        if (rank.note.empty()) continue;
        auto &[note, list] = byNote[rank.note];
        note = rank.note;
        list.push_back(rank.rank);
    }
    std::vector<Message> sentences;
    for (const auto &[text, told] : byNote)
        sentences.push_back(message("%1: %2.", ranksText(told.second), withoutStop(told.first)));
    return joined(sentences);
}

Message ResumeProof::text() const
{
    std::vector<int> good;
    for (const RankProof &rank : ranks)
        if (rank.proven) good.push_back(rank.rank);
    if (good.empty()) return remarks();
    return joined({good.size() == 1 ? message("%1 continues from the set.", ranksText(good))
                                    : message("%1 continue from the set.", ranksText(good)),
                   remarks()});
}

ResumeProof proveResume(const JobState &view, const ResumeBaseline &baseline)
{
    ResumeProof proof;
    std::int64_t offset = 0;
    for (const AttemptInfo &attempt : view.attempts)
        if (attempt.index == view.attempt) offset = attempt.stepOffset;
    for (const RankState &state : view.ranks) {
        if (view.attempt <= baseline.attemptBefore) {
            proof.ranks.push_back({.rank = state.rank, .note = message("no log line from the new attempt yet")});
            continue;
        }
        Judged judged = judgeRank(state, baseline, view.stepsPerEpoch, offset);
        if (judged.contradicts) proof.contradicting.push_back(state.rank);
        if (state.resumed && state.resumed->nothingLoaded) proof.nothingLoaded = true;
        if (!state.firstSamples.empty()) proof.started.push_back(state.rank);
        proof.ranks.push_back(std::move(judged.proof));
    }
    return proof;
}

}  // namespace rankdeck
