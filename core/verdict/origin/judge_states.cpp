// SPDX-License-Identifier: GPL-3.0-or-later
// Check of state files along a run. A scheduler, a data loader or an average of weights has no training step, but
// counts with the training. An optimizer uses the rate of its scheduler. If this is true in all other saves of the run
// but not here, the file is from another save or another run. Files that count at their own pace are ignored.
#include "core/base/text.h"
#include "core/verdict/laws.h"
#include "core/verdict/origin/state_counts.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace rankdeck {
namespace {

using StateFile = std::pair<int, std::string>;  // rank and name

struct StateSave {
    std::size_t set = 0;
    std::int64_t position = 0;
    std::size_t size = 0;  // number of its files, for a number of ranks: another world counts at another pace
    std::map<StateFile, const Meta *> files = {};
    // Collected once from these files: the optimizers' rates, by rank and directory and by rank alone. Also the highest
    // count of any optimizer, because the count of a frozen part does not move.
    std::map<StateFile, std::set<std::string>> ratesNear = {};
    std::map<int, std::set<std::string>> rates = {};
    std::optional<std::int64_t> optimizerStep = {};
};

using Runs = std::map<std::pair<std::string, int>, std::vector<StateSave>>;  // course, attempt

const std::string *textIn(const StateSave &save, const StateFile &file, const std::string &key)
{
    const auto own = save.files.find(file);
    if (own == save.files.end()) return nullptr;
    const auto text = own->second->find(key);
    return text == own->second->end() ? nullptr : &text->second;
}

constexpr std::int64_t most = 2'000'000'000;  // largest number of steps or batches, so that no product of two overflows

std::vector<StateCount> countsOf(const std::vector<StateSave> &saves, const StateFile &file, const std::string &key)
{
    std::vector<StateCount> all;
    for (std::size_t i = 0; i < saves.size(); ++i) {
        const std::string *text = textIn(saves[i], file, key);
        const auto value = text ? wholeValue(*text) : std::nullopt;
        const std::int64_t position = saves[i].position;
        if (value && *value >= 0 && *value <= most && position > 0 && position <= most)
            all.push_back({i, position, *value});
    }
    return all;
}

std::optional<std::int64_t> positionOf(const CheckpointSet &set)
{
    if (set.globalStep) return *set.globalStep > 0 ? set.globalStep : std::nullopt;
    return set.step ? set.step : set.epoch;
}

// Epochs of unknown length cannot be put on one axis.
bool areOnOneAxis(const std::vector<StateSave> &saves, const std::vector<SetAssessment> &assessments)
{
    const CheckpointSet &first = assessments[saves.front().set].set;
    return std::all_of(saves.begin(), saves.end(), [&](const StateSave &save) {
        const CheckpointSet &own = assessments[save.set].set;
        if (own.globalStep.has_value() != first.globalStep.has_value()) return false;
        return own.globalStep ||
               (own.step.has_value() == first.step.has_value() && (!own.step || own.epoch == first.epoch));
    });
}

std::string folderOf(const std::string &name) { return name.substr(0, name.rfind('/') + 1); }

void lookUpOptimizers(StateSave &save)
{
    for (const auto &[file, meta] : save.files) {
        if (const auto rate = meta->find("optimizer_rate"); rate != meta->end()) {
            save.ratesNear[{file.first, folderOf(file.second)}].insert(rate->second);
            save.rates[file.first].insert(rate->second);
        }
        const auto text = meta->find("optimizer_step");
        const auto value = text == meta->end() ? std::nullopt : wholeValue(text->second);
        if (value) save.optimizerStep = std::max(save.optimizerStep.value_or(*value), *value);
    }
}

void orderByPosition(std::vector<StateSave> &saves)
{
    std::stable_sort(saves.begin(), saves.end(),
                     [](const StateSave &a, const StateSave &b) { return a.position < b.position; });
}

// False if the saves cannot be put on one axis.
bool place(std::vector<StateSave> &saves, const std::vector<SetAssessment> &assessments)
{
    const bool oneAxis = areOnOneAxis(saves, assessments);
    const bool counted = std::all_of(saves.begin(), saves.end(),
                                     [](const StateSave &save) { return save.optimizerStep.value_or(0) > 0; });
    if (!oneAxis && counted)
        for (StateSave &save : saves) save.position = *save.optimizerStep;
    orderByPosition(saves);
    return oneAxis || counted;
}

Runs runsOf(const std::vector<SetAssessment> &assessments)
{
    Runs runs;
    for (std::size_t i = 0; i < assessments.size(); ++i) {
        const SetAssessment &assessment = assessments[i];
        const auto position = positionOf(assessment.set);
        if (!isUsable(assessment) || assessment.parts.empty() || !position) continue;
        StateSave save;
        save.set = i;
        save.position = *position;
        const Member *before = nullptr;
        for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank) {
            const Part &part = assessment.parts[rank];
            if (!part.member || part.member == before) continue;
            before = part.member;
            save.size += part.member->parts.size() + 1;
            if (!part.evidence || !part.evidence->states) continue;
            for (const auto &[name, meta] : *part.evidence->states)
                save.files.emplace(StateFile(int(rank), name), &meta);
        }
        lookUpOptimizers(save);
        if (!save.files.empty()) runs[{courseOf(assessment), assessment.set.attempt}].push_back(std::move(save));
    }
    return runs;
}

struct Rates {
    std::string scheduler, optimizer;
    [[nodiscard]] bool areTold() const { return !scheduler.empty() && !optimizer.empty(); }
};

// The rate of that scheduler, and the rate of the optimizers in its directory or, if there are none, in any directory
// of the rank. Empty: no rate, or several.
Rates ratesOf(const StateSave &save, const StateFile &file)
{
    Rates rates;
    if (const std::string *rate = textIn(save, file, "schedule_rate")) rates.scheduler = *rate;
    const auto near = save.ratesNear.find({file.first, folderOf(file.second)});
    const auto all = save.rates.find(file.first);
    if (all == save.rates.end()) return rates;
    const std::set<std::string> &optimizers = near == save.ratesNear.end() ? all->second : near->second;
    if (optimizers.size() == 1) rates.optimizer = *optimizers.begin();
    return rates;
}

// A scheduler that restarted in a resume counts from 0, and one that was saved before it moved has counted one less.
// Such a scheduler still belongs to its save if the optimizer has its rate, and that rate is unique or differs in every
// save. It also belongs to its save if the optimizer or scheduler has the same count.
bool belongsToItsSave(const std::vector<StateSave> &saves, std::size_t at, const StateFile &file,
                      const StateCount &said)
{
    const Rates own = ratesOf(saves[at], file);
    const bool fits = own.areTold() && own.scheduler == own.optimizer;
    std::set<std::string> others;
    for (std::size_t i = 0; i < saves.size(); ++i)
        if (i != at) others.insert(ratesOf(saves[i], file).optimizer);
    if (fits && (others.count(own.optimizer) == 0 || (others.size() > 1 && others.size() + 1 == saves.size())))
        return true;
    const auto counts = [&](const Meta &other, const char *key) {
        const auto counted = other.find(key);
        return counted != other.end() && wholeValue(counted->second) == said.value;
    };
    return std::any_of(saves[at].files.begin(), saves[at].files.end(), [&](const auto &other) {
        const bool ofOptimizer = saves[at].files.at(file)->count("optimizer_step") != 0;
        return other.first != file && counts(*other.second, ofOptimizer ? "schedule_step" : "optimizer_step");
    });
}

void doubt(const SetAssessment &assessment, ReasonCode code, const Message &text, int rank)
{
    assessment.blame(Verdict::validUnproven, code, text, assessment.sharedByRanks ? -1 : rank);
}

// ofData: restarts in each epoch. quickens: a resume may take more samples per step. `stands`: may be the same in two
// saves.
enum class Pace { ofSteps, ofData, quickens, stands };

struct CountKind {
    const char *key, *verb, *what;
    Pace pace = Pace::ofSteps;
};
constexpr CountKind countKinds[] = {{"data_step", " has given ", " batches", Pace::ofData},
                                    {"schedule_step", " has counted ", ""},
                                    {"average_step", " has counted ", " updates"},
                                    {"optimizer_step", " has counted ", ""},
                                    {"samples_seen", " has counted ", " samples", Pace::quickens},
                                    {"epoch", " has counted ", " epochs", Pace::stands}};

// True if this count is less than an earlier save's, or more than a later one's. An equal count is also wrong, unless
// it may stay the same.
bool goesBack(const std::vector<StateCount> &all, std::size_t at, bool mayStand)
{
    const std::int64_t least = mayStand ? 1 : 0, own = all[at].value;
    for (std::size_t i = 0; i < all.size(); ++i)
        if ((i < at && all[i].value >= own + least) || (i > at && all[i].value + least <= own)) return true;
    return false;
}

class StateJudge {
public:
    StateJudge(const std::vector<SetAssessment> &assessments, const std::vector<StateSave> &saves)
        : m_assessments(assessments), m_saves(saves)
    {}
    void judge(const StateFile &file, bool isPlaced)
    {
        bool told = false;
        for (const CountKind &kind : countKinds) told = told || (isPlaced && judgeCount(file, kind));
        if (told || judgeShard(file)) return;
        judgeRates(file);
        judgeSeeds(file);
        if (isPlaced) judgeOrders(file);
    }

private:
    // True: a problem was reported.
    bool judgeCount(const StateFile &file, const CountKind &kind)
    {
        const std::vector<StateCount> all = countsOf(m_saves, file, kind.key);
        if (all.size() < 2) return false;
        const auto off = countThatIsOff(all, kind.pace == Pace::ofData);
        const bool goesOn = kind.pace == Pace::quickens || kind.pace == Pace::stands;
        if (!off || (goesOn && !goesBack(all, *off, kind.pace == Pace::stands))) return false;
        const StateCount &said = all[*off];
        if (isOfAnotherWorld(said.save)) return false;
        if (belongsToItsSave(m_saves, said.save, file, said)) return false;
        doubt(m_assessments[m_saves[said.save].set], "step_unproven",
              message("%1%2%3%4 at step %5, but in all other saves the count grows with the steps: it belongs to "
                      "another save or run, or was reset",
                      printable(file.second), kind.verb, grouped(said.value), kind.what, grouped(said.position)),
              file.first);
        return true;
    }

    // Checks one of several files of an optimizer, whose counts are equal in all other saves.
    bool judgeShard(const StateFile &file)
    {
        std::vector<StateCount> off;
        const std::vector<StateCount> all = countsOf(m_saves, file, "optimizer_step");
        std::copy_if(all.begin(), all.end(), std::back_inserter(off),
                     [&](const StateCount &count) { return m_saves[count.save].optimizerStep != count.value; });
        if (all.size() < 3 || off.size() != 1) return false;
        const StateCount &said = off.front();
        doubt(m_assessments[m_saves[said.save].set], "step_unproven",
              message("%1 has counted %2 steps, but the other optimizer files %3: they come from different saves, or a "
                      "part has been frozen since",
                      printable(file.second), grouped(said.value), grouped(*m_saves[said.save].optimizerStep)),
              file.first);
        return true;
    }

    bool isOfAnotherWorld(std::size_t at) const
    {
        return std::none_of(m_saves.begin(), m_saves.end(), [&](const StateSave &save) {
            return &save != &m_saves[at] && save.size == m_saves[at].size;
        });
    }

    void judgeRates(const StateFile &file)
    {
        std::vector<std::size_t> off;
        std::size_t fit = 0;
        for (std::size_t at = 0; at < m_saves.size(); ++at) {
            const Rates rates = ratesOf(m_saves[at], file);
            if (!rates.areTold()) continue;
            if (rates.scheduler == rates.optimizer)
                ++fit;
            else
                off.push_back(at);
        }
        if (fit == 0 || off.size() != 1) return;
        const Rates rates = ratesOf(m_saves[off.front()], file);
        doubt(m_assessments[m_saves[off.front()].set], "step_unproven",
              message("%1 has learning rate %2, but the optimizer uses %3; in other saves they are equal. One of the "
                      "two belongs to another save or run",
                      printable(file.second), printable(rates.scheduler), printable(rates.optimizer)),
              file.first);
    }

    // A seed stays the same in a run: a resume takes it from its checkpoint.
    void judgeSeeds(const StateFile &file)
    {
        std::map<std::string, std::vector<StateCount>> seeds;
        for (std::size_t i = 0; i < m_saves.size(); ++i)
            if (const std::string *seed = textIn(m_saves[i], file, "data_seed"))
                seeds[*seed].push_back({i, m_saves[i].position, 0});
        if (const StateCount *alone = oneOfTwo(seeds))
            doubt(m_assessments[m_saves[alone->save].set], "run_mismatch",
                  message("%1 uses a different seed for the data order than all other saves: it belongs to another run",
                          printable(file.second)),
                  file.first);
    }

    // Each epoch draws a new order of the data and keeps it until its end. If two saves with one order cannot be of the
    // same epoch, one of them has the other's file. If the order of a save differs from the other saves of its epoch,
    // its file is from another run.
    void judgeOrders(const StateFile &file)
    {
        std::map<std::int64_t, std::map<std::string, std::vector<StateCount>>> epochs;  // lag → order → counts
        std::map<std::string, std::map<std::int64_t, std::vector<StateCount>>> orders;  // order → lag → counts
        for (const StateCount &count : countsOf(m_saves, file, "data_step"))
            if (const std::string *order = textIn(m_saves[count.save], file, "data_order")) {
                epochs[count.position - count.value][*order].push_back(count);
                orders[*order][count.position - count.value].push_back(count);
            }
        for (const auto &[lag, own] : epochs)
            if (const StateCount *alone = oneOfTwo(own))
                doubt(m_assessments[m_saves[alone->save].set], "run_mismatch",
                      message("%1 uses a different data order than the other saves of the epoch: it belongs to another "
                              "run, or its order was reset",
                              printable(file.second)),
                      file.first);
        // The data order of other scripts may repeat. verl's generator draws a new one each time (trainer/main_ppo.py:
        // create_rl_sampler).
        if (file.second != "data.pt") return;
        for (const auto &[order, own] : orders)
            for (const auto &[lag, saves] : own)
                if (own.size() == 2 && saves.size() == 1 &&
                    (oneOfTwo(own) ? oneOfTwo(own) == &saves.front() : isOneFile(own)))
                    doubt(m_assessments[m_saves[saves.front().save].set], "step_unproven",
                          message("%1 has supplied %2 batches at step %3 in the order of a different epoch: it belongs "
                                  "to another save, or the two were exchanged",
                                  printable(file.second), grouped(saves.front().value),
                                  grouped(saves.front().position)),
                          file.first);
    }

    // If there are exactly two kinds, and one of them occurs once while the other occurs several times: the single one.
    template <typename Kind>
    static const StateCount *oneOfTwo(const std::map<Kind, std::vector<StateCount>> &kinds)
    {
        if (kinds.size() != 2) return nullptr;
        const auto &first = kinds.begin()->second, &second = std::next(kinds.begin())->second;
        if (first.size() == 1 && second.size() > 1) return &first.front();
        return second.size() == 1 && first.size() > 1 ? &second.front() : nullptr;
    }

    // True if two saves have returned equally many batches in one order.
    static bool isOneFile(const std::map<std::int64_t, std::vector<StateCount>> &saves)
    {
        return saves.begin()->second.front().value == std::next(saves.begin())->second.front().value;
    }

    const std::vector<SetAssessment> &m_assessments;
    const std::vector<StateSave> &m_saves;
};

}  // namespace

void judgeStates(const std::vector<SetAssessment> &assessments, const JudgeContext & /*context*/)
{
    for (auto &[run, saves] : runsOf(assessments)) {
        if (saves.size() < 2) continue;
        const bool isPlaced = place(saves, assessments);
        std::set<StateFile> files;
        for (const StateSave &save : saves)
            for (const auto &[file, meta] : save.files) files.insert(file);
        StateJudge judge(assessments, saves);
        for (const StateFile &file : files) judge.judge(file, isPlaced);
    }
}

}  // namespace rankdeck
