// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/channel_forwarder.h"

#include <cerrno>
#include <cstdint>
#include <poll.h>
#include <sys/socket.h>

namespace rankdeck {

namespace {

constexpr std::size_t writeSize = 32768;

}  // namespace

Pump::~Pump()
{
    if (m_channel) ssh_channel_close(m_channel.get());
}

bool Pump::step(char *scratch)
{
    if (m_over) return false;
    const bool down = toLocal(scratch);
    const bool up = !m_over && toChannel(scratch);
    return down || up;
}

bool Pump::toLocal(char *scratch)
{
    if (m_down.empty()) {
        // 0 and SSH_AGAIN both mean "nothing now". The state of the channel shows whether it has ended.
        const int got = ssh_channel_read_timeout(m_channel.get(), scratch, readSize, 0, 0);
        if (got > 0)
            m_down.assign(scratch, std::size_t(got));
        else if (ssh_channel_is_eof(m_channel.get()) || ssh_channel_is_closed(m_channel.get()))
            m_over = true;
    }
    if (m_down.empty()) return false;
    const ssize_t sent = send(m_local.get(), m_down.data() + m_downSent, m_down.size() - m_downSent, MSG_NOSIGNAL);
    if (sent > 0)
        m_downSent += std::size_t(sent);
    else if (errno != EAGAIN && errno != EINTR)
        m_over = true;
    if (m_downSent == m_down.size()) {
        m_down.clear();
        m_downSent = 0;
    }
    return sent > 0;
}

bool Pump::channelTakes() const
{
    const bool unsent = ssh_get_status(ssh_channel_get_session(m_channel.get())) & SSH_WRITE_PENDING;
    return !unsent && ssh_channel_window_size(m_channel.get()) > 0;
}

bool Pump::toChannel(char *scratch)
{
    if (!channelTakes()) return false;
    if (m_up.empty()) {
        const ssize_t got = recv(m_local.get(), scratch, writeSize, 0);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
        if (got <= 0) {
            m_over = true;  // the session behind the bastion has closed
            return false;
        }
        m_up.assign(scratch, std::size_t(got));
    }
    // May take only a part (window), or nothing while keys are renewed.
    const int sent = ssh_channel_write(m_channel.get(), m_up.data(), std::uint32_t(m_up.size()));
    if (sent < 0) m_over = true;
    if (sent > 0) m_up.erase(0, std::size_t(sent));
    return sent > 0;
}

short Pump::events() const
{
    return short((m_down.empty() ? 0 : POLLOUT) | (m_up.empty() && channelTakes() ? POLLIN : 0));
}

}  // namespace rankdeck
