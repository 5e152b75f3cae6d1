// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/frameworks/mindformers_marks.h"

#include "core/base/text.h"
#include "core/checkpoint/tracker.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace rankdeck {
namespace {

using Json = nlohmann::json;

constexpr std::size_t mostRecords = 20'000;

// Parses only small, flat JSON: at most a list of objects.
Json parsed(std::string_view bytes)
{
    const auto deep = std::count_if(bytes.begin(), bytes.end(), [](char c) { return c == '['; });
    if (deep > 4 || bytes.size() > maxTrackerBytes) return Json(Json::value_t::discarded);
    return Json::parse(bytes, nullptr, false);
}

}  // namespace

bool isWholeJson(std::string_view bytes) { return !parsed(bytes).is_discarded(); }

std::optional<RankMark> parseRankMark(std::string_view bytes)
{
    const Json json = parsed(bytes);
    if (!json.is_object()) return {};
    const auto epoch = json.find("last_epoch"), step = json.find("last_step"), file = json.find("last_ckpt_file");
    if (epoch == json.end() || step == json.end() || file == json.end()) return {};
    if (!epoch->is_number_integer() || !step->is_number_integer() || !file->is_string()) return {};
    return RankMark{.epoch = epoch->get<std::int64_t>(),
                    .step = step->get<std::int64_t>(),
                    .file = baseName(file->get<std::string>())};
}

std::optional<std::vector<std::string>> parseHealthRecord(std::string_view bytes)
{
    const Json json = parsed(bytes);
    if (!json.is_array() || json.size() > mostRecords) return {};
    std::vector<std::string> unhealthy;
    for (const Json &one : json) {
        const auto name = one.is_object() ? one.find("ckpt_name") : one.end();
        const auto health = one.is_object() ? one.find("is_health") : one.end();
        if (!one.is_object() || name == one.end() || !name->is_string() || health == one.end()) return {};
        const std::string file = baseName(name->get<std::string>());
        unhealthy.erase(std::remove(unhealthy.begin(), unhealthy.end(), file),
                        unhealthy.end());  // the last entry counts
        const bool healthy = health->is_number_integer() ? health->get<std::int64_t>() == 0 : *health == false;
        if (!healthy) unhealthy.push_back(file);
    }
    return unhealthy;
}

}  // namespace rankdeck
