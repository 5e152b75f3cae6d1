// SPDX-License-Identifier: GPL-3.0-or-later
// Keys to offer to a host, in order: first the one that worked last, then those of ssh in its order, each after its
// certificate. Reads only key files of this machine; private keys are loaded when the server wants them. A file that
// cannot be read is skipped, as ssh does. The list is empty if there are no keys.
#pragma once

#include "core/node/session/identity/agent.h"
#include "core/node/session/identity/public_key.h"
#include "core/node/session/reach/ssh_config.h"

#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct Identity {
    std::string label;               // "/home/ann/.ssh/id_ed25519", "agent key ann@laptop"
    std::optional<PublicKey> shown;  // key or certificate; unknown for an encrypted PEM file with no .pub beside it
    std::optional<PublicKey> plain;  // key that signs; differs from `shown` for a certificate
    std::string privateFile = {};    // empty: only the agent has it
    std::string certificateFile = {};
    bool inAgent = false;
};

// remembered: label of the key that worked here last, or empty.
std::vector<Identity> identitiesFor(const SshConfig &config, const std::vector<AgentKey> &agent,
                                    const std::string &remembered);

// The key for which a certificate was made; nullopt if it is not a certificate. Pure.
std::optional<PublicKey> certifiedKey(const PublicKey &certificate);
// Parses the first line of a .pub file. Pure.
std::optional<PublicKey> parsePublicKeyLine(std::string_view text);

}  // namespace rankdeck
