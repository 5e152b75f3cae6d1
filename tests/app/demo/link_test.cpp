// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/link.h"

#include <arpa/inet.h>
#include <cerrno>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace rankdeck::demo::link_test {
namespace {

class LinkTest : public testing::Test {
protected:
    void SetUp() override
    {
        const auto listener = listenOnLoopback(0);
        ASSERT_TRUE(listener.has_value());
        m_listener = listener.value();
        sockaddr_in address{};
        socklen_t length = sizeof address;
        getsockname(m_listener, reinterpret_cast<sockaddr *>(&address), &length);
        auto link = Link::make(ntohs(address.sin_port));
        ASSERT_TRUE(link.has_value()) << link.error().message;
        m_link = std::move(link.value());
    }
    void TearDown() override
    {
        for (const int fd : {m_listener, m_client, m_server})
            if (fd >= 0) close(fd);
    }
    void connectBoth()
    {
        m_client = connectClient();
        turn();
        m_server = accept(m_listener, nullptr, nullptr);
        ASSERT_GE(m_server, 0);
    }
    int connectClient() const
    {
        const int fd = socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(m_link->port()));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(connect(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address), 0);
        return fd;
    }
    void turn(int times = 20) const
    {
        for (int i = 0; i < times; ++i) {
            std::vector<pollfd> waiting;
            int milliseconds = 2;
            m_link->gather(waiting, milliseconds);
            poll(waiting.data(), waiting.size(), milliseconds);
            m_link->turn();
        }
    }
    static std::string take(int fd)
    {
        char buffer[256];
        const auto got = recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
        if (got < 0) return errno == EAGAIN ? "(nothing)" : "(reset)";
        return got == 0 ? "(end)" : std::string(buffer, static_cast<std::size_t>(got));
    }
    static void give(int fd, const std::string &text)
    {
        ASSERT_EQ(send(fd, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
    }
    void apply(const std::string &fault) const { m_link->apply(parseFault(fault).value()); }

    int m_listener = -1, m_client = -1, m_server = -1;
    std::unique_ptr<Link> m_link;
};

TEST_F(LinkTest, bytesAndEndOfStreamPassInBothDirections)
{
    connectBoth();
    give(m_client, "up");
    give(m_server, "down");
    turn();
    EXPECT_EQ(take(m_server), "up");
    EXPECT_EQ(take(m_client), "down");
    shutdown(m_client, SHUT_WR);
    turn();
    EXPECT_EQ(take(m_server), "(end)");
    give(m_server, "last");
    close(m_server);
    m_server = -1;
    turn();
    EXPECT_EQ(take(m_client), "last");
    EXPECT_EQ(take(m_client), "(end)");
}

TEST_F(LinkTest, moreBytesThanTheBufferHoldsArriveComplete)
{
    connectBoth();
    const std::string piece(100000, 'x');
    std::size_t sent = 0, received = 0;
    std::string buffer(1u << 20, '\0');
    while (received < 8u << 20) {
        if (sent < 8u << 20)
            if (const auto n = send(m_client, piece.data(), piece.size(), MSG_NOSIGNAL | MSG_DONTWAIT); n > 0)
                sent += static_cast<std::size_t>(n);
        turn(1);
        if (const auto n = recv(m_server, buffer.data(), buffer.size(), MSG_DONTWAIT); n > 0)
            received += static_cast<std::size_t>(n);
        if (sent >= 8u << 20 && received == sent) break;
    }
    EXPECT_EQ(received, sent);
}

TEST_F(LinkTest, slowLinkDelaysBytesUntilItIsHealed)
{
    connectBoth();
    apply("slow:n=60000");
    give(m_client, "late");
    turn();
    EXPECT_EQ(take(m_server), "(nothing)");
    apply("heal:n");
    turn();
    EXPECT_EQ(take(m_server), "late");
}

TEST_F(LinkTest, cutLinkResetsConnectionsUntilItIsHealed)
{
    connectBoth();
    apply("cut:n");
    EXPECT_EQ(take(m_client), "(reset)");
    turn();
    const int refused = connectClient();
    turn();
    EXPECT_EQ(take(refused), "(reset)");
    close(refused);
    apply("heal:n");
    close(m_client);
    close(m_server);
    connectBoth();
    give(m_client, "again");
    turn();
    EXPECT_EQ(take(m_server), "again");
}

TEST_F(LinkTest, blackHoleDropsBytesSilentlyAndNeverDeliversThem)
{
    connectBoth();
    apply("hole:n");
    give(m_client, "lost");
    turn();
    EXPECT_EQ(take(m_server), "(nothing)");
    EXPECT_EQ(take(m_client), "(nothing)");
    apply("heal:n");
    EXPECT_EQ(take(m_client), "(reset)");
}

}  // namespace
}  // namespace rankdeck::demo::link_test
