// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/message.h"

#include "core/base/text.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace rankdeck {
namespace {

using nlohmann::json;

constexpr int deepest = 16;  // nesting of parts in a file

json jsonOf(const Message &message)
{
    if (message.format().empty()) return static_cast<const std::string &>(message);
    json list = json::array({message.format()});
    for (const Message &part : message.parts()) list.push_back(jsonOf(part));
    return list;
}

Message messageOf(const json &value, int depth)
{
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_array() || value.empty() || !value.front().is_string() || depth == 0) return {};
    std::vector<Message> parts;
    for (std::size_t i = 1; i < value.size(); ++i) parts.push_back(messageOf(value[i], depth - 1));
    return {value.front().get<std::string>(), std::move(parts)};
}

std::string filled(std::string_view format, const std::vector<Message> &parts)
{
    if (format == clauseFormat && parts.size() == 1)
        return withoutStop(static_cast<const std::string &>(parts.front()));
    std::string text;
    for (std::size_t i = 0; i < format.size(); ++i) {
        const std::size_t part =
            format[i] == '%' && i + 1 < format.size() ? static_cast<std::size_t>(format[i + 1] - '1') : parts.size();
        if (part >= parts.size()) {
            text += format[i];
            continue;
        }
        text += parts[part];
        ++i;
    }
    return text;
}

}  // namespace

Message::Message(std::string format, std::vector<Message> parts) : std::string(filled(format, parts))
{
    m_made = std::make_shared<const Made>(Made{*this, std::move(format), std::move(parts)});
}

const std::string &Message::format() const
{
    static const std::string none;
    return m_made && m_made->text == *this ? m_made->format : none;
}

namespace {

using Clauses = std::vector<Message>;

Message halves(const Clauses &all, Message (*both)(const Message &, const Message &))
{
    if (all.empty()) return {};
    if (all.size() == 1) return all.front();
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>((all.size() + 1) / 2);
    return both(halves({all.begin(), middle}, both), halves({middle, all.end()}, both));
}

}  // namespace

Message listed(const std::vector<Message> &clauses)
{
    return halves(clauses, [](const Message &a, const Message &b) { return message("%1; %2", a, b); });
}

Message joined(const std::vector<Message> &sentences)
{
    Clauses some;
    for (const Message &sentence : sentences)
        if (!sentence.empty()) some.push_back(sentence);
    return halves(some, [](const Message &a, const Message &b) { return message("%1 %2", a, b); });
}

namespace detail {

Message printableMessage(const Message &text)
{
    const std::string &plain = text;
    std::string safe = rankdeck::printable(plain);
    if (safe == plain) return text;
    if (text.format().empty()) return safe;
    std::vector<Message> parts;
    for (const Message &part : text.parts()) parts.push_back(printableMessage(part));
    Message made(text.format(), std::move(parts));
    // Bytes of two parts may belong together, so that only the whole text shows what must be escaped.
    return rankdeck::printable(static_cast<const std::string &>(made)) == made ? made : Message(std::move(safe));
}

Message messageWithoutStop(const Message &text)
{
    const std::string &plain = text;
    std::string clause = rankdeck::withoutStop(plain);
    if (clause == plain) return text;
    return text.format().empty() ? Message(std::move(clause)) : Message(std::string(clauseFormat), {text});
}

}  // namespace detail

std::string Message::encoded() const
{
    return format().empty() ? std::string() : jsonOf(*this).dump(-1, ' ', false, json::error_handler_t::replace);
}

Message Message::decoded(std::string text, const std::string &encoded)
{
    const json value = json::parse(encoded, nullptr, false);
    Message made = value.is_discarded() ? Message() : messageOf(value, deepest);
    return made == text ? made : Message(std::move(text));
}

const std::vector<Message> &Message::parts() const
{
    static const std::vector<Message> none;
    return format().empty() ? none : m_made->parts;
}

}  // namespace rankdeck
