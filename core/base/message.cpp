// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/message.h"

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

Message listed(const std::vector<Message> &clauses)
{
    if (clauses.empty()) return {};
    if (clauses.size() == 1) return clauses.front();
    const auto middle = clauses.begin() + static_cast<std::ptrdiff_t>((clauses.size() + 1) / 2);
    return message("%1; %2", listed({clauses.begin(), middle}), listed({middle, clauses.end()}));
}

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
