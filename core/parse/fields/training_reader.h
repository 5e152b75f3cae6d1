// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of the observations of a training from the lines of one log, for the output of any program. The numbers of a
// line get roles by their labels. The way in which they change shows which counters count the whole run, and which
// lines form a record. One reader per log and attempt; its memory does not grow with the log. Cannot fail.
#pragma once

#include "core/parse/fields/columns.h"
#include "core/parse/fields/field.h"
#include "core/parse/fields/role.h"
#include "core/parse/lines/mindspore_lines.h"
#include "core/parse/lines/sample.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

class TrainingReader {
public:
    explicit TrainingReader(const std::map<std::string, std::string> &overrides = {}) : m_roles(overrides) {}
    // piece: a line without colours, prefixes and carriage returns. Samples are appended without offset. Match::broken:
    // the piece begins like an observation, but its numbers are impossible.
    Match read(std::string_view piece, std::vector<Sample> &samples);
    // True if the last line contains a counter that a loss may need: a step or an epoch.
    [[nodiscard]] bool hasCounter() const { return m_hasCounter; }
    // True if it contains a learning rate, a gradient norm, a loss scale, a throughput or a step time.
    [[nodiscard]] bool hasMeasure() const { return m_hasMeasure; }
    // The role of each number of a line, without learning from the line. Afterwards fields() belongs to that line.
    std::vector<FieldRole> rolesOf(std::string_view piece);
    [[nodiscard]] const LineFields &fields() const { return m_line; }

private:
    struct Counter {
        std::int64_t value = 0;
        std::int64_t of = 0;       // 0: not printed
        bool global = false;       // its label shows that it counts the whole run
        bool named = false;        // true: by a label such as "step"; false: a pair such as "[10/100]"
        bool printed = true;       // true: in this line; false: in an earlier line
        bool beforeEpoch = false;  // comes before the epoch in its line: then it counts the run unless it restarts
        bool fromZero = false;     // it is an index from 0, as its epoch is: "Epoch: [0][ 2/6]"
        std::string_view label = {};
        const Field *field = nullptr;  // field in this line
    };
    struct Epoch {
        std::int64_t value = 0, of = 0;
        std::optional<double> fraction = {};  // "0.25", or "1.0"
        bool printed = true;
        const Field *field = nullptr;  // field in this line
    };
    struct Line {
        std::optional<Counter> step;
        std::optional<Epoch> epoch;
        const Field *loss = nullptr;
        bool certain = false;     // true: it is the whole loss, not a part
        bool record = false;      // its step or epoch was printed in an earlier line
        bool evaluation = false;  // it belongs to an evaluation, or to a finished run
        int measures = 0;         // number of learning rates, gradient norms, loss scales, times and throughputs
        bool broken = false;      // its step is impossible
        bool impossible = false;  // its epoch is impossible
    };
    void split(std::string_view piece);
    void assignRoles();
    [[nodiscard]] Line choose(std::string_view piece);
    void complete(Line &line) const;
    void chooseLoss(Line &line);
    void chooseCounters(Line &line);
    void learnPair(const Line &line);
    void splitPair(Line &line) const;
    void choosePositions(Line &line, std::string_view piece);
    [[nodiscard]] bool isEvaluation();
    Match remember(const Line &line, std::string_view piece, std::vector<Sample> &samples);
    Match observation(Line &line, std::string_view piece, std::vector<Sample> &samples);
    bool addContext(Line &line, std::string_view piece);
    void addMeasures(Sample &sample) const;
    [[nodiscard]] bool isStepTime(std::size_t index) const;
    void place(const Line &line, Sample &sample);
    void placeByFraction(const Line &line, Sample &sample) const;
    [[nodiscard]] bool countsEpochSteps(const Line &line);
    [[nodiscard]] std::uint64_t shape() const;
    bool confirm(const Line &line, const Sample &sample, std::vector<Sample> &samples);

    FieldRoles m_roles;
    ColumnTable m_table;
    bool m_hasCounter = false, m_hasMeasure = false;
    LineFields m_line;
    std::vector<LabelMeaning> m_meanings;

    // The newest counters from lines without a loss: from a record's first line, or from a progress bar.
    std::optional<Counter> m_step;
    bool m_stepOfBar = false;
    bool m_epochOfStep = false;  // m_epoch was printed beside it
    std::optional<Epoch> m_epoch;
    bool m_evaluating = false;     // an evaluation has begun
    std::int64_t m_sinceStep = 0;  // number of lines since then
    Sample m_measures;             // measures of a record, from separate lines above its loss
    std::int64_t m_total = 0, m_epochs = 0;

    // Learned from earlier lines:
    bool m_stepsSeen = false;   // a loss had a step
    bool m_stepInLine = false;  // in the same line
    std::string m_stepLabel;    // label of that step
    bool m_epochsFromZero = false;
    enum class Counts { unknown, epoch, run } m_counts = Counts::unknown;  // what steps beside an epoch count
    std::optional<std::int64_t> m_lastEpoch, m_lastStep;
    std::string m_lastLabel;  // label of the step that m_counts, m_lastEpoch and m_lastStep describe
    std::string m_pairLabel;  // label of the last named step with a total
    std::int64_t m_pairOf = -1, m_pairValue = 0;
    bool m_pairIsEpoch = false;  // its total grew while its value stayed, so the pair is an epoch and its step
    int m_withoutLoss = 0;       // number of growing steps since the last loss
    struct Held {                // uncertain observations from lines of one shape
        std::uint64_t shape = 0;
        bool whole = false;
        std::vector<Sample> samples = {};
    };
    std::vector<Held> m_held;
    std::optional<Held> m_confirmed;  // the shape that has repeated, with its last observation
};

}  // namespace rankdeck
