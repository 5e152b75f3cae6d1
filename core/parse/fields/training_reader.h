// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of one log → observations of a training, for the output of any program. A line's numbers get roles by their
// labels. The way they vary shows which counters count the whole run, and which lines are a record. One reader per log
// and attempt; its memory does not grow with the log. Cannot fail.
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
    // piece: a line without colours, prefixes and carriage returns. Samples are appended without offset. broken: it begins like an
    // observation, and its numbers cannot be one.
    Match read(std::string_view piece, std::vector<Sample> &samples);
    // The line that was read last counts something that a loss may need: a step or an epoch.
    [[nodiscard]] bool hasCounter() const { return m_hasCounter; }
    // It has a learning rate, a norm of gradients, a loss scale, a throughput or a time of a step.
    [[nodiscard]] bool hasMeasure() const { return m_hasMeasure; }
    // The role of each number of a line, without learning from it; fields() are of that line then.
    std::vector<FieldRole> rolesOf(std::string_view piece);
    [[nodiscard]] const LineFields &fields() const { return m_line; }

private:
    struct Counter {
        std::int64_t value = 0;
        std::int64_t of = 0;       // 0: not printed
        bool global = false;       // its label shows that it counts the whole run
        bool named = false;        // by a label such as "step"; false: a pair as "[10/100]"
        bool printed = true;       // in this line; false: in one before it
        bool beforeEpoch = false;  // in its line: then it counts the run unless it begins again
        bool fromZero = false;     // an index, as its epoch is: "Epoch: [0][ 2/6]"
        std::string_view label = {};
        const Field *field = nullptr;  // of this line
    };
    struct Epoch {
        std::int64_t value = 0, of = 0;
        std::optional<double> fraction = {};  // "0.25", or "1.0"
        bool printed = true;
        const Field *field = nullptr;  // of this line
    };
    struct Line {
        std::optional<Counter> step;
        std::optional<Epoch> epoch;
        const Field *loss = nullptr;
        bool certain = false;     // the loss is the whole one
        bool record = false;      // its step or epoch was printed in a line above
        bool evaluation = false;  // the line is of one, or of a run that is over
        int measures = 0;         // learning rate, norm of gradients, loss scale, time, throughput
        bool broken = false;      // a step that cannot be one
        bool impossible = false;  // an epoch that cannot be one
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

    // The newest counters of lines without a loss: of a record's first line, or of a progress bar.
    std::optional<Counter> m_step;
    bool m_stepOfBar = false;
    bool m_epochOfStep = false;  // m_epoch was printed beside it
    std::optional<Epoch> m_epoch;
    bool m_evaluating = false;     // a line began an evaluation
    std::int64_t m_sinceStep = 0;  // lines
    Sample m_measures;             // of a record, in separate lines above its loss
    std::int64_t m_total = 0, m_epochs = 0;

    // Learned from the lines before.
    bool m_stepsSeen = false;   // a loss came with a step
    bool m_stepInLine = false;  // in the same line
    std::string m_stepLabel;    // its label
    bool m_epochsFromZero = false;
    enum class Counts { unknown, epoch, run } m_counts = Counts::unknown;  // the scope of steps beside an epoch
    std::optional<std::int64_t> m_lastEpoch, m_lastStep;
    std::string m_lastLabel;  // of the step that m_counts, m_lastEpoch and m_lastStep describe
    std::string m_pairLabel;  // of the last named step with a total
    std::int64_t m_pairOf = -1, m_pairValue = 0;
    bool m_pairIsEpoch = false;  // its total grew while its value stayed: they are an epoch and its step
    int m_withoutLoss = 0;       // steps that grew since the last loss
    struct Held {                // observations of lines of one shape that are not certain
        std::uint64_t shape = 0;
        bool whole = false;
        std::vector<Sample> samples = {};
    };
    std::vector<Held> m_held;
    std::optional<Held> m_confirmed;  // the shape that has repeated, with its last observation
};

}  // namespace rankdeck
