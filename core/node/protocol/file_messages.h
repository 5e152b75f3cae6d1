// SPDX-License-Identifier: GPL-3.0-or-later
// Requests about a node's files, and their answers: plain values, independent of the wire format. Paths are bytes as
// the node has them (not necessarily UTF-8). Sizes and offsets in bytes, times in nanoseconds since the epoch by the
// node's clock. An error text is that of errno; empty: none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

inline constexpr std::int64_t maxTimeNs = (std::int64_t{1} << 62) - 1;  // the year 2116
struct FileStat {
    char kind = 'f';  // f file, d directory, l symlink (dangling or leaving the root), o other
    std::uint64_t size = 0;
    std::int64_t mtimeNs = 0;  // within ±maxTimeNs, so that times can be subtracted
    std::uint32_t mode = 0;    // permission bits, 07777
    std::uint32_t uid = 0;
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    bool operator==(const FileStat &) const = default;
};

struct FileEntry {
    std::string path;             // absolute; begins with the root as it was given
    FileStat stat;                // if path is a symlink to a file: stat of its target, inside or outside the root
    std::string linkTarget = {};  // set if path is a symlink
    std::string error = {};       // "Permission denied": listed, but nothing more is known
    bool operator==(const FileEntry &) const = default;
};

struct ListRequest {
    std::string root;
    int depth = 1;  // 1: the entries of root; 2: those of its subdirectories too …
    std::uint32_t maxEntries = 200000;
};
struct Listing {
    std::string root;
    std::vector<FileEntry> entries;  // directories too, sorted by path
    bool truncated = false;          // maxEntries was reached
    std::string error = {};          // root itself: "No such file or directory" …; entries is empty then
    std::int64_t asOfNs = 0;         // watched directory: changes before this time are included; 0: unknown
};

struct RangeRequest {
    std::string path;
    std::uint64_t offset = 0;
    std::uint32_t length = 0;  // ≤ 8 MiB; a shorter reply means the file ends there
    bool fromEnd = false;      // offset counts back from the end: the last `offset` bytes, at most length
};
struct RangeReply {
    std::string bytes;
    std::uint64_t offset = 0;  // offset of the first byte in `bytes`
    FileStat stat;             // of the open file, before the read
    std::string error = {};    // errno text; bytes empty
};

// Request to follow the framing of length-delimited protobuf records (lead byte, varint length, payload). It returns
// the beginning of each record, so that a chain of n records costs one round trip. The payload is not interpreted.
struct ScanRequest {
    std::string path;
    std::uint64_t offset = 0;
    unsigned char lead = 0x0a;
    std::uint32_t headBytes = 256;  // of each record, counted from its lead byte
    std::uint32_t maxRecords = 100000;
};
struct ScannedRecord {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;  // claimed length of the whole record, including lead byte and varint
    std::string head;
};
struct ScanReply {
    std::vector<ScannedRecord> records;
    std::uint64_t end = 0;  // offset after the last whole record (end of file if all are whole)
    FileStat stat;
    std::string error = {};
};

struct FileContent {
    std::string bytes;
    std::string sha256;  // hex
    std::string realPath;
    FileStat stat;
    std::string owner = {};       // user name, or the uid as text
    bool writable = false;        // true: file and directory are writable, because a rename needs both
    std::string fileSystem = {};  // "ext2/ext3", "nfs", "overlay" … as far as /proc/mounts shows
    std::uint64_t freeBytes = 0;  // free for this login; the largest number: unknown
};

struct ReplaceRequest {          // compare-and-swap of one small file
    std::string path;            // a symlink is followed, its target replaced
    std::string expectedSha256;  // hash of the present content; empty: the file must not exist
    std::string bytes;
    bool ownerOnly = false;  // true: a new file gets mode 0600; false: the mode that the login's umask allows
    std::string jobKey = {}, runDirectory = {}, heldBy = {};  // as in FileActionRequest
};
struct ReplaceReply {
    bool replaced = false;  // false: the file had changed before; `now` has its present content
    FileContent now;
};

enum class FileAction { move, makeDirectory, makeLink, remove, removeEmptyDirectory, makeHardLink, copyFile };
struct BytePatch {  // same lengths
    std::uint64_t offset = 0;
    std::string before;
    std::string after;
    bool operator==(const BytePatch &) const = default;
};
struct FileActionRequest {  // one step of a plan; never follows a symlink at `path`, never overwrites a file
    FileAction action = FileAction::move;
    std::string path;
    // move: the new path. makeLink: the target of the link. makeHardLink, copyFile: the original file, of which `path`
    // becomes another name or a copy. If the file system has no hard links, a copy is made instead.
    std::string target = {};
    // copyFile: changes in the copy. If a patch's `before` is not found, no copy is made: Error conflict.
    std::vector<BytePatch> patches = {};
    // If set, the step is done only while this link holds the job for that action (NodeClient::reserveJob). Otherwise
    // nothing is done: Error conflict with jobHeldDetail. Empty: independent of any reservation.
    std::string jobKey = {}, runDirectory = {}, heldBy = {};
};

// Request to write a piece of a new file, for copies between nodes. Offset 0 creates the file (it must not exist, mode
// 0600); a later piece continues exactly at its end. A piece with `last` is answered only after all bytes are on the
// disk.
struct AppendRequest {
    std::string path;
    std::uint64_t offset = 0;
    std::string bytes;  // at most 8 MiB
    bool last = false;
    std::string jobKey = {}, runDirectory = {}, heldBy = {};  // as in FileActionRequest
};

struct FileSpan {
    std::uint64_t offset = 0, length = 0;  // bytes
};
// Request for the sha256 of the whole file and the CRCs (zlib's CRC-32) of the spans. Spans ascend and do not overlap,
// at most 500,000. If the file changes during the read: Error conflict.
struct HashRequest {
    std::string path;
    std::vector<FileSpan> spans = {};
};
struct HashReply {
    std::string sha256;
    std::vector<std::uint32_t> crcs;  // one for each requested span
    std::uint64_t bytes = 0;
    FileStat stat;
};

// Room for a save, for each requested directory; if it does not exist, for the nearest existing directory above it.
struct DiskSpace {
    std::string directory;  // the directory that was checked
    FileStat stat = {};     // stat of that directory
    bool exists = false;    // true: that directory is the requested one
    bool writable = false;  // this login can create a file in it
    std::string fileSystem = {};
    std::uint64_t freeBytes = 0;  // free for this login
    std::uint64_t freeFiles = 0;  // inodes; 0 if the file system does not count them
    std::string error = {};       // errno text: the other fields are then unknown
};

}  // namespace rankdeck
