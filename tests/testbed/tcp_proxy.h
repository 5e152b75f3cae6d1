// SPDX-License-Identifier: GPL-3.0-or-later
// A TCP proxy between a client and a server on 127.0.0.1 that simulates bad networks. It has its own thread; all
// functions may be called from any thread. The client side listens on port(); the mode applies to old and new
// connections.
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

    void pass();                                    // unchanged; a black-holed connection is reset: it has lost bytes
    void delay(std::chrono::milliseconds eachWay);  // unlimited bandwidth
    void blackHole();                               // accepts, acknowledges and swallows everything both ways
    void stall();                                   // moves nothing and loses nothing; pass() continues
    void refuse();                                  // resets new connections at once; old ones continue
    // Ends all connections after this many more bytes from the server (with a reset or an orderly end); then continues
    // as before.
    void cutAfter(std::uint64_t bytes, bool reset = false);
    void cutNow(bool reset = true);

    [[nodiscard]] std::uint64_t bytesFromServer() const;
    [[nodiscard]] std::uint64_t bytesFromClient() const;
    [[nodiscard]] int accepted() const;  // number of connections so far
    [[nodiscard]] int open() const;      // number of open connections
    [[nodiscard]] int mostOpen() const;  // largest number of open connections at one time

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace rankdeck
