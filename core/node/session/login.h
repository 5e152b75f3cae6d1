// SPDX-License-Identifier: GPL-3.0-or-later
// Authentication to a server: first the keys, one by one (at most four on one connection), then other methods with the
// operator's answers. Never tries a second time: a server would punish that, for every client behind this address.
#pragma once

#include "core/node/session/connection.h"
#include "core/node/session/identity/agent.h"
#include "core/node/session/identity/identities.h"
#include "core/node/transport/session_factory.h"

#include <memory>
#include <string>
#include <vector>

namespace rankdeck {

class Login {
public:
    Login(SshConnection &connection, const ConnectOptions &options, const Questions &questions, std::string remembered);

    // Error refused (what was offered, what the server takes, what to do), unreachable, cancelled.
    Status run();
    [[nodiscard]] const std::string &workingIdentity() const { return m_worked; }

private:
    enum class Outcome { loggedIn, partial, denied };
    Result<Outcome> tryKeys();
    Result<Outcome> tryKey(const Identity &identity);
    Result<Outcome> tryAgentKey(const Identity &identity);
    Result<Outcome> tryFileKey(const Identity &identity);
    Result<KeyHandle> loadPrivateKey(const Identity &identity);
    Result<Outcome> tryKeyboard();
    Result<Outcome> tryPassword();
    Result<std::vector<std::string>> ask(AuthQuestion question);
    Result<Outcome> outcomeOf(const Result<int> &answer);
    [[nodiscard]] bool allows(int method, const char *name) const;
    [[nodiscard]] Error refusal() const;

    template <class Call>
    Result<Outcome> call(std::chrono::seconds atMost, Call what)
    {
        return outcomeOf(m_connection.finish(SSH_AUTH_AGAIN, Phase::lasting(atMost, m_questions.stopped), what));
    }

    SshConnection &m_connection;
    const ConnectOptions &m_options;
    const Questions &m_questions;
    const std::string m_remembered;
    std::string m_worked;
    std::unique_ptr<AgentFilter> m_filter;
    std::vector<Identity> m_identities;
    std::size_t m_next = 0;  // index in m_identities
    int m_offered = 0;
    int m_methods = 0;                 // methods that the server accepts now
    bool m_declined = false;           // the operator did not answer
    std::vector<std::string> m_tried;  // for the text of a refusal
    std::vector<std::string> m_hints;
};

}  // namespace rankdeck
