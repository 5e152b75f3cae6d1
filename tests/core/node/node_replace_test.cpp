// SPDX-License-Identifier: GPL-3.0-or-later
// Compare-and-swap of a small file: completely or not at all, even with concurrent writers.
#include "tests/core/node/node_fixture.h"
#include "tests/testbed/races.h"

#include "core/node/protocol/probe_source.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

namespace rankdeck::node_replace_test {
namespace {

class NodeReplace : public NodeFixture {
protected:
    std::vector<std::string> names() const
    {
        std::vector<std::string> found;
        for (const auto &entry : std::filesystem::directory_iterator(folder))
            found.push_back(entry.path().filename().string());
        std::sort(found.begin(), found.end());
        return found;
    }
    static std::string replaceWriting(std::string source)
    {
        const std::string entry = "if __name__ == \"rankdeck_probe\":";
        const std::string full = "def write_all(fd, data):\n    raise OSError(errno.ENOSPC, \"\")\n\n\n";
        return source.insert(source.find(entry), full);
    }
    std::string hashOf(const std::string &file) { return node->readFile(file, 1u << 20).get()->sha256; }
};

TEST_F(NodeReplace, KeepsModeAndLinkAndLeavesNoTemporaryFile)
{
    write(path("real.json"), R"({"GracefulExit": 0})");
    ::chmod(path("real.json").c_str(), 0640);
    std::filesystem::create_symlink("real.json", path("c.json"));
    connect();
    auto done = node->replaceFile({path("c.json"), hashOf(path("c.json")), R"({"GracefulExit": 1})"}).get();
    ASSERT_TRUE(done.has_value()) << done.error().message;
    EXPECT_TRUE(done->replaced);
    EXPECT_EQ(done->now.bytes, R"({"GracefulExit": 1})");
    EXPECT_EQ(contents(path("real.json")), R"({"GracefulExit": 1})");
    EXPECT_TRUE(std::filesystem::is_symlink(path("c.json")));
    struct stat st {};
    ASSERT_EQ(::stat(path("real.json").c_str(), &st), 0);
    EXPECT_EQ(st.st_mode & 07777, 0640u);
    EXPECT_EQ(names(), (std::vector<std::string>{"c.json", "real.json"}));
}

TEST_F(NodeReplace, KeepsAndReturnsTheChangeOfAnotherWriter)
{
    write(path("c.json"), "mine");
    connect();
    const std::string seen = hashOf(path("c.json"));
    write(path("c.json"), "theirs");
    auto done = node->replaceFile({path("c.json"), seen, "lost update"}).get();
    ASSERT_TRUE(done.has_value());
    EXPECT_FALSE(done->replaced);
    EXPECT_EQ(done->now.bytes, "theirs");
    EXPECT_EQ(contents(path("c.json")), "theirs");
}

TEST_F(NodeReplace, CreatesAFileOnlyIfItDoesNotExist)
{
    connect();
    auto made = node->replaceFile({path("new.json"), "", "{}"}).get();
    ASSERT_TRUE(made.has_value()) << made.error().message;
    EXPECT_TRUE(made->replaced);
    auto again = node->replaceFile({path("new.json"), "", "[]"}).get();
    ASSERT_TRUE(again.has_value());
    EXPECT_FALSE(again->replaced);
    EXPECT_EQ(contents(path("new.json")), "{}");
    std::filesystem::remove(path("new.json"));
    EXPECT_EQ(node->replaceFile({path("new.json"), made->now.sha256, "x"}).get().error().kind, ErrorKind::notFound);
    EXPECT_TRUE(names().empty());
}

TEST_F(NodeReplace, RefusesDanglingLinksAndOtherKindsOfFiles)
{
    std::filesystem::create_symlink("nowhere", path("link"));
    std::filesystem::create_directory(path("dir"));
    ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
    connect();
    for (const char *name : {"link", "dir", "fifo"}) {
        auto done = node->replaceFile({path(name), "", "x"}).get();
        ASSERT_FALSE(done.has_value()) << name;
        EXPECT_EQ(done.error().kind, ErrorKind::refused) << name;
    }
    EXPECT_EQ(names(), (std::vector<std::string>{"dir", "fifo", "link"}));
}

TEST_F(NodeReplace, RefusesAFileOfAnotherUser)
{
    // As root: the file belongs to root, the probe runs as another user, and only the owner can write to the directory.
    write(path("c.json"), "{}");
    ::chmod(folder.c_str(), ::geteuid() == 0 ? 0777 : 0555);
    connect(std::make_shared<LocalSessions>(LocalSessions::Wrap(), asNobody()));
    auto done = node->replaceFile({path("c.json"), hashOf(path("c.json")), "[]"}).get();
    ::chmod(folder.c_str(), 0755);
    ASSERT_FALSE(done.has_value());
    EXPECT_EQ(done.error().kind, ErrorKind::permission) << done.error().message;
    EXPECT_EQ(contents(path("c.json")), "{}");
    EXPECT_EQ(names(), (std::vector<std::string>{"c.json"}));
}

TEST_F(NodeReplace, ReportsAnUnwritableDirectoryAsPermissionError)
{
    std::filesystem::create_directory(path("d"));
    write(path("d/c.json"), "{}");
    ::chmod(folder.c_str(), 0755);
    ::chmod(path("d").c_str(), 0555);
    connect(std::make_shared<LocalSessions>(LocalSessions::Wrap(), asNobody()));
    auto now = node->readFile(path("d/c.json"), 100).get();
    ASSERT_TRUE(now.has_value());
    EXPECT_FALSE(now->writable);
    auto done = node->replaceFile({path("d/c.json"), now->sha256, "[]"}).get();
    ::chmod(path("d").c_str(), 0755);
    ASSERT_FALSE(done.has_value());
    EXPECT_EQ(done.error().kind, ErrorKind::permission) << done.error().message;
    EXPECT_EQ(contents(path("d/c.json")), "{}");
}

// A really full disk: the probe runs in a mount namespace in which the directory is a full tmpfs of 64 kB. If this
// login may not mount even in its own namespace, the test makes the write fail in the same way.
TEST_F(NodeReplace, FullDiskChangesNothing)
{
    const std::string fill = "mount -t tmpfs -o size=64k tmpfs '" + folder + "' && cd '" + folder +
                             "' && echo old > c.json && cat /dev/zero > filler 2>/dev/null; exec \"$@\"";
    const std::vector<std::string> full = {"unshare", ::geteuid() == 0 ? "-m" : "-Urm", "/bin/sh", "-c", fill, "sh"};
    const bool mayMount =
        std::system(
            (std::string(full[0] + " " + full[1] + " mount -t tmpfs tmpfs " + folder + " 2>/dev/null").c_str())) == 0;
    ConnectOptions options;
    if (!mayMount) {
        write(path("c.json"), "old\n");
        options.probeSource = replaceWriting(builtInProbe());
    }
    connect(std::make_shared<LocalSessions>(LocalSessions::Wrap(), mayMount ? full : std::vector<std::string>()), {},
            options);
    auto before = node->readFile(path("c.json"), 100).get();
    ASSERT_TRUE(before.has_value()) << before.error().message;
    auto done = node->replaceFile({path("c.json"), before->sha256, std::string(50000, 'x')}).get();
    ASSERT_FALSE(done.has_value());
    EXPECT_EQ(done.error().kind, ErrorKind::noSpace) << done.error().message;
    EXPECT_NE(done.error().message.find("nothing was changed"), std::string::npos);
    auto after = node->readFile(path("c.json"), 100).get();
    ASSERT_TRUE(after.has_value());
    EXPECT_EQ(after->bytes, "old\n");
    auto listing = node->list({folder}).get();
    for (const FileEntry &entry : listing->entries)
        EXPECT_TRUE(entry.path == path("c.json") || entry.path == path("filler")) << entry.path;
}

// Eight consoles increment one counter; each repeats until its own swap has succeeded. Concurrent readers see only
// whole files.
TEST_F(NodeReplace, ContendedUpdatesAreNeitherLostNorTorn)
{
    constexpr int consoles = 8;
    constexpr int each = 15;
    const auto text = [](int value) { return std::to_string(value) + "\n" + std::string(20000, '#') + "\nend\n"; };
    write(path("counter"), text(0));
    std::atomic<bool> over{false};
    std::atomic<int> reads{0};
    std::atomic<int> torn{0};
    std::thread reader([&] {
        while (!over) {
            const std::string seen = contents(path("counter"));
            ++reads;
            if (seen != text(std::atoi(seen.c_str()))) ++torn;
        }
    });
    std::vector<std::thread> writers;
    std::atomic<int> failures{0};
    for (int console = 0; console < consoles; ++console)
        writers.emplace_back([&] {
            Recorder own;
            Node mine(NodeSpec{"n", "local"}, {}, std::make_shared<LocalSessions>(), own);
            mine.start();
            if (!own.waitFor([&] { return own.last.state == NodeState::live; })) return void(++failures);
            for (int done = 0; done < each;) {
                auto now = mine.readFile(path("counter"), 1u << 20).get();
                auto swapped =
                    mine.replaceFile({path("counter"), now->sha256, text(std::atoi(now->bytes.c_str()) + 1)}).get();
                if (!swapped) return void(++failures);
                if (swapped->replaced) ++done;
            }
        });
    for (std::thread &writer : writers) writer.join();
    over = true;
    reader.join();
    EXPECT_EQ(failures, 0);
    EXPECT_EQ(std::atoi(contents(path("counter")).c_str()), consoles * each);
    EXPECT_EQ(torn, 0);
    EXPECT_GT(reads, 0);
    EXPECT_EQ(names(), (std::vector<std::string>{"counter"}));
}

// Programs that do not take Rankdeck's lock: one renames a new file into place, and one rewrites the file in place. The
// console flips one character at the same time. All three changes must survive. The change of another program may
// disappear for a short time, until the probe has restored it. It is lost if it does not come back.
class AnotherProgram {
public:
    AnotherProgram(std::string file, bool inPlace) : m_file(std::move(file)), m_inPlace(inPlace) {}
    void run(int times)
    {
        for (int count = 1; count <= times; ++count) {
            const std::string flag = field("f");
            write("{\"f\":" + (flag.empty() ? "0" : flag) + ",\"n\":" + std::to_string(count) + "}\n");
            std::this_thread::sleep_for(std::chrono::microseconds(500));
            bool kept = false;
            for (int look = 0; look < 4000 && !kept; ++look) {
                kept = field("n") == std::to_string(count);
                if (!kept) std::this_thread::sleep_for(std::chrono::milliseconds(5));
            }
            if (!kept) ++lost;
        }
    }
    [[nodiscard]] std::string field(const std::string &name) const
    {
        std::ifstream in(m_file, std::ios::binary);
        std::stringstream all;
        all << in.rdbuf();
        const std::string text = all.str();
        const std::size_t at = text.find("\"" + name + "\":");
        return at == std::string::npos ? "" : text.substr(at + 4, text.find_first_of(",}", at) - at - 4);
    }
    int lost = 0;

private:
    void write(const std::string &text) const
    {
        const std::string to = m_inPlace ? m_file : m_file + ".new";
        std::ofstream(to, std::ios::binary | std::ios::trunc) << text;
        if (!m_inPlace) std::filesystem::rename(to, m_file);
    }
    std::string m_file;
    bool m_inPlace;
};

class NodeContended : public NodeReplace, public testing::WithParamInterface<bool> {};

TEST_P(NodeContended, LosesNoUpdateOfAProgramThatTakesNoLock)
{
    const auto flips = static_cast<int>(propertyRounds(150));
    write(path("c.json"), "{\"f\":0,\"n\":0}\n");
    connect();
    AnotherProgram other(path("c.json"), GetParam());
    std::jthread writing([&] { other.run(flips); });
    int done = 0;
    while (done < flips) {
        auto now = node->readFile(path("c.json"), 1000).get();
        ASSERT_TRUE(now.has_value()) << now.error().message;
        std::string bytes = now->bytes;
        const std::size_t at = bytes.find("\"f\":");
        if (at == std::string::npos) continue;  // read while the other program rewrites it
        bytes[at + 4] = bytes[at + 4] == '0' ? '1' : '0';
        auto swapped = node->replaceFile({path("c.json"), now->sha256, bytes}).get();
        ASSERT_TRUE(swapped.has_value()) << swapped.error().message;
        done += swapped->replaced ? 1 : 0;
    }
    writing.join();
    EXPECT_EQ(other.lost, 0);
    EXPECT_EQ(other.field("n"), std::to_string(flips));
    for (const std::string &name : names()) EXPECT_TRUE(name == "c.json" || name == "c.json.new") << name;
}
INSTANTIATE_TEST_SUITE_P(Programs, NodeContended, testing::Values(false, true),
                         [](const auto &one) { return std::string(one.param ? "InPlace" : "ByRename"); });

// Each read of a file that is constantly replaced sees one whole version.
TEST_F(NodeReplace, ConcurrentReadsSeeWholeFiles)
{
    const auto reads = static_cast<int>(propertyRounds(200'000));
    const auto text = [](char digit) { return std::string(700, digit) + "\n"; };
    const std::string versions[] = {text('0'), text('1')};
    write(path("c.json"), versions[0]);
    connect();
    std::atomic<bool> over{false};
    std::atomic<int> torn{0}, seen[2] = {0, 0};
    std::thread reader([&] {
        std::string buffer(1000, '\0');
        for (int count = 0; count < reads; ++count) {
            const int fd = ::open(path("c.json").c_str(), O_RDONLY | O_CLOEXEC);
            const ssize_t got = fd < 0 ? -1 : ::read(fd, buffer.data(), buffer.size());
            if (fd >= 0) ::close(fd);
            const int which = got > 0 && buffer[0] == '1' ? 1 : 0;
            ++seen[which];
            if (got != static_cast<ssize_t>(versions[which].size()) ||
                buffer.compare(0, versions[which].size(), versions[which]) != 0)
                ++torn;
        }
        over = true;
    });
    for (int round = 1; !over; ++round) {
        auto now = node->readFile(path("c.json"), 1000).get();
        auto swapped = node->replaceFile({path("c.json"), now->sha256, versions[round % 2]}).get();
        EXPECT_TRUE(swapped.has_value() && swapped->replaced);
    }
    reader.join();
    EXPECT_EQ(torn, 0);
    EXPECT_GT(seen[0], 0);
    EXPECT_GT(seen[1], 0);
}

TEST_F(NodeReplace, ReportsTheFreeSpaceForADirectoryThatDoesNotExistYet)
{
    std::filesystem::create_directory(path("d"));
    ::chmod(folder.c_str(), 0755);
    ::chmod(path("d").c_str(), 0555);
    write(path("file"), "x");
    connect(std::make_shared<LocalSessions>(LocalSessions::Wrap(), asNobody()));
    auto rooms = node->diskSpace({folder, path("d/a/b"), path("file")}).get();
    ::chmod(path("d").c_str(), 0755);
    ASSERT_TRUE(rooms.has_value()) << rooms.error().message;
    ASSERT_EQ(rooms->size(), 3u);
    EXPECT_TRUE(rooms.value()[0].exists);
    EXPECT_GT(rooms.value()[0].freeBytes, 0u);
    EXPECT_FALSE(rooms.value()[0].fileSystem.empty());
    EXPECT_EQ(rooms.value()[1].directory, path("d"));
    EXPECT_FALSE(rooms.value()[1].exists);
    EXPECT_FALSE(rooms.value()[1].writable);
    EXPECT_EQ(rooms.value()[2].error, "Not a directory");
}

}  // namespace
}  // namespace rankdeck::node_replace_test
