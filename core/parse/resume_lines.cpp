// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/resume_lines.h"

#include "core/base/text.h"
#include "core/parse/lines/message_start.h"
#include "core/parse/lines/scanner.h"
#include "core/parse/load_line.h"

#include <algorithm>
#include <array>

namespace rankdeck {

namespace {

constexpr std::size_t maxPath = 4096;

LogEvent resumed(std::string path)
{
    LogEvent event;
    event.kind = EventKind::resumed;
    event.path = std::move(path);
    return event;
}

std::optional<std::int64_t> integerAfter(std::string_view text, std::string_view key)
{
    for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
        if (at > 0 && (text[at - 1] == '_' || (text[at - 1] >= 'a' && text[at - 1] <= 'z'))) continue;
        Scanner scanner(text.substr(at + key.size()));
        std::int64_t value = 0;
        scanner.skipAnyOf(" :=");
        if (scanner.takeInteger(value)) return value;
    }
    return std::nullopt;
}

// A path: in quotes, or up to a blank, a comma, or a colon that ends it.
std::string_view takePath(Scanner &scanner)
{
    std::string_view rest = scanner.rest();
    std::size_t end = 0;
    if (scanner.peek() == '\'' || scanner.peek() == '"') {
        end = rest.find(rest.front(), 1);
        if (end == std::string_view::npos) return {};
        scanner.take(rest.substr(0, end + 1));
        return rest.substr(1, std::min(end - 1, maxPath));
    }
    while (end < rest.size() && rest[end] != ' ' && rest[end] != ',' && rest[end] != ';' && rest[end] != '\t') ++end;
    std::string_view path = rest.substr(0, end);
    scanner.take(path);
    while (!path.empty() && (path.back() == ':' || path.back() == '.')) path.remove_suffix(1);
    return path.substr(0, maxPath);
}

void takeNumbers(std::string_view text, LogEvent &event)
{
    event.epoch = integerAfter(text, "epoch");
    event.step = integerAfter(text, "step");
    event.globalStep = integerAfter(text, "global_step");
    if (!event.globalStep) {
        event.globalStep = integerAfter(text, "global step");
        if (event.globalStep && event.step == event.globalStep) event.step.reset();  // the "step" in "global step"
    }
    if (!event.globalStep) event.globalStep = integerAfter(text, "iteration");
}

// The number at the end of a text such as model.ckpt-120 or checkpoint-16.
std::optional<std::int64_t> numberAtEnd(std::string_view path)
{
    const std::size_t dash = path.rfind('-');
    if (dash == std::string_view::npos) return std::nullopt;
    Scanner scanner(path.substr(dash + 1));
    std::int64_t value = 0;
    if (!scanner.takeInteger(value) || !scanner.atEnd()) return std::nullopt;
    return value;
}

// Forms in users' own scripts: "No checkpoint found in DIR", "Starting training from scratch.". "from scratch: False"
// is only a setting.
bool beginsAnew(std::string_view line)
{
    if (const std::size_t at = line.find("No checkpoint found");
        at != std::string_view::npos && beginsMessage(line, at))
        return true;
    for (const std::string_view word : {"raining from scratch", "tarting from scratch", "tart from scratch"}) {
        const std::size_t at = line.find(word);
        if (at == std::string_view::npos || contains(line.substr(0, at), "not ") ||
            contains(line.substr(0, at), "n't "))
            continue;
        const std::string_view rest = line.substr(at + word.size());
        if (rest.find_first_of(":=?") != 0) return true;
    }
    return false;
}

}  // namespace

std::optional<LogEvent> ResumeLines::nothing(std::string_view line)
{
    static constexpr std::array<std::string_view, 7> words{
        "=> no checkpoint found",
        "no valid ckpt found to resume",  // PyTorch's examples
        ", so skip the loading",
        "pre_trained is unsupported",  // MindSpore's model zoo
        "Invalid pre_trained ",
        "Unable to find latest file at ",                // DeepSpeed
        "No valid checkpoint found in output directory"  // transformers
    };
    const auto said = [line](std::string_view word) { return contains(line, word); };
    if (std::none_of(words.begin(), words.end(), said) && !beginsAnew(line) && !foundNoCheckpoint(line))
        return std::nullopt;
    LogEvent event;
    event.kind = EventKind::warning;
    event.nothingLoaded = true;
    event.globalStep = 0;
    return event;
}

// Lines of ResNet50 (MindSpore, TensorFlow) and Pangu as MindX DL adapts them, and the lines of the same adaptation for
// PyTorch.
std::optional<LogEvent> ResumeLines::modelZoo(std::string_view line)
{
    Scanner scanner(line);
    for (const std::string_view word :
         {"Start to load from ", "load pre-trained model from: ", "pre trained ckpt model "}) {
        scanner = Scanner(line);
        if (!scanner.seek(word) || scanner.peek() == '[') continue;  // a list contains only candidates
        LogEvent event = resumed(validUtf8(takePath(scanner)));
        event.globalStep = event.path.find(".ckpt-") == std::string::npos ? std::nullopt : numberAtEnd(event.path);
        return event;
    }
    scanner = Scanner(line);
    if (scanner.seek(" checkpoint files ")) {  // the list itself is on the next line
        m_path = validUtf8(takePath(scanner));
        m_remembers = true;
        return std::nullopt;
    }
    if (scanner.seek(" checkpoint param dict epoch num")) {
        LogEvent event = resumed(m_path);
        event.epoch = integerAfter(line, "epoch num");
        if (!event.epoch) event.epoch = integerAfter(line, "value");
        return event;
    }
    if (scanner.seek("save ckpt to ")) {
        LogEvent event;
        event.kind = EventKind::saved;
        event.path = validUtf8(takePath(scanner));
        return scanner.rest().starts_with(" done") ? std::optional(event) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<LogEvent> ResumeLines::parse(std::string_view line)
{
    m_remembers = false;
    std::optional<LogEvent> event = nothing(line);
    if (!event) event = script(line);
    if (!event) event = torch(line);
    if (!event) event = modelZoo(line);
    if (!event) event = mindFormers(line);
    if (!event) event = others(line);
    return event;
}

// "resume from PATH: epoch E, step S, global_step G"
std::optional<LogEvent> ResumeLines::script(std::string_view line) const
{
    static constexpr std::array<std::string_view, 5> verbs{"esume from ", "esumed from ", "esuming from ",
                                                           "esuming training from ", "esume training from "};
    const std::size_t at = line.find("esum");
    if (at == std::string_view::npos || at == 0 || (line[at - 1] != 'r' && line[at - 1] != 'R')) return std::nullopt;
    // "to resume from …" is advice; "able to" and "not" also report no load. Therefore the line, or the message of a
    // logger, must begin with "resume".
    if (!beginsMessage(line, at - 1)) return std::nullopt;
    Scanner scanner(line.substr(at));
    if (std::none_of(verbs.begin(), verbs.end(), [&](std::string_view verb) { return scanner.take(verb); }))
        return std::nullopt;
    for (const std::string_view noun : {"checkpoint", "ckpt", "the checkpoint"}) {
        const std::string_view rest = scanner.rest();
        const bool whole =
            rest.starts_with(noun) && (rest.size() == noun.size() || contains(": =", rest.substr(noun.size(), 1)));
        if (whole && scanner.take(noun)) scanner.skipAnyOf(": =");
    }
    LogEvent event = resumed({});
    takeNumbers(scanner.rest(), event);
    const std::string_view path = takePath(scanner);
    const bool word =
        path == "epoch" || path == "step" || path == "global" || path == "global_step" || path == "iteration";
    if (!word) {
        event = resumed(validUtf8(path));
        takeNumbers(scanner.rest(), event);
    }
    if (event.path.empty() && !event.epoch && !event.step && !event.globalStep) return std::nullopt;
    return event;
}

std::optional<LogEvent> ResumeLines::torch(std::string_view line)
{
    Scanner scanner(line);
    const std::size_t arrow = line.find("=> loaded checkpoint ");
    const bool quoted = arrow != std::string_view::npos && arrow > 0 && contains("'\"(`", line.substr(arrow - 1, 1));
    if (arrow != std::string_view::npos && !quoted) scanner = Scanner(line.substr(arrow));
    if (scanner.take("=> loaded checkpoint ")) {  // 'PATH' (epoch N)
        LogEvent event = resumed(validUtf8(takePath(scanner)));
        takeNumbers(scanner.rest(), event);
        return event;
    }
    if (scanner.take("Loading model from ")) {  // Hugging Face; its global step follows
        m_path = validUtf8(takePath(scanner));
        m_remembers = true;
        return std::nullopt;
    }
    if (!scanner.seek("Continuing training from ")) return std::nullopt;
    std::int64_t number = 0;
    if (scanner.take("epoch ") && scanner.takeInteger(number)) {
        m_epoch = number;
        m_remembers = true;
        return std::nullopt;
    }
    if (!scanner.take("global step ") || !scanner.takeInteger(number)) return std::nullopt;
    LogEvent event = resumed(m_path);
    event.globalStep = number;
    event.epoch = m_epoch;
    return event;
}

std::optional<LogEvent> ResumeLines::mindFormers(std::string_view line)
{
    Scanner scanner(line);
    std::int64_t number = 0;
    if (scanner.seek("Get resume checkpoint: ")) {
        m_path = validUtf8(takePath(scanner));
        m_remembers = true;
        return std::nullopt;
    }
    if (scanner.seek("initial epoch: ") && scanner.takeInteger(number)) {
        m_epoch = number;
        LogEvent event = resumed(m_path);
        event.epoch = number;
        return event;
    }
    if (!m_epoch || !scanner.seek("initial step: ") || !scanner.takeInteger(number)) return std::nullopt;
    LogEvent event = resumed(m_path);
    event.epoch = m_epoch;
    event.step = number;
    return event;
}

std::optional<LogEvent> ResumeLines::others(std::string_view line) const
{
    Scanner scanner(line);
    if (scanner.seek("will start from random")) {  // Megatron, when it finds no checkpoint: nothing is loaded
        LogEvent event = resumed({});
        event.globalStep = 0;
        return event;
    }
    if (scanner.seek("Restoring parameters from ")) {  // TensorFlow
        LogEvent event = resumed(validUtf8(takePath(scanner)));
        event.globalStep = numberAtEnd(event.path);
        return event;
    }
    if (scanner.seek("loaded checkpoint from ")) {  // Megatron: PATH [ t 1/1, p 1/1 ] at iteration N
        scanner.skipAnyOf("[ ");
        LogEvent event = resumed(validUtf8(takePath(scanner)));
        event.globalStep = integerAfter(scanner.rest(), "iteration");
        return event;
    }
    if (scanner.seek("Restored all states from the checkpoint at "))
        return resumed(validUtf8(takePath(scanner)));  // Lightning
    return std::nullopt;
}

}  // namespace rankdeck
