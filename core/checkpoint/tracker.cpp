// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/tracker.h"

#include "core/base/text.h"
#include "core/framework/frameworks.h"

#include <algorithm>
#include <cstdio>

namespace rankdeck {
namespace {

using Defect = TrackerContent::Defect;

constexpr std::size_t maxTarget = 255;

std::string_view trim(std::string_view text)
{
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

std::string inQuotes(std::string_view bytes)
{
    return "'" + printable(bytes.substr(0, 60)) + (bytes.size() > 60 ? "…'" : "'");
}

void refuse(TrackerContent &out, Defect defect, Message why)
{
    out.target.clear();
    out.step = std::nullopt;
    out.defect = defect;
    out.found = std::move(why);
    out.tolerated = false;
}

void tolerate(TrackerContent &out, const Message &what)
{
    out.found = out.found.empty() ? what : message("%1, %2", out.found, what);
    out.tolerated = true;
}

// True for a name without directories, so that the file is in the tracker's own directory.
bool isPlainName(std::string_view name)
{
    return !name.empty() && name.size() <= maxTarget && name != "." && name != ".." &&
           std::none_of(name.begin(), name.end(),
                        [](char c) { return c == '/' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

void takeIteration(std::string_view text, TrackerContent &out)
{
    if (text == "release") {
        out.target = "release";
        return;
    }
    const auto value = text.size() <= 9 ? decimal(text) : std::nullopt;
    if (!value)
        return refuse(out, Defect::malformed,
                      message("holds %1, expected an iteration or \"release\"", inQuotes(text)));
    char name[32];
    std::snprintf(name, sizeof name, "iter_%07lld", static_cast<long long>(*value));
    out.target = name;
    out.step = value;
}

void takeTag(std::string_view text, TrackerContent &out)
{
    if (text.find('/') != std::string_view::npos || text == "." || text == "..")
        return refuse(
            out, Defect::leaves,
            message("names %1, which is a path; expected the name of a tag in the same directory", inQuotes(text)));
    if (!isPlainName(text))
        return refuse(out, Defect::malformed, message("holds %1, which is not a tag name", inQuotes(text)));
    out.target = std::string(text);
    const std::size_t digits = text.find_last_not_of("0123456789") + 1;
    out.step = decimal(text.substr(digits));
}

// Lines of the form key: "value". Quotes and backslashes in values are unescaped, because names contain backslashes for
// no other reason.
std::optional<std::string> quotedValue(std::string_view line, std::string_view key)
{
    line = trim(line);
    if (line.substr(0, key.size()) != key) return std::nullopt;
    line = trim(line.substr(key.size()));
    if (line.empty() || line.front() != ':') return std::nullopt;
    line = trim(line.substr(1));
    if (line.size() < 2 || line.front() != '"' || line.back() != '"') return std::nullopt;
    std::string value;
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
        if (line[i] == '\\' && i + 2 < line.size() && (line[i + 1] == '"' || line[i + 1] == '\\')) ++i;
        value += line[i];
    }
    return value;
}

void takePrefix(std::string_view text, std::string_view directory, TrackerContent &out)
{
    std::optional<std::string> path;
    for (const std::string &line : split(text, '\n'))
        if (auto value = quotedValue(line, "model_checkpoint_path"); value && !path) path = std::move(value);
    if (!path) return refuse(out, Defect::malformed, message("has no line model_checkpoint_path: \"…\""));
    std::string name = *path;
    if (!name.empty() && name.front() == '/') {
        const std::string own(directory);
        if (dirName(name) != own)
            return refuse(out, Defect::leaves,
                          message("names %1, which is outside its own directory: the file was copied or moved later",
                                  inQuotes(name)));
        name = baseName(name);
    }
    if (name.substr(0, 2) == "./") name.erase(0, 2);
    if (name.find('/') != std::string::npos)
        return refuse(out, Defect::leaves,
                      message("names %1, which is a path; expected a prefix in the same directory", inQuotes(name)));
    if (!isPlainName(name))
        return refuse(out, Defect::malformed, message("holds %1, which is not a prefix", inQuotes(name)));
    out.target = name;
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    if (digits > 0 && name[digits - 1] == '-') out.step = decimal(name.substr(digits));
}

}  // namespace

const char *trackerKindName(TrackerKind kind)
{
    switch (kind) {
    case TrackerKind::megatron: return "megatron";
    case TrackerKind::deepspeed: return "deepspeed";
    case TrackerKind::rankMark: return "rank_mark";
    case TrackerKind::healthRecord: return "health_record";
    case TrackerKind::tensorflow: break;
    }
    return "tensorflow";
}

std::optional<TrackerKind> trackerKind(std::string_view baseName)
{
    if (baseName == rankMarkName) return TrackerKind::rankMark;
    if (baseName == healthRecordName) return TrackerKind::healthRecord;
    const FrameworkInfo *framework = frameworkOfTracker(baseName);
    if (!framework) return std::nullopt;
    if (framework->id == Framework::megatron) return TrackerKind::megatron;
    return framework->id == Framework::deepspeed ? TrackerKind::deepspeed : TrackerKind::tensorflow;
}

TrackerContent parseTracker(TrackerKind kind, std::string_view bytes, std::string_view directory)
{
    TrackerContent out;
    if (bytes.substr(0, 3) == "\xef\xbb\xbf") {
        bytes.remove_prefix(3);
        tolerate(out, message("it begins with a byte order mark"));
    }
    if (bytes.find('\r') != std::string_view::npos) tolerate(out, message("it has Windows line endings"));
    const std::string_view text = trim(bytes);
    if (text.empty()) {
        refuse(out, Defect::empty, bytes.empty() ? message("is empty") : message("contains only whitespace"));
        return out;
    }
    if (text.find('\0') != std::string_view::npos) {
        refuse(out, Defect::malformed, message("contains zero bytes"));
        return out;
    }
    switch (kind) {
    case TrackerKind::megatron: takeIteration(text, out); break;
    case TrackerKind::deepspeed: takeTag(text, out); break;
    case TrackerKind::tensorflow: takePrefix(text, directory, out); break;
    case TrackerKind::rankMark:
    case TrackerKind::healthRecord: break;
    }
    return out;
}

}  // namespace rankdeck
