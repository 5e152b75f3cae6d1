// SPDX-License-Identifier: GPL-3.0-or-later
// Bootstrap of the probe into a node's memory. The command is a constant that finds a python3 new enough and runs one
// line from stdin. That line prints a nonce and then takes the compressed probe. Everything before the nonce (output of
// rc files) is discarded. Pure; one thread. Reason: the login shell is unknown, and it may read ahead.
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

// python: a path or name to try first; empty: /usr/bin/python3, python3. Error invalid when it holds anything other
// than letters, digits and . _ / + @ -, as it becomes part of a shell's command.
Result<std::string> probeCommand(const std::string &python);
// The command prints this text to stderr when no interpreter is suitable.
bool saysNoPython(std::string_view errorOutput);

class Bootstrap {
public:
    // nonce: 32 hex digits. source: the probe's text.
    Bootstrap(std::string nonce, const std::string &source);
    [[nodiscard]] std::string firstBytes() const;  // to be sent at once
    // Takes what has arrived. When the probe's loader has answered, returns what to send next, and `bytes` keeps only
    // what came after the answer. Error protocol when 1 MiB came without it.
    Result<std::optional<std::string>> feed(std::string &bytes);
    [[nodiscard]] const std::string &chatter() const { return m_chatter; }  // the last 2 kB before the nonce

private:
    std::string m_nonce;
    std::string m_packed;
    std::string m_chatter;
    std::size_t m_discarded = 0;
};

std::string randomNonce();
// The probe's text as it is sent: the same bytes for all nodes, made once.
std::string packedSource(const std::string &source);

}  // namespace rankdeck
