// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/load_line.h"

#include "core/base/text.h"
#include "core/parse/fields/label_text.h"
#include "core/parse/fields/pieces.h"
#include "core/parse/lines/message_start.h"
#include "core/parse/lines/scanner.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace rankdeck {

namespace {

constexpr std::size_t longestLoadLine = 2000;

std::string lowerCase(std::string_view text)
{
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
    return lower;
}

struct Word {
    std::string_view text;  // lower case, without punctuation at its ends
    std::size_t at;
};

std::vector<Word> wordsIn(std::string_view lower)
{
    std::vector<Word> words;
    for (std::size_t at = 0; at < lower.size();) {
        const std::size_t begin = lower.find_first_not_of(" \t", at);
        if (begin == std::string_view::npos) break;
        const std::size_t end = std::min(lower.find_first_of(" \t", begin), lower.size());
        std::string_view text = lower.substr(begin, end - begin);
        const std::size_t first = text.find_first_not_of("'\"`([{<:,;!*=>-");
        if (first != std::string_view::npos) {
            const std::size_t last = text.find_last_not_of("'\"`)]}>:,.;!*=");
            words.push_back({text.substr(first, last - first + 1), begin + first});
        }
        at = end;
    }
    return words;
}

template <std::size_t N>
bool isIn(std::string_view word, const std::array<std::string_view, N> &list)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

template <std::size_t N>
bool containsAny(std::string_view line, const std::array<std::string_view, N> &parts)
{
    return std::any_of(parts.begin(), parts.end(), [line](std::string_view part) { return contains(line, part); });
}

constexpr std::array<std::string_view, 13> verbs{"loads",      "loaded",   "loading",  "load",      "resumed",
                                                 "resuming",   "resume",   "restored", "restoring", "restore",
                                                 "continuing", "continue", "recovered"};
constexpr std::array<std::string_view, 23> beforeVerb{
    "auto",     "automatically", "successfully", "checkpoint", "ckpt",      "model", "weights", "state", "states",
    "training", "optimizer",     "have",         "has",        "been",      "all",   "the",     "and",   "is",
    "was",      "snapshot",      "run",          "trainer",    "successful"};
constexpr std::array<std::string_view, 9> checkpoints{"checkpoint", "checkpoints", "ckpt",    "snapshot", "state",
                                                      "states",     "training",    "trainer", "run"};
// Words that show other files, other occasions, or that something is only possible.
constexpr std::array<std::string_view, 52> otherThings{
    "shards",      "shard",      "dataset", "datasets",      "data",       "tokenizer", "tokenizers",
    "vocab",       "vocabulary", "config",  "configuration", "embeddings", "images",    "annotations",
    "corpus",      "cache",      "library", "module",        "plugin",     "extension", "pretrained",
    "pre-trained", "saved",      "saving",  "save",          "will",       "would",     "can",
    "could",       "cannot",     "can't",   "failed",        "error",      "unable",    "if",
    "use",         "please",     "not",     "evaluation",    "evaluating", "eval",      "test",
    "testing",     "inference",  "best",    "try",           "to_resume",  "whether",   "restart",
    "eta",         "args",       "teacher"};
constexpr std::array<std::string_view, 14> endings{".pt",          ".pth",     ".ckpt",   ".tar",      ".bin",
                                                   ".safetensors", ".npz",     ".pkl",    ".pdparams", ".h5",
                                                   ".keras",       ".msgpack", ".distcp", ".model"};

bool isPath(std::string_view word)
{
    if (word.find("://") == std::string_view::npos && word.find('/') == std::string_view::npos)
        return std::any_of(endings.begin(), endings.end(),
                           [&](std::string_view end) { return word.size() > end.size() && word.ends_with(end); });
    const bool fraction = word.find_first_not_of("0123456789/.") == std::string_view::npos;
    return !fraction && word.size() > 1;
}

// True if the path's own name is that of a checkpoint, as in "out/step_100" and "model-3.ckpt".
bool namesCheckpoint(std::string_view path)
{
    static constexpr std::array<std::string_view, 6> parts{"ckpt", "checkpoint", "step", "epoch", "iter", "snapshot"};
    return std::any_of(parts.begin(), parts.end(),
                       [&](std::string_view part) { return path.find(part) != std::string_view::npos; }) ||
           std::any_of(endings.begin(), endings.end(), [&](std::string_view end) { return path.ends_with(end); });
}

std::optional<std::int64_t> numberBehind(const std::vector<Word> &words, std::initializer_list<std::string_view> names)
{
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (std::find(names.begin(), names.end(), words[i].text) != names.end() && i + 1 < words.size()) {
            Scanner scanner(words[i + 1].text);
            std::int64_t value = 0;
            if (scanner.takeInteger(value) && scanner.atEnd()) return value;
        }
        for (const std::string_view name : names) {  // "step=100", "step:100"
            if (words[i].text.size() <= name.size() + 1 || !words[i].text.starts_with(name)) continue;
            Scanner scanner(words[i].text.substr(name.size()));
            std::int64_t value = 0;
            if ((scanner.take("=") || scanner.take(":")) && scanner.takeInteger(value) && scanner.atEnd()) return value;
        }
    }
    return std::nullopt;
}

// The verb of the sentence: the first verb that begins the message or has only its subject before it.
const Word *verbOf(std::string_view line, const std::vector<Word> &words)
{
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (!isIn(words[i].text, verbs)) continue;
        const std::size_t end = words[i].at + words[i].text.size();
        if (end < line.size() && (line[end] == ':' || line[end] == '=')) return nullptr;  // a printed setting
        std::size_t first = i;
        while (first > 0 && isIn(words[first - 1].text, beforeVerb)) --first;
        std::size_t begin = words[first].at;
        while (begin > 0 && std::string_view("'\"`([{<*=>-").find(line[begin - 1]) != std::string_view::npos) --begin;
        return beginsMessage(line, begin) ? &words[i] : nullptr;
    }
    return nullptr;
}

}  // namespace

std::optional<LogEvent> loadedByAnyTrainer(std::string_view line)
{
    if (line.size() > longestLoadLine ||
        !containsAny(line, std::array<std::string_view, 7>{"oad", "OAD", "esum", "estor", "ontinu", "ecover", "ESUM"}))
        return std::nullopt;
    line = withoutGlog(line);
    const std::string lower = lowerCase(line);
    const std::vector<Word> words = wordsIn(lower);
    const Word *const verb = verbOf(line, words);
    if (verb == nullptr || lower.find("=> loading") != std::string::npos || lower.find("....") != std::string::npos)
        return std::nullopt;
    LogEvent event;
    event.kind = EventKind::resumed;
    bool checkpoint = !verb->text.starts_with("load");  // "resume" always means a checkpoint
    for (const Word &word : words) {
        if (isIn(word.text, otherThings)) return std::nullopt;
        const bool path = isPath(word.text) && word.at > verb->at;
        checkpoint = checkpoint || isIn(word.text, checkpoints) || (path && namesCheckpoint(word.text));
        if (path && event.path.empty()) event.path = validUtf8(line.substr(word.at, word.text.size()));
    }
    event.epoch = numberBehind(words, {"epoch", "epochs"});
    event.globalStep =
        numberBehind(words, {"step", "global_step", "iteration", "iter", "steps", "global_steps", "update"});
    const bool placed = event.epoch || event.globalStep;
    if (!checkpoint || (event.path.empty() && !placed)) return std::nullopt;
    return event;
}

bool foundNoCheckpoint(std::string_view line)
{
    static constexpr std::array<std::string_view, 10> misses{
        "no ",          "found no ",   "checkpoint not found", "could not find", "couldn't find",
        "did not find", "didn't find", "cannot find",          "can't find",     "unable to find"};
    static constexpr std::array<std::string_view, 9> ways{"found",   "find",      "exist",   "available", "provided",
                                                          "scratch", "to resume", "to load", "fresh"};
    if (line.size() > longestLoadLine ||
        !containsAny(line, std::array<std::string_view, 5>{"heckpoint", "ckpt", "napshot", "CKPT", "HECKPOINT"}))
        return false;
    const std::string lower = lowerCase(line);
    if (contains(lower, "sav") || !containsAny(lower, ways)) return false;
    return std::any_of(misses.begin(), misses.end(), [&](std::string_view miss) {
        const std::size_t at = lower.find(miss);
        return at != std::string::npos && beginsMessage(line, at);
    });
}

}  // namespace rankdeck
