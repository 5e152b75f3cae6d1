// SPDX-License-Identifier: GPL-3.0-or-later
// Meaning of a label in a training log: one table of names, with the qualifiers that may surround them. A label that is
// not in the table has no role; a role is never guessed from the value alone. Pure.
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
    evaluation,  // value of a validation or test: never one of the training
    summary,     // value of a finished run: "train_runtime"
};
const char *fieldRoleName(FieldRole role);  // "loss", "lr", "step_seconds" …: the names in job files and JSON

struct LabelMeaning {
    FieldRole role = FieldRole::none;
    int priority = 0;     // if several fields have one role, the lowest priority is taken
    bool global = false;  // step: its label shows that it counts the whole run
    bool certain = true;  // loss: false if its label has more words, as "loss_cls", which is a part of the loss
};

class FieldRoles {
public:
    // overrides: role → label, from logs.fields of the job file. The given label has that role, and no other label has
    // it.
    explicit FieldRoles(const std::map<std::string, std::string> &overrides = {});
    // By the label or, if there is none, by the unit: "200/ 2983 batches".
    [[nodiscard]] LabelMeaning of(const Field &field);
    // Whether a text that is not a label names an evaluation or a training.
    enum class Occasion { none, evaluation, training };
    [[nodiscard]] Occasion occasionOf(std::string_view text);

private:
    std::map<FieldRole, std::string> m_given;  // role → given label as plain words
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
