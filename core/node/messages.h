// SPDX-License-Identifier: GPL-3.0-or-later
// What can be asked of a node and what it tells: plain values, free of wire format. Paths are bytes as the node has
// them (not necessarily UTF-8). Sizes and offsets in bytes, times in nanoseconds since the epoch by the node's clock.
#pragma once

#include "core/base/clock.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

// ---- files ---------------------------------------------------------------------------------------------------------

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
struct SkimRequest {
    std::string path;
    std::uint64_t offset = 0;
    unsigned char lead = 0x0a;
    std::uint32_t headBytes = 256;  // of each record, counted from its lead byte
    std::uint32_t maxRecords = 100000;
};
struct SkimmedRecord {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;  // of the whole record with lead and varint, as it claims
    std::string head;
};
struct SkimReply {
    std::vector<SkimmedRecord> records;
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
    std::uint64_t freeBytes = 0;  // for this login
};

struct ReplaceRequest {          // compare-and-swap of one small file
    std::string path;            // a symlink is followed, its target replaced
    std::string expectedSha256;  // what is there now; empty: must not exist
    std::string bytes;
};
struct ReplaceReply {
    bool replaced = false;  // false: somebody changed it, `now` is what is there
    FileContent now;
};

enum class FileAction { move, makeDirectory, makeLink, remove, removeEmptyDirectory };
struct FileActionRequest {  // one step of a plan; never follows a symlink at `path`, never overwrites
    FileAction action = FileAction::move;
    std::string path;
    std::string target = {};  // move: new path; makeLink: what the link points to
};

// A piece of a file that is being made, for copies between nodes. Offset 0 makes it (it must not exist, mode 0600); a
// later piece goes on exactly at its end. last: the bytes are on the disk when it is answered.
struct AppendRequest {
    std::string path;
    std::uint64_t offset = 0;
    std::string bytes;  // at most 8 MiB
    bool last = false;
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
struct DirectoryRoom {
    std::string directory;  // the one that was looked at
    FileStat stat = {};     // of it
    bool exists = false;    // it is the one that was asked for
    bool writable = false;  // this login may make a file in it
    std::string fileSystem = {};
    std::uint64_t freeBytes = 0;  // for this login
    std::uint64_t freeFiles = 0;  // inodes; 0 where the file system does not count them
    std::string error = {};       // errno text: nothing else is known then
};

// ---- processes -----------------------------------------------------------------------------------------------------

struct ProcessId {
    int pid = 0;
    std::uint64_t startTicks = 0;  // field 22 of /proc/PID/stat
    std::string bootId = {};
    bool operator==(const ProcessId &) const = default;
};
struct ProcessInfo {
    ProcessId id;
    int parent = 0;
    int group = 0;
    int session = 0;
    std::uint32_t uid = 0;
    char state = '?';  // R S D T Z as in /proc
    WallTime started = {};
    std::string comm;
    std::vector<std::string> argv;
    std::map<std::string, std::string> env;  // only the names that were asked for
    bool envReadable = false;
    std::string cwd;
    std::string exe;
    std::string stdoutPath;  // target of fd 1 when it is a file
};

enum class Signal { term, kill, interrupt, stop, cont, user1, user2 };
struct SignalRequest {
    ProcessId process;
    Signal signal = Signal::term;
    bool wholeGroup = false;
};
struct SignalReply {
    bool sent = false;
    std::string reason = {};
};  // not sent: "gone", "another process has this pid now" …

struct LaunchRequest {
    std::string id;            // idempotency key: a second launch with it returns the first
    std::string runDirectory;  // on the node: lock, pid record, exit record; made 0700
    std::vector<std::string> argv;
    std::map<std::string, std::string> env = {};  // added to the login's environment
    std::string workdir = {};
    std::string output = {};  // stdout and stderr, appended; made with its directories
};
struct LaunchReply {
    bool startedNow = false;  // false: this id ran or runs already
    ProcessId process;
    std::optional<int> exitCode = {};  // when it has ended; negative: by that signal
    std::string bootId = {};
    std::optional<WallTime> ended = {};  // with exitCode, by the node's clock
    bool running = false;                // the process lives: same pid, start and boot, no zombie
};

// ---- following -----------------------------------------------------------------------------------------------------

// Where a file was left: enough to know after a reconnect whether the same bytes go on.
struct ResumePoint {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t offset = 0;   // next byte wanted
    std::string tailHash = {};  // sha256 of the up to 4,096 bytes before offset; empty: not checked
    bool operator==(const ResumePoint &) const = default;
};
struct TailSpec {
    int id = 0;  // ours; comes back with every chunk
    std::string path;
    std::optional<ResumePoint> from = {};  // else from the last lastBytes, beginning after a line end
    std::uint64_t lastBytes = 256u << 10;
    bool onScreen = false;  // polled four times a second instead of once
    bool operator==(const TailSpec &) const = default;
};
struct TailChunk {
    int id = 0;
    std::uint64_t offset = 0;
    std::string bytes;
    ResumePoint next;  // after these bytes
    std::uint64_t fileSize = 0;
};
enum class TailChange { opened, missing, truncated, replaced, gap, unreadable };
struct TailEvent {
    int id = 0;
    TailChange change = TailChange::opened;
    std::uint64_t from = 0;  // opened: offset of the first byte that will come; gap: bytes from … to
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

struct WatchSpec {  // all that a node is to push; replaces the one before
    std::vector<TailSpec> tails = {};
    std::vector<DirectorySpec> directories = {};
    bool processes = false;
    std::vector<std::string> processEnv = {};  // names to report; a process with none of them is not reported
    bool operator==(const WatchSpec &) const = default;
};

// ---- the node itself -----------------------------------------------------------------------------------------------

enum class NodeState { queued, connecting, needsYou, live, stale, lost, refused, unsupported };
const char *nodeStateName(NodeState state);  // as in the JSON: "needs_you"

struct HostKeyQuestion {
    std::string host;
    std::string address;
    std::string keyType;
    std::string sha256;
    std::string knownHostsFile;
};
struct AuthQuestion {
    std::string host;  // the hop that asks
    std::string name;
    std::string instruction;
    struct Prompt {
        std::string text;
        bool echo = false;
    };
    std::vector<Prompt> prompts;
};
struct Answer {
    bool accept = false;
    std::vector<std::string> answers = {};
};

struct NodeFacts {  // told once after each connect
    std::string hostName;
    std::string bootId;
    std::string python;  // "3.11.2"
    std::uint32_t uid = 0;
    std::string user;
    double clockSkewSeconds = 0;  // node minus console, half the round trip counted off
    double roundTripSeconds = 0;
    std::string security = {};  // "curve25519-sha256, aes256-gcm" …; empty for local
};

struct NodeStatus {
    std::string name;
    NodeState state = NodeState::queued;
    WallTime since = {};
    WallTime lastHeard = {};    // epoch: never
    std::string reason = {};    // a sentence: expected, found, what to do
    double retryInSeconds = 0;  // lost
    std::optional<HostKeyQuestion> hostKey = {};
    std::optional<AuthQuestion> auth = {};
    NodeFacts facts = {};
    std::uint64_t bytesRead = 0;
};

}  // namespace rankdeck
