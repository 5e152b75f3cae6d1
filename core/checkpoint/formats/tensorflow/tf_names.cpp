// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/tensorflow/tf_names.h"

#include "core/base/text.h"

namespace rankdeck {
namespace {

// "-00001-of-00002" at the end; count: "00002".
bool takeShard(std::string_view &text, std::string &count)
{
    constexpr std::size_t digits = 5, length = 4 + 2 * digits + 1;  // -00001-of-00002
    if (text.size() <= length - 1) return false;
    const std::string_view end = text.substr(text.size() - (length));
    if (end.size() != length || end[0] != '-' || end.substr(1 + digits, 4) != "-of-") return false;
    const auto index = decimal(end.substr(1, digits)), of = decimal(end.substr(5 + digits));
    if (!index || !of || *index >= *of) return false;
    count = std::string(end.substr(5 + digits));
    text.remove_suffix(length);
    return !text.empty();
}

// ".tempstate1234567890" at the end.
bool takeTempState(std::string_view &text)
{
    const std::size_t at = text.rfind(".tempstate");
    if (at == std::string_view::npos || at == 0) return false;
    const std::string_view digits = text.substr(at + 10);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) return false;
    text = text.substr(0, at);
    return true;
}

bool takeNumber(std::string_view &text, std::int64_t &number)
{
    const std::size_t digits = text.find_last_not_of("0123456789") + 1;
    const auto value = decimal(text.substr(digits));
    if (!value || digits == 0 || text[digits - 1] != '-') return false;
    number = *value;
    text = text.substr(0, digits - 1);
    return true;
}

// model.ckpt-1200, ckpt-3
bool isCheckpointPrefix(std::string_view prefix)
{
    std::int64_t number = 0;
    return takeNumber(prefix, number) && (prefix == "ckpt" || takeEnd(prefix, ".ckpt"));
}

}  // namespace

TfFileName parseTfFileName(std::string_view baseName)
{
    TfFileName name;
    std::string_view stem = baseName;
    if (stem.empty() || stem.front() == '.') return name;
    const bool temporary = takeTempState(stem);
    std::string_view data = stem;
    std::string count;
    if (takeEnd(stem, ".index")) {
        name.role = TfFileName::Role::index;
    } else if (takeShard(data, count) && takeEnd(data, ".data")) {
        name.role = TfFileName::Role::data;
        stem = data;
    } else if (!count.empty()) {
        name.role = TfFileName::Role::shard;
        name.count = count;
        stem = data;
        name.plain = isCheckpointPrefix(stem) || stem.find(".ckpt") != std::string_view::npos;
    } else {
        name.role = TfFileName::Role::single;
        name.plain = isCheckpointPrefix(stem);
    }
    if (temporary) name.role = TfFileName::Role::temporary;
    name.prefix = std::string(stem);
    return name;
}

std::string tfShardsName(const std::string &prefix, const std::string &count)
{
    return prefix + "-" + std::string(5, '?') + "-of-" + count;
}

ParsedName tfPrefixName(std::string_view prefix)
{
    ParsedName name;
    std::string_view stem = prefix;
    std::int64_t number = 0;
    if (!takeNumber(stem, number)) {
        name.kind = CheckpointKind::other;
        name.prefix = std::string(prefix);
        return name;
    }
    name.prefix = std::string(stem == "ckpt" ? prefix : stem);
    if (stem != "ckpt") name.globalStep = number;
    return name;
}

}  // namespace rankdeck
