// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/fields/role.h"

#include "core/parse/fields/label_text.h"
#include <algorithm>
#include <array>
#include <vector>

namespace rankdeck {

namespace {

using Words = std::vector<std::string_view>;

Words wordsOf(std::string_view plain)
{
    Words words;
    while (!plain.empty()) {
        const std::size_t end = std::min(plain.find(' '), plain.size());
        if (end > 0) words.push_back(plain.substr(0, end));
        plain.remove_prefix(std::min(end + 1, plain.size()));
    }
    return words;
}

template <std::size_t N>
bool isOneOf(std::string_view word, const std::array<std::string_view, N> &list)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

template <std::size_t N>
bool hasAny(const Words &words, const std::array<std::string_view, N> &list)
{
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return isOneOf(word, list); });
}

bool has(const Words &words, std::string_view word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

template <std::size_t N>
Words without(const Words &words, const std::array<std::string_view, N> &list)
{
    Words rest;
    std::copy_if(words.begin(), words.end(), std::back_inserter(rest),
                 [&](std::string_view word) { return !isOneOf(word, list); });
    return rest;
}

constexpr std::array<std::string_view, 20> evaluationWords{
    "val",      "valid",      "validation", "validate",   "validating", "eval",  "evaluation",
    "evaluate", "evaluating", "evaluator",  "test",       "testing",    "tests", "dev",
    "heldout",  "holdout",    "predict",    "predicting", "inference",  "cv"};
constexpr std::array<std::string_view, 4> trainingWords{"train", "training", "trainer", "tr"};

// Losses.
constexpr std::array<std::string_view, 10> lossWords{"loss",    "losses",    "cost",         "xent",  "nll",
                                                     "logloss", "objective", "crossentropy", "error", "mlogloss"};
constexpr std::array<std::string_view, 34> notALoss{
    "best",     "final",    "min",  "minimum",     "lowest",      "max",       "packet",  "packets", "profit",
    "weight",   "weights",  "coef", "coefficient", "ratio",       "delta",     "diff",    "change",  "patience",
    "function", "fn",       "type", "stop",        "path",        "data",      "hearing", "signal",  "insertion",
    "return",   "previous", "prev", "scaled",      "improvement", "threshold", "takeoff"};
constexpr std::array<std::string_view, 6> totalWords{"total", "overall", "sum", "all", "full", "combined"};
constexpr std::array<std::string_view, 24> plainLossWords{
    "train", "training", "trainer", "tr",        "batch",     "step", "current", "cur",
    "the",   "this",     "iter",    "iteration", "minibatch", "mini", "value",   "rank",
    "local", "global",   "epoch",   "metrics",   "for",       "last", "log",     "at"};
constexpr std::array<std::string_view, 8> averageWords{"avg",      "average", "mean", "running",
                                                       "smoothed", "smooth",  "ema",  "moving"};
constexpr std::array<std::string_view, 6> mainWords{"lm", "ce", "cross", "entropy", "main", "mlm"};

LabelMeaning lossMeaning(const Words &words)
{
    if (hasAny(words, std::array<std::string_view, 3>{"scale", "scaler", "scaling"})) return {FieldRole::lossScale};
    if (hasAny(words, notALoss)) return {};
    const bool isLoss = has(words, "loss") || has(words, "losses") || has(words, "logloss") || has(words, "mlogloss");
    Words rest = without(without(words, lossWords), plainLossWords);
    if (!isLoss) {  // another name of it: "Cost", "xent", "nll"; an error only as "train error"
        if (!rest.empty() || has(words, "error")) return {};
        return {FieldRole::loss, 7};
    }
    const bool average = hasAny(rest, averageWords);
    rest = without(rest, averageWords);
    const bool total = hasAny(rest, totalWords);
    rest = without(rest, totalWords);
    if (rest.empty()) return {FieldRole::loss, total ? 0 : average ? 4 : words.size() == 1 ? 1 : 2};
    const bool entropy = has(rest, "entropy") && !has(rest, "cross");  // of a policy: a part of its loss
    if (!entropy && without(rest, mainWords).empty()) return {FieldRole::loss, 3};
    const bool aside = hasAny(rest, std::array<std::string_view, 10>{"entropy", "aux", "kl", "reg", "regularization",
                                                                     "value", "vf", "balancing", "balance", "commit"});
    return {FieldRole::loss, aside ? 9 : 6, false, false};
}

// Counters.
struct CounterName {
    std::string_view word;
    int priority;
};
constexpr std::array<CounterName, 22> stepNames{
    {{"step", 1},       {"steps", 1},    {"globalstep", 0}, {"iter", 2},  {"iters", 2},   {"iteration", 2},
     {"iterations", 2}, {"it", 2},       {"itr", 2},        {"its", 2},   {"update", 2},  {"updates", 2},
     {"up", 2},         {"timestep", 2}, {"timesteps", 2},  {"batch", 3}, {"batches", 3}, {"minibatch", 3},
     {"ba", 3},         {"tick", 3},     {"i", 4},          {"idx", 5}}};
constexpr std::array<std::string_view, 24> besideCounters{
    "global", "train", "training", "trainer",   "current", "cur",      "num",  "number",
    "no",     "index", "id",       "optimizer", "opt",     "gradient", "the",  "at",
    "after",  "inner", "in",       "for",       "on",      "begin",    "mini", "idx"};

// Qualifiers of a step that is not the newest step of the training.
constexpr std::array<std::string_view, 30> otherSteps{
    "skipped", "nan",  "warmup", "max",      "per",    "micro",   "time",   "size",  "save",         "saving",
    "every",   "last", "best",   "start",    "first",  "number",  "resume", "decay", "accumulation", "log",
    "logging", "next", "end",    "previous", "tokens", "samples", "loss",   "to",    "until",        "ms"};

LabelMeaning counterMeaning(const Words &words)
{
    if (const auto of = std::find(words.rbegin(), words.rend(), "of");
        of != words.rend() && of != words.rbegin())  // "Train step of epoch"
        return words.front() == "number" ? LabelMeaning{} : counterMeaning(Words(of.base(), words.end()));
    const bool many = hasAny(words, std::array<std::string_view, 4>{"total", "max", "num", "target"});
    const Words rest = without(words, besideCounters);
    const Words bare = without(rest, std::array<std::string_view, 4>{"total", "max", "target", "optimization"});
    if (bare.size() == 1 && (bare[0] == "epochs" || bare[0] == "epoch") && many) return {FieldRole::epochs};
    if (bare.size() == 1 && (bare[0] == "steps" || bare[0] == "iterations" || bare[0] == "iters") &&
        (has(words, "optimization") || has(words, "max") || (has(words, "total") && !has(words, "timesteps"))))
        return {FieldRole::total};
    if (rest.size() == 1 && (rest[0] == "epoch" || rest[0] == "epochs" || rest[0] == "ep")) return {FieldRole::epoch};
    const Words named = without(rest, std::array<std::string_view, 1>{"total"});
    const bool counts = words.back() == "step" || words.back() == "iteration" || words.back() == "iter";
    if (named.size() > 1 && counts && !hasAny(words, otherSteps)) return {FieldRole::step, 3, has(words, "global")};
    if (named.size() != 1)
        return words.size() == 1 && words[0] == "idx" ? LabelMeaning{FieldRole::step, 5} : LabelMeaning{};
    const bool global = has(words, "global") || named[0] == "globalstep" || has(words, "total") ||
                        (has(words, "num") && named[0] == "updates");
    for (const CounterName &name : stepNames)
        if (named[0] == name.word) return {FieldRole::step, global ? 0 : name.priority, global};
    return {};
}

constexpr std::array<std::string_view, 10> timeWords{"time", "sec",     "secs", "second",   "seconds",
                                                     "ms",   "elapsed", "dt",   "duration", "timing"};
constexpr std::array<std::string_view, 11> perStepWords{"step", "iter", "iteration", "it", "batch", "update",
                                                        "per",  "dt",   "itr",       "ms", "sec"};
constexpr std::array<std::string_view, 22> otherTimes{
    "data", "load",      "loading", "forward", "backward",  "fwd",   "bwd",   "total",
    "eta",  "remaining", "left",    "epoch",   "optimizer", "wait",  "fetch", "allreduce",
    "comm", "eval",      "tokens",  "samples", "token",     "sample"};
constexpr std::array<std::string_view, 13> rates{"throughput", "tps", "fps",  "speed",  "tflops",  "flops", "wps",
                                                 "tgs",        "ups", "rate", "tokens", "samples", "images"};

// True for "samples/s", "tok/sec", "TFLOP/s/GPU"; false for "time/step".
bool endsPerSecond(std::string_view label)
{
    for (std::size_t at = label.find("/s"); at != std::string_view::npos; at = label.find("/s", at + 1)) {
        const std::string_view rest = label.substr(at + 2);
        if (rest.empty() || rest.front() < 'a' || rest.front() > 'z' || rest.starts_with("ec")) return true;
    }
    return false;
}

LabelMeaning measureMeaning(const Words &words, std::string_view label)
{
    const bool norm = has(words, "norm") || has(words, "norms");
    if (has(words, "gnorm") || has(words, "gradnorm") || has(words, "grads") || has(words, "grad") ||
        has(words, "gradient") || has(words, "gradients") || norm) {
        if (hasAny(words, std::array<std::string_view, 14>{"param", "params", "parameter", "weight", "weights", "layer",
                                                           "batch", "clip", "clipped", "accum", "accumulation", "steps",
                                                           "scale", "max"})) {
            if (has(words, "scale") && has(words, "grad")) return {FieldRole::lossScale};
            return {};
        }
        const bool named = norm || has(words, "gnorm") || has(words, "gradnorm") || words.size() == 1;
        return named && words.size() <= 4
                   ? LabelMeaning{FieldRole::gradNorm, has(words, "grad") || has(words, "gradient") ? 0 : 1}
                   : LabelMeaning{};
    }
    if (has(words, "lr") || (has(words, "learning") && has(words, "rate")) || has(words, "learningrate"))
        return {FieldRole::learningRate, words.size() == 1 || (words.size() == 2 && has(words, "learning")) ? 0 : 1};
    if (words.size() == 2 && hasAny(words, std::array<std::string_view, 4>{"step", "iter", "iteration", "batch"}) &&
        hasAny(words, std::array<std::string_view, 2>{"avg", "mean"}))
        return {FieldRole::stepTime, 2};
    if (has(words, "scale") || has(words, "scaler"))
        return without(words, std::array<std::string_view, 8>{"scale", "scaler", "grad", "amp", "loss", "fp", "scaling",
                                                              "dynamic"})
                       .empty()
                   ? LabelMeaning{FieldRole::lossScale, 1}
                   : LabelMeaning{};
    if (words.size() <= 1 && (has(words, "time") || has(words, "dt")))
        return {FieldRole::stepTime, has(words, "dt") ? 1 : 3};
    const bool perSecond =
        endsPerSecond(label) || ((has(words, "per") && (has(words, "second") || has(words, "sec") || has(words, "s"))));
    if (label == "it/s" || label == "iter/s" || label == "step/s" || label == "s/it" || label.ends_with("s/step") ||
        label.ends_with("s/iter"))
        return {FieldRole::stepTime};
    if ((perSecond && !has(words, "epoch")) ||
        (hasAny(words, rates) && (words.size() == 1 || has(words, "throughput") || has(words, "tflops")) &&
         words[0] != "rate" && words[0] != "tokens" && words[0] != "samples" && words[0] != "images"))
        return {FieldRole::throughput, has(words, "tflops") ? 1 : 0};
    if (hasAny(words, timeWords) && hasAny(words, perStepWords) && words.size() > 1 && !hasAny(words, otherTimes))
        return {FieldRole::stepTime};
    return {};
}

}  // namespace

const char *fieldRoleName(FieldRole role)
{
    switch (role) {
    case FieldRole::loss: return "loss";
    case FieldRole::step: return "step";
    case FieldRole::epoch: return "epoch";
    case FieldRole::total: return "total";
    case FieldRole::learningRate: return "lr";
    case FieldRole::gradNorm: return "grad_norm";
    case FieldRole::lossScale: return "loss_scale";
    case FieldRole::stepTime: return "step_seconds";
    case FieldRole::throughput: return "throughput";
    case FieldRole::none:
    case FieldRole::epochs:
    case FieldRole::evaluation:
    case FieldRole::summary: return "other";
    }
    return "other";
}

bool namesEvaluation(std::string_view plainWords) { return hasAny(wordsOf(plainWords), evaluationWords); }
bool namesTraining(std::string_view plainWords) { return hasAny(wordsOf(plainWords), trainingWords); }

LabelMeaning meaningOf(std::string_view label)
{
    const std::string plain = plainLabel(label);
    const Words words = wordsOf(plain);
    if (words.empty() || words.size() > 8) return {};
    if (hasAny(words, evaluationWords)) return {FieldRole::evaluation};
    if (words.back() == "runtime" && words.size() <= 2 && words.front() != "interval") return {FieldRole::summary};
    if (hasAny(words, lossWords)) return lossMeaning(words);
    const LabelMeaning counter = counterMeaning(words);
    return counter.role != FieldRole::none ? counter : measureMeaning(words, label);
}

FieldRoles::FieldRoles(const std::map<std::string, std::string> &overrides)
{
    static constexpr std::array<FieldRole, 9> roles{
        FieldRole::loss,     FieldRole::step,      FieldRole::epoch,    FieldRole::total,     FieldRole::learningRate,
        FieldRole::gradNorm, FieldRole::lossScale, FieldRole::stepTime, FieldRole::throughput};
    for (const FieldRole role : roles)
        if (const auto given = overrides.find(fieldRoleName(role)); given != overrides.end())
            m_given.emplace(role, plainLabel(given->second));
}

namespace {

constexpr std::size_t mostLabels = 4096;  // labels whose meaning is kept for one log

}  // namespace

FieldRoles::Occasion FieldRoles::occasionOf(std::string_view text)
{
    if (text.find_first_of("./_\\") != std::string_view::npos || text.size() > 80) return Occasion::none;
    m_key.assign(text);
    if (const auto known = m_occasions.find(m_key); known != m_occasions.end()) return known->second;
    const std::string plain = plainLabel(text);
    const bool best = (" " + plain + " ").find(" best ") != std::string::npos;
    const Occasion occasion = namesTraining(plain)             ? Occasion::training
                              : namesEvaluation(plain) || best ? Occasion::evaluation
                                                               : Occasion::none;
    if (m_occasions.size() >= mostLabels) m_occasions.clear();
    m_occasions.emplace(m_key, occasion);
    return occasion;
}

LabelMeaning FieldRoles::of(const Field &field)
{
    const std::string_view name = field.label.empty() ? field.unit : field.label;
    if (name.empty() || name.size() > 200) return {};
    m_key.assign(name);
    if (const auto known = m_known.find(m_key); known != m_known.end()) return known->second;
    LabelMeaning meaning = meaningOf(name);
    const std::string plain = plainLabel(name);
    if (m_given.count(meaning.role) != 0) meaning = {};
    for (const auto &[role, label] : m_given)
        if (label == plain) meaning = {role, -1};
    if (m_known.size() >= mostLabels) m_known.clear();
    m_known.emplace(m_key, meaning);
    return meaning;
}

}  // namespace rankdeck
