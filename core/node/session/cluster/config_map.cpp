// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/cluster/config_map.h"

#include "core/base/text.h"

#include <nlohmann/json.hpp>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <ctime>

namespace rankdeck {

namespace {

using nlohmann::ordered_json;

constexpr const char *checkCode = "checkCode";

std::string stringAt(const ordered_json &object, const char *key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// "2026-08-21T09:30:00Z" → nanoseconds; 0 for any other text.
std::int64_t timeNs(const std::string &text)
{
    std::tm time{};
    const char *end = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &time);
    if (end == nullptr) return 0;
    const std::time_t seconds = timegm(&time);
    return seconds > 0 ? std::int64_t{seconds} * 1'000'000'000 : 0;
}

std::int64_t changedNs(const ordered_json &metadata)
{
    std::int64_t newest = timeNs(stringAt(metadata, "creationTimestamp"));
    const auto fields = metadata.find("managedFields");
    if (fields == metadata.end() || !fields->is_array()) return newest;
    for (const ordered_json &entry : *fields)
        if (entry.is_object()) newest = std::max(newest, timeNs(stringAt(entry, "time")));
    return newest;
}

Result<ordered_json> parseConfigMap(const std::string &object)
{
    ordered_json document = ordered_json::parse(object, nullptr, false);
    const bool whole = document.is_object() && stringAt(document, "kind") == "ConfigMap" &&
                       document.contains("metadata") && document["metadata"].is_object() &&
                       !stringAt(document["metadata"], "resourceVersion").empty();
    if (!whole)
        return fail(ErrorKind::invalid,
                    message("expected a ConfigMap with a resourceVersion from the API server, found %1",
                            printable(object.substr(0, 60))));
    return document;
}

Result<std::string> valueIn(const ordered_json &document, const std::string &key)
{
    const auto data = document.find("data");
    const bool there = data != document.end() && data->is_object() && data->contains(key) && (*data)[key].is_string();
    if (there) return (*data)[key].get<std::string>();
    std::string others;
    if (data != document.end() && data->is_object())
        for (const auto &[name, value] : data->items()) others += (others.empty() ? "" : ", ") + printable(name);
    return fail(ErrorKind::notFound, message("expected the key %1 in its data, found %2", key,
                                             others.empty() ? message("no key") : Message(others)));
}

}  // namespace

Result<ConfigMapValue> readConfigMapValue(const std::string &object, const std::string &key)
{
    const auto document = parseConfigMap(object);
    if (!document) return document.error();
    const auto text = valueIn(*document, key);
    if (!text) return text.error();
    const ordered_json &metadata = (*document)["metadata"];
    return ConfigMapValue{
        .text = *text, .resourceVersion = stringAt(metadata, "resourceVersion"), .changedNs = changedNs(metadata)};
}

Result<std::string> withConfigMapValue(const std::string &object, const std::string &key, const std::string &text)
{
    auto document = parseConfigMap(object);
    if (!document) return document.error();
    if (const auto now = valueIn(*document, key); !now) return now.error();
    ordered_json &data = (*document)["data"];
    data[key] = text;
    if (data.contains(checkCode)) data[checkCode] = sha256Hex(text);
    (*document)["metadata"].erase("managedFields");  // the server keeps its own copy
    return document->dump(-1, ' ', true, ordered_json::error_handler_t::replace);
}

std::string sha256Hex(const std::string &text)
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr);
    std::string hex;
    for (unsigned int i = 0; i < size; ++i) {
        constexpr const char *digits = "0123456789abcdef";
        hex += digits[digest[i] >> 4];
        hex += digits[digest[i] & 15];
    }
    return hex;
}

}  // namespace rankdeck
