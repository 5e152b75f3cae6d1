// SPDX-License-Identifier: GPL-3.0-or-later
// Files and directories that a node must push, and the position in each: kept over reconnects. Each has a number on the
// wire that is never reused, so that a late message about an unwanted one is recognised. Such a message gives nullopt.
// Too many requests give Error invalid, a directory without end gives Error protocol. Pure; one thread.
#pragma once

#include "core/base/result.h"
#include "core/node/protocol/messages.h"
#include "core/node/protocol/reply_codec.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace rankdeck {

class WatchState {
public:
    // True for a path that can be requested: not empty, no zero byte. Other paths are not watched.
    static bool sendable(const std::string &path);
    // If a tail has the id and path of a followed one, it continues at its position, whatever its `from` says.
    void set(const WatchSpec &spec);
    [[nodiscard]] const WatchSpec &spec() const { return m_spec; }
    [[nodiscard]] Result<std::string> encode() const;
    [[nodiscard]] bool watchesDirectory(std::uint32_t wire) const { return m_directories.count(wire) > 0; }
    void linkLost();  // the next connection reports directories from the beginning

    // Each function returns the data to report, with the caller's id; nullopt if the data is no longer wanted.
    std::optional<TailChunk> apply(std::uint32_t wire, TailChunk chunk);
    std::optional<TailEvent> apply(std::uint32_t wire, TailEvent event);
    struct Directory {
        int id = 0;
        Listing listing = {};
        bool unchanged = false;  // only its asOfNs is new; the rest is not filled
    };
    Result<std::optional<Directory>> apply(std::uint32_t wire, DirectoryDelta delta);

private:
    struct Tail {
        TailSpec spec;
        std::optional<ResumePoint> point;
    };
    struct Image {
        DirectorySpec spec;
        std::map<std::string, FileEntry> entries = {};
        bool truncated = false;
        std::string error = {};
    };
    WatchSpec m_spec;
    std::map<std::uint32_t, Tail> m_tails;
    std::map<std::uint32_t, Image> m_directories;
    std::uint32_t m_nextWire = 1;
};

}  // namespace rankdeck
