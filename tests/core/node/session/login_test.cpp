// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/node/session/node_session.h"
#include "tests/core/node/session/private_agent.h"

#include <libssh/libssh.h>

namespace rankdeck::login_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

void makeKey(const std::string &path, const std::string &passphrase = "", const std::string &type = "ed25519")
{
    std::vector<std::string> command{"ssh-keygen", "-q", "-t", type, "-N", passphrase, "-C", "test", "-f", path};
    if (type == "rsa") command.insert(command.end(), {"-b", "2048"});  // a longer key takes a second to find
    const ProgramOutput made = runProgram(command);
    ASSERT_EQ(made.exitCode, 0) << made.out;
}

void authorize(const Sshd &server, const std::string &publicKeyFile)
{
    std::filesystem::copy_file(publicKeyFile, server.authorizedKeysPath(),
                               std::filesystem::copy_options::overwrite_existing);
}

SshdOptions client(const std::vector<std::string> &lines)
{
    SshdOptions options;
    options.clientConfig = lines;
    return options;
}

Opening at(const Sshd &server) { return {server.host(), server.sshConfigPath()}; }

Questions replying(const std::vector<std::string> &answers, std::vector<AuthQuestion> &asked)
{
    Questions questions;
    questions.auth = [answers, &asked](const AuthQuestion &question) {
        asked.push_back(question);
        return Answer{true, answers};
    };
    return questions;
}

TEST(Login, SucceedsByKeyFile)
{
    const Sshd server;
    const auto opened = openNode(at(server));
    ASSERT_TRUE(opened.has_value()) << failureOf(opened);
    EXPECT_THAT(readUntil(**opened, "ready"), HasSubstr("ready"));
    EXPECT_EQ(server.logins(), 1);
    EXPECT_THAT((*opened)->security(), HasSubstr("curve25519"));
}

TEST(Login, SucceedsByKeysOfOtherKinds)
{
    const TempDir dir;
    for (const char *type : {"rsa", "ecdsa"}) {
        makeKey(dir.file(type), "", type);
        const Sshd server(client({"IdentityFile " + dir.file(type)}));
        authorize(server, dir.file(type) + ".pub");
        const auto opened = openNode(at(server));
        EXPECT_TRUE(opened.has_value()) << type << ": " << failureOf(opened);
    }
}

TEST(Login, UsesTheSettingsOfTheSystemSsh)
{
    // libssh's own parser does not apply "^", and gives up on a file at a Match keyword that it does not know. Whether
    // ssh knows that keyword depends on its version; the file must be valid for ssh.
    const Sshd server(client({"Ciphers ^aes256-gcm@openssh.com"}));
    const std::string newer = "Match localnetwork 203.0.113.0/24\n  Port 1\n";
    server.writeSshConfig(newer + server.configBlock());
    if (runProgram({"ssh", "-G", "-F", server.sshConfigPath(), "--", server.host()}).exitCode != 0)
        server.writeSshConfig("Match canonical final\n  Port 1\n" + server.configBlock());
    const auto opened = openNode(at(server));
    ASSERT_TRUE(opened.has_value()) << failureOf(opened);
    EXPECT_THAT((*opened)->security(), HasSubstr("aes256-gcm@openssh.com"));
}

TEST(Login, UserAndPortInTheHostOverrideTheConfig)
{
    const Sshd server;
    server.writeSshConfig(server.configBlock() + "Host 127.0.0.1\n  IdentityFile " + server.keyPath() +
                          "\n  IdentitiesOnly yes\n  IdentityAgent none\n  UserKnownHostsFile " +
                          server.knownHostsPath() + "\n");
    Opening opening = at(server);
    opening.host = Sshd::user() + "@127.0.0.1:" + std::to_string(server.port());
    const auto opened = openNode(opening);
    EXPECT_TRUE(opened.has_value()) << failureOf(opened);
}

TEST(Login, RefusedLoginIsTriedOnceAndNamesTheOfferedKeys)
{
    const TempDir dir;
    makeKey(dir.file("stranger"));
    const Sshd server(client({"IdentityFile " + dir.file("stranger")}));
    std::filesystem::remove(server.authorizedKeysPath());
    const auto opened = openNode(at(server));
    EXPECT_EQ(kindOf(opened), ErrorKind::refused);
    EXPECT_THAT(failureOf(opened),
                AllOf(HasSubstr("refused the login as " + Sshd::user()), HasSubstr(dir.file("stranger")),
                      HasSubstr(server.keyPath()), HasSubstr("It accepts: publickey"), HasSubstr("authorized_keys")));
    EXPECT_EQ(runProgram({"grep", "-c", "Connection from", server.directory() + "/sshd.log"}).out, "1\n");
}

TEST(Login, ReportsAMissingKey)
{
    const Sshd server(client({"IdentityFile none"}));
    server.writeSshConfig("Host node-a\n  HostName 127.0.0.1\n  Port " + std::to_string(server.port()) +
                          "\n  IdentityFile " + server.directory() +
                          "/missing\n  IdentityAgent none\n  UserKnownHostsFile " + server.knownHostsPath() + "\n");
    const auto opened = openNode(at(server));
    EXPECT_EQ(kindOf(opened), ErrorKind::refused);
    EXPECT_THAT(failureOf(opened), HasSubstr("Offered: nothing, as no key was found"));
}

TEST(Login, AsksForAPassphraseOnlyIfTheServerAcceptsThatKey)
{
    const TempDir dir;
    makeKey(dir.file("locked"), "open sesame");
    const Sshd server(client({"IdentityFile " + dir.file("locked")}));
    std::vector<AuthQuestion> asked;
    Opening opening = at(server);
    opening.interactive = true;
    opening.questions = replying({"open sesame"}, asked);
    EXPECT_TRUE(openNode(opening).has_value());  // with the other key: the locked key is not authorized
    EXPECT_TRUE(asked.empty());
    authorize(server, dir.file("locked.pub"));
    for (const bool withPublicFile : {true, false}) {
        if (!withPublicFile) std::filesystem::remove(dir.file("locked.pub"));
        asked.clear();
        const auto opened = openNode(opening);
        EXPECT_TRUE(opened.has_value()) << failureOf(opened);
        ASSERT_EQ(asked.size(), 1u);
        EXPECT_EQ(asked[0].host, "node-a");
        ASSERT_EQ(asked[0].prompts.size(), 1u);
        EXPECT_FALSE(asked[0].prompts[0].echo);
        EXPECT_THAT(asked[0].prompts[0].text, HasSubstr(dir.file("locked")));
    }
}

TEST(Login, WrongPassphraseIsNotRetried)
{
    const TempDir dir;
    makeKey(dir.file("locked"), "open sesame");
    const Sshd server(client({"IdentityFile " + dir.file("locked")}));
    authorize(server, dir.file("locked.pub"));
    std::vector<AuthQuestion> asked;
    Opening opening = at(server);
    opening.interactive = true;
    opening.questions = replying({"wrong"}, asked);
    const auto opened = openNode(opening);
    EXPECT_EQ(kindOf(opened), ErrorKind::refused);
    EXPECT_THAT(failureOf(opened), AllOf(HasSubstr("passphrase"), HasSubstr("was wrong"), Not(HasSubstr("sesame"))));
    EXPECT_EQ(asked.size(), 1u);
}

TEST(Login, DeclinedPassphraseEndsTheLogin)
{
    const TempDir dir;
    makeKey(dir.file("locked"), "open sesame");
    const Sshd server(client({"IdentityFile " + dir.file("locked")}));
    authorize(server, dir.file("locked.pub"));
    int asked = 0;
    Opening opening = at(server);
    opening.interactive = true;
    opening.questions.auth = [&asked](const AuthQuestion &) {
        ++asked;
        return Answer{};
    };
    const auto opened = openNode(opening);
    EXPECT_EQ(kindOf(opened), ErrorKind::refused);
    EXPECT_THAT(failureOf(opened), HasSubstr("was not answered"));
    EXPECT_EQ(asked, 1);
}

TEST(Login, LockedKeyWithoutAnOperatorRecommendsSshAdd)
{
    const TempDir dir;
    makeKey(dir.file("locked"), "open sesame");
    const Sshd server(client({"IdentityFile " + dir.file("locked")}));
    authorize(server, dir.file("locked.pub"));
    const auto opened = openNode(at(server));
    EXPECT_EQ(kindOf(opened), ErrorKind::refused);
    EXPECT_THAT(failureOf(opened), HasSubstr("ssh-add " + dir.file("locked")));
}

TEST(Login, SucceedsByAgent)
{
    const TempDir dir;
    const PrivateAgent agent;
    makeKey(dir.file("key"));
    agent.add(dir.file("key"));
    const Sshd server(client({"IdentityAgent " + agent.socket(), "IdentitiesOnly no"}));
    authorize(server, dir.file("key.pub"));
    const auto opened = openNode(at(server));
    EXPECT_TRUE(opened.has_value()) << failureOf(opened);
}

TEST(Login, SucceedsByAnRsaKeyOfTheAgent)
{
    const TempDir dir;
    const PrivateAgent agent;
    makeKey(dir.file("key"), "", "rsa");
    agent.add(dir.file("key"));
    const Sshd server(client({"IdentityAgent " + agent.socket(), "IdentitiesOnly no"}));
    authorize(server, dir.file("key.pub"));
    const auto opened = openNode(at(server));
    EXPECT_TRUE(opened.has_value()) << failureOf(opened);
}

TEST(Login, SucceedsByAgentIfOnlyThePublicKeyFileExists)
{
    const TempDir dir;
    const PrivateAgent agent;
    makeKey(dir.file("key"));
    agent.add(dir.file("key"));
    std::filesystem::remove(dir.file("key"));
    for (const char *name : {"key", "key.pub"}) {
        const Sshd server(
            client({"IdentityAgent " + agent.socket(), "IdentityFile " + dir.file(name), "IdentitiesOnly yes"}));
        authorize(server, dir.file("key.pub"));
        const auto opened = openNode(at(server));
        EXPECT_TRUE(opened.has_value()) << name << ": " << failureOf(opened);
    }
}

TEST(Login, LockedKeyFileNeedsNoPassphraseIfTheAgentHasTheKey)
{
    const TempDir dir;
    const PrivateAgent agent;
    makeKey(dir.file("key"));
    agent.add(dir.file("key"));
    ASSERT_EQ(runProgram({"ssh-keygen", "-q", "-p", "-P", "", "-N", "open sesame", "-f", dir.file("key")}).exitCode, 0);
    const Sshd server(client({"IdentityAgent " + agent.socket(), "IdentityFile " + dir.file("key")}));
    authorize(server, dir.file("key.pub"));
    const auto opened = openNode(at(server));
    EXPECT_TRUE(opened.has_value()) << failureOf(opened);
}

TEST(Login, IdentitiesOnlyExcludesOtherKeysOfTheAgent)
{
    const TempDir dir;
    const PrivateAgent agent;
    makeKey(dir.file("key"));
    agent.add(dir.file("key"));
    const Sshd server(client({"IdentityAgent " + agent.socket(), "IdentitiesOnly yes"}));
    authorize(server, dir.file("key.pub"));
    EXPECT_EQ(kindOf(openNode(at(server))), ErrorKind::refused);
}

TEST(Login, StopsAfterFourWrongAgentKeysWithAClearRefusal)
{
    const TempDir dir;
    const PrivateAgent agent;
    for (int i = 0; i < 8; ++i) {
        makeKey(dir.file("wrong" + std::to_string(i)));
        agent.add(dir.file("wrong" + std::to_string(i)));
    }
    const Sshd server(client({"IdentityAgent " + agent.socket(), "IdentitiesOnly no"}));
    std::filesystem::remove(server.authorizedKeysPath());
    const auto opened = openNode(at(server));
    EXPECT_EQ(kindOf(opened), ErrorKind::refused);
    EXPECT_THAT(failureOf(opened), AllOf(HasSubstr("agent key test SHA256:"), HasSubstr("5 more keys were not offered"),
                                         HasSubstr("IdentitiesOnly")));
    EXPECT_EQ(runProgram({"grep", "-c", "Failed publickey", server.directory() + "/sshd.log"}).out, "4\n");
}

TEST(Login, OffersTheKeyThatWorkedFirstNextTime)
{
    const TempDir dir;
    makeKey(dir.file("stranger"));
    const Sshd server(client({"IdentityFile " + dir.file("stranger")}));
    const auto factory = makeSessionFactory();
    const auto failures = [&] {
        return runProgram({"grep", "-c", "Failed publickey", server.directory() + "/sshd.log"}).out;
    };
    ASSERT_TRUE(openNode(*factory, at(server)).has_value());
    EXPECT_EQ(failures(), "1\n");
    ASSERT_TRUE(openNode(*factory, at(server)).has_value());
    EXPECT_EQ(failures(), "1\n");
}

TEST(Login, ReportsAMissingAgent)
{
    const TempDir dir;
    const Sshd server(client({"IdentityAgent " + dir.file("none")}));
    EXPECT_TRUE(openNode(at(server)).has_value());
    std::filesystem::remove(server.authorizedKeysPath());
    EXPECT_THAT(failureOf(openNode(at(server))), HasSubstr("The ssh-agent at " + dir.file("none")));
}

TEST(Login, ReportsALockedAgent)
{
    // Any process can be "the agent": this one lists a key and never signs.
    const TempDir dir;
    const PrivateAgent agent;
    makeKey(dir.file("key"));
    agent.use({"-c", dir.file("key")});  // each use needs a confirmation, which nobody can give
    const Sshd server(client({"IdentityAgent " + agent.socket(), "IdentitiesOnly no"}));
    authorize(server, dir.file("key.pub"));
    const auto opened = openNode(at(server));
    EXPECT_EQ(kindOf(opened), ErrorKind::refused);
    EXPECT_THAT(failureOf(opened), HasSubstr("did not sign"));
}

// Tests each kind of key, because libssh compares a certificate and its key by their kind.
class CertificateLogin : public testing::TestWithParam<const char *> {
protected:
    void SetUp() override
    {
        makeKey(dir.file("ca"));
        makeKey(dir.file("key"), "", GetParam());
        const ProgramOutput signedKey =
            runProgram({"ssh-keygen", "-q", "-s", dir.file("ca"), "-I", "me", "-n", Sshd::user(), dir.file("key.pub")});
        ASSERT_EQ(signedKey.exitCode, 0) << signedKey.out;
    }
    SshdOptions options(const std::vector<std::string> &lines) const
    {
        SshdOptions made = client(lines);
        made.config = {"TrustedUserCAKeys " + dir.file("ca.pub"), "AuthorizedKeysFile none"};
        return made;
    }
    // libssh 0.11 cannot use the ed25519 certificate of a file, and the message says so.
    static void check(const Result<std::unique_ptr<Transport>> &opened)
    {
        if (std::string(GetParam()) == "ed25519" && ssh_version(SSH_VERSION_INT(0, 11, 0)))
            EXPECT_THAT(failureOf(opened), HasSubstr("cannot join an ed25519 certificate to its key: run \"ssh-add "));
        else
            EXPECT_TRUE(opened.has_value()) << failureOf(opened);
    }
    TempDir dir;
};
INSTANTIATE_TEST_SUITE_P(Kinds, CertificateLogin, testing::Values("ed25519", "ecdsa", "rsa"),
                         [](const auto &kind) { return std::string(kind.param); });

TEST_P(CertificateLogin, FindsTheCertificateNextToTheKey)
{
    const Sshd server(options({"IdentityFile " + dir.file("key")}));
    check(openNode(at(server)));
}

TEST_P(CertificateLogin, UsesACertificateFileNamedInTheConfig)
{
    std::filesystem::rename(dir.file("key-cert.pub"), dir.file("elsewhere.pub"));
    const Sshd server(options({"IdentityFile " + dir.file("key"), "CertificateFile " + dir.file("elsewhere.pub")}));
    check(openNode(at(server)));
}

TEST_P(CertificateLogin, UsesACertificateFileForAKeyOfTheAgent)
{
    const PrivateAgent agent;
    std::filesystem::rename(dir.file("key-cert.pub"), dir.file("elsewhere.pub"));
    agent.add(dir.file("key"));
    std::filesystem::remove(dir.file("key"));
    const Sshd server(options({"IdentityAgent " + agent.socket(), "IdentityFile " + dir.file("key"),
                               "CertificateFile " + dir.file("elsewhere.pub")}));
    const auto opened = openNode(at(server));
    EXPECT_TRUE(opened.has_value()) << failureOf(opened);
}

TEST_P(CertificateLogin, UsesACertificateOfTheAgent)
{
    const PrivateAgent agent;
    agent.add(dir.file("key"));
    const Sshd server(options({"IdentityAgent " + agent.socket(), "IdentitiesOnly no"}));
    const auto opened = openNode(at(server));
    EXPECT_TRUE(opened.has_value()) << failureOf(opened);
}

TEST(Login, StopRequestCancelsTheLogin)
{
    const Sshd server;
    TcpProxy proxy(server.port());
    proxy.blackHole();
    server.writeSshConfig(server.configBlock(proxy.port()));
    Opening opening = at(server);
    opening.questions.stopped = [&proxy] { return proxy.accepted() > 0; };
    EXPECT_EQ(kindOf(openNode(opening)), ErrorKind::cancelled);
}

TEST(Login, ResetDuringTheLoginCanBeRetried)
{
    const Sshd server;
    TcpProxy proxy(server.port());
    server.writeSshConfig(server.configBlock(proxy.port()));
    proxy.refuse();
    EXPECT_EQ(kindOf(openNode(at(server))), ErrorKind::unreachable);
    proxy.pass();
    for (const int bytes : {1, 30, 500, 1500, 1800}) {  // greeting, key exchange, login
        proxy.cutAfter(std::uint64_t(bytes), bytes % 2 == 0);
        EXPECT_EQ(kindOf(openNode(at(server))), ErrorKind::unreachable) << bytes;
    }
    EXPECT_TRUE(openNode(at(server)).has_value());
}

TEST(Login, UnusedPortIsUnreachable)
{
    Sshd server;
    server.stop();
    const auto opened = openNode(at(server));
    EXPECT_EQ(kindOf(opened), ErrorKind::unreachable);
    EXPECT_THAT(failureOf(opened), AllOf(HasSubstr("Connection refused"), HasSubstr("sshd runs")));
}

TEST(Login, UnresolvableNameIsUnreachable)
{
    const TempDir dir;
    const auto opened = openNode({"no-such-host.invalid", dir.write("config", "")});
    EXPECT_EQ(kindOf(opened), ErrorKind::unreachable);
    EXPECT_THAT(failureOf(opened), HasSubstr("cannot be resolved"));
}

TEST(Login, ProxyCommandRequiresTheSshTransport)
{
    const Sshd server(client({"ProxyCommand nc %h %p"}));
    const auto opened = openNode(at(server));
    EXPECT_EQ(kindOf(opened), ErrorKind::unsupported);
    EXPECT_THAT(failureOf(opened), AllOf(HasSubstr("ProxyCommand"), HasSubstr("\"transport\": \"ssh\"")));
}

TEST(Login, RefusesCiphersAndMacsThatLibsshLacks)
{
    const Sshd server(client({"MACs umac-64@openssh.com"}));
    const auto opened = openNode(at(server));
    EXPECT_EQ(kindOf(opened), ErrorKind::unsupported);
    EXPECT_THAT(failureOf(opened), HasSubstr("MACs"));
}

}  // namespace
}  // namespace rankdeck::login_test
