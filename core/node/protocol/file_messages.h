// SPDX-License-Identifier: GPL-3.0-or-later
// What can be asked of a node's files and what it answers: plain values, free of wire format. Paths are bytes as the node has them (not necessarily
// UTF-8). Sizes and offsets in bytes, times in nanoseconds since the epoch by the node's clock. An error text is that of
// errno; empty: none.
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
    std::string path;             // absolute, under the listed root as it was given
    FileStat stat;                // of the target when path is a symlink to a file inside or outside
    std::string linkTarget = {};  // when path is a symlink
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
    std::int64_t asOfNs = 0;         // of a watched one: what was there then is in it; 0: not known
};

struct RangeRequest {
    std::string path;
    std::uint64_t offset = 0;
    std::uint32_t length = 0;  // ≤ 8 MiB; a shorter reply means the file ends there
    bool fromEnd = false;      // offset counts back from the end: the last `offset` bytes, at most length
};
struct RangeReply {
    std::string bytes;
    std::uint64_t offset = 0;  // where bytes begin
    FileStat stat;             // of the open file, before the read
    std::string error = {};    // errno text; bytes empty
};

// Follows the framing of length-delimited protobuf records (lead byte, varint length, payload) and returns the
// beginning of each record, so that a chain of n records costs one round trip. Knows nothing of what is in them.
struct ScanRequest {
    std::string path;
    std::uint64_t offset = 0;
    unsigned char lead = 0x0a;
    std::uint32_t headBytes = 256;  // of each record, counted from its lead byte
    std::uint32_t maxRecords = 100000;
};
struct ScannedRecord {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;  // of the whole record with lead and varint, as it claims
    std::string head;
};
struct ScanReply {
    std::vector<ScannedRecord> records;
    std::uint64_t end = 0;  // first byte that is not a whole record any more (EOF when all was)
    FileStat stat;
    std::string error = {};
};

struct FileContent {
    std::string bytes;
    std::string sha256;  // hex
    std::string realPath;
    FileStat stat;
    std::string owner = {};       // user name, else the uid as text
    bool writable = false;        // the directory too, as a rename needs it
    std::string fileSystem = {};  // "ext2/ext3", "nfs", "overlay" … as far as /proc/mounts tells
    std::uint64_t freeBytes = 0;  // for this login; the largest number: not known
};

struct ReplaceRequest {          // compare-and-swap of one small file
    std::string path;            // a symlink is followed, its target replaced
    std::string expectedSha256;  // what is there now; empty: must not exist
    std::string bytes;
    bool ownerOnly = false;  // a new file is for its owner alone (0600); else as the login's umask says
    std::string jobKey = {}, runDirectory = {}, heldBy = {};  // as in FileActionRequest
};
struct ReplaceReply {
    bool replaced = false;  // false: somebody changed it, `now` is what is there
    FileContent now;
};

enum class FileAction { move, makeDirectory, makeLink, remove, removeEmptyDirectory, makeHardLink, copyFile };
struct BytePatch {  // same lengths
    std::uint64_t offset = 0;
    std::string before;
    std::string after;
    bool operator==(const BytePatch &) const = default;
};
struct FileActionRequest {  // one step of a plan; never follows a symlink at `path`, never overwrites
    FileAction action = FileAction::move;
    std::string path;
    // move: new path; makeLink: what the link points to; makeHardLink, copyFile: the file of which path becomes another
    // name or a copy. A hard link becomes a copy where the file system has none.
    std::string target = {};
    // copyFile: what the copy has other than its original. Error conflict, and no copy, where `before` is not found.
    std::vector<BytePatch> patches = {};
    // Only while this link holds the job for that action (NodeClient::reserveJob), else Error conflict with jobHeldDetail and
    // nothing is done. Empty: whoever has the job.
    std::string jobKey = {}, runDirectory = {}, heldBy = {};
};

// A piece of a file that is being made, for copies between nodes. Offset 0 makes it (it must not exist, mode 0600); a
// later piece goes on exactly at its end. last: the bytes are on the disk when it is answered.
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
// sha256 is of the whole file, crcs (zlib's CRC-32) of the spans. Spans ascend and do not overlap, at most 500,000. A file
// that changes meanwhile is an Error conflict.
struct HashRequest {
    std::string path;
    std::vector<FileSpan> spans = {};
};
struct HashReply {
    std::string sha256;
    std::vector<std::uint32_t> crcs;  // as many as were asked for
    std::uint64_t bytes = 0;
    FileStat stat;
};

// Whether a save would fit: of each directory that was asked for, or of the nearest one above it that is there.
struct DiskSpace {
    std::string directory;  // the one that was looked at
    FileStat stat = {};     // of it
    bool exists = false;    // it is the one that was asked for
    bool writable = false;  // this login may make a file in it
    std::string fileSystem = {};
    std::uint64_t freeBytes = 0;  // for this login
    std::uint64_t freeFiles = 0;  // inodes; 0 where the file system does not count them
    std::string error = {};       // errno text: nothing else is known then
};

}  // namespace rankdeck
