// SPDX-License-Identifier: GPL-3.0-or-later
// A TCP proxy between a client and a server on 127.0.0.1 that behaves as bad networks do. One thread of its own; all
// functions from any thread. The client side listens on port(); the mode applies to old and new connections.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

namespace rankdeck {

class TcpProxy {
public:
    explicit TcpProxy(int serverPort);
    ~TcpProxy();
    TcpProxy(const TcpProxy &) = delete;
    TcpProxy &operator=(const TcpProxy &) = delete;

    [[nodiscard]] int port() const;

    void pass();                                    // unchanged; a black-holed connection is reset, it lost bytes
    void delay(std::chrono::milliseconds eachWay);  // unlimited bandwidth
    void blackHole();                               // accepts, acknowledges and swallows everything both ways
    void stall();                                   // nothing moves, nothing is lost; pass() continues
    void refuse();                                  // new connections are reset at once, old ones continue
    // After this many more bytes from the server: all connections end (a reset or an orderly end), then as before.
    void cutAfter(std::uint64_t bytes, bool reset = false);
    void cutNow(bool reset = true);

    [[nodiscard]] std::uint64_t bytesFromServer() const;
    [[nodiscard]] std::uint64_t bytesFromClient() const;
    [[nodiscard]] int accepted() const;  // connections so far
    [[nodiscard]] int open() const;      // connections now
    [[nodiscard]] int mostOpen() const;  // at one time

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace rankdeck
