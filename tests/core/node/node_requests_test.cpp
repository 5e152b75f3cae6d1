// SPDX-License-Identifier: GPL-3.0-or-later
// Every read-only request, against the real probe over a pipe.
#include "tests/core/node/node_fixture.h"

#include <algorithm>
#include <csignal>
#include <sys/stat.h>
#include <zlib.h>

namespace rankdeck::node_requests_test {
namespace {

class NodeRequests : public NodeFixture {};

std::string record(std::size_t payload)
{
    std::string out = "\x0a";
    for (std::size_t rest = payload; true; rest >>= 7) {
        out += static_cast<char>((rest & 0x7f) | (rest >> 7 ? 0x80 : 0));
        if (rest >> 7 == 0) break;
    }
    return out + std::string(payload, 'p');
}

TEST_F(NodeRequests, FactsAreSetWhenTheNodeIsLive)
{
    connect();
    const NodeStatus status = node->status();
    EXPECT_EQ(status.name, "n0");
    EXPECT_EQ(status.facts.uid, ::geteuid());
    EXPECT_FALSE(status.facts.bootId.empty());
    EXPECT_FALSE(status.facts.hostName.empty());
    EXPECT_EQ(status.facts.python.substr(0, 2), "3.");
    EXPECT_LT(std::abs(status.facts.clockSkewSeconds), 5);
    EXPECT_GT(status.bytesRead, 0u);
    EXPECT_NE(status.lastContact, WallTime{});
    EXPECT_EQ(recorder.with([&] { return recorder.states; }),
              (std::vector<NodeState>{NodeState::connecting, NodeState::live}));
}

TEST_F(NodeRequests, RequestsFailBeforeTheNodeIsLive)
{
    node =
        std::make_unique<Node>(NodeSpec{"n0", "local"}, ConnectOptions{}, std::make_shared<LocalSessions>(), recorder);
    const auto listing = node->list({folder}).get();
    ASSERT_FALSE(listing.has_value());
    EXPECT_EQ(listing.error().kind, ErrorKind::unreachable);
    EXPECT_NE(listing.error().message.find("queued"), std::string::npos);
}

TEST_F(NodeRequests, ListsDirectoriesToADepth)
{
    std::filesystem::create_directories(path("rank_0/deep"));
    write(path("rank_0/net-1_10.ckpt"), "12345");
    write(path("rank_0/deep/hidden"), "x");
    write(path("odd\nname\xff"), "");
    connect();
    auto one = node->list({folder, 1}).get();
    ASSERT_TRUE(one.has_value()) << one.error().message;
    ASSERT_EQ(one->entries.size(), 2u);
    EXPECT_EQ(one->entries[0].path, path("odd\nname\xff"));
    EXPECT_EQ(one->entries[1].stat.kind, 'd');
    auto two = node->list({folder, 2}).get();
    ASSERT_TRUE(two.has_value());
    ASSERT_EQ(two->entries.size(), 4u);
    EXPECT_TRUE(std::is_sorted(two->entries.begin(), two->entries.end(),
                               [](const FileEntry &a, const FileEntry &b) { return a.path < b.path; }));
    const FileEntry &file = two->entries[3];
    EXPECT_EQ(file.path, path("rank_0/net-1_10.ckpt"));
    struct stat st {};
    ASSERT_EQ(::stat(file.path.c_str(), &st), 0);
    EXPECT_EQ(file.stat, (FileStat{'f', 5, st.st_mtim.tv_sec * 1'000'000'000LL + st.st_mtim.tv_nsec, st.st_mode & 07777,
                                   st.st_uid, st.st_dev, st.st_ino}));
    auto cut = node->list({folder, 2, 3}).get();
    ASSERT_TRUE(cut.has_value());
    EXPECT_TRUE(cut->truncated);
    EXPECT_EQ(cut->entries.size(), 3u);
    auto none = node->list({path("none")}).get();
    ASSERT_TRUE(none.has_value());
    EXPECT_EQ(none->error, "No such file or directory");
}

TEST_F(NodeRequests, ListsAHugeDirectoryCompletely)
{
    for (int index = 0; index < 5000; ++index) write(path("f" + std::to_string(index)), "");
    connect();
    auto listing = node->list({folder}).get();
    ASSERT_TRUE(listing.has_value());
    EXPECT_EQ(listing->entries.size(), 5000u);
    EXPECT_FALSE(listing->truncated);
}

TEST_F(NodeRequests, ReportsADirectoryThatMayNotBeRead)
{
    std::filesystem::create_directories(path("open/closed"));
    ::chmod(folder.c_str(), 0755);
    ::chmod(path("open/closed").c_str(), 0700);
    if (::geteuid() != 0) ::chmod(path("open/closed").c_str(), 0);
    connect(std::make_shared<LocalSessions>(LocalSessions::Wrap(), asNobody()));
    auto listing = node->list({path("open"), 2}).get();
    ASSERT_TRUE(listing.has_value());
    ASSERT_EQ(listing->entries.size(), 1u);
    EXPECT_EQ(listing->entries[0].error, "Permission denied");
    EXPECT_EQ(node->list({path("open/closed")}).get()->error, "Permission denied");
}

TEST_F(NodeRequests, ReadsRangesInOneRoundTrip)
{
    std::string bytes(3u << 20, '\0');
    for (std::size_t at = 0; at < bytes.size(); ++at) bytes[at] = static_cast<char>(at * 31 >> 3);
    write(path("big"), bytes);
    write(path("small"), "0123456789");
    std::filesystem::create_directory(path("dir"));
    ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
    connect();
    auto got = node->read({{path("big"), 100, 2u << 20},
                           {path("big"), 10, 10, true},
                           {path("small"), 8, 100},
                           {path("small"), 100, 100, true},
                           {path("small"), 50, 10},
                           {path("none"), 0, 10},
                           {path("dir"), 0, 10},
                           {path("fifo"), 0, 10}})
                   .get();
    ASSERT_TRUE(got.has_value()) << got.error().message;
    ASSERT_EQ(got->size(), 8u);
    EXPECT_TRUE((*got)[0].bytes == bytes.substr(100, 2u << 20));
    EXPECT_EQ((*got)[1].bytes, bytes.substr(bytes.size() - 10));
    EXPECT_EQ((*got)[1].offset, bytes.size() - 10);
    EXPECT_EQ((*got)[2].bytes, "89");
    EXPECT_EQ((*got)[3].bytes, "0123456789");
    EXPECT_EQ((*got)[4].bytes, "");
    EXPECT_EQ((*got)[4].error, "");
    EXPECT_EQ((*got)[5].error, "No such file or directory");
    EXPECT_EQ((*got)[6].error, "Is a directory");
    EXPECT_EQ((*got)[7].error, "not a regular file");
    EXPECT_EQ((*got)[0].stat.size, bytes.size());
}

TEST_F(NodeRequests, ScansTheHeadersOfAChainOfRecords)
{
    const std::string chain = record(3) + record(300) + record(70000);
    write(path("whole"), chain);
    write(path("torn"), chain.substr(0, chain.size() - 1));
    write(path("other"), chain + "\x12\x02xy");
    connect();
    auto got = node->scanRecords({{path("whole"), 0, 0x0a, 16},
                                  {path("torn"), 0, 0x0a, 16},
                                  {path("other"), 0, 0x0a, 16},
                                  {path("whole"), 0, 0x0a, 16, 1},
                                  {path("none")}})
                   .get();
    ASSERT_TRUE(got.has_value()) << got.error().message;
    ASSERT_EQ((*got)[0].records.size(), 3u);
    EXPECT_EQ((*got)[0].end, chain.size());
    EXPECT_EQ((*got)[0].records[0].head, record(3));
    EXPECT_EQ((*got)[0].records[1].offset, 5u);
    EXPECT_EQ((*got)[0].records[1].length, 303u);
    EXPECT_EQ((*got)[0].records[2].head, record(70000).substr(0, 16));
    EXPECT_EQ((*got)[1].records.size(), 2u);
    EXPECT_EQ((*got)[1].end, 5u + 303u);
    EXPECT_EQ((*got)[2].records.size(), 3u);
    EXPECT_EQ((*got)[2].end, chain.size());
    EXPECT_EQ((*got)[3].records.size(), 1u);
    EXPECT_EQ((*got)[4].error, "No such file or directory");
}

TEST_F(NodeRequests, ReadsAWholeFileWithItsMetadata)
{
    write(path("c.json"), "{}");
    std::filesystem::create_symlink("c.json", path("link"));
    connect();
    auto got = node->readFile(path("link"), 100).get();
    ASSERT_TRUE(got.has_value()) << got.error().message;
    EXPECT_EQ(got->bytes, "{}");
    EXPECT_EQ(got->sha256, "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
    EXPECT_EQ(got->realPath, std::filesystem::canonical(path("c.json")).string());
    EXPECT_TRUE(got->writable);
    EXPECT_FALSE(got->owner.empty());
    EXPECT_FALSE(got->fileSystem.empty());
    EXPECT_GT(got->freeBytes, 0u);
    EXPECT_EQ(node->readFile(path("link"), 1).get().error().kind, ErrorKind::refused);
    EXPECT_EQ(node->readFile(path("none"), 1).get().error().kind, ErrorKind::notFound);
}

TEST_F(NodeRequests, HashesWholeFiles)
{
    std::string bytes(5u << 20, 'h');
    bytes += "tail";
    write(path("f"), bytes);
    connect();
    auto got = node->hash({path("f"), {{0, 5u << 20}, {5u << 20, 4}}}).get();
    ASSERT_TRUE(got.has_value()) << got.error().message;
    EXPECT_EQ(got->bytes, bytes.size());
    ASSERT_EQ(got->crcs.size(), 2u);
    EXPECT_EQ(got->crcs[0], ::crc32(0, reinterpret_cast<const Bytef *>(bytes.data()), 5u << 20));
    EXPECT_EQ(got->crcs[1], ::crc32(0, reinterpret_cast<const Bytef *>("tail"), 4));
    EXPECT_EQ(got->sha256.size(), 64u);
    EXPECT_EQ(node->hash({path("none")}).get().error().kind, ErrorKind::notFound);
}

TEST_F(NodeRequests, FileActionsNeverOverwriteFiles)
{
    write(path("a"), "A");
    write(path("b"), "B");
    std::filesystem::create_directory(path("full"));
    write(path("full/x"), "");
    connect();
    const auto act = [&](FileAction action, const std::string &at, const std::string &to = {}) {
        auto done = node->applyFileStep({action, at, to}).get();
        return done ? std::string("done") : std::to_string(static_cast<int>(done.error().kind));
    };
    const auto kind = [](ErrorKind is) { return std::to_string(static_cast<int>(is)); };
    EXPECT_EQ(act(FileAction::move, path("a"), path("b")), kind(ErrorKind::conflict));
    EXPECT_EQ(contents(path("b")), "B");
    EXPECT_EQ(act(FileAction::move, path("none"), path("c")), kind(ErrorKind::notFound));
    EXPECT_EQ(act(FileAction::move, path("a"), path("c")), "done");
    EXPECT_EQ(contents(path("c")), "A");
    EXPECT_FALSE(std::filesystem::exists(path("a")));
    EXPECT_EQ(act(FileAction::move, path("full"), path("moved")), "done");
    EXPECT_EQ(act(FileAction::makeDirectory, path("view/rank_0")), "done");
    EXPECT_EQ(act(FileAction::makeDirectory, path("view/rank_0")), kind(ErrorKind::conflict));
    EXPECT_EQ(act(FileAction::makeLink, path("view/rank_0/x"), path("c")), "done");
    EXPECT_EQ(std::filesystem::read_symlink(path("view/rank_0/x")).string(), path("c"));
    EXPECT_EQ(act(FileAction::makeLink, path("view/rank_0/x"), path("b")), kind(ErrorKind::conflict));
    EXPECT_EQ(act(FileAction::removeEmptyDirectory, path("view/rank_0")), kind(ErrorKind::conflict));
    EXPECT_EQ(act(FileAction::remove, path("view/rank_0/x")), "done");
    EXPECT_EQ(contents(path("c")), "A") << "the link went, not the file";
    EXPECT_EQ(act(FileAction::removeEmptyDirectory, path("view/rank_0")), "done");
    EXPECT_EQ(act(FileAction::remove, path("view")), kind(ErrorKind::refused));
}

TEST_F(NodeRequests, PatchesACopyOnlyIfItHasTheExpectedBytes)
{
    write(path("a"), "head\x01tail");
    std::filesystem::permissions(path("a"), std::filesystem::perms::owner_read);
    connect();
    FileActionRequest copy{.action = FileAction::copyFile, .path = path("b"), .target = path("a")};
    copy.patches = {{.offset = 4, .before = "\x02", .after = "\x03"}};
    auto other = node->applyFileStep(copy).get();
    ASSERT_FALSE(other.has_value());
    EXPECT_EQ(other.error().kind, ErrorKind::conflict);
    EXPECT_FALSE(std::filesystem::exists(path("b"))) << "what is half made does not stay";
    copy.patches[0].before = "\x01";
    ASSERT_TRUE(node->applyFileStep(copy).get().has_value());
    EXPECT_EQ(contents(path("b")), "head\x03tail");
    EXPECT_EQ(contents(path("a")), "head\x01tail");
    EXPECT_EQ(std::filesystem::status(path("b")).permissions(), std::filesystem::perms::owner_read);
    copy.patches[0].after = "\x03\x04";
    EXPECT_EQ(node->applyFileStep(copy).get().error().kind, ErrorKind::invalid);
}

TEST_F(NodeRequests, FindsProcessesByTheirEnvironment)
{
    const std::string mark = "RANKDECK_TEST_" + std::to_string(::getpid());
    write(path("out"), "");
    connect();
    auto started = node->launch({"p", path("run"), {"sleep", "60"}, {{mark, "7"}}, folder, path("out")}).get();
    ASSERT_TRUE(started.has_value()) << started.error().message;
    auto found = node->processes({mark}).get();
    ASSERT_TRUE(found.has_value());
    ASSERT_EQ(found->size(), 1u);
    const ProcessInfo &process = found->front();
    EXPECT_EQ(process.id, started->process);
    EXPECT_EQ(process.comm, "sleep");
    EXPECT_EQ(process.argv, (std::vector<std::string>{"sleep", "60"}));
    EXPECT_EQ(process.env, (std::map<std::string, std::string>{{mark, "7"}}));
    EXPECT_TRUE(process.envReadable);
    EXPECT_EQ(process.cwd, std::filesystem::canonical(folder).string());
    EXPECT_EQ(process.stdoutPath, std::filesystem::canonical(path("out")).string());
    EXPECT_EQ(process.uid, ::geteuid());
    EXPECT_EQ(process.group, process.id.pid);
    EXPECT_LT(std::abs(secondsBetween(process.started, std::chrono::system_clock::now())), 60);
    // Process lists are also pushed, and a process that has ended disappears from them.
    WatchSpec spec;
    spec.processes = true;
    spec.processEnv = {mark};
    node->watch(spec);
    EXPECT_TRUE(recorder.waitFor([&] { return recorder.processList.size() == 1; }));
    SignalRequest other{process.id, Signal::kill};
    other.process.startTicks += 1;
    EXPECT_EQ(node->signal(other).get()->reason, "another process has this pid now");
    other = {process.id, Signal::kill};
    other.process.bootId = "before";
    EXPECT_FALSE(node->signal(other).get()->sent);
    EXPECT_TRUE(node->signal({process.id, Signal::kill, true}).get()->sent);
    EXPECT_TRUE(recorder.waitFor([&] { return recorder.processList.empty(); }));
    EXPECT_EQ(node->signal({process.id, Signal::kill}).get()->reason, "gone");
}

TEST_F(NodeRequests, ReportsChangedDirectories)
{
    std::filesystem::create_directories(path("ckpt/rank_0"));
    connect();
    WatchSpec spec;
    spec.directories = {{4, path("ckpt"), 2}, {5, path("later"), 1}};
    node->watch(spec);
    EXPECT_TRUE(recorder.waitFor([&] { return recorder.listings[4].entries.size() == 1; }));
    EXPECT_TRUE(recorder.waitFor([&] { return recorder.listings[5].error == "No such file or directory"; }));
    write(path("ckpt/rank_0/.tmp"), "123");
    EXPECT_TRUE(recorder.waitFor([&] { return recorder.listings[4].entries.size() == 2; }));
    std::filesystem::rename(path("ckpt/rank_0/.tmp"), path("ckpt/rank_0/net-1_1.ckpt"));
    EXPECT_TRUE(recorder.waitFor([&] {
        const auto &entries = recorder.listings[4].entries;
        return entries.size() == 2 && entries[1].path == path("ckpt/rank_0/net-1_1.ckpt");
    }));
    append(path("ckpt/rank_0/net-1_1.ckpt"), "45678");
    EXPECT_TRUE(recorder.waitFor([&] { return recorder.listings[4].entries.back().stat.size == 8; }))
        << "growth in place is seen";
    std::filesystem::create_directories(path("ckpt/rank_1"));
    write(path("ckpt/rank_1/a\nb"), "");
    EXPECT_TRUE(recorder.waitFor([&] { return recorder.listings[4].entries.size() == 4; }));
    std::filesystem::remove_all(path("ckpt/rank_0"));
    EXPECT_TRUE(recorder.waitFor([&] { return recorder.listings[4].entries.size() == 2; }));
    std::filesystem::create_directory(path("later"));
    EXPECT_TRUE(recorder.waitFor([&] { return recorder.listings[5].error.empty(); }));
    std::filesystem::remove_all(path("ckpt"));
    EXPECT_TRUE(recorder.waitFor([&] { return !recorder.listings[4].error.empty(); }));
    EXPECT_TRUE(recorder.with([&] { return recorder.listings[4].entries.empty(); }));
}

}  // namespace
}  // namespace rankdeck::node_requests_test
