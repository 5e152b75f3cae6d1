// SPDX-License-Identifier: GPL-3.0-or-later
// One stream of a relay as a Transport, for the thread of its node. Keeps the relay alive. Only Relay::run makes it.
// When the relay or the session behind it has ended, the received bytes are read first; then ErrorKind::unreachable
// says how it ended.
#pragma once

#include "core/node/session/relay/relay.h"

namespace rankdeck {

class Relay::Stream final : public Transport {
public:
    Stream(std::shared_ptr<Relay> relay, std::uint32_t stream, std::shared_ptr<Waiting> waiting)
        : m_relay(std::move(relay)), m_stream(stream), m_waiting(std::move(waiting))
    {}
    ~Stream() override;

    Result<std::size_t> read(std::string &into) override;
    Result<std::size_t> write(std::string_view bytes) override;
    void wait(bool wantWrite, std::chrono::milliseconds atMost) override;
    void wake() override;
    [[nodiscard]] std::string errorOutput() const override;
    [[nodiscard]] std::string security() const override;

private:
    [[nodiscard]] Error endError(const RelayMux::Ended &end) const;

    const std::shared_ptr<Relay> m_relay;
    const std::uint32_t m_stream;
    const std::shared_ptr<Waiting> m_waiting;
};

}  // namespace rankdeck
