// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/libssh_transport.h"

#include "core/base/clock.h"
#include "core/base/text.h"

#include <algorithm>
#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace rankdeck {

namespace {

// Size of one read: in libssh 0.10 the receive window grows to this, and so does the speed over a long link.
constexpr std::uint32_t readSize = 2u << 20;
constexpr std::size_t mostIncoming = 4u << 20;
constexpr std::size_t errorTailSize = 8192;
constexpr std::uint32_t writeChunk = 32768;
constexpr std::size_t mostPerWrite = 256u << 10;

// After the end of the output, reads take no more packets from the socket, so a following exit status or signal would
// stay unread. Asking for the status takes packets until the channel is closed.
void takePackets(ssh_channel channel)
{
#if LIBSSH_VERSION_INT >= SSH_VERSION_INT(0, 11, 0)
    ssh_channel_get_exit_state(channel, nullptr, nullptr, nullptr);
#else
    ssh_channel_get_exit_status(channel);
#endif
}

}  // namespace

LibsshTransport::LibsshTransport(std::unique_ptr<SshConnection> connection, Socket wake)
    : m_connection(std::move(connection)), m_wake(std::move(wake)), m_channel(ssh_channel_new(m_connection->session())),
      m_scratch(new char[readSize])
{
    m_callbacks.userdata = this;
    m_callbacks.channel_exit_status_function = [](ssh_session, ssh_channel, int status, void *self) {
        static_cast<LibsshTransport *>(self)->m_exitStatus = status;
    };
    m_callbacks.channel_exit_signal_function = [](ssh_session, ssh_channel, const char *signal, int, const char *,
                                                  const char *, void *self) {
        static_cast<LibsshTransport *>(self)->m_exitSignal = printable(signal ? signal : "?");
    };
    ssh_callbacks_init(&m_callbacks);
}

LibsshTransport::~LibsshTransport()
{
    if (!m_channel) return;
    ssh_remove_channel_callbacks(m_channel.get(), &m_callbacks);
    if (m_broken.empty()) ssh_channel_close(m_channel.get());
}

Result<std::unique_ptr<Transport>> LibsshTransport::start(std::unique_ptr<SshConnection> connection,
                                                          const std::string &command, const Phase &phase)
{
    prepareLibssh();
    Socket wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (wake.get() < 0)
        return fail(ErrorKind::internal, message("No more files can be opened. Raise the limit of open files."));
    std::unique_ptr<LibsshTransport> made(new LibsshTransport(std::move(connection), std::move(wake)));
    if (const Status opened = made->openChannel(command, phase); !opened) return opened.error();
    return std::unique_ptr<Transport>(std::move(made));
}

Status LibsshTransport::openChannel(const std::string &command, const Phase &phase)
{
    const std::string &host = m_connection->config().alias;
    if (!m_channel || ssh_set_channel_callbacks(m_channel.get(), &m_callbacks) != SSH_OK)
        return fail(ErrorKind::internal, message("No memory for a channel."));
    const auto failed = [&](const Result<int> &answer, const std::string &what, const std::string &advice) {
        if (!answer && answer.error().kind == ErrorKind::cancelled) return answer.error();
        if (!answer)
            return fail(ErrorKind::unreachable, message("%1 did not answer the request to %2 in time.", host, what));
        if (!ssh_is_connected(m_connection->session()))
            return fail(ErrorKind::unreachable, message("%1 ended the connection when asked to %2: %3.", host, what,
                                                        m_connection->errorText()));
        return fail(ErrorKind::refused,
                    message("%1 refused to %2: %3. %4", host, what, m_connection->errorText(), advice));
    };
    const auto opened =
        m_connection->finish(SSH_AGAIN, phase, [this] { return ssh_channel_open_session(m_channel.get()); });
    m_connection->admitted();
    if (!opened || *opened != SSH_OK)
        return failed(opened, "open a session",
                      "The server allows no sessions for this login (MaxSessions, ForceCommand).");
    const auto started = m_connection->finish(
        SSH_AGAIN, phase, [&] { return ssh_channel_request_exec(m_channel.get(), command.c_str()); });
    if (!started || *started != SSH_OK)
        return failed(started, "start a command",
                      "This login may not run commands (SFTP only?); a shell on the node is needed.");
    return Done{};
}

bool LibsshTransport::takeFrom(bool errorStream)
{
    // 0 and SSH_AGAIN both mean "nothing now" (which one depends on the version). Neither means the end.
    const int got = ssh_channel_read_timeout(m_channel.get(), m_scratch.get(), readSize, errorStream, 0);
    if (got == SSH_ERROR) {
        // This error also occurs in a read from a channel that the server has closed; then everything has been read.
        if (m_broken.empty() && !ssh_channel_is_closed(m_channel.get()) && !ssh_channel_is_eof(m_channel.get()))
            m_broken = m_connection->errorText();
        if (m_broken.empty() && !ssh_is_connected(m_connection->session())) m_broken = m_connection->errorText();
    }
    if (got <= 0) return false;
    if (!errorStream) {
        m_incoming.append(m_scratch.get(), std::size_t(got));
        return true;
    }
    m_errorTail.append(m_scratch.get(), std::size_t(got));
    if (m_errorTail.size() > errorTailSize) m_errorTail.erase(0, m_errorTail.size() - errorTailSize);
    return true;
}

void LibsshTransport::drain()
{
    // Stops only after a whole round has read nothing from either stream and from the socket. A call for one stream may
    // have read bytes of the other, and the socket would not report them.
    while (m_broken.empty() && m_incoming.size() < mostIncoming) {
        const std::uint64_t before = m_connection->bytesIn();
        const bool errors = takeFrom(true);
        const bool output = m_broken.empty() && takeFrom(false);
        if (!errors && !output && m_connection->bytesIn() == before) break;
    }
    m_more = m_incoming.size() >= mostIncoming;
    if (!m_endSeen && (ssh_channel_is_eof(m_channel.get()) || ssh_channel_is_closed(m_channel.get())))
        m_endSeen = steadyNow();
    if (m_broken.empty() && m_endSeen && !ssh_channel_is_closed(m_channel.get())) takePackets(m_channel.get());
}

Result<std::size_t> LibsshTransport::read(std::string &into)
{
    drain();
    const std::size_t size = m_incoming.size();
    if (size == 0 && ended()) return endError();
    if (into.empty())
        into.swap(m_incoming);
    else
        into += m_incoming;
    m_incoming.clear();
    if (m_incoming.capacity() > readSize) m_incoming.shrink_to_fit();
    return size;
}

// The exit status comes after the end of the output, so a short wait for it is useful.
bool LibsshTransport::ended() const
{
    if (!m_broken.empty()) return true;
    if (!m_endSeen) return false;
    return m_exitStatus || !m_exitSignal.empty() || ssh_channel_is_closed(m_channel.get()) ||
           steadyNow() > *m_endSeen + std::chrono::seconds(1);
}

Error LibsshTransport::endError() const
{
    const std::string &host = m_connection->config().alias;
    Message how = m_broken.empty() ? Message() : message("the connection broke: %1", m_broken);
    if (m_exitStatus) how = message("exit status %1", *m_exitStatus);
    if (!m_exitSignal.empty()) how = message("ended by signal %1", m_exitSignal);
    std::string detail = how;
    if (!m_errorTail.empty()) detail += "\n" + printable(replaceAll(m_errorTail, "\n", " | "));
    return fail(ErrorKind::unreachable,
                how.empty() ? message("The connection to %1 ended.", host)
                            : message("The connection to %1 ended (%2).", host, how),
                detail);
}

Result<std::size_t> LibsshTransport::write(std::string_view bytes)
{
    std::size_t taken = 0;
    // libssh keeps bytes that the kernel does not take, without a limit. Therefore nothing more is written while bytes
    // are waiting.
    while (m_broken.empty() && taken < std::min(bytes.size(), mostPerWrite) &&
           !(ssh_get_status(m_connection->session()) & SSH_WRITE_PENDING)) {
        const std::uint32_t window = ssh_channel_window_size(m_channel.get());
        const auto size = std::uint32_t(std::min<std::size_t>({bytes.size() - taken, window, writeChunk}));
        if (size == 0) break;
        const int sent = ssh_channel_write(m_channel.get(), bytes.data() + taken, size);
        if (sent < 0) m_broken = m_connection->errorText();
        if (sent <= 0) break;
        taken += std::size_t(sent);
    }
    drain();
    if (!m_broken.empty() && m_incoming.empty()) return endError();
    return taken;
}

void LibsshTransport::wait(bool wantWrite, std::chrono::milliseconds atMost)
{
    if (!m_incoming.empty() || m_more || ended()) return;
    ssh_session session = m_connection->session();
    const bool pending = ssh_get_status(session) & SSH_WRITE_PENDING;
    if (wantWrite && !pending && ssh_channel_window_size(m_channel.get()) > 0) return;
    const short events = short(POLLIN | (pending ? POLLOUT : 0));
    pollfd fds[] = {{m_connection->fd(), events, 0}, {m_wake.get(), POLLIN, 0}};
    const auto most = m_endSeen ? std::chrono::milliseconds(50) : std::chrono::milliseconds(3600000);
    poll(fds, 2, int(std::clamp(atMost, std::chrono::milliseconds(0), most).count()));
    std::uint64_t count = 0;
    if (fds[1].revents && ::read(m_wake.get(), &count, sizeof count) < 0) return;  // another wake was read already
    if (fds[0].revents) drain();
}

void LibsshTransport::wake()
{
    const std::uint64_t one = 1;
    if (::write(m_wake.get(), &one, sizeof one) < 0) return;  // the pipe is full, so the thread wakes up anyway
}

}  // namespace rankdeck
