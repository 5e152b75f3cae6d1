// SPDX-License-Identifier: GPL-3.0-or-later
// Output of a container, presented as the followed log of the one rank in it. The stream begins with a header line that
// names the container and the times of its oldest and newest kept lines. Then all kept lines follow from the beginning,
// also after each reconnect; known lines are dropped. If the cluster has deleted old lines in the meantime, the last
// known bytes are searched, and a hole is reported as a gap. Pure; one thread. Cannot fail: a stream without the header
// gives no data.
#pragma once

#include "core/base/clock.h"
#include "core/node/protocol/tail_messages.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rankdeck {

inline constexpr std::string_view outputMark = "rankdeck-output ";  // CONTAINER OLDEST NEWEST; "-": not given

class OutputLog {
public:
    struct News {  // the event comes first
        std::optional<TailEvent> event = {};
        std::vector<TailChunk> chunks = {};
    };

    explicit OutputLog(TailSpec spec) : m_spec(std::move(spec)) {}

    void begin();  // call it for a new connection
    News feed(std::string_view bytes, SteadyTime now);
    News tick(SteadyTime now);  // call it when nothing arrives; reports the held lines once the old ones seem complete
    [[nodiscard]] bool settled() const { return m_settled; }  // the old lines of this connection were reported
    News end();                                               // call it when the connection ends; reports held lines

private:
    struct Header {
        std::string container, oldest;
        WallTime newest = {};
    };
    void takeHeader();
    News settle();
    void goOnBehindKnown(News &news);
    void tell(std::string_view bytes, News &news);

    TailSpec m_spec;
    // State of this connection:
    std::string m_held;  // bytes until settled; before the header also what came before it
    std::optional<Header> m_header;
    SteadyTime m_began = {}, m_heard = {};
    bool m_settled = false;
    std::uint64_t m_drop = 0;  // number of known bytes that will be repeated
    // State of the container:
    std::string m_container, m_oldest;
    std::uint64_t m_inode = 0;
    std::uint64_t m_offset = 0;  // number of bytes reported so far
    std::string m_back;          // the last reported bytes
};

}  // namespace rankdeck
