// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/node/session/node_session.h"

#include <mutex>

namespace rankdeck::host_key_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Asked {
    std::mutex mutex;
    std::vector<HostKeyQuestion> questions;
    bool accept = true;
    int connectionsMeanwhile = -1;
};

Questions answering(Asked &asked, TcpProxy *proxy = nullptr)
{
    Questions questions;
    questions.hostKey = [&asked, proxy](const HostKeyQuestion &question) {
        const std::lock_guard lock(asked.mutex);
        asked.questions.push_back(question);
        if (proxy) {
            eventually([proxy] { return proxy->open() == 0; }, std::chrono::seconds(5));
            asked.connectionsMeanwhile = proxy->open();
        }
        return Answer{asked.accept, {}};
    };
    return questions;
}

std::string knownHostsOf(const Sshd &server)
{
    std::ostringstream all;
    all << std::ifstream(server.knownHostsPath()).rdbuf();
    return all.str();
}

void setKnownHosts(const Sshd &server, const std::string &text)
{
    std::ofstream(server.knownHostsPath(), std::ios::trunc) << text;
}

SshdOptions unknownServer()
{
    SshdOptions options;
    options.known = false;
    return options;
}

TEST(HostKey, RefusesAnUnknownKeyAndShowsTheCommandToAcceptIt)
{
    const Sshd server(unknownServer());
    const auto opened = openNode({server.host(), server.sshConfigPath()});
    EXPECT_EQ(kindOf(opened), ErrorKind::refused);
    EXPECT_THAT(failureOf(opened),
                AllOf(HasSubstr(server.hostFingerprint()), HasSubstr("ssh-ed25519"),
                      HasSubstr("--accept-new-host-keys"), HasSubstr("ssh -F " + server.sshConfigPath() + " node-a")));
    EXPECT_EQ(server.logins(), 0);
    EXPECT_EQ(knownHostsOf(server), "");
}

TEST(HostKey, CommandToAcceptTheKeyHasTheSameUserAndPort)
{
    const Sshd server(unknownServer());
    const std::string port = std::to_string(server.port());
    server.writeSshConfig("UserKnownHostsFile " + server.knownHostsPath() + "\nIdentityAgent none\n");
    const auto opened = openNode({Sshd::user() + "@127.0.0.1:" + port, server.sshConfigPath()});
    EXPECT_THAT(failureOf(opened), HasSubstr(" -p " + port + " " + Sshd::user() + "@127.0.0.1\""));
}

TEST(HostKey, AddsAnUnknownKeyOnRequest)
{
    const Sshd server(unknownServer());
    Opening opening{server.host(), server.sshConfigPath()};
    opening.acceptNewHostKeys = true;
    const auto opened = openNode(opening);
    ASSERT_TRUE(opened.has_value()) << failureOf(opened);
    EXPECT_EQ(knownHostsOf(server), server.knownHostsLine() + "\n");
    EXPECT_TRUE(openNode({server.host(), server.sshConfigPath()}).has_value());
}

TEST(HostKey, HonoursAcceptNewAndHashInTheConfig)
{
    SshdOptions options = unknownServer();
    options.clientConfig = {"StrictHostKeyChecking accept-new", "HashKnownHosts yes"};
    const Sshd server(options);
    const auto opened = openNode({server.host(), server.sshConfigPath()});
    ASSERT_TRUE(opened.has_value()) << failureOf(opened);
    EXPECT_THAT(knownHostsOf(server), testing::StartsWith("|1|"));
    EXPECT_TRUE(openNode({server.host(), server.sshConfigPath()}).has_value());
}

TEST(HostKey, AsksTheOperatorOnceWithoutAnOpenConnection)
{
    const Sshd server(unknownServer());
    TcpProxy proxy(server.port());
    server.writeSshConfig(server.configBlock(proxy.port()));
    Asked asked;
    Opening opening{server.host(), server.sshConfigPath()};
    opening.interactive = true;
    opening.questions = answering(asked, &proxy);
    const auto opened = openNode(opening);
    ASSERT_TRUE(opened.has_value()) << failureOf(opened);
    ASSERT_EQ(asked.questions.size(), 1u);
    EXPECT_EQ(asked.questions[0].sha256, server.hostFingerprint());
    EXPECT_EQ(asked.questions[0].keyType, "ssh-ed25519");
    EXPECT_EQ(asked.questions[0].host, "node-a");
    EXPECT_EQ(asked.questions[0].knownHostsFile, server.knownHostsPath());
    EXPECT_EQ(asked.connectionsMeanwhile, 0);
    EXPECT_EQ(knownHostsOf(server), server.knownHostsLine() + "\n");
    EXPECT_TRUE(openNode(opening).has_value());
    EXPECT_EQ(asked.questions.size(), 1u);
}

TEST(HostKey, RefusesTheKeyIfTheOperatorDeclines)
{
    const Sshd server(unknownServer());
    Asked asked;
    asked.accept = false;
    Opening opening{server.host(), server.sshConfigPath()};
    opening.interactive = true;
    opening.questions = answering(asked);
    const auto opened = openNode(opening);
    EXPECT_EQ(kindOf(opened), ErrorKind::refused);
    EXPECT_EQ(asked.questions.size(), 1u);
    EXPECT_EQ(knownHostsOf(server), "");
    EXPECT_EQ(server.logins(), 0);
}

TEST(HostKey, RemembersTheAnswerInMemoryIfThereIsNoFile)
{
    SshdOptions options = unknownServer();
    options.clientConfig = {"UserKnownHostsFile /dev/null"};
    const Sshd server(options);
    Asked asked;
    Opening opening{server.host(), server.sshConfigPath()};
    opening.interactive = true;
    opening.questions = answering(asked);
    const auto factory = makeSessionFactory();
    EXPECT_TRUE(openNode(*factory, opening).has_value());
    EXPECT_TRUE(openNode(*factory, opening).has_value());
    EXPECT_EQ(asked.questions.size(), 1u);
}

TEST(HostKey, RefusesAChangedKeyEvenIfNewKeysAreAccepted)
{
    Sshd server;
    const std::string before = server.hostFingerprint();
    server.replaceHostKey();
    Asked asked;
    Opening opening{server.host(), server.sshConfigPath()};
    opening.acceptNewHostKeys = true;
    opening.interactive = true;
    opening.questions = answering(asked);
    const auto opened = openNode(opening);
    EXPECT_EQ(kindOf(opened), ErrorKind::refused);
    EXPECT_THAT(failureOf(opened),
                AllOf(HasSubstr(before), HasSubstr(server.hostFingerprint()), HasSubstr(server.knownHostsPath() + ":1"),
                      HasSubstr("ssh-keygen -f " + server.knownHostsPath() +
                                " -R '[127.0.0.1]:" + std::to_string(server.port()) + "'")));
    EXPECT_TRUE(asked.questions.empty());
    EXPECT_EQ(server.logins(), 0);
}

TEST(HostKey, RefusesARevokedKeyThatIsAlsoListed)
{
    const Sshd server;
    setKnownHosts(server, server.knownHostsLine() + "\n@revoked * " + server.hostPublicKey() + "\n");
    const auto opened = openNode({server.host(), server.sshConfigPath()});
    EXPECT_EQ(kindOf(opened), ErrorKind::refused);
    EXPECT_THAT(failureOf(opened), AllOf(HasSubstr("REVOKED"), HasSubstr(server.hostFingerprint()),
                                         HasSubstr(server.knownHostsPath() + ":2")));
    EXPECT_EQ(server.logins(), 0);
}

TEST(HostKey, HostWithACertAuthorityRequiresTheSshTransport)
{
    const Sshd server(unknownServer());
    setKnownHosts(server, "@cert-authority * " + server.hostPublicKey() + "\n");
    Opening opening{server.host(), server.sshConfigPath()};
    opening.acceptNewHostKeys = true;
    const auto opened = openNode(opening);
    EXPECT_EQ(kindOf(opened), ErrorKind::unsupported);
    EXPECT_THAT(failureOf(opened), HasSubstr("\"transport\": \"ssh\""));
}

TEST(HostKey, RequestsTheKnownKeyType)
{
    // The server also has an Ed25519 key, which every client lists first.
    const TempDir dir;
    ASSERT_EQ(runProgram({"ssh-keygen", "-q", "-t", "rsa", "-b", "2048", "-N", "", "-f", dir.file("rsa")}).exitCode, 0);
    SshdOptions options;
    options.config = {"HostKey " + dir.file("rsa")};
    const Sshd server(options);
    std::istringstream words(dir.read("rsa.pub"));
    std::string type;
    std::string body;
    words >> type >> body;
    setKnownHosts(server, "[127.0.0.1]:" + std::to_string(server.port()) + " " + type + " " + body + "\n");
    const auto opened = openNode({server.host(), server.sshConfigPath()});
    EXPECT_TRUE(opened.has_value()) << failureOf(opened);
}

TEST(HostKey, RefusesAHostThatIsKnownOnlyByAnotherKeyType)
{
    const TempDir dir;
    ASSERT_EQ(runProgram({"ssh-keygen", "-q", "-t", "ecdsa", "-N", "", "-f", dir.file("ec")}).exitCode, 0);
    const Sshd server;
    std::istringstream words(dir.read("ec.pub"));
    std::string type;
    std::string body;
    words >> type >> body;
    setKnownHosts(server, "[127.0.0.1]:" + std::to_string(server.port()) + " " + type + " " + body + "\n");
    Opening opening{server.host(), server.sshConfigPath()};
    opening.acceptNewHostKeys = true;
    const auto opened = openNode(opening);
    EXPECT_EQ(kindOf(opened), ErrorKind::refused);
    EXPECT_THAT(failureOf(opened), AllOf(HasSubstr("a different type"), HasSubstr(server.hostFingerprint())));
}

TEST(HostKey, RevokedHostKeysFileIsNotIgnored)
{
    SshdOptions options;
    const TempDir dir;
    options.clientConfig = {"RevokedHostKeys " + dir.write("revoked", "")};
    const Sshd server(options);
    const auto opened = openNode({server.host(), server.sshConfigPath()});
    EXPECT_EQ(kindOf(opened), ErrorKind::unsupported);
    EXPECT_THAT(failureOf(opened), HasSubstr("RevokedHostKeys"));
}

TEST(HostKey, KnownHostsCommandIsNotIgnored)
{
    SshdOptions options;
    options.clientConfig = {"KnownHostsCommand /bin/true"};
    const Sshd server(options);
    auto opening = Opening{server.host(), server.sshConfigPath()};
    opening.acceptNewHostKeys = true;
    const auto opened = openNode(opening);
    EXPECT_EQ(kindOf(opened), ErrorKind::unsupported);
    EXPECT_THAT(failureOf(opened), HasSubstr("KnownHostsCommand"));
}

}  // namespace
}  // namespace rankdeck::host_key_test
