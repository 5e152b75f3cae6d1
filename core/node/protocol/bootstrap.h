// SPDX-License-Identifier: GPL-3.0-or-later
// Bootstrap of the probe into a node's memory. The command is a constant that finds a new enough python3 and runs one
// line from stdin. That line prints a nonce and then reads the compressed probe. Everything before the nonce (output of
// rc files) is discarded. Pure; one thread. This way is used because the login shell is unknown and may read ahead.
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

// python: a path or name that is tried first; empty: /usr/bin/python3, python3. Error invalid if it contains anything
// other than letters, digits and . _ / + @ -, because it becomes part of a shell command.
Result<std::string> probeCommand(const std::string &python);
// True if the command reported on stderr that it found no suitable interpreter.
bool saysNoPython(std::string_view errorOutput);

class Bootstrap {
public:
    // nonce: 32 hex digits. source: the probe's text.
    Bootstrap(std::string nonce, const std::string &source);
    [[nodiscard]] std::string firstBytes() const;  // bytes to send at once
    // Takes the bytes that have arrived. When the loader has answered, returns the bytes to send next, and `bytes`
    // keeps only those after the answer. Error protocol if 1 MiB arrived without an answer.
    Result<std::optional<std::string>> feed(std::string &bytes);
    [[nodiscard]] const std::string &chatter() const { return m_chatter; }  // the last 2 kB of output before the nonce

private:
    std::string m_nonce;
    std::string m_packed;
    std::string m_chatter;
    std::size_t m_discarded = 0;
};

std::string randomNonce();
// The probe's compressed text, made once: all nodes get the same bytes.
std::string packedSource(const std::string &source);

}  // namespace rankdeck
