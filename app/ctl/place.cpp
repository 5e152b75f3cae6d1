// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/place.h"

#include <filesystem>

namespace rankdeck::ctl {

Place placeOf(const std::string &text)
{
    const std::size_t slash = text.find('/');
    const std::size_t colon = text.rfind(':', slash);  // the last one, because user@host:port:path has two
    if (colon != std::string::npos && colon > 0 && (slash == std::string::npos || colon < slash))
        return {text.substr(0, colon), text.substr(colon + 1).empty() ? "." : text.substr(colon + 1)};
    std::error_code error;
    const std::filesystem::path absolute = std::filesystem::absolute(text, error).lexically_normal();
    return {"local", error ? text : absolute.string()};
}

ConnectOptions connectOptions(const Globals &globals)
{
    ConnectOptions options;
    options.sshConfig = globals.sshConfig;
    options.acceptNewHostKeys = globals.acceptNewHostKeys;
    return options;
}

}  // namespace rankdeck::ctl
