// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/flag/flag_edit.h"

#include "core/base/json_members.h"
#include "core/base/text.h"

#include <algorithm>
#include <charconv>

namespace rankdeck {

namespace {

constexpr std::string_view key = "GracefulExit";
constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";

std::string_view withoutMark(std::string_view json)
{
    if (json.starts_with(byteOrderMark)) json.remove_prefix(byteOrderMark.size());
    return json;
}

void readLiteral(std::string_view literal, FlagReading &into)
{
    into.present = true;
    into.literal = std::string(literal);
    into.armed = false;
    into.value.reset();
    if (literal == "true" || literal == "false") {
        into.armed = literal == "true";
        into.value = into.armed ? 1 : 0;
        return;
    }
    double number = 0;
    const auto [end, problem] = std::from_chars(literal.data(), literal.data() + literal.size(), number);
    if (problem != std::errc{} || end != literal.data() + literal.size()) return;
    into.armed = number == 1.0;
    if (number == static_cast<double>(static_cast<int>(std::clamp(number, -1e9, 1e9))))
        into.value = static_cast<int>(number);
}

FlagReading readingOf(std::string_view whole, std::string_view text, const JsonObject &object)
{
    FlagReading reading;
    for (const JsonMember &member : object.members)
        if (member.key == key) {
            ++reading.count;
            readLiteral(member.value.of(text), reading);
        }
    if (whole.size() != text.size())
        reading.notes.emplace_back("begins with a byte order mark, which MindSpore cannot parse; a write removes it");
    if (reading.count > 1)
        reading.notes.push_back("has the key GracefulExit " + std::to_string(reading.count) +
                                " times; a write sets all of them");
    if (std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; }))
        reading.notes.emplace_back(
            "contains text that is not ASCII, which MindSpore before 2.10 decodes with the training's locale");
    return reading;
}

Result<JsonObject> locate(std::string_view text)
{
    // If the file contains invalid UTF-8 anywhere, the training's JSON reader raises an error.
    if (validUtf8(text) != text)
        return fail(ErrorKind::invalid, message("not JSON: the file is not valid UTF-8"), "not_json");
    return locateMembers(text);
}

// The blanks that the file uses between two members.
std::string_view separatorOf(std::string_view text, const JsonObject &object)
{
    const std::size_t last = object.members.back().keySpan.begin;
    std::size_t start = last;
    while (start > object.open + 1 && std::string_view(" \t\r\n").find(text[start - 1]) != std::string_view::npos)
        --start;
    const std::string_view blanks = text.substr(start, last - start);
    if (object.members.size() > 1 || blanks.find('\n') != std::string_view::npos) return blanks;
    // A single member on one line shows no style for commas, but it shows the style of the colon.
    const JsonMember &only = object.members.back();
    return only.value.begin - only.keySpan.end > 1 ? std::string_view(" ") : std::string_view();
}

std::string inserted(std::string_view text, const JsonObject &object, char value)
{
    const std::string quoted = "\"" + std::string(key) + "\"";
    if (object.members.empty())
        return std::string(text.substr(0, object.open + 1)) + quoted + ": " + value +
               std::string(text.substr(object.close));
    const JsonMember &last = object.members.back();
    const std::string_view colon = text.substr(last.keySpan.end, last.value.begin - last.keySpan.end);
    return std::string(text.substr(0, last.value.end)) + "," + std::string(separatorOf(text, object)) + quoted +
           std::string(colon) + value + std::string(text.substr(last.value.end));
}

std::string replaced(std::string_view text, const JsonObject &object, char value)
{
    std::string result;
    std::size_t done = 0;
    for (const JsonMember &member : object.members) {
        if (member.key != key) continue;
        result += text.substr(done, member.value.begin - done);
        result += value;
        done = member.value.end;
    }
    return result + std::string(text.substr(done));
}

}  // namespace

Result<FlagReading> readFlag(std::string_view json)
{
    const std::string_view text = withoutMark(json);
    const auto object = locate(text);
    if (!object) return object.error();
    return readingOf(json, text, object.value());
}

Result<FlagEdit> setFlag(std::string_view json, bool on)
{
    const std::string_view text = withoutMark(json);
    const auto object = locate(text);
    if (!object) return object.error();
    FlagEdit edit{.bytes = std::string(json), .changed = false, .before = readingOf(json, text, object.value())};
    const bool unreadable = json.size() != text.size();  // the byte order mark hides the key from MindSpore
    const bool asWanted = on ? edit.before.armed && edit.before.count == 1 && !unreadable
                             : !edit.before.present || (edit.before.value == 0 && edit.before.count == 1);
    if (asWanted) return edit;
    const char value = on ? '1' : '0';
    edit.bytes = edit.before.present ? replaced(text, object.value(), value) : inserted(text, object.value(), value);
    edit.changed = edit.bytes != json;
    return edit;
}

}  // namespace rankdeck
