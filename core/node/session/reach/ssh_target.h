// SPDX-License-Identifier: GPL-3.0-or-later
// Host as an operator writes it: "alias", "user@host", "user@host:port" or "user@[::1]:port", split and checked.
// Characters with a special meaning for a shell or ssh are refused here, before any program gets them. Error invalid,
// with what was expected. Pure.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace rankdeck {

struct SshTarget {
    std::string user = {};  // empty: that of the config
    std::string host;       // alias, name or address, without brackets
    int port = 0;           // 0: that of the config
    [[nodiscard]] std::string text() const;
};

Result<SshTarget> parseSshTarget(std::string_view text);
// True for letters, digits and . _ : % @ [ ] - only, not empty and without a leading '-'.
bool isSafeHostName(std::string_view name);

}  // namespace rankdeck
