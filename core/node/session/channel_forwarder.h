// SPDX-License-Identifier: GPL-3.0-or-later
// Forwarder of bytes in both directions between one channel of a bastion and one local socket. Owned and driven by the
// bastion's thread. It holds at most the bytes of one read: if the local side is slow, the channel's window closes and
// the far side waits. When either side ends or fails, the forwarder is finished and closes both.
#pragma once

#include "core/node/session/reach/libssh_handles.h"
#include "core/node/session/reach/socket.h"

#include <string>

namespace rankdeck {

class Pump {
public:
    Pump(ChannelHandle channel, Socket local) : m_channel(std::move(channel)), m_local(std::move(local)) {}
    ~Pump();
    Pump(const Pump &) = delete;
    Pump &operator=(const Pump &) = delete;

    // Moves the bytes that can be moved now; true if there were any. scratch: readSize bytes.
    bool step(char *scratch);
    [[nodiscard]] bool isOver() const { return m_over; }
    [[nodiscard]] int fd() const { return m_local.get(); }
    [[nodiscard]] short events() const;  // events for which the local socket must be polled

    static constexpr unsigned readSize = 2u << 20;

private:
    bool toLocal(char *scratch);
    bool toChannel(char *scratch);
    [[nodiscard]] bool channelTakes() const;

    ChannelHandle m_channel;
    Socket m_local;
    std::string m_down = {};  // bytes for the local side
    std::size_t m_downSent = 0;
    std::string m_up = {};  // bytes for the channel
    bool m_over = false;
};

}  // namespace rankdeck
