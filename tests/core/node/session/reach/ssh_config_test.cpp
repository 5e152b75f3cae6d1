// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/reach/ssh_config.h"
#include "core/node/session/reach/ssh_target.h"

#include "tests/testbed/temp_dir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck::ssh_config_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const SshUser ann = {"/home/ann", "ann", "laptop.example", "/run/agent.sock"};

SshConfig parsed(const std::string &text)
{
    const auto config = parseSshConfig("hostname node.example\nuser bob\nport 22\n" + text, "alias", ann);
    EXPECT_TRUE(config.has_value()) << (config ? "" : config.error().message);
    return config ? *config : SshConfig();
}

TEST(SshTarget, AcceptsTheHostFormsOfSsh)
{
    const auto plain = parseSshTarget("node-a");
    ASSERT_TRUE(plain.has_value());
    EXPECT_EQ(plain->host, "node-a");
    EXPECT_EQ(plain->user, "");
    EXPECT_EQ(plain->port, 0);
    const auto full = parseSshTarget("bob@10.0.0.2:2222");
    ASSERT_TRUE(full.has_value());
    EXPECT_EQ(full->user, "bob");
    EXPECT_EQ(full->host, "10.0.0.2");
    EXPECT_EQ(full->port, 2222);
    EXPECT_EQ(parseSshTarget("a@b@node")->user, "a@b");
    EXPECT_EQ(parseSshTarget("fe80::1")->host, "fe80::1");
    EXPECT_EQ(parseSshTarget("fe80::1")->port, 0);
    const auto six = parseSshTarget("bob@[::1]:22");
    ASSERT_TRUE(six.has_value());
    EXPECT_EQ(six->host, "::1");
    EXPECT_EQ(six->port, 22);
    EXPECT_EQ(six->text(), "bob@[::1]:22");
}

TEST(SshTarget, RefusesTextThatAShellOrSshCouldMisinterpret)
{
    for (const char *bad : {"",        "-oProxyCommand=x", "a b",        "node;id",  "$(id)",    "`id`",  "bob$@node",
                            "node:",   "node:0",           "node:65536", "node:22x", "node:+22", "@node", "[::1",
                            "[::1]22", "-x@node",          "bob@-x",     "a\nb",     "a/b",      "a'b"}) {
        const auto target = parseSshTarget(bad);
        ASSERT_FALSE(target.has_value()) << bad;
        EXPECT_EQ(target.error().kind, ErrorKind::invalid) << bad;
        EXPECT_THAT(target.error().message, HasSubstr("Expected an alias")) << bad;
    }
}

TEST(SshConfig, ExpandsTokensInIdentityPaths)
{
    const SshConfig config = parsed("identityfile ~/.ssh/cluster\nidentityfile %d/keys/%h-%r\nidentityfile none\n"
                                    "certificatefile ~/c-cert.pub\nidentitiesonly yes\nidentityagent ~/agent/%n\n");
    EXPECT_THAT(config.identityFiles, ElementsAre("/home/ann/.ssh/cluster", "/home/ann/keys/node.example-bob"));
    EXPECT_THAT(config.certificateFiles, ElementsAre("/home/ann/c-cert.pub"));
    EXPECT_TRUE(config.identitiesOnly);
    EXPECT_FALSE(config.identityFilesAreDefault);
    EXPECT_EQ(config.identityAgent, "/home/ann/agent/alias");
}

TEST(SshConfig, RecognisesTheDefaultIdentitiesAndTheAgent)
{
    const SshConfig config =
        parsed("identityfile ~/.ssh/id_rsa\nidentityfile ~/.ssh/id_ecdsa\nidentityfile ~/.ssh/id_ed25519\n");
    EXPECT_TRUE(config.identityFilesAreDefault);
    EXPECT_EQ(config.identityAgent, "/run/agent.sock");
    EXPECT_EQ(parsed("identityagent none\n").identityAgent, "");
    EXPECT_EQ(parsed("identityagent SSH_AUTH_SOCK\n").identityAgent, "/run/agent.sock");
}

TEST(SshConfig, ReadsHostKeySettings)
{
    const SshConfig config =
        parsed("hostkeyalias farm\nuserknownhostsfile /dev/null ~/kh \"/a b/kh\"\nglobalknownhostsfile none\n"
               "hashknownhosts yes\nstricthostkeychecking accept-new\nrevokedhostkeys none\n");
    EXPECT_THAT(config.userKnownHostsFiles, ElementsAre("/home/ann/kh", "/a b/kh"));
    EXPECT_TRUE(config.globalKnownHostsFiles.empty());
    EXPECT_TRUE(config.hashKnownHosts);
    EXPECT_EQ(config.strictHostKeys, StrictHostKeys::acceptNew);
    EXPECT_EQ(config.knownName(), "farm");
    EXPECT_EQ(parsed("stricthostkeychecking true\n").strictHostKeys, StrictHostKeys::yes);
    EXPECT_EQ(parsed("stricthostkeychecking false\n").strictHostKeys, StrictHostKeys::no);
    EXPECT_EQ(parsed("stricthostkeychecking ask\n").strictHostKeys, StrictHostKeys::ask);
}

TEST(SshConfig, KnownNameHasTheFormOfKnownHosts)
{
    EXPECT_EQ(parseSshConfig("hostname Node.Example\nuser b\nport 22\n", "x", ann)->knownName(), "node.example");
    EXPECT_EQ(parseSshConfig("hostname Node.Example\nuser b\nport 2200\n", "x", ann)->knownName(),
              "[node.example]:2200");
}

TEST(SshConfig, ReadsProxyAndAddressSettings)
{
    EXPECT_EQ(parsed("proxyjump a,bob@b:22\n").proxyJump, "a,bob@b:22");
    EXPECT_EQ(parsed("proxyjump none\nproxycommand none\n").proxyCommand, "");
    EXPECT_EQ(parsed("proxycommand nc %h %p\n").proxyCommand, "nc %h %p");
    EXPECT_EQ(parsed("addressfamily inet6\n").addressFamily, AddressFamily::inet6);
    EXPECT_EQ(parsed("connecttimeout none\n").connectTimeoutSeconds, 0);
    EXPECT_EQ(parsed("connecttimeout 7\n").connectTimeoutSeconds, 7);
    EXPECT_FALSE(parsed("pubkeyauthentication false\n").publicKeyLogin);
    EXPECT_FALSE(parsed("passwordauthentication no\n").passwordLogin);
    EXPECT_THAT(parsed("preferredauthentications publickey,password\n").preferredLogins,
                ElementsAre("publickey", "password"));
}

TEST(SshConfig, RefusesOutputThatIsNotFromSsh)
{
    for (const char *text :
         {"", "hostname x\n", "hostname x\nuser u\nport 0\n", "hostname x\nuser u\nport 99999\n", "hello"}) {
        const auto config = parseSshConfig(text, "alias", ann);
        ASSERT_FALSE(config.has_value()) << text;
        EXPECT_THAT(config.error().message, HasSubstr("ssh -G alias"));
    }
}

TEST(SshConfig, QueriesTheSystemSsh)
{
    const TempDir dir;
    const std::string file = dir.write(
        "config", "Match user carl originalhost farm*\n  Port 2301\nHost farm*\n  HostName 127.0.0.9\n  User bob\n"
                  "  IdentityFile ~/k\n  ProxyJump gate\n");
    const auto config = querySshConfig(*parseSshTarget("farm7"), file, {});
    ASSERT_TRUE(config.has_value()) << config.error().message;
    EXPECT_EQ(config->hostname, "127.0.0.9");
    EXPECT_EQ(config->user, "bob");
    EXPECT_EQ(config->port, 22);
    EXPECT_EQ(config->proxyJump, "gate");
    // The user and the port in the host text also decide which blocks match, as on ssh's command line.
    const auto asCarl = querySshConfig(*parseSshTarget("carl@farm7"), file, {});
    ASSERT_TRUE(asCarl.has_value());
    EXPECT_EQ(asCarl->user, "carl");
    EXPECT_EQ(asCarl->port, 2301);
    EXPECT_EQ(querySshConfig(*parseSshTarget("carl@farm7:24"), file, {})->port, 24);
}

TEST(SshConfig, QueriesThePreferredSshProgram)
{
    const TempDir dir;
    const std::string program = dir.write("my ssh", "#!/bin/sh\n[ \"$1\" = -G ] && exec ssh -o Port=2345 \"$@\"\n");
    ASSERT_EQ(::chmod(program.c_str(), 0700), 0);
    const std::string file = dir.write("config", "Host *\n  User bob\n");
    const auto config = querySshConfig(*parseSshTarget("x"), file, {}, program);
    ASSERT_TRUE(config.has_value()) << config.error().message;
    EXPECT_EQ(config->port, 2345);
    EXPECT_FALSE(querySshConfig(*parseSshTarget("x"), file, {}, dir.file("missing")).has_value());
}

TEST(SshConfig, ReportsTheErrorOfSshForABadConfig)
{
    const TempDir dir;
    const auto bad = querySshConfig(*parseSshTarget("x"), dir.write("config", "Host x\n  Frobnicate yes\n"), {});
    ASSERT_FALSE(bad.has_value());
    EXPECT_EQ(bad.error().kind, ErrorKind::invalid);
    EXPECT_THAT(bad.error().message, HasSubstr("line 2: Bad configuration option: frobnicate"));
    const auto none = querySshConfig(*parseSshTarget("x"), dir.file("missing"), {});
    ASSERT_FALSE(none.has_value());
    EXPECT_THAT(none.error().message, HasSubstr("No such file"));
}

TEST(SshConfig, RefusesAConfigThatOthersMayWriteWithoutRunningIt)
{
    const TempDir dir;
    const std::string file =
        dir.write("config", "Match exec \"touch " + dir.file("ran") + "\"\n  Port 1\nHost *\n  User bob\n");
    for (const mode_t mode : {0666, 0664, 0620}) {
        ASSERT_EQ(::chmod(file.c_str(), mode), 0);
        const auto config = querySshConfig(*parseSshTarget("x"), file, {});
        ASSERT_FALSE(config.has_value());
        EXPECT_EQ(config.error().kind, ErrorKind::refused);
        EXPECT_THAT(config.error().message, HasSubstr("chmod go-w"));
        EXPECT_EQ(::access(dir.file("ran").c_str(), F_OK), -1);
    }
    ASSERT_EQ(::chmod(file.c_str(), 0600), 0);
    EXPECT_TRUE(querySshConfig(*parseSshTarget("x"), file, {}).has_value());
    EXPECT_EQ(::access(dir.file("ran").c_str(), F_OK), 0);
    if (::geteuid() == 0) {
        ASSERT_EQ(::chown(file.c_str(), 65534, 65534), 0);
        EXPECT_FALSE(checkSshConfigFile(file).has_value()) << "somebody else's";
    }
    EXPECT_TRUE(checkSshConfigFile(dir.file("missing")).has_value());
    EXPECT_TRUE(checkSshConfigFile("").has_value());
}

TEST(SshConfig, AHangingMatchExecCanBeStopped)
{
    const TempDir dir;
    const std::string file = dir.write("config", "Match exec \"sleep 600\"\n  Port 1\n");
    const auto config = querySshConfig(*parseSshTarget("x"), file, [] { return true; });
    ASSERT_FALSE(config.has_value());
    EXPECT_EQ(config.error().kind, ErrorKind::cancelled);
}

}  // namespace
}  // namespace rankdeck::ssh_config_test
