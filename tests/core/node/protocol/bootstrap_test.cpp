// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/protocol/bootstrap.h"

#include "core/node/backoff.h"

#include <gtest/gtest.h>

namespace rankdeck::bootstrap_test {
namespace {

const std::string nonce = "00112233445566778899aabbccddeeff";

TEST(Bootstrap, WaitsForTheNonceAndDropsEarlierOutput)
{
    Bootstrap bootstrap(nonce, "print(1)");
    std::string bytes = "Welcome to the cluster\n(conda) activated\n" + std::string(500, '.');
    auto next = bootstrap.feed(bytes);
    ASSERT_TRUE(next.has_value());
    EXPECT_FALSE(*next);
    bytes += "\n" + nonce + "RD";
    EXPECT_FALSE(*bootstrap.feed(bytes));
    bytes += "Y\nfirst frame";
    next = bootstrap.feed(bytes);
    ASSERT_TRUE(next.has_value() && *next);
    EXPECT_FALSE((*next)->empty());
    EXPECT_EQ(bytes, "first frame");
    EXPECT_NE(bootstrap.chatter().find("conda"), std::string::npos);
}

TEST(Bootstrap, EchoOfItsOwnLineIsNotAnAnswer)
{
    Bootstrap bootstrap(nonce, "print(1)");
    std::string bytes = "\n" + bootstrap.firstBytes();
    auto next = bootstrap.feed(bytes);
    ASSERT_TRUE(next.has_value());
    EXPECT_FALSE(*next);
}

TEST(Bootstrap, EndlessBannerIsAnError)
{
    Bootstrap bootstrap(nonce, "print(1)");
    Result<std::optional<std::string>> last = std::optional<std::string>();
    for (int round = 0; round < 40 && last.has_value(); ++round) {
        std::string bytes(65536, 'y');
        last = bootstrap.feed(bytes);
    }
    ASSERT_FALSE(last.has_value());
    EXPECT_EQ(last.error().kind, ErrorKind::protocol);
}

TEST(Bootstrap, RefusesAnInterpreterPathThatContainsACommand)
{
    for (const char *bad :
         {"python3; rm -rf ~", "/usr/bin/python3 -c", "$(id)", "a'b", "a\"b", "-c", "py\nthon", "a`b"})
        EXPECT_EQ(probeCommand(bad).error().kind, ErrorKind::invalid) << bad;
    EXPECT_NE(probeCommand("/opt/py-3.9/bin/python3.9")->find("for p in /opt/py-3.9/bin/python3.9 /usr/bin/python3"),
              std::string::npos);
    EXPECT_TRUE(probeCommand("").has_value());
}

TEST(Bootstrap, NoncesDiffer)
{
    EXPECT_EQ(randomNonce().size(), 32u);
    EXPECT_NE(randomNonce(), randomNonce());
}

TEST(Backoff, DoublesUpToAMinuteWithFullJitter)
{
    Backoff backoff;
    for (const int seconds : {1, 2, 4, 8, 16, 32, 60, 60}) EXPECT_EQ(backoff.next(1.0).count(), seconds * 1000);
    EXPECT_EQ(backoff.next(0.0).count(), 0);
    EXPECT_EQ(backoff.next(0.5).count(), 30000);
    backoff.connectionLasted(std::chrono::seconds(59));
    EXPECT_EQ(backoff.next(1.0).count(), 60000);
    backoff.connectionLasted(std::chrono::seconds(60));
    EXPECT_EQ(backoff.next(1.0).count(), 1000);
}

}  // namespace
}  // namespace rankdeck::bootstrap_test
