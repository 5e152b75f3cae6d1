// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/flag/tft_callback.h"

#include "core/base/text.h"
#include "core/recover/edit/python_edit.h"

#include <array>
#include <map>
#include <vector>

namespace rankdeck {

namespace {

// Arguments from `at`, just after an opening parenthesis, to its end; empty if it is not closed.
std::vector<std::string> argumentsAt(std::string_view text, std::size_t at)
{
    std::vector<std::string> arguments(1);
    int depth = 0;
    char quote = 0;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (quote != 0)
            quote = c == quote ? char(0) : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == '(' || c == '[' || c == '{')
            ++depth;
        else if ((c == ')' || c == ']' || c == '}') && --depth < 0)
            return arguments;
        if (c == ',' && depth == 0 && quote == 0)
            arguments.emplace_back();
        else
            arguments.back() += c;
    }
    return {};
}

std::string unquoted(const std::string &word)
{
    const bool quoted = word.size() > 1 && (word.front() == '"' || word.front() == '\'') && word.back() == word.front();
    return quoted ? word.substr(1, word.size() - 2) : std::string();
}

int numberOf(const std::string &word)
{
    const auto number = decimal(word);
    return number && *number <= 65535 ? static_cast<int>(*number) : 0;
}

}  // namespace

std::optional<TftCallback> tftCallbackOf(std::string_view script)
{
    static constexpr std::array<std::string_view, 4> older{"ctrl_rank_id", "ctrl_ip", "ctrl_port", "ckpt_save_path"};
    static constexpr std::array<std::string_view, 1> newer{"ckpt_save_path"};
    const std::string text = squeezedPython(script);
    for (const std::string_view name : {"TFTRegister", "TrainFaultTolerance"}) {
        const std::size_t at = text.find(std::string(name) + "(");
        if (at == std::string::npos) continue;
        const bool old = name == "TFTRegister";
        std::map<std::string, std::string> values;
        std::size_t place = 0;
        for (const std::string &argument : argumentsAt(text, at + name.size() + 1)) {
            const std::size_t equals = argument.find('=');
            const bool named = equals != std::string::npos && argument.find_first_of("\"'") > equals;
            const std::size_t count = old ? older.size() : newer.size();
            if (named)
                values[argument.substr(0, equals)] = argument.substr(equals + 1);
            else if (place < count)
                values[std::string(old ? older[place] : newer[place])] = argument;
            ++place;
        }
        return TftCallback{.name = std::string(name),
                           .rank = numberOf(values["ctrl_rank_id"]),
                           .port = numberOf(values["ctrl_port"]),
                           .path = unquoted(values["ckpt_save_path"])};
    }
    return {};
}

}  // namespace rankdeck
