// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/fields/training_reader.h"

#include "core/base/text.h"
#include "core/parse/fields/label_text.h"
#include "core/parse/fields/pieces.h"
#include "core/parse/lines/scanner.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <tuple>
#include <utility>

namespace rankdeck {

namespace {

// Largest distance between the first line of a record and its loss.
constexpr std::int64_t recordLines = 60;
constexpr std::size_t confirmedWhole = 2, confirmedPart = 3;  // needed lines of one shape; for a whole loss, for a part
constexpr std::size_t mostShapes = 16;
constexpr int saidAgain = 2;  // lines with a step and no loss are progress if no loss comes between so many of them

// True if a text without a number may name the columns of a table or begin an evaluation.
bool mayMatter(std::string_view piece)
{
    static constexpr std::array<std::string_view, 8> parts{"oss", "OSS", "val", "Val", "VAL", "est", "EST", "dev"};
    return std::any_of(parts.begin(), parts.end(), [piece](std::string_view part) { return contains(piece, part); });
}

bool isAfter(const Sample &sample, const Sample &before)
{
    const auto place = [](const Sample &one) {
        return std::tuple(one.epoch.value_or(0), one.globalStep.value_or(0), one.step.value_or(0),
                          one.fractionalEpoch.value_or(0));
    };
    // The lines have shown which counter they use.
    if (sample.globalStep.has_value() != before.globalStep.has_value()) return true;
    return place(sample) > place(before);
}

// True for bars that count something other than training steps.
bool isOtherBar(std::string_view piece)
{
    static constexpr std::array<std::string_view, 24> others{
        "map",      "filter",   "loading",   "load",       "download",   "downloading", "saving",  "tokenizing",
        "tokenize", "fetching", "upload",    "uploading",  "generating", "extracting",  "casting", "resolving",
        "scanning", "caching",  "preparing", "processing", "converting", "sanity",      "reading", "building"};
    const std::string plain = plainLabel(piece.substr(0, piece.find("%|")));
    if (namesEvaluation(plain)) return true;
    return std::any_of(others.begin(), others.end(), [&](std::string_view other) {
        return (" " + plain + " ").find(" " + std::string(other) + " ") != std::string::npos;
    });
}

}  // namespace

Match TrainingReader::read(std::string_view piece, std::vector<Sample> &samples)
{
    ++m_sinceStep;
    if (piece.find_first_of("0123456789") == std::string_view::npos && !mayMatter(piece)) {
        m_hasCounter = m_hasMeasure = false;
        return Match::no;
    }
    piece = withoutGlog(piece);
    m_hasCounter = m_hasMeasure = false;
    split(piece);
    if (m_line.fields.size() < m_line.free.size()) m_hasCounter = m_table.takeHeader(piece);
    if (m_line.fields.empty()) {
        m_evaluating = m_evaluating || isEvaluation();
        return Match::no;
    }
    Line line = choose(piece);
    if (line.evaluation) return Match::no;
    learnPair(line);
    complete(line);
    m_hasMeasure = line.measures > 0;
    m_hasCounter =
        m_hasCounter || (line.step && !(line.step->of > 0 && !line.step->named && isOtherBar(piece))) || line.epoch;
    return line.loss != nullptr ? observation(line, piece, samples) : remember(line, piece, samples);
}

// Handles a line without a loss: the first line of a record, a bar, a new epoch, or progress that is printed without a
// loss.
Match TrainingReader::remember(const Line &line, std::string_view piece, std::vector<Sample> &samples)
{
    const Field *const only = m_line.fields.size() == 1 ? &m_line.fields.front() : nullptr;
    if (only && isCount(*only) && only->value > 0) {
        if (m_meanings[0].role == FieldRole::total) m_total = static_cast<std::int64_t>(only->value);
        if (m_meanings[0].role == FieldRole::epochs) m_epochs = static_cast<std::int64_t>(only->value);
    }
    if (line.epoch && !line.step) {
        m_evaluating = false;
        m_epoch = line.epoch;
        m_epoch->printed = false;
        m_epoch->field = nullptr;
        if (line.epoch->value == 0 && !line.epoch->fraction) m_epochsFromZero = true;
    }
    const bool bar = line.step && !line.step->named && line.step->of > 0;
    const bool ofEvaluation = std::any_of(m_meanings.begin(), m_meanings.end(), [](const LabelMeaning &meaning) {
        return meaning.role == FieldRole::evaluation;
    });
    if (!line.step && !line.epoch && line.measures > 0) addMeasures(m_measures);
    if (!line.step || ofEvaluation || (bar && isOtherBar(piece))) return Match::no;
    // This is a bar within another one, such as the bar of an evaluation.
    if (bar && m_stepOfBar && m_step && line.step->of != m_step->of && m_step->value < m_step->of) return Match::no;
    const bool progress = line.step->named && (line.measures > 0 || line.epoch) &&
                          (m_stepsSeen ? m_stepLabel == line.step->label
                                       : m_lastStep && *m_lastStep < line.step->value && line.measures > 0);
    const bool grows = m_lastStep && line.step->value > *m_lastStep;
    m_step = line.step;
    m_measures = {};
    m_step->printed = false;
    m_step->label = {};
    m_step->field = nullptr;
    m_stepOfBar = bar;
    m_epochOfStep = line.epoch.has_value();
    m_sinceStep = 0;
    if (line.epoch) {
        m_epoch = line.epoch;
        m_epoch->printed = false;
        m_epoch->field = nullptr;
    }
    if (!m_stepsSeen && line.step->named && line.measures > 0) m_lastStep = line.step->value;
    if (!progress || !grows || !m_held.empty() || ++m_withoutLoss < saidAgain) return Match::no;
    Sample sample;
    sample.hasLoss = false;
    addMeasures(sample);
    place(line, sample);
    samples.push_back(sample);
    return Match::yes;
}

// Adds the counters that earlier lines printed for this one. False: there are none.
bool TrainingReader::addContext(Line &line, std::string_view piece)
{
    if (line.epoch && line.epoch->value == 0 && !line.epoch->fraction) m_epochsFromZero = true;
    if (!line.step && m_step && !m_stepInLine && (m_stepOfBar || m_sinceStep <= recordLines)) {
        line.step = m_step;
        line.record = !m_stepOfBar;
        if (!line.epoch && m_epoch && m_epochOfStep) {
            line.epoch = m_epoch;
            line.epoch->printed = true;  // as if it were beside the step
        }
    }
    if (!line.epoch && m_epoch && !(line.step && line.step->global)) line.epoch = m_epoch;
    // Keras: its bar does not show the epoch.
    if (line.step && !line.epoch && !line.step->named && line.step->printed &&
        piece.find(" - loss: ") != std::string_view::npos) {
        line.broken = true;
        return false;
    }
    if (line.step) return true;
    if (!line.epoch) return false;
    if (line.epoch->fraction) return true;
    // One loss per epoch, unless single steps are printed, too.
    line.record = !line.epoch->printed;
    return !m_stepsSeen;
}

Match TrainingReader::observation(Line &line, std::string_view piece, std::vector<Sample> &samples)
{
    if (line.impossible || (line.broken && !line.step)) return Match::broken;
    // "Train loss 12 0.512" contains the step and its loss.
    const auto next = m_line.fields.begin() + (line.loss - m_line.fields.data()) + 1;
    if (!line.step && line.loss->integer && next != m_line.fields.end() && next->label.empty() && !next->integer &&
        !next->repeats) {
        line.step = Counter{static_cast<std::int64_t>(line.loss->value), 0, false, true};
        line.loss = &*next;
    }
    // An evaluation may count its own steps, which do not exceed those of the training.
    const bool sameSteps = m_stepsSeen && line.step && !line.epoch && m_stepLabel == line.step->label;
    if (m_evaluating && sameSteps && m_lastStep && line.step->value <= *m_lastStep) return Match::no;
    m_evaluating = false;
    if (!addContext(line, piece)) return line.broken ? Match::broken : Match::no;
    Sample sample = line.record ? m_measures : Sample();
    sample.loss = line.loss->value;
    addMeasures(sample);
    place(line, sample);
    if (line.certain && !line.record)
        samples.push_back(sample);
    else if (!confirm(line, sample, samples))
        return Match::no;
    m_stepInLine = m_stepInLine || (line.step && line.step->printed);
    if (line.step && (line.step->printed || line.record)) {
        m_stepsSeen = true;
        m_stepLabel.assign(line.step->label);
    }
    m_withoutLoss = 0;
    return Match::yes;
}

// A loss may have an unusual name, or be in a separate line below its step. It counts only after lines of its shape
// have repeated with growing steps; then the held losses count, too. If several shapes repeat, one is chosen: a whole
// loss before its parts.
bool TrainingReader::confirm(const Line &line, const Sample &sample, std::vector<Sample> &samples)
{
    const std::uint64_t now = shape();
    if (m_confirmed && m_confirmed->shape == now) {
        if (!isAfter(sample, m_confirmed->samples.back())) return false;
        m_confirmed->samples.back() = sample;
        samples.push_back(sample);
        return true;
    }
    if (m_confirmed ? m_confirmed->whole || !line.certain : m_stepsSeen) return false;
    auto held = std::find_if(m_held.begin(), m_held.end(), [now](const Held &one) { return one.shape == now; });
    if (held == m_held.end()) {
        if (m_held.size() >= mostShapes) m_held.erase(m_held.begin());
        held = m_held.insert(m_held.end(), Held{now, line.certain, {}});
    }
    if (!held->samples.empty() && !isAfter(sample, held->samples.back())) held->samples.clear();
    held->samples.push_back(sample);
    // The whole loss of a record may come after its parts.
    const std::size_t needed = line.certain ? confirmedWhole : line.record ? confirmedPart + 1 : confirmedPart;
    if (held->samples.size() < needed) return false;
    for (const Sample &earlier : held->samples)
        if (!m_confirmed || isAfter(earlier, m_confirmed->samples.back())) samples.push_back(earlier);
    m_confirmed = Held{now, line.certain, {sample}};
    m_held.clear();
    return true;
}

}  // namespace rankdeck
