// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scheduler/objects.h"

#include "core/base/json_at.h"
#include "core/base/text.h"

namespace rankdeck {

Result<std::vector<nlohmann::ordered_json>> objectsIn(const std::string &text, const char *what)
{
    using nlohmann::ordered_json;
    std::vector<ordered_json> found;
    if (text.find_first_not_of(" \n\t") == std::string::npos) return found;
    const ordered_json document = ordered_json::parse(text, nullptr, false);
    if (!document.is_object())
        return fail(ErrorKind::invalid,
                    message("expected %1 as JSON from kubectl, found \"%2\"", what, printable(text.substr(0, 60))));
    if (!document.contains("items")) return std::vector<ordered_json>{document};
    for (const ordered_json &item : listAt(document, {"items"})) found.push_back(item);
    return found;
}

Result<Facts> factsOf(const std::string &text, const char *what,
                      const std::function<void(Facts &, const nlohmann::ordered_json &)> &read)
{
    const auto objects = objectsIn(text, what);
    if (!objects) return objects.error();
    Facts facts;
    for (const nlohmann::ordered_json &object : *objects) read(facts, object);
    return facts;
}

}  // namespace rankdeck
