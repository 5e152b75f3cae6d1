// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/transport/session_factory.h"

#include "core/node/session/connector.h"
#include "core/node/session/libssh_transport.h"
#include "core/node/session/reach/ssh_config.h"
#include "core/node/session/ssh_child_transport.h"
#include "core/node/transport/child_process_transport.h"

namespace rankdeck {

namespace {

constexpr std::chrono::seconds channelTime(20);
constexpr std::chrono::seconds sshTime(45);  // TCP, key exchange and login together
constexpr std::chrono::seconds sshWithQuestionsTime(165);

class RealSessionFactory final : public SessionFactory {
public:
    RealSessionFactory() { prepareLibssh(); }

    Result<std::unique_ptr<Transport>> open(const NodeSpec &node, const ConnectOptions &options,
                                            const std::string &command, const Questions &questions) override
    {
        if (node.transport == TransportKind::local || node.host == "local")
            return startChild({"/bin/sh", "-c", command});
        if (node.transport == TransportKind::sshChild) return throughSsh(node, options, command, questions);
        auto connection = m_connector.connect(node.host, options, questions);
        if (!connection) return connection.error();
        return LibsshTransport::start(std::move(*connection), command, Phase::lasting(channelTime, questions.stopped));
    }

private:
    static Result<std::unique_ptr<Transport>> startChild(const std::vector<std::string> &argv)
    {
        return ChildProcessTransport::start(argv);
    }

    static Result<std::unique_ptr<Transport>> throughSsh(const NodeSpec &node, const ConnectOptions &options,
                                                         const std::string &command, const Questions &questions)
    {
        const auto target = parseSshTarget(node.host);
        if (!target) return target.error();
        if (auto own = checkSshConfigFile(options.sshConfig); !own) return own.error();
        auto child = startChild(sshChildCommand(*target, options, command));
        if (!child) return child.error();
        return SshChildTransport::start(
            node.host, std::move(*child),
            Phase::lasting(options.interactive ? sshWithQuestionsTime : sshTime, questions.stopped));
    }

    Connector m_connector;
};

}  // namespace

std::shared_ptr<SessionFactory> makeSessionFactory() { return std::make_shared<RealSessionFactory>(); }

}  // namespace rankdeck
