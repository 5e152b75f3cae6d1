// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/reach/ssh_target.h"

#include "core/base/text.h"

#include <algorithm>
#include <charconv>

namespace rankdeck {

namespace {

Error wrong(std::string_view text, const std::string &why)
{
    return fail(ErrorKind::invalid,
                message("\"%1\" is not a host: %2. Expected an alias from the ssh config, or user@host:port.",
                        printable(text), why));
}

bool allDigits(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The host part and the text of the port. A single ':' outside brackets separates the port; several mean an IPv6
// address.
Result<std::pair<std::string_view, std::string_view>> splitPort(std::string_view text, std::string_view rest)
{
    if (rest.starts_with('[')) {
        const std::size_t close = rest.find(']');
        if (close == std::string_view::npos) return wrong(text, "a bracket is open");
        const std::string_view after = rest.substr(close + 1);
        if (!after.empty() && after.front() != ':') return wrong(text, "only :port may follow the bracket");
        return std::pair{rest.substr(1, close - 1), after.empty() ? after : after.substr(1)};
    }
    const std::size_t colon = rest.find(':');
    if (colon == std::string_view::npos || rest.find(':', colon + 1) != std::string_view::npos)
        return std::pair{rest, std::string_view()};
    if (colon + 1 == rest.size()) return wrong(text, "the port is missing after ':'");
    return std::pair{rest.substr(0, colon), rest.substr(colon + 1)};
}

}  // namespace

bool isSafeHostName(std::string_view name)
{
    constexpr std::string_view others = "._:%@[]-";
    return !name.empty() && name.size() <= 1024 && name.front() != '-' &&
           std::all_of(name.begin(), name.end(), [&](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      others.find(c) != std::string_view::npos;
           });
}

Result<SshTarget> parseSshTarget(std::string_view text)
{
    SshTarget target;
    const std::size_t at = text.rfind('@');
    if (at != std::string_view::npos) {
        target.user = std::string(text.substr(0, at));
        if (!isSafeHostName(target.user)) return wrong(text, "the user name has a character that is not allowed");
    }
    const auto parts = splitPort(text, at == std::string_view::npos ? text : text.substr(at + 1));
    if (!parts) return parts.error();
    target.host = std::string(parts->first);
    if (!isSafeHostName(target.host))
        return wrong(text, "the host name is empty or has a character that is not allowed");
    const std::string_view port = parts->second;
    if (port.empty()) return target;
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), target.port);
    if (!allDigits(port) || error != std::errc() || end != port.data() + port.size() || target.port < 1 ||
        target.port > 65535)
        return wrong(text, "the port is not a number from 1 to 65535");
    return target;
}

std::string SshTarget::text() const
{
    const bool bracket = port != 0 && host.find(':') != std::string::npos;
    return (user.empty() ? "" : user + "@") + (bracket ? "[" + host + "]" : host) +
           (port ? ":" + std::to_string(port) : "");
}

}  // namespace rankdeck
