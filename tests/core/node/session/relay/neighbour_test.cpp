// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/relay/neighbour.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::neighbour_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Neighbour, IsReachedByTheSshOfTheRelayWithoutAQuestion)
{
    const std::vector<std::string> argv = neighbourCommand({.user = "bob", .host = "c001", .port = 2222}, "exec probe");
    ASSERT_GT(argv.size(), 4u);
    EXPECT_EQ(argv[3], "ssh");
    EXPECT_THAT(std::vector<std::string>(argv.begin() + 4, argv.end()),
                testing::ElementsAre("-T", "-x", "-a", "-o", "PermitLocalCommand=no", "-o", "BatchMode=yes", "-o",
                                     "ConnectTimeout=10", "-o", "ClearAllForwardings=yes", "-o", "EscapeChar=none",
                                     "-o", "LogLevel=INFO", "-o", "ServerAliveInterval=15", "-o",
                                     "ServerAliveCountMax=3", "-p", "2222", "-l", "bob", "--", "c001",
                                     "echo; exec probe"));
}

TEST(Neighbour, SshErrorsAreReportedWithTheNamesOfBothHosts)
{
    const Error ended = fail(ErrorKind::unreachable, "ended");
    const auto kind = [&](const std::string &said, ErrorKind expected, const std::string &words) {
        const Error error = neighbourError("head-a", "c001", said, ended);
        EXPECT_EQ(error.kind, expected) << said;
        EXPECT_THAT(error.message, AllOf(HasSubstr("head-a"), HasSubstr("c001"), HasSubstr(words))) << said;
    };
    kind("@@@\n@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\n@@@\nHost key verification failed.\n",
         ErrorKind::refused, "it has CHANGED");
    kind("@ WARNING: REVOKED HOST KEY DETECTED! @\n", ErrorKind::refused, "revoked");
    kind("Host key verification failed.\r\n", ErrorKind::refused, "connect once with \"ssh c001\"");
    kind("bob@c001: Permission denied (publickey).\r\n", ErrorKind::refused, "without a question");
    kind("ssh: connect to host c001 port 22: No route to host\r\n", ErrorKind::unreachable, "No route to host");
    kind("rankdeck: cannot run ssh: No such file or directory\n", ErrorKind::unsupported, "There is no ssh");
    EXPECT_EQ(neighbourError("head-a", "c001", "", ended).message, "ended");
}

}  // namespace
}  // namespace rankdeck::neighbour_test
