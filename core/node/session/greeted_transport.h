// SPDX-License-Identifier: GPL-3.0-or-later
// Transport through a program between the console and the far shell (ssh, kubectl exec, podman exec). The transport
// that runs the program moves the bytes. The far shell first prints a line, which shows start() that the program has
// connected. The program's messages become an Error of the right kind, so that a refusal is not tried again and again.
#pragma once

#include "core/node/session/reach/connect_deadline.h"
#include "core/node/transport/transport.h"

#include <functional>
#include <memory>
#include <string>

namespace rankdeck {

struct GreetedWords {
    // Converts the program's last output on stderr to an Error. Pure.
    std::function<Error(const std::string &errorOutput, const Error &ended)> explain;
    // The part of the program's stderr that is shown to the operator; empty: all of it.
    std::function<std::string(const std::string &errorOutput)> shown = {};
    std::string greeting = {};  // output of the far shell that start() expects; empty: anything
    std::string late = {};      // message if nothing came in time
    std::string security = {};  // text that is added to that of the inner transport
    bool explainLater = false;  // true: also explains what ends the connection after the greeting
};

class GreetedTransport final : public Transport {
public:
    // Waits until the far shell has printed. Errors: the result of explain, unreachable on timeout, cancelled.
    static Result<std::unique_ptr<Transport>> start(std::unique_ptr<Transport> inner, GreetedWords words,
                                                    const Phase &phase);

    Result<std::size_t> read(std::string &into) override;
    Result<std::size_t> write(std::string_view bytes) override;
    void wait(bool wantWrite, std::chrono::milliseconds atMost) override;
    void wake() override { m_inner->wake(); }
    [[nodiscard]] std::string errorOutput() const override;
    [[nodiscard]] std::string security() const override;

private:
    GreetedTransport(std::unique_ptr<Transport> inner, GreetedWords words)
        : m_inner(std::move(inner)), m_words(std::move(words))
    {}
    Result<std::size_t> explained(Result<std::size_t> moved) const;

    std::unique_ptr<Transport> m_inner;
    GreetedWords m_words;
    std::string m_first;  // bytes that had arrived when start() returned
};

}  // namespace rankdeck
