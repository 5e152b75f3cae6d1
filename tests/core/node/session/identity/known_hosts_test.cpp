// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/identity/known_hosts.h"

#include "core/node/protocol/wire.h"
#include "tests/testbed/program.h"
#include "tests/testbed/temp_dir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace rankdeck::known_hosts_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

PublicKey key(const std::string &type, const std::string &body)
{
    std::string blob;
    WireWriter(blob).blob(type);
    WireWriter(blob).blob(body);
    return *publicKeyFromBlob(blob);
}

const PublicKey ours = key("ssh-ed25519", std::string(32, 'a'));
const PublicKey other = key("ssh-ed25519", std::string(32, 'b'));
const PublicKey rsa = key("ssh-rsa", std::string(64, 'c'));

std::string line(const std::string &hosts, const PublicKey &its)
{
    return hosts + " " + its.type + " " + its.base64() + "\n";
}

HostKeyFinding find(const std::string &text, const std::string &name = "[10.0.0.1]:2222")
{
    return checkHostKey(name, ours, {{"/kh", text}});
}

TEST(KnownHosts, FindsTheKeyInEveryHostNotation)
{
    const std::string host = "[10.0.0.1]:2222";
    const std::string salt = "0123456789abcdefghij";
    const std::string hashed = "|1|" + toBase64(salt) + "|" + toBase64(hmacSha1(salt, host));
    EXPECT_EQ(find(line(host, ours)).state, HostKeyState::ok);
    EXPECT_EQ(find(line("other," + host, ours)).state, HostKeyState::ok);
    EXPECT_EQ(find(line(hashed, ours)).state, HostKeyState::ok);
    EXPECT_EQ(find(line("[10.0.0.*]:2222", ours)).state, HostKeyState::ok);
    EXPECT_EQ(find(line("[10.0.0.?]:2222", ours)).state, HostKeyState::ok);
    EXPECT_EQ(find(line("*", ours)).state, HostKeyState::ok);
    EXPECT_EQ(find(line("*,!" + host, ours)).state, HostKeyState::unknown);
    EXPECT_EQ(find(line("!" + host + ",*", ours)).state, HostKeyState::unknown);
}

TEST(KnownHosts, ReadsHashedNamesOfSshKeygen)
{
    const TempDir dir;
    dir.write("kh", line("node-a", ours));
    ASSERT_EQ(runProgram({"ssh-keygen", "-q", "-H", "-f", dir.file("kh")}).exitCode, 0);
    ASSERT_THAT(dir.read("kh"), HasSubstr("|1|"));
    EXPECT_EQ(find(dir.read("kh"), "node-a").state, HostKeyState::ok);
    EXPECT_EQ(find(dir.read("kh"), "node-b").state, HostKeyState::unknown);
}

TEST(KnownHosts, AcceptsAHostWithAnOldAndANewKey)
{
    const std::string host = "[10.0.0.1]:2222";
    EXPECT_EQ(find(line(host, other) + line(host, ours)).state, HostKeyState::ok);
    EXPECT_EQ(find("garbage\n# remark\n\n" + line(host, ours)).state, HostKeyState::ok);
    EXPECT_EQ(find(line(host, ours).substr(0, line(host, ours).size() - 1) + " comment of it\r\n").state,
              HostKeyState::ok);
}

TEST(KnownHosts, ReportsAKnownKeyThatDiffers)
{
    const std::string host = "[10.0.0.1]:2222";
    const HostKeyFinding changed = find("# first\n" + line(host, other));
    EXPECT_EQ(changed.state, HostKeyState::changed);
    EXPECT_EQ(changed.file, "/kh");
    EXPECT_EQ(changed.line, 2);
    EXPECT_EQ(changed.expected.fingerprint(), other.fingerprint());
    EXPECT_EQ(find(line(host, rsa)).state, HostKeyState::otherType);
    EXPECT_EQ(find(line(host, rsa) + line(host, other)).state, HostKeyState::changed);
}

TEST(KnownHosts, ReportsUnlistedHostsAndInvalidLinesAsUnknown)
{
    EXPECT_EQ(find("").state, HostKeyState::unknown);
    EXPECT_EQ(find(line("10.0.0.1", ours)).state, HostKeyState::unknown);
    EXPECT_EQ(find(line("10.0.0.1:2222", ours)).state, HostKeyState::unknown);
    EXPECT_EQ(find("[10.0.0.1]:2222 ssh-ed25519 not-base64\n").state, HostKeyState::unknown);
    EXPECT_EQ(find("[10.0.0.1]:2222 ssh-rsa " + ours.base64() + "\n").state, HostKeyState::unknown);
    EXPECT_EQ(find("[10.0.0.1]:2222\n").state, HostKeyState::unknown);
}

TEST(KnownHosts, RevokedMarkOverridesAMatchingKey)
{
    const std::string host = "[10.0.0.1]:2222";
    const std::string salt = "jihgfedcba9876543210";
    const std::string hashed = "|1|" + toBase64(salt) + "|" + toBase64(hmacSha1(salt, host));
    for (const std::string &hosts : {host, std::string("*"), std::string("[10.*"), hashed}) {
        EXPECT_EQ(find(line("@revoked " + hosts, ours)).state, HostKeyState::revoked) << hosts;
        EXPECT_EQ(find(line(host, ours) + line("@revoked " + hosts, ours)).state, HostKeyState::revoked) << hosts;
        EXPECT_EQ(find(line("@revoked " + hosts, ours) + line(host, ours)).state, HostKeyState::revoked) << hosts;
    }
    // Also in another file. The revocation of another key or host has no effect.
    EXPECT_EQ(checkHostKey(host, ours, {{"/user", line(host, ours)}, {"/global", line("@revoked *", ours)}}).state,
              HostKeyState::revoked);
    EXPECT_EQ(find(line("@revoked *", other) + line(host, ours)).state, HostKeyState::ok);
    EXPECT_EQ(find(line("@revoked elsewhere", ours) + line(host, ours)).state, HostKeyState::ok);
}

TEST(KnownHosts, CertAuthorityLineIsNotTreatedAsAKey)
{
    const std::string host = "[10.0.0.1]:2222";
    EXPECT_EQ(find(line("@cert-authority *", other)).state, HostKeyState::certAuthority);
    EXPECT_EQ(find(line("@cert-authority *", ours)).state, HostKeyState::certAuthority);
    EXPECT_EQ(find(line("@cert-authority *", other) + line(host, ours)).state, HostKeyState::ok);
    EXPECT_EQ(find(line("@unheard-of *", ours)).state, HostKeyState::unknown);
}

TEST(KnownHosts, ListsKnownKeyTypesWithoutRevokedKeys)
{
    const std::vector<KnownHostsFile> files = {
        {"/kh", line("node", rsa) + line("@revoked node", other) + line("node", ours) + line("else", ours)}};
    EXPECT_THAT(knownKeyTypes("node", files), ElementsAre("ssh-rsa", "ssh-ed25519"));
}

TEST(KnownHosts, AddsTheKeyAsASeparateLine)
{
    const TempDir dir;
    const std::string file = dir.file("deep/er/known_hosts");
    ASSERT_TRUE(addKnownHost(file, "node-a", ours, false).has_value());
    EXPECT_EQ(dir.read("deep/er/known_hosts"), line("node-a", ours));
    dir.write("open_end", "node-b ssh-ed25519 AAAA");
    ASSERT_TRUE(addKnownHost(dir.file("open_end"), "node-a", ours, false).has_value());
    EXPECT_EQ(dir.read("open_end"), "node-b ssh-ed25519 AAAA\n" + line("node-a", ours));
    ASSERT_TRUE(addKnownHost(dir.file("open_end"), "node-a", ours, false).has_value());
    EXPECT_EQ(dir.read("open_end"), "node-b ssh-ed25519 AAAA\n" + line("node-a", ours))
        << "the second time adds nothing";
}

TEST(KnownHosts, AddsAHashedNameIfTheConfigRequiresIt)
{
    const TempDir dir;
    ASSERT_TRUE(addKnownHost(dir.file("kh"), "[node]:2222", ours, true).has_value());
    EXPECT_THAT(dir.read("kh"), testing::StartsWith("|1|"));
    EXPECT_THAT(dir.read("kh"), testing::Not(HasSubstr("node")));
    EXPECT_THAT(runProgram({"ssh-keygen", "-F", "[node]:2222", "-f", dir.file("kh")}).out, HasSubstr(ours.base64()));
}

TEST(KnownHosts, SeveralWritersCanAddAtOnce)
{
    const TempDir dir;
    std::vector<std::thread> threads;
    for (int i = 0; i < 16; ++i)
        threads.emplace_back([&dir, i] {
            EXPECT_TRUE(addKnownHost(dir.file("kh"), "node-" + std::to_string(i / 2), ours, false).has_value());
        });
    for (std::thread &each : threads) each.join();
    std::string sorted;
    for (int i = 0; i < 8; ++i) sorted += line("node-" + std::to_string(i), ours);
    EXPECT_EQ(runProgram({"sort", dir.file("kh")}).out, sorted);
}

TEST(KnownHosts, ReportsWhyAKeyCannotBeAdded)
{
    const TempDir dir;
    const Status directory = addKnownHost(dir.path(), "node", ours, false);
    ASSERT_FALSE(directory.has_value());
    EXPECT_THAT(directory.error().message, HasSubstr(dir.path()));
    const Status device = addKnownHost("/dev/null", "node", ours, false);
    ASSERT_FALSE(device.has_value());
    EXPECT_THAT(device.error().message, HasSubstr("not a regular file"));
}

TEST(KnownHosts, UnreadableFileIsNotTreatedAsEmpty)
{
    const TempDir dir;
    EXPECT_TRUE(readKnownHosts({dir.file("missing")})->empty());
    const auto directory = readKnownHosts({dir.path()});  // unreadable even for root
    ASSERT_FALSE(directory.has_value());
    EXPECT_EQ(directory.error().kind, ErrorKind::refused);
}

TEST(PublicKeyText, AcceptsOnlyStrictBase64)
{
    EXPECT_EQ(*fromBase64("AAEC"), std::string("\0\1\2", 3));
    EXPECT_EQ(*fromBase64("AAE="), std::string("\0\1", 2));
    EXPECT_EQ(*fromBase64("AA=="), std::string("\0", 1));
    for (const char *bad : {"", "A", "AA", "AAA", "A===", "AA =", " AAA", "AAAA ", "AA=A", "A\nAA"})
        EXPECT_FALSE(fromBase64(bad)) << bad;
    EXPECT_FALSE(publicKeyFromBlob(std::string("\0\0\0\x50short", 9)));
    EXPECT_FALSE(publicKeyFromBlob(std::string("\0\0\0\0", 4)));
}

}  // namespace
}  // namespace rankdeck::known_hosts_test
