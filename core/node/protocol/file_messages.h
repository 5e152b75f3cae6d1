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

// Follows the framing of length-delimited protobuf records (lead byte, varint length, payload). Returns the beginning
// of each record, so that a chain of n records costs one round trip. Does not interpret the payload.
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
    std::string owner = {};       // user name, or the uid as text
    bool writable = false;        // the directory too, because a rename needs it
    std::string fileSystem = {};  // "ext2/ext3", "nfs", "overlay" … as far as /proc/mounts shows
    std::uint64_t freeBytes = 0;  // for this login; the largest number: unknown
};

struct ReplaceRequest {          // compare-and-swap of one small file
    std::string path;            // a symlink is followed, its target replaced
    std::string expectedSha256;  // what is there now; empty: must not exist
    std::string bytes;
    bool ownerOnly = false;  // a new file is for its owner alone (0600); false: as the login's umask allows
    std::string jobKey = {}, runDirectory = {}, heldBy = {};  // as in FileActionRequest
};
struct ReplaceReply {
    bool replaced = false;  // false: the file was changed first, `now` is what is there
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
    // move: new path. makeLink: target of the link. makeHardLink, copyFile: the file of which path becomes another name
    // or a copy. A hard link becomes a copy if the file system has none.
    std::string target = {};
    // copyFile: differences of the copy from its original. Error conflict, and no copy, if `before` is not found.
    std::vector<BytePatch> patches = {};
    // Done only while this link holds the job for that action (NodeClient::reserveJob). Otherwise Error conflict with
    // jobHeldDetail, and nothing is done. Empty: independent of any reservation.
    std::string jobKey = {}, runDirectory = {}, heldBy = {};
};

// A piece of a new file, for copies between nodes. Offset 0 creates the file (it must not exist, mode 0600); a later
// piece continues exactly at its end. After a piece with `last`, the bytes are on the disk before the answer.
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
// The sha256 is of the whole file, the crcs (zlib's CRC-32) of the spans. Spans ascend and do not overlap, at most
// 500,000. A file that changes during the read is an Error conflict.
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

// Room for a save: for each requested directory, or for the nearest existing one above it.
struct DiskSpace {
    std::string directory;  // the directory that was checked
    FileStat stat = {};     // of it
    bool exists = false;    // it is the requested one
    bool writable = false;  // this login may make a file in it
    std::string fileSystem = {};
    std::uint64_t freeBytes = 0;  // for this login
    std::uint64_t freeFiles = 0;  // inodes; 0 if the file system does not count them
    std::string error = {};       // errno text: the other fields are then unknown
};

}  // namespace rankdeck
