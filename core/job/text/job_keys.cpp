// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/text/job_keys.h"

#include "core/base/text.h"
#include "core/framework/frameworks.h"

#include <algorithm>

namespace rankdeck {

namespace {

// "nodes[3].host" → "nodes[].host"
std::string withoutNumbers(std::string_view path)
{
    std::string out;
    bool inside = false;
    for (const char c : path) {
        inside = inside && c != ']';
        if (!inside) out += c;
        inside = inside || c == '[';
    }
    return out;
}

}  // namespace

const JobKey *jobKeyOf(std::string_view path)
{
    const std::string general = withoutNumbers(path);
    const auto row =
        std::find_if(jobKeys.begin(), jobKeys.end(), [&](const JobKey &key) { return key.path == general; });
    return row == jobKeys.end() ? nullptr : &*row;
}

std::vector<std::string> jobKeysIn(std::string_view object)
{
    const std::string start = object.empty() ? std::string() : withoutNumbers(object) + ".";
    std::vector<std::string> names;
    for (const JobKey &key : jobKeys) {
        if (!key.path.starts_with(start)) continue;
        std::string_view name = key.path.substr(start.size());
        name = name.substr(0, name.find_first_of(".["));
        if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
    }
    return names;
}

std::vector<std::string> choicesOf(const JobKey &key)
{
    if (key.path == "framework") return frameworkNames();
    if (key.path == "launch.script") return trainingScripts();
    if (key.value == JobValue::boolean) return {"true", "false"};
    return key.choices.empty() ? std::vector<std::string>() : split(key.choices, '|');
}

}  // namespace rankdeck
