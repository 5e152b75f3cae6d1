// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/connector.h"

#include "core/base/text.h"
#include "core/node/session/login.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr std::chrono::seconds tcpTime(10);
constexpr std::chrono::seconds keyExchangeTime(15);

Error atHop(const std::string &name, const Error &error)
{
    if (error.kind == ErrorKind::cancelled) return error;
    return fail(error.kind, message("At the jump host %1: %2", name, error.message), error.detail);
}

std::string withoutScheme(const std::string &hop)
{
    const std::string trimmed = hop.substr(std::min(hop.size(), hop.find_first_not_of(' ')));
    return trimmed.starts_with("ssh://") ? trimmed.substr(6) : trimmed;
}

std::chrono::milliseconds connectTime(const SshConfig &config)
{
    return config.connectTimeoutSeconds
               ? std::min<std::chrono::milliseconds>(std::chrono::seconds(config.connectTimeoutSeconds),
                                                     std::chrono::seconds(60))
               : std::chrono::milliseconds(tcpTime);
}

}  // namespace

Result<std::unique_ptr<SshConnection>> Connector::connect(const std::string &host, const ConnectOptions &options,
                                                          const Questions &questions)
{
    const auto target = parseSshTarget(host);
    if (!target) return target.error();
    return connectTo(*target, options, questions, {}, {});
}

Connector::Connected Connector::connectTo(const SshTarget &target, const ConnectOptions &options,
                                          const Questions &questions, const Trail &trail, const std::string &forcedJump)
{
    auto config = querySshConfig(target, options.sshConfig, questions.stopped, options.sshProgram);
    if (!config) return config.error();
    if (!forcedJump.empty()) {
        config->proxyJump = forcedJump;
        config->proxyCommand.clear();
    }
    if (!config->proxyCommand.empty() && config->proxyJump.empty())
        return fail(ErrorKind::unsupported,
                    message("The ssh config has a ProxyCommand for %1, which only ssh itself runs. Set \"transport\": "
                            "\"ssh\" for this node in the job file, or use ProxyJump.",
                            config->alias));
    const auto via = bastionFor(*config, options, questions, trail);
    if (!via) return via.error();
    return establish(*config, *via, options, questions);
}

// Opens the last hop of the chain; the hops before it are the way to it, as in ssh -J a,b.
Result<Connector::Via> Connector::bastionFor(const SshConfig &config, const ConnectOptions &options,
                                             const Questions &questions, const Trail &trail)
{
    if (config.proxyJump.empty()) return Via();
    const std::size_t comma = config.proxyJump.rfind(',');
    const std::string before = comma == std::string::npos ? std::string() : config.proxyJump.substr(0, comma);
    const std::string name = withoutScheme(config.proxyJump.substr(comma == std::string::npos ? 0 : comma + 1));
    if (std::find(trail.begin(), trail.end(), name) != trail.end())
        return fail(
            ErrorKind::invalid,
            message("ProxyJump in the ssh config forms a loop: %1 is reached through itself. Correct the ssh config.",
                    name));
    Trail onwards = trail;
    onwards.push_back(name);
    std::shared_ptr<Hop> hop;
    {
        const std::lock_guard lock(m_mutex);
        std::shared_ptr<Hop> &slot = m_hops[options.sshConfig + '\n' + before + '\n' + name];
        if (!slot) slot = std::make_shared<Hop>();
        hop = slot;
    }
    return hop->get("jump host " + name, questions.stopped, [&]() -> Result<Via> {
        const auto target = parseSshTarget(name);
        auto connection = target ? connectTo(*target, options, questions, onwards, before) : Connected(target.error());
        if (!connection) return atHop(name, connection.error());
        return Bastion::start(std::move(*connection));
    });
}

Connector::Connected Connector::establish(const SshConfig &config, const Via &via, const ConnectOptions &options,
                                          const Questions &questions)
{
    std::optional<PublicKey> asked;
    for (int attempt = 0; attempt < 2; ++attempt) {
        auto rule = HostKeyRule::read(config, options, m_accepted);
        if (!rule) return rule.error();
        auto connection = tryOnce(config, via, *rule, options, questions, asked);
        if (!connection || *connection) return connection;
        // While the operator thinks, no connection is open and no permit is taken.
        if (attempt == 0)
            if (const Status accepted = rule->ask(*asked, questions); !accepted) return accepted.error();
    }
    return fail(
        ErrorKind::refused,
        message("%1 shows a host key that changes from one connection to the next. Do not connect.", config.alias));
}

Connector::Connected Connector::tryOnce(const SshConfig &config, const Via &via, HostKeyRule &rule,
                                        const ConnectOptions &options, const Questions &questions,
                                        std::optional<PublicKey> &unknownKey)
{
    auto permit = m_limit.acquire(via ? via->name() + " > " + config.gateway() : config.gateway(), questions.stopped);
    if (!permit) return permit.error();
    auto connection = handshake(config, via, rule, questions);
    if (!connection) return connection;
    const auto key = (*connection)->hostKey();
    if (!key) return key.error();
    const auto verdict = rule.judge(*key);
    if (!verdict) return verdict.error();
    if (*verdict == HostKeyRule::Verdict::ask) {
        unknownKey = *key;
        return std::unique_ptr<SshConnection>();
    }
    if (const Status in = logIn(**connection, options, questions); !in) return in.error();
    (*connection)->holdUntilAdmitted(std::move(*permit));
    return connection;
}

Connector::Connected Connector::handshake(const SshConfig &config, const Via &via, const HostKeyRule &rule,
                                          const Questions &questions)
{
    const Phase phase = Phase::lasting(connectTime(config), questions.stopped);
    auto socket = via ? via->reach(config.hostname, config.port, phase) : connectTcp(config, phase);
    if (!socket) return socket.error();
    return SshConnection::open(config, std::move(*socket), via, rule.knownTypes(),
                               Phase::lasting(keyExchangeTime, questions.stopped));
}

Status Connector::logIn(SshConnection &connection, const ConnectOptions &options, const Questions &questions)
{
    const std::string account = connection.config().user + "@" + connection.config().gateway();
    std::string remembered;
    {
        const std::lock_guard lock(m_mutex);
        const auto it = m_worked.find(account);
        if (it != m_worked.end()) remembered = it->second;
    }
    Login login(connection, options, questions, remembered);
    if (const Status in = login.run(); !in) return in.error();
    const std::lock_guard lock(m_mutex);
    m_worked[account] = login.workingIdentity();
    return Done{};
}

}  // namespace rankdeck
