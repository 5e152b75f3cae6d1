// SPDX-License-Identifier: GPL-3.0-or-later
// Following files through everything that loggers, logrotate and users do to them.
#include "tests/core/node/node_fixture.h"

#include <sys/stat.h>

namespace rankdeck::node_tail_test {
namespace {

class NodeTail : public NodeFixture {
protected:
    void follow(const std::string &file, std::optional<ResumePoint> from = {}, std::uint64_t last = 1u << 20)
    {
        connect();
        node->watch({{{1, file, from, last, TailPace::onScreen}}, {}, false, {}});
    }
    bool text(const std::string &expected)
    {
        return recorder.waitFor([&] { return recorder.text[1] == expected; });
    }
    bool saw(TailChange change, int times = 1)
    {
        return recorder.waitFor([&] { return recorder.count(change) == times; });
    }
    std::string gotten()
    {
        return recorder.with([&] { return recorder.text[1]; });
    }
};

TEST_F(NodeTail, DeliversPartialLinesAsTheyAreWritten)
{
    write(path("log"), "first\nsec");
    follow(path("log"));
    EXPECT_TRUE(text("first\nsec"));
    append(path("log"), "ond\n");
    EXPECT_TRUE(text("first\nsecond\n"));
    EXPECT_EQ(recorder.with([&] { return recorder.events.size(); }), 1u);
    const TailChunk last = recorder.with([&] { return recorder.chunks.back(); });
    EXPECT_EQ(last.offset, 9u);
    EXPECT_EQ(last.next.offset, 13u);
    EXPECT_EQ(last.fileSize, 13u);
}

TEST_F(NodeTail, StartsAfterALineEnd)
{
    write(path("log"), "one\ntwo\nthree\n");
    follow(path("log"), {}, 8);
    EXPECT_TRUE(text("three\n"));
    EXPECT_EQ(recorder.with([&] { return recorder.events.front().from; }), 8u);
}

TEST_F(NodeTail, FollowsAFileThatIsRenamedAndRecreated)
{
    write(path("log"), "old 1\n");
    follow(path("log"));
    ASSERT_TRUE(text("old 1\n"));
    append(path("log"), "old 2\n");
    std::filesystem::rename(path("log"), path("log.1"));
    append(path("log.1"), "old 3\n");
    write(path("log"), "new 1\nnew 2 is longer than all of the old one\n");
    EXPECT_TRUE(text("old 1\nold 2\nold 3\nnew 1\nnew 2 is longer than all of the old one\n")) << gotten();
    EXPECT_TRUE(saw(TailChange::replaced));
}

TEST_F(NodeTail, FollowsAFileThatIsTruncatedInPlace)
{
    write(path("log"), "before\n");
    follow(path("log"));
    ASSERT_TRUE(text("before\n"));
    std::filesystem::resize_file(path("log"), 0);
    EXPECT_TRUE(saw(TailChange::truncated));
    append(path("log"), "after\n");
    EXPECT_TRUE(text("before\nafter\n")) << gotten();
}

TEST_F(NodeTail, DetectsTruncationWhenTheFileIsRefilledLarger)
{
    write(path("log"), "short\n");
    follow(path("log"));
    ASSERT_TRUE(text("short\n"));
    // One open file is truncated and refilled between two polls, so its size seems only to grow.
    write(path("log"), "quite another text, and longer\n");
    EXPECT_TRUE(text("short\nquite another text, and longer\n")) << gotten();
    EXPECT_TRUE(saw(TailChange::truncated));
}

TEST_F(NodeTail, DetectsARewriteOfTheSameSize)
{
    write(path("log"), "aaaa\n");
    follow(path("log"));
    ASSERT_TRUE(text("aaaa\n"));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // another mtime
    write(path("log"), "bbbb\n");
    EXPECT_TRUE(text("aaaa\nbbbb\n")) << gotten();
}

TEST_F(NodeTail, FollowsAFileThatIsDeletedAndRecreated)
{
    write(path("log"), "one\n");
    follow(path("log"));
    ASSERT_TRUE(text("one\n"));
    std::filesystem::remove(path("log"));
    EXPECT_TRUE(saw(TailChange::missing));
    write(path("log"), "two and more\n");
    EXPECT_TRUE(text("one\ntwo and more\n")) << gotten();
    EXPECT_EQ(
        recorder.with([&] { return recorder.count(TailChange::replaced) + recorder.count(TailChange::truncated); }), 1);
}

TEST_F(NodeTail, FollowsASwitchedSymlink)
{
    write(path("run1"), "of run 1\n");
    write(path("run2"), "of run 2\n");
    std::filesystem::create_symlink("run1", path("log"));
    follow(path("log"));
    ASSERT_TRUE(text("of run 1\n"));
    std::filesystem::create_symlink("run2", path("new"));
    std::filesystem::rename(path("new"), path("log"));
    EXPECT_TRUE(text("of run 1\nof run 2\n")) << gotten();
    EXPECT_TRUE(saw(TailChange::replaced));
}

TEST_F(NodeTail, FollowsAMissingFileOnceItAppears)
{
    follow(path("sub/log"), {}, 4);
    EXPECT_TRUE(saw(TailChange::missing));
    std::filesystem::create_directory(path("sub"));
    write(path("sub/log"), "from its very first byte\n");
    EXPECT_TRUE(text("from its very first byte\n")) << gotten();
    EXPECT_TRUE(saw(TailChange::opened));
}

TEST_F(NodeTail, ReportsAnUnreadableFileAndFollowsItOnceItIsReadable)
{
    write(path("log"), "secret\n");
    ::chmod(folder.c_str(), 0755);
    ::chmod(path("log").c_str(), ::geteuid() == 0 ? 0600 : 0);
    connect(std::make_shared<LocalSessions>(LocalSessions::Wrap(), asNobody()));
    node->watch({{{1, path("log")}}, {}, false, {}});
    EXPECT_TRUE(saw(TailChange::unreadable));
    EXPECT_EQ(recorder.with([&] { return recorder.events.back().text; }), "Permission denied");
    ::chmod(path("log").c_str(), 0644);
    EXPECT_TRUE(text("secret\n"));
}

TEST_F(NodeTail, RefusesFifosAndDevices)
{
    ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
    connect();
    node->watch({{{1, path("fifo")}, {2, "/dev/zero"}, {3, folder}}, {}, false, {}});
    EXPECT_TRUE(saw(TailChange::unreadable, 3));
    EXPECT_TRUE(node->list({folder}).get().has_value()) << "the probe did not hang on it";
}

TEST_F(NodeTail, ReportsAnImpossiblePathWithoutFurtherEffect)
{
    write(path("log"), "line\n");
    connect();
    node->watch({{{1, path("log")}, {2, ""}}, {{3, std::string("a\0b", 3)}}, false, {}});
    EXPECT_TRUE(text("line\n"));
    EXPECT_TRUE(saw(TailChange::unreadable));
    EXPECT_FALSE(recorder.with([&] { return recorder.listings[3].error.empty(); }));
}

TEST_F(NodeTail, ResumesAtTheLastPosition)
{
    write(path("log"), "seen\nunseen\n");
    follow(path("log"));
    ASSERT_TRUE(text("seen\nunseen\n"));
    const ResumePoint point = recorder.with([&] { return recorder.chunks.back().next; });
    append(path("log"), "while away\n");
    node.reset();
    recorder.with([&] {
        recorder.text.clear();
        recorder.last.state = NodeState::queued;
        return 0;
    });
    follow(path("log"), point);
    EXPECT_TRUE(text("while away\n")) << gotten();
}

TEST_F(NodeTail, ResumeReadsTheRotatedFileFirst)
{
    write(path("log"), "seen\n");
    follow(path("log"));
    ASSERT_TRUE(text("seen\n"));
    const ResumePoint point = recorder.with([&] { return recorder.chunks.back().next; });
    node.reset();
    append(path("log"), "rest of the old one\n");
    std::filesystem::rename(path("log"), path("log.1"));
    write(path("log"), "new one\n");
    recorder.with([&] {
        recorder.text.clear();
        recorder.last.state = NodeState::queued;
        return 0;
    });
    follow(path("log"), point);
    EXPECT_TRUE(text("rest of the old one\nnew one\n")) << gotten();
    EXPECT_TRUE(saw(TailChange::replaced));
}

TEST_F(NodeTail, ResumeDetectsChangedBytes)
{
    write(path("log"), "seen\n");
    follow(path("log"));
    ASSERT_TRUE(text("seen\n"));
    const ResumePoint point = recorder.with([&] { return recorder.chunks.back().next; });
    node.reset();
    write(path("log"), "other, longer text\n");
    recorder.with([&] {
        recorder.text.clear();
        recorder.last.state = NodeState::queued;
        return 0;
    });
    follow(path("log"), point);
    EXPECT_TRUE(text("other, longer text\n")) << gotten();
    EXPECT_TRUE(saw(TailChange::truncated));
}

TEST_F(NodeTail, SkipsAndReportsBytesIfFarBehind)
{
    write(path("log"), "begin\n");
    std::filesystem::resize_file(path("log"), 80u << 20);
    append(path("log"), "\nlast line\n");
    connect();
    node->watch({{{1, path("log"), ResumePoint{0, 0, 0, ""}, 100, TailPace::onScreen}}, {}, false, {}});
    EXPECT_TRUE(saw(TailChange::gap));
    EXPECT_TRUE(recorder.waitFor([&] { return recorder.text[1].ends_with("last line\n"); }));
    const auto [from, to, got] = recorder.with([&] {
        for (const TailEvent &event : recorder.events)
            if (event.change == TailChange::gap) return std::tuple(event.from, event.to, recorder.text[1].size());
        return std::tuple(std::uint64_t{}, std::uint64_t{}, std::size_t{});
    });
    EXPECT_EQ(from, 0u);
    EXPECT_EQ(to + got, (80u << 20) + 11u) << "what came and what was skipped are the whole file";
}

TEST_F(NodeTail, FollowsManyFilesCompletely)
{
    WatchSpec spec;
    std::map<int, std::string> expected;
    for (int id = 0; id < 60; ++id) {
        for (int line = 0; line < 3000; ++line)
            expected[id] += "file " + std::to_string(id) + " line " + std::to_string(line) + "\n";
        write(path("log" + std::to_string(id)), expected[id]);
        spec.tails.push_back({id, path("log" + std::to_string(id)), {}, 1u << 30});
    }
    connect();
    node->watch(spec);
    EXPECT_TRUE(recorder.waitFor([&] { return recorder.text == expected; }));
}

TEST_F(NodeTail, DoesNotReportFilesThatAreNoLongerWatched)
{
    write(path("a"), "a1\n");
    write(path("b"), "b1\n");
    follow(path("a"));
    ASSERT_TRUE(text("a1\n"));
    node->watch({{{2, path("b"), {}, 100, TailPace::onScreen}}, {}, false, {}});
    EXPECT_TRUE(recorder.waitFor([&] { return recorder.text[2] == "b1\n"; }));
    append(path("a"), "a2\n");
    append(path("b"), "b2\n");
    EXPECT_TRUE(recorder.waitFor([&] { return recorder.text[2] == "b1\nb2\n"; }));
    EXPECT_EQ(gotten(), "a1\n");
}

}  // namespace
}  // namespace rankdeck::node_tail_test
