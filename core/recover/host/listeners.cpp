// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/host/listeners.h"

#include "core/base/text.h"

#include <charconv>
#include <vector>

namespace rankdeck {

std::map<std::string, int> listenersOf(const std::string &procNetTcp)
{
    std::map<std::string, int> listeners;
    for (const std::string &line : split(procNetTcp, '\n')) {
        std::vector<std::string> fields;
        for (const std::string &field : split(line, ' '))
            if (!field.empty()) fields.push_back(field);
        if (fields.size() < 10 || fields[3] != "0A") continue;
        const std::size_t colon = fields[1].rfind(':');
        unsigned port = 0;
        if (colon == std::string::npos) continue;
        std::from_chars(fields[1].data() + colon + 1, fields[1].data() + fields[1].size(), port, 16);
        listeners[fields[9]] = static_cast<int>(port);
    }
    return listeners;
}

}  // namespace rankdeck
