// SPDX-License-Identifier: GPL-3.0-or-later
// The quantity of a training that a label means: one table of names, with the qualifiers that may surround them. A
// label that is not in the table has no role; none is guessed from the value alone. Pure.
#pragma once

#include "core/parse/fields/field.h"

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace rankdeck {

enum class FieldRole {
    none,
    loss,
    step,
    epoch,
    total,   // steps of the whole run
    epochs,  // epochs of the whole run
    learningRate,
    gradNorm,
    lossScale,
    stepTime,
    throughput,
    evaluation,  // a value of a validation or test: never one of the training
    summary,     // of a run that is over: "train_runtime"
};
const char *fieldRoleName(FieldRole role);  // "loss", "lr", "step_seconds" …: the names in job files and JSON

struct LabelMeaning {
    FieldRole role = FieldRole::none;
    int priority = 0;     // of several fields of one role the lowest is taken
    bool global = false;  // step: its label shows that it counts the whole run
    bool certain = true;  // loss: false if its label has more words, as "loss_cls": a part of it
};

class FieldRoles {
public:
    // overrides: role → label, as the job file's logs.fields has them. A given label has that role, and no other label
    // has it.
    explicit FieldRoles(const std::map<std::string, std::string> &overrides = {});
    // By the label, or by the unit if there is none: "200/ 2983 batches".
    [[nodiscard]] LabelMeaning of(const Field &field);
    // For a text that labels no number: whether it names an evaluation or a training.
    enum class Occasion { none, evaluation, training };
    [[nodiscard]] Occasion occasionOf(std::string_view text);

private:
    std::map<FieldRole, std::string> m_given;  // plain labels
    std::unordered_map<std::string, LabelMeaning> m_known;
    std::unordered_map<std::string, Occasion> m_occasions;
    std::string m_key;
};

// The meaning of a label by the table alone.
LabelMeaning meaningOf(std::string_view label);
// Whether a text names an evaluation: "val", "Validation", "test" …
bool namesEvaluation(std::string_view plainWords);
bool namesTraining(std::string_view plainWords);

}  // namespace rankdeck
