// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/journal_line.h"

#include "core/base/text.h"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace rankdeck {

using nlohmann::ordered_json;

namespace {

constexpr std::int64_t version = 1;

// The text becomes JSON when it parses as such, otherwise it is kept as a string.
ordered_json dataOf(const std::string &text)
{
    ordered_json value = ordered_json::parse(text, nullptr, false);
    return value.is_discarded() ? ordered_json(validUtf8(text)) : value;
}

std::string textOf(const ordered_json &object, const char *key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

std::string journalLine(const JournalEntry &entry)
{
    ordered_json object{{"journal", version},
                        {"time", isoTime(entry.time)},
                        {"action", validUtf8(entry.action)},
                        {"job", validUtf8(entry.job)},
                        {"file", validUtf8(entry.file)},
                        {"kind", validUtf8(entry.kind)},
                        {"state", validUtf8(entry.state)},
                        {"text", validUtf8(entry.text)},
                        {"user", validUtf8(entry.user)},
                        {"host", validUtf8(entry.host)},
                        {"pid", entry.pid}};
    if (const std::string message = entry.text.encoded(); !message.empty()) object["message"] = dataOf(message);
    if (!entry.data.empty()) object["data"] = dataOf(entry.data);
    return object.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Result<JournalLine> parseJournalLine(std::string_view line)
{
    const ordered_json object = ordered_json::parse(line, nullptr, false);
    if (object.is_discarded() || !object.is_object())
        return fail(ErrorKind::invalid, message("expected one JSON object, found a torn line; it was skipped"));
    const auto number = object.find("journal");
    const bool whole = number != object.end() && number->is_number_integer();
    const bool newer = whole && (number->is_number_unsigned() ? number->get<std::uint64_t>() > std::uint64_t(version)
                                                              : number->get<std::int64_t>() > version);
    if (!whole || (!newer && number->get<std::int64_t>() != version))
        return fail(ErrorKind::invalid,
                    message("expected an entry of this journal, found another object; it was skipped"));
    JournalEntry entry{.action = textOf(object, "action"),
                       .job = textOf(object, "job"),
                       .file = textOf(object, "file"),
                       .kind = textOf(object, "kind"),
                       .state = textOf(object, "state"),
                       .text = textOf(object, "text"),
                       .user = textOf(object, "user"),
                       .host = textOf(object, "host")};
    if (const auto message = object.find("message"); message != object.end())
        entry.text =
            Message::decoded(entry.text, message->dump(-1, ' ', false, ordered_json::error_handler_t::replace));
    if (newer) return JournalLine{std::move(entry), true};
    const auto time = parseIsoTime(textOf(object, "time"));
    if (!time || entry.action.empty())
        return fail(ErrorKind::invalid,
                    message("expected time and action, found an entry without them; it was skipped"));
    entry.time = *time;
    if (const auto pid = object.find("pid"); pid != object.end() && pid->is_number_integer())
        entry.pid = pid->get<int>();
    if (const auto data = object.find("data"); data != object.end())
        entry.data = data->dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    return JournalLine{std::move(entry)};
}

void forEachJournalLine(std::string_view text,
                        const std::function<void(std::size_t number, Result<JournalLine> line)> &use)
{
    std::size_t number = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        ++number;
        if (line.empty()) continue;
        auto parsed = parseJournalLine(line);
        if (!parsed)
            use(number, fail(parsed.error().kind, "line " + std::to_string(number) + ": " + parsed.error().message));
        else
            use(number, std::move(parsed));
    }
}

}  // namespace rankdeck
