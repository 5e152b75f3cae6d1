// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/fields/training_reader.h"

#include "core/base/text.h"
#include "core/parse/fields/label_text.h"
#include "core/parse/fields/pieces.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <utility>

// Roles of the numbers of one line: the loss, the counters, the measures.
namespace rankdeck {

namespace {

constexpr double mostEpochs = 1e9;

// A loss has no unit: not "50%", "2.5e" or "3 ms".
bool mayBeLoss(const Field &field) { return field.unit.empty() || field.label.empty(); }

bool isIn(std::string_view piece, const Field &field, std::string_view characters)
{
    std::size_t at = field.begin;
    while (at > 0 && piece[at - 1] == ' ') --at;
    return at > 0 && characters.find(piece[at - 1]) != std::string_view::npos;
}

// "INFO", "pod-0 trainer", "rank", "[worker_3]": words that a logger or a launcher puts before a message.
bool isOfLogger(std::string_view words)
{
    static constexpr std::array<std::string_view, 10> names{"trainer", "train", "training", "rank",  "worker",
                                                            "node",    "gpu",   "info",     "debug", "log"};
    const std::string_view last = words.substr(words.rfind(' ') + 1);
    const std::string plain = plainLabel(last);
    return std::find(names.begin(), names.end(), plain) != names.end() ||
           last.find_first_of("0123456789_.:/") != std::string_view::npos;
}

}  // namespace

std::vector<FieldRole> TrainingReader::rolesOf(std::string_view piece)
{
    piece = withoutGlog(piece);
    split(piece);
    Line line = choose(piece);
    if (!line.evaluation) complete(line);
    std::vector<FieldRole> roles;
    for (std::size_t i = 0; i < m_line.fields.size(); ++i) {
        const Field *const field = &m_line.fields[i];
        FieldRole role = m_meanings[i].role;
        const bool chosen = field == line.loss || (line.step && field == line.step->field) ||
                            (line.epoch && field == line.epoch->field);
        if (!chosen &&
            (role == FieldRole::loss || role == FieldRole::step || role == FieldRole::epoch || field->repeats))
            role = FieldRole::none;
        if (role == FieldRole::stepTime && !isStepTime(i)) role = FieldRole::none;
        if (line.step && field == line.step->field) role = FieldRole::step;
        if (line.epoch && field == line.epoch->field) role = FieldRole::epoch;
        roles.push_back(role);
    }
    return roles;
}

void TrainingReader::split(std::string_view piece)
{
    if (!m_table.readRow(piece, m_line)) readFields(piece, m_line);
    assignRoles();
}

void TrainingReader::assignRoles()
{
    m_meanings.clear();
    for (const Field &field : m_line.fields) m_meanings.push_back(m_roles.of(field));
    if (m_line.fields.empty() || m_meanings[0].role != FieldRole::none) return;
    // Before the first label there may be words of a logger: "INFO trainer step: 5"
    Field &first = m_line.fields.front();
    const std::string_view whole = first.label;
    for (std::size_t blank = whole.find(' '); blank != std::string_view::npos; blank = whole.find(' ', blank + 1)) {
        if (!isOfLogger(whole.substr(0, blank))) break;
        first.label = whole.substr(blank + 1);
        m_meanings[0] = m_roles.of(first);
        if (m_meanings[0].role != FieldRole::none) return;
    }
    first.label = whole;
}

// Chooses the loss and the counters from this line alone.
TrainingReader::Line TrainingReader::choose(std::string_view piece)
{
    Line line;
    chooseLoss(line);
    line.evaluation = isEvaluation();
    if (line.evaluation) return line;
    chooseCounters(line);
    if (!line.step || !line.epoch) choosePositions(line, piece);
    return line;
}

// Completes the counters from earlier lines, and counts the measures.
void TrainingReader::complete(Line &line) const
{
    splitPair(line);
    if (line.step && line.epoch && line.step->field && line.epoch->field)
        line.step->beforeEpoch = line.step->field < line.epoch->field;
    for (const LabelMeaning &meaning : m_meanings)
        line.measures += meaning.role == FieldRole::learningRate || meaning.role == FieldRole::gradNorm ||
                                 meaning.role == FieldRole::lossScale || meaning.role == FieldRole::stepTime ||
                                 meaning.role == FieldRole::throughput
                             ? 1
                             : 0;
}

void TrainingReader::chooseLoss(Line &line)
{
    int best = INT_MAX;
    for (std::size_t i = 0; i < m_line.fields.size(); ++i) {
        const Field &field = m_line.fields[i];
        if (m_meanings[i].role != FieldRole::loss || m_meanings[i].priority >= best || field.repeats ||
            !mayBeLoss(field))
            continue;
        best = m_meanings[i].priority;
        line.loss = &field;
        line.certain = m_meanings[i].certain;
    }
}

// True for a line of an evaluation. A single value of an evaluation says nothing about the rest of its line. A counter
// or a free text that names an evaluation does.
bool TrainingReader::isEvaluation()
{
    for (std::size_t i = 0; i < m_line.fields.size(); ++i) {
        if (m_meanings[i].role == FieldRole::summary) return true;
        if (m_meanings[i].role != FieldRole::evaluation) continue;
        const std::string plain = plainLabel(m_line.fields[i].label);
        const std::string_view last = std::string_view(plain).substr(plain.rfind(' ') + 1);
        const bool counter = m_line.fields[i].of ||
                             meaningOf(std::string_view(plain).substr(0, plain.find(' '))).role == FieldRole::epoch ||
                             meaningOf(last).role == FieldRole::step || meaningOf(last).role == FieldRole::epoch;
        if (counter && m_line.fields[i].integer) return true;
    }
    bool evaluation = false;
    for (const std::string_view free : m_line.free) {
        const FieldRoles::Occasion occasion = m_roles.occasionOf(free);
        if (occasion == FieldRoles::Occasion::training) return false;
        evaluation = evaluation || occasion == FieldRoles::Occasion::evaluation;
    }
    return evaluation;
}

void TrainingReader::chooseCounters(Line &line)
{
    int best = INT_MAX;
    for (std::size_t i = 0; i < m_line.fields.size(); ++i) {
        const Field &field = m_line.fields[i];
        const LabelMeaning &meaning = m_meanings[i];
        if (field.repeats) continue;
        if (meaning.role == FieldRole::step && meaning.priority < best) {
            if (!isCount(field)) {
                const bool impossible =
                    field.value < 0 || field.value >= mostCounted || (field.integer && !std::isfinite(field.value));
                line.broken = line.broken || impossible;
                continue;
            }
            best = meaning.priority;
            line.step = Counter{static_cast<std::int64_t>(field.value), field.of.value_or(0), meaning.global, true};
            line.step->label = field.label.empty() ? field.unit : field.label;
            line.step->field = &field;
        }
        if (meaning.role == FieldRole::epoch && !line.epoch) {
            if (!(field.value >= 0 && field.value < mostEpochs)) {
                line.impossible = true;
                continue;
            }
            line.epoch = Epoch{static_cast<std::int64_t>(field.value), field.of.value_or(0), {}, true};
            line.epoch->field = &field;
            if (!field.integer) line.epoch->fraction = field.value;
        }
    }
}

// For "Batch 0/600": if the second number grows while the first one stays, the two are an epoch and its step.
void TrainingReader::learnPair(const Line &line)
{
    if (!line.step || !line.step->named || line.step->of <= 0) return;
    const Counter &step = *line.step;
    if (m_pairLabel != step.label || step.of <= m_pairOf)
        m_pairIsEpoch = false;
    else if (step.value == m_pairValue)
        m_pairIsEpoch = true;
    m_pairLabel.assign(step.label);
    m_pairOf = step.of;
    m_pairValue = step.value;
}

void TrainingReader::splitPair(Line &line) const
{
    if (!m_pairIsEpoch || !line.step || !line.step->named || line.step->of <= 0 || line.step->label != m_pairLabel)
        return;
    if (!line.epoch) line.epoch = Epoch{line.step->value, 0, {}, true, nullptr};
    line.step->value = std::exchange(line.step->of, 0);
}

// Chooses counters without a name: "[1][210/735]", "Train: 0 [ 50/1251 (4%)]", "10%|#  | 10/100", "100: 2.5, ".
void TrainingReader::choosePositions(Line &line, std::string_view piece)
{
    std::vector<const Field *> unnamed;
    for (std::size_t i = 0; i < m_line.fields.size() && unnamed.size() < 8; ++i) {
        const Field &field = m_line.fields[i];
        if (m_meanings[i].role != FieldRole::none || field.repeats || !isCount(field)) continue;
        const bool train = namesTraining(plainLabel(field.label)) && field.label.find(' ') == std::string_view::npos;
        if (!field.label.empty() && !train) continue;
        if (field.unit == "%" && !field.of) continue;
        unnamed.push_back(&field);
    }
    const auto pair = std::find_if(unnamed.rbegin(), unnamed.rend(), [](const Field *field) {
        return field->of && *field->of >= static_cast<std::int64_t>(field->value) && *field->of > 0;
    });
    if (!line.step && pair != unnamed.rend()) {
        const Field &field = **pair;
        line.step = Counter{static_cast<std::int64_t>(field.value), field.of.value_or(0)};
        line.step->field = &field;
        const std::string_view gap = piece.substr(0, field.begin);
        line.step->fromZero =
            line.epoch && contains(gap, "Epoch: [") && gap.substr(0, gap.find_last_not_of(' ') + 1).ends_with("][");
        const auto before = std::find_if(unnamed.begin(), unnamed.end(),
                                         [&](const Field *other) { return other->begin < field.begin; });
        const bool bracketed =
            before != unnamed.end() && (!(*before)->label.empty() || isIn(piece, **before, "[") || (*before)->of);
        if (!line.epoch && bracketed)
            line.epoch =
                Epoch{static_cast<std::int64_t>((*before)->value), (*before)->of.value_or(0), {}, true, *before};
        return;
    }
    // Numbers at the beginning of a line are a step, or an epoch and a step.
    if (line.step || line.loss == nullptr || unnamed.empty() || unnamed.front() != m_line.fields.data()) return;
    const bool two = unnamed.size() > 1 && unnamed[1] == m_line.fields.data() + 1 && unnamed[1] != line.loss;
    const Field &step = two && !line.epoch ? *unnamed[1] : *unnamed[0];
    line.certain = false;
    if (two && !line.epoch) line.epoch = Epoch{static_cast<std::int64_t>(unnamed[0]->value), 0, {}, true, unnamed[0]};
    if (line.epoch && !two) return;
    line.step = Counter{static_cast<std::int64_t>(step.value), step.of.value_or(0)};
    line.step->field = &step;
}

}  // namespace rankdeck
