// SPDX-License-Identifier: GPL-3.0-or-later
// Data that a node pushes: growing files, directories that change. Paths are bytes as on the node (not necessarily
// UTF-8). Sizes and offsets are in bytes, times in nanoseconds since the epoch by the node's clock. An unreadable file
// is reported as an event or in Listing::error.
#pragma once

#include "core/node/protocol/file_messages.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

// Position in a file from which to continue. It also contains what is needed after a reconnect to check that the file
// still has the same bytes before it.
struct ResumePoint {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t offset = 0;   // next byte wanted
    std::string tailHash = {};  // sha256 of the up to 4,096 bytes before offset; empty: not checked
    bool operator==(const ResumePoint &) const = default;
};
// How often the probe checks a log: once a second, four times a second on screen, every two seconds without a window.
enum class TailPace : std::uint8_t { usual, onScreen, unwatched };

struct TailSpec {
    int id = 0;  // chosen by the console; each chunk contains it
    std::string path;
    std::optional<ResumePoint> from = {};  // without it, from the last lastBytes, beginning after a line end
    std::uint64_t lastBytes = 256u << 10;
    TailPace pace = TailPace::usual;
    bool operator==(const TailSpec &) const = default;
};
struct TailChunk {
    int id = 0;
    std::uint64_t offset = 0;
    std::string bytes;
    ResumePoint next;  // the point after these bytes
    std::uint64_t fileSize = 0;
};
enum class TailChange { opened, missing, truncated, replaced, gap, unreadable };
struct TailEvent {
    int id = 0;
    TailChange change = TailChange::opened;
    std::uint64_t from = 0;  // opened: offset of the first byte that will follow; gap: start of the missing bytes
    std::uint64_t to = 0;
    FileStat stat = {};
    std::string text = {};  // errno text
};
struct DirectorySpec {
    int id = 0;
    std::string root;
    int depth = 1;
    bool operator==(const DirectorySpec &) const = default;
};

struct WatchSpec {  // everything that a node pushes; replaces the previous spec
    std::vector<TailSpec> tails = {};
    std::vector<DirectorySpec> directories = {};
    bool processes = false;
    std::vector<std::string> processEnv = {};    // variables to report; processes without any of them are not reported
    std::vector<std::string> processPaths = {};  // except processes that write to one of these files
    std::vector<int> processPids = {};           // and these: a known process may have overwritten its environment
    bool operator==(const WatchSpec &) const = default;
};

}  // namespace rankdeck
