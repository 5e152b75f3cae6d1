// SPDX-License-Identifier: GPL-3.0-or-later
// State of a node and its reason, and the node's questions to the operator. Values; nothing here fails.
#pragma once

#include "core/base/clock.h"
#include "core/base/message.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

enum class NodeState { queued, connecting, needsYou, live, stale, lost, refused, unsupported };
const char *nodeStateName(NodeState state);  // as in the JSON: "needs_you"

struct HostKeyQuestion {
    std::string host;
    std::string address;
    std::string keyType;
    std::string sha256;
    std::string knownHostsFile;
};
struct AuthQuestion {
    std::string host;  // the hop that asks the question
    std::string name;
    std::string instruction;
    struct Prompt {
        std::string text;
        bool echo = false;
    };
    std::vector<Prompt> prompts;
};
struct Answer {
    bool accept = false;
    std::vector<std::string> answers = {};
};

struct NodeFacts {  // facts that the probe sends once after each connect
    std::string hostName;
    std::string bootId;
    std::string python;  // "3.11.2"
    std::uint32_t uid = 0;
    std::string user;
    double clockSkewSeconds = 0;  // node minus console, after subtracting half the round trip
    double roundTripSeconds = 0;
    std::string security = {};  // "curve25519-sha256, aes256-gcm" …; empty for local
};

// Reason why a node in a container is lost, as the cluster reports it. `ended`: none of its processes runs any more.
// `gone`: the pod does not exist. Its processes ended with it, unless it was deleted by force from a machine that does
// not answer.
enum class ContainerFate { notKnown, ended, gone };

struct NodeStatus {
    std::string name;
    NodeState state = NodeState::queued;
    WallTime since = {};
    WallTime lastContact = {};                          // epoch: never
    Message reason = {};                                // a sentence: expected, found, what to do
    double retryInSeconds = 0;                          // only if lost
    ContainerFate container = ContainerFate::notKnown;  // only if lost
    std::optional<HostKeyQuestion> hostKey = {};
    std::optional<AuthQuestion> auth = {};
    NodeFacts facts = {};
    std::uint64_t bytesRead = 0;
};

}  // namespace rankdeck
