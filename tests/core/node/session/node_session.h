// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers for the tests of this folder that open a node and read its output.
#pragma once

#include "core/node/transport/session_factory.h"
#include "tests/testbed/process_count.h"
#include "tests/testbed/program.h"
#include "tests/testbed/sshd.h"
#include "tests/testbed/tcp_proxy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace rankdeck {

struct Opening {
    std::string host;
    std::string sshConfig;
    std::string command = "echo ready; cat";
    bool acceptNewHostKeys = false;
    bool interactive = false;
    TransportKind transport = TransportKind::libssh;
    Questions questions = {};
};

inline Result<std::unique_ptr<Transport>> openNode(SessionFactory &factory, const Opening &opening)
{
    NodeSpec node;
    node.name = opening.host;
    node.host = opening.host;
    node.transport = opening.transport;
    ConnectOptions options;
    options.sshConfig = opening.sshConfig;
    options.acceptNewHostKeys = opening.acceptNewHostKeys;
    options.interactive = opening.interactive;
    return factory.open(node, options, opening.command, opening.questions);
}

inline Result<std::unique_ptr<Transport>> openNode(const Opening &opening)
{
    // The transport must work without the factory that made it.
    return openNode(*makeSessionFactory(), opening);
}

// Reads until the input contains `wanted`, the peer has closed, or a minute is over.
inline std::string readUntil(Transport &transport, const std::string &wanted)
{
    std::string text;
    eventually(
        [&] {
            transport.wait(false, std::chrono::milliseconds(100));
            return !transport.read(text) || text.find(wanted) != std::string::npos;
        },
        std::chrono::seconds(60));
    return text;
}

// All output up to the end, and the error at the end.
struct WholeOutput {
    std::string text;
    Error end;
};
inline WholeOutput readToEnd(Transport &transport)
{
    WholeOutput all;
    eventually(
        [&] {
            transport.wait(false, std::chrono::milliseconds(100));
            const auto got = transport.read(all.text);
            if (!got) all.end = got.error();
            return !got;
        },
        std::chrono::seconds(60));
    return all;
}

inline void send(Transport &transport, std::string bytes)
{
    eventually([&] {
        const auto taken = transport.write(bytes);
        if (!taken) return true;
        bytes.erase(0, *taken);
        if (!bytes.empty()) transport.wait(true, std::chrono::milliseconds(100));
        return bytes.empty();
    });
}

inline std::string failureOf(const Result<std::unique_ptr<Transport>> &opened)
{
    return opened ? Message("(it was opened)") : opened.error().message;
}

inline ErrorKind kindOf(const Result<std::unique_ptr<Transport>> &opened)
{
    return opened ? ErrorKind::internal : opened.error().kind;
}

}  // namespace rankdeck
