// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/transport/session_factory.h"

#include "core/job/container_host.h"
#include "core/node/protocol/bootstrap.h"
#include "core/node/protocol/output_log.h"
#include "core/node/protocol/probe_source.h"
#include "core/node/session/connector.h"
#include "core/node/session/container/exec_command.h"
#include "core/node/session/container/exec_errors.h"
#include "core/node/session/container/local_files.h"
#include "core/node/session/greeted_transport.h"
#include "core/node/session/libssh_transport.h"
#include "core/node/session/reach/shared_opening.h"
#include "core/node/session/reach/ssh_config.h"
#include "core/node/session/relay/neighbour.h"
#include "core/node/session/relay/relay.h"
#include "core/node/session/ssh_child_transport.h"
#include "core/node/transport/child_process_transport.h"

namespace rankdeck {

namespace {

constexpr std::chrono::seconds channelTime(20);
constexpr std::chrono::seconds sshTime(45);  // TCP, key exchange and login together
constexpr std::chrono::seconds sshWithQuestionsTime(165);
constexpr std::chrono::seconds execTime(30);
constexpr std::chrono::seconds relayTime(30);  // time for its program to answer, after the login

class RealSessionFactory final : public SessionFactory {
public:
    RealSessionFactory() { prepareLibssh(); }

    Result<std::unique_ptr<Transport>> open(const NodeSpec &node, const ConnectOptions &options,
                                            const std::string &command, const Questions &questions) override
    {
        if (isContainerHost(node.host)) return intoContainer(node, options, command, questions);
        if (node.transport == TransportKind::local || node.host == "local")
            return startChild({"/bin/sh", "-c", command});
        if (!node.relay.host.empty()) return throughRelay(node, options, command, questions);
        if (node.transport == TransportKind::sshChild) return throughSsh(node, options, command, questions);
        return throughLibssh(node.host, options, command, questions);
    }

    Result<std::unique_ptr<Transport>> openOutput(const NodeSpec &node, const ConnectOptions &options,
                                                  const Questions &questions) override
    {
        if (!node.host.starts_with("k8s:")) return SessionFactory::openOutput(node, options, questions);
        const auto host = parseContainerHost(node.host);
        if (!host) return host.error();
        return besideContainer(node, options, outputScript(*host, node.kubernetes),
                               containerWords(node, std::string(outputMark)), questions);
    }

private:
    Result<std::unique_ptr<Transport>> throughLibssh(const std::string &host, const ConnectOptions &options,
                                                     const std::string &command, const Questions &questions)
    {
        auto connection = m_connector.connect(host, options, questions);
        if (!connection) return connection.error();
        return LibsshTransport::start(std::move(*connection), command, Phase::lasting(channelTime, questions.stopped));
    }

    // Runs the command in the container with kubectl, podman or docker, on this machine or on the host that has them.
    Result<std::unique_ptr<Transport>> intoContainer(const NodeSpec &node, const ConnectOptions &options,
                                                     const std::string &command, const Questions &questions)
    {
        const auto host = parseContainerHost(node.host);
        if (!host) return host.error();
        GreetedWords words = containerWords(node, std::string(execGreeting));
        words.security = host->pod ? "kubectl exec" : "container exec";
        return besideContainer(node, options, execScript(*host, node.kubernetes, command), std::move(words), questions);
    }

    static GreetedWords containerWords(const NodeSpec &node, std::string greeting)
    {
        return {
            .explain = [node](const std::string &errors, const Error &ended) { return execError(node, errors, ended); },
            .shown = withoutState,
            .greeting = std::move(greeting),
            .late =
                node.host + " did not answer in time: the cluster or the container runtime is busy or not available.",
            .explainLater = true};
    }

    // Starts a program on this machine or on the host `via`.
    Result<std::unique_ptr<Transport>> besideContainer(const NodeSpec &node, const ConnectOptions &options,
                                                       const std::string &script, GreetedWords words,
                                                       const Questions &questions)
    {
        if (Status own = node.via.empty() ? checkLocalFiles(node.kubernetes) : Status(Done{}); !own) return own.error();
        NodeSpec via = node;
        via.host = node.via;
        auto outer = node.via.empty() ? startChild({"/bin/sh", "-c", script})
                     : node.transport == TransportKind::sshChild
                         ? throughSsh(via, options, asLoginCommand(script), questions)
                         : throughLibssh(node.via, options, asLoginCommand(script), questions);
        if (!outer) return outer.error();
        return GreetedTransport::start(std::move(*outer), std::move(words),
                                       Phase::lasting(execTime, questions.stopped));
    }

    static Result<std::unique_ptr<Transport>> startChild(const std::vector<std::string> &argv)
    {
        return ChildProcessTransport::start(argv);
    }

    Result<std::unique_ptr<Transport>> throughSsh(const NodeSpec &node, const ConnectOptions &options,
                                                  const std::string &command, const Questions &questions)
    {
        const auto target = parseSshTarget(node.host);
        if (!target) return target.error();
        if (auto own = checkSshConfigFile(options.sshConfig); !own) return own.error();
        const auto permit = m_limit.acquire(crowdedHop(*target, options, questions), questions.stopped);
        if (!permit) return permit.error();
        auto child = startChild(sshChildCommand(*target, options, command));
        if (!child) return child.error();
        return startSshChild(node.host, std::move(*child),
                             Phase::lasting(options.interactive ? sshWithQuestionsTime : sshTime, questions.stopped));
    }

    // The address to which the ssh of each node connects: the node itself, or the shared hop before it.
    static std::string crowdedHop(const SshTarget &target, const ConnectOptions &options, const Questions &questions)
    {
        const auto config = querySshConfig(target, options.sshConfig, questions.stopped, options.sshProgram);
        if (!config) return target.text();  // ssh itself reports what is wrong
        if (!config->proxyJump.empty()) return config->proxyJump;
        return config->proxyCommand.empty() ? config->gateway() : config->proxyCommand;
    }

    // The relay uses its own ssh to open a session to the node.
    Result<std::unique_ptr<Transport>> throughRelay(const NodeSpec &node, const ConnectOptions &options,
                                                    const std::string &command, const Questions &questions)
    {
        const auto target = parseSshTarget(node.host);
        if (!target) return target.error();
        const auto relay = relayOf(node.relay, options, questions);
        if (!relay) return relay.error();
        auto stream = (*relay)->run(neighbourCommand(*target, command));
        if (!stream) return stream.error();
        return GreetedTransport::start(
            std::move(*stream),
            {.explain = [relay = node.relay.name,
                         host = node.host](const std::string &errors,
                                           const Error &ended) { return neighbourError(relay, host, errors, ended); },
             .late = "The ssh of the relay " + node.relay.name + " did not reach " + node.host + " in time. \"ssh " +
                     node.host + "\" by hand on the relay shows where it hangs.",
             .security = "ssh from " + node.relay.name},
            Phase::lasting(sshTime, questions.stopped));
    }

    Result<std::shared_ptr<Relay>> relayOf(const RelaySpec &spec, const ConnectOptions &options,
                                           const Questions &questions)
    {
        std::shared_ptr<SharedOpening<Relay>> opening;
        {
            const std::lock_guard lock(m_mutex);
            auto &slot = m_relays[options.sshConfig + '\n' + spec.host + '\n' + spec.python];
            if (!slot) slot = std::make_shared<SharedOpening<Relay>>();
            opening = slot;
        }
        return opening->get("relay " + spec.name, questions.stopped,
                            [&] { return openRelay(spec, options, questions); });
    }

    Result<std::shared_ptr<Relay>> openRelay(const RelaySpec &spec, const ConnectOptions &options,
                                             const Questions &questions)
    {
        const auto command = probeCommand(spec.python);
        if (!command) return command.error();
        NodeSpec head;
        head.name = spec.name;
        head.host = spec.host;
        head.transport = spec.transport;
        auto outer = open(head, options, *command, questions);
        if (!outer && outer.error().kind == ErrorKind::cancelled) return outer.error();
        if (!outer)
            return fail(outer.error().kind, message("At the relay %1: %2", spec.name, outer.error().message),
                        outer.error().detail);
        const std::string source = options.probeSource.empty() ? builtInProbe() : options.probeSource;
        return Relay::start(spec.name, std::move(*outer), packedSource(source),
                            Phase::lasting(relayTime, questions.stopped));
    }

    GatewayLimit m_limit;
    Connector m_connector{m_limit};
    std::mutex m_mutex;
    std::map<std::string, std::shared_ptr<SharedOpening<Relay>>> m_relays;  // by the way to each relay
};

}  // namespace

std::shared_ptr<SessionFactory> makeSessionFactory() { return std::make_shared<RealSessionFactory>(); }

}  // namespace rankdeck
