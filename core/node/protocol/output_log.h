// SPDX-License-Identifier: GPL-3.0-or-later
// What a container prints, as the followed log of the one rank in it. The stream begins with a line that says which container it
// is and when its oldest and newest kept lines were written, and then tells all of them from the beginning, after each reconnect
// again: what is known already is dropped. Where the cluster has thrown old lines away meanwhile, the last known bytes are
// looked for, and a hole is told as a gap. Pure; one thread. Cannot fail: a stream without that line tells nothing.
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

inline constexpr std::string_view outputMark = "rankdeck-output ";  // CONTAINER OLDEST NEWEST; "-": not told

class OutputLog {
public:
    struct News {  // the event comes first
        std::optional<TailEvent> event = {};
        std::vector<TailChunk> chunks = {};
    };

    explicit OutputLog(TailSpec spec) : m_spec(std::move(spec)) {}

    void begin();  // a new connection
    News feed(std::string_view bytes, SteadyTime now);
    News tick(SteadyTime now);  // when nothing came; tells what is held once the old lines seem to be all there
    [[nodiscard]] bool settled() const { return m_settled; }  // the old lines of this connection are told
    News end();                                               // of the connection: what is held is told

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
    // Of this connection
    std::string m_held;  // until settled; before the header: with what came before it
    std::optional<Header> m_header;
    SteadyTime m_began = {}, m_heard = {};
    bool m_settled = false;
    std::uint64_t m_drop = 0;  // bytes that are known
    // Of the container
    std::string m_container, m_oldest;
    std::uint64_t m_inode = 0;
    std::uint64_t m_offset = 0;  // told so far
    std::string m_back;          // the last of that
};

}  // namespace rankdeck
