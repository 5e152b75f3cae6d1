// SPDX-License-Identifier: GPL-3.0-or-later
// A sentence for the user. It is the English text, and it knows the parts it was made of, so that the window can say it
// in another language. It is used like a string; a plain string is a message without parts and is shown as it is.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace rankdeck {

class Message : public std::string {
public:
    Message() = default;
    Message(std::string text) : std::string(std::move(text)) {}
    Message(const char *text) : std::string(text) {}
    // Format: "rank %1 has no file"; %1 to %9 are replaced by the parts.
    Message(std::string format, std::vector<Message> parts);

    // Empty for a plain text, and after a change of the text.
    [[nodiscard]] const std::string &format() const;
    [[nodiscard]] const std::vector<Message> &parts() const;

    // As JSON, ["rank %1 has no file", "3"], to be kept beside the text. Empty for a plain text.
    [[nodiscard]] std::string encoded() const;
    // The text alone if the other does not belong to it.
    static Message decoded(std::string text, const std::string &encoded);

private:
    struct Made {
        std::string text, format;
        std::vector<Message> parts;
    };
    std::shared_ptr<const Made> m_made;
};

inline Message messagePart(const Message &text) { return text; }
template <class Number, std::enable_if_t<std::is_integral_v<Number>, int> = 0>
Message messagePart(Number number)
{
    return std::to_string(number);
}

// The format is a literal: packaging/translate.sh collects the formats of all calls for translation.
template <class... Parts>
Message message(const char *format, const Parts &...parts)
{
    return {format, std::vector<Message>{messagePart(parts)...}};
}

// "one; two; three". The parts are nested by halves, so that the depth stays small.
Message listed(const std::vector<Message> &clauses);
// "One. Two. Three."; empty ones are left out.
Message joined(const std::vector<Message> &sentences);

// The same as for plain texts (text.h), with the parts.
namespace detail {
Message printableMessage(const Message &text);
Message messageWithoutStop(const Message &text);
}  // namespace detail
// Format of a sentence without its full stop: the window leaves the stop of its own language out.
inline constexpr std::string_view clauseFormat = "%1\b";
template <class Text, std::enable_if_t<std::is_same_v<Text, Message>, int> = 0>
Message printable(const Text &text)
{
    return detail::printableMessage(text);
}
template <class Text, std::enable_if_t<std::is_same_v<Text, Message>, int> = 0>
Message withoutStop(const Text &text)
{
    return detail::messageWithoutStop(text);
}

// Words of the terminal, like the name of an option. The window has its own for each: ui/style/window_words.cpp.
template <class... Parts>
Message terminalWords(const char *format, const Parts &...parts)
{
    return message(format, parts...);
}

}  // namespace rankdeck
