// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/huggingface/trainer_state.h"
#include "core/checkpoint/codec/json_text.h"
#include "core/checkpoint/thresholds.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace rankdeck {
namespace {

using Json = nlohmann::json;

constexpr std::size_t repeatedLosses = 16;
constexpr std::size_t maxStateDepth = 64;

// Converts NaN, Infinity and -Infinity outside of strings to strings, and counts brackets.
bool withoutBareNumbers(std::string_view bytes, std::string &out)
{
    out.reserve(bytes.size() + 64);
    bool inString = false;
    std::size_t depth = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const char c = bytes[i];
        if (inString) {
            if (c == '\\' && i + 1 < bytes.size()) out += bytes[i++];
            inString = c != '"';
            out += bytes[i];
            continue;
        }
        if (c == '[' || c == '{') {
            if (++depth > maxStateDepth) return false;
        } else if ((c == ']' || c == '}') && depth > 0) {
            --depth;
        }
        bool replaced = false;
        for (const std::string_view word : {"NaN", "-Infinity", "Infinity"}) {
            if (bytes.substr(i, word.size()) != word) continue;
            out += '"';
            out += word;
            out += '"';
            i += word.size() - 1;
            replaced = true;
            break;
        }
        if (replaced) continue;
        inString = c == '"';
        out += c;
    }
    return true;
}

std::optional<double> number(const Json &object, const char *key)
{
    const auto at = object.find(key);
    if (at == object.end()) return std::nullopt;
    if (at->is_number()) return at->get<double>();
    if (!at->is_string()) return std::nullopt;
    const std::string &text = at->get_ref<const std::string &>();
    if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (text == "Infinity") return std::numeric_limits<double>::infinity();
    if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
    return std::nullopt;
}

std::optional<std::int64_t> whole(const Json &object, const char *key)
{
    const auto at = object.find(key);
    if (at == object.end() || !at->is_number_integer()) return std::nullopt;
    return at->get<std::int64_t>();
}

void takeLosses(const Json &history, TrainerState &out)
{
    std::vector<std::pair<std::int64_t, double>> losses;
    for (const Json &entry : history) {
        if (!entry.is_object()) continue;
        const auto loss = number(entry, "loss");
        if (!loss) continue;
        const std::int64_t step = whole(entry, "step").value_or(0);
        out.lastLogged = std::max(out.lastLogged, step);
        if (out.losses++ < repeatedLosses) out.firstLosses += std::to_string(step) + ":" + std::to_string(*loss) + " ";
        if (!std::isfinite(*loss)) {
            if (!out.nonFiniteStep) out.nonFiniteStep = step;
        } else {
            losses.emplace_back(step, *loss);
        }
    }
    if (losses.size() < threshold::fewestLosses) return;
    const auto last = losses.back();
    std::vector<double> before;
    for (std::size_t i = losses.size() - std::min(losses.size(), threshold::lossesBefore + 1); i + 1 < losses.size();
         ++i)
        before.push_back(losses[i].second);
    std::nth_element(before.begin(), before.begin() + std::ptrdiff_t(before.size() / 2), before.end());
    const double usual = before[before.size() / 2];
    if (usual > 0 && last.second > threshold::lossJump * usual)
        out.jump = TrainerState::Jump{last.first, last.second, usual};
}

}  // namespace

Result<TrainerState> parseTrainerState(std::string_view bytes)
{
    std::string text;
    if (!withoutBareNumbers(bytes, text))
        return fail(ErrorKind::invalid, message("is nested more deeply than the Trainer ever writes it"));
    const Json all = parseJsonText(text);
    if (all.is_discarded() || !all.is_object()) return fail(ErrorKind::invalid, notJsonText(bytes));
    TrainerState out;
    const auto step = whole(all, "global_step");
    if (!step || *step < 0) return fail(ErrorKind::invalid, message("has no global_step"));
    out.globalStep = *step;
    out.epoch = number(all, "epoch");
    out.maxSteps = whole(all, "max_steps");
    if (const auto history = all.find("log_history"); history != all.end() && history->is_array())
        takeLosses(*history, out);
    return out;
}

}  // namespace rankdeck
