// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/dcp/dcp_metadata.h"
#include "tests/core/checkpoint/local_files.h"
#include "tests/testbed/paths.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace rankdeck::dcp_reader_test {
namespace {

constexpr std::int64_t second = 1'000'000'000;

// A sample directory in memory; its shards are one second older than .metadata.
struct Directory {
    explicit Directory(const std::string &name)
    {
        entry.path = "/c/" + name;
        entry.stat.kind = 'd';
        for (const auto &item : std::filesystem::directory_iterator(testData() + "/torch/dcp/" + name)) {
            const std::string base = item.path().filename().string();
            put(base, test::readFile(item.path().string()), base == ".metadata" ? 2000 * second : 1999 * second);
        }
    }
    void put(const std::string &base, const std::string &bytes, std::int64_t time)
    {
        files.add(entry.path + "/" + base, bytes, time);
    }
    Evidence read() { return test::readAll(files, entry); }
    test::MemoryFiles files;
    FileEntry entry;
};

std::string code(const Evidence &e) { return e.problems.empty() ? "" : e.problems.front().code.word(); }

TEST(DcpReader, ReadsTheStepOfWholeDirectories)
{
    for (const auto &[name, step] :
         std::map<std::string, std::int64_t>{{"step-100", 100}, {"step-200-async", 200}, {"step-300-threads2", 300}}) {
        const Evidence e = Directory(name).read();
        EXPECT_EQ(e.format, Format::dcp);
        EXPECT_EQ(e.complete, true) << name << ": " << (e.problems.empty() ? "" : e.problems.front().text);
        EXPECT_EQ(e.number("global_step"), step) << name;
        EXPECT_GT(e.tensors.size(), 2u);
        EXPECT_EQ(e.roundTrips, 3);
    }
}

TEST(DcpReader, M01_DirectoryWithoutMetadataIsNotACheckpoint)
{
    const Evidence e = Directory("killed-first-save").read();
    EXPECT_EQ(e.complete, false);
    EXPECT_EQ(code(e), "commit_missing");
}

TEST(DcpReader, M03_ReportsMetadataOlderThanItsShards)
{
    Directory d("killed-resave");
    EXPECT_EQ(d.read().complete, true);  // only times could show it
    d.files.at("/c/killed-resave/__1_0.distcp").stat.mtimeNs = 2000 * second + 13'000'000;
    const Evidence e = d.read();
    EXPECT_EQ(e.complete, true) << "a copy has such times, too: a doubt and no proof";
    EXPECT_EQ(code(e), "mark_older");
}

TEST(DcpReader, Z03_ReportsMissingShardsAndWrongSizes)
{
    Directory d("step-100");
    d.put("__1_0.distcp", test::data("torch/dcp/step-100/__1_0.distcp").substr(1), 1999 * second);
    EXPECT_EQ(code(d.read()), "size_mismatch");
    d.put("__1_0.distcp", "", 1999 * second);
    EXPECT_EQ(code(d.read()), "size_mismatch");
    std::string zeros = test::data("torch/dcp/step-100/__1_0.distcp");
    std::fill(zeros.begin() + std::ptrdiff_t(zeros.size() / 2), zeros.end(), '\0');
    d.put("__1_0.distcp", zeros, 1999 * second);
    EXPECT_EQ(code(d.read()), "torn");
}

TEST(DcpReader, RefusesCutMetadata)
{
    const std::string mark = test::data("torch/dcp/step-100/.metadata");
    for (std::size_t length = 0; length < mark.size(); length += 97)
        EXPECT_FALSE(parseDcpMetadata(mark.substr(0, length)).has_value()) << length;
    EXPECT_TRUE(parseDcpMetadata(mark).has_value());
}

// Changes the id of the save and its path, which differ between saves; everything else stays.
std::string markOfAnotherSave(std::string mark, const std::string &id, const std::string &path)
{
    const std::string key("save_id\x94\x8c", 9);
    const std::size_t at = mark.find(key);
    EXPECT_NE(at, std::string::npos);
    const auto length = static_cast<unsigned char>(mark[at + key.size()]);
    mark.replace(at + key.size(), length + 1u, std::string(1, char(id.size())) + id);
    const std::size_t step = mark.find(std::string("\x8c\x08step-100", 10));
    EXPECT_NE(step, std::string::npos);
    return mark.replace(step + 1, 9, std::string(1, char(path.size())) + path);
}

TEST(DcpReader, ReusesParsedMetadataAndKeepsEachSaveId)
{
    const std::string mark = test::data("torch/dcp/step-100/.metadata");
    const auto first = readDcpMark(mark), again = readDcpMark(mark),
               other = readDcpMark(markOfAnotherSave(mark, "other", "step-100000"));
    ASSERT_TRUE(first && again && other);
    EXPECT_EQ(again->metadata, first->metadata);
    EXPECT_EQ(other->metadata, first->metadata);
    EXPECT_EQ(again->saveId, first->saveId);
    EXPECT_NE(first->saveId, "other");
    EXPECT_EQ(other->saveId, "other");
}

TEST(DcpReader, DoesNotReuseParsedMetadataIfMoreThanTheIdDiffers)
{
    const std::string mark = test::data("torch/dcp/step-100/.metadata");
    const auto first = readDcpMark(mark);
    ASSERT_TRUE(first);
    for (std::size_t length = mark.size() - 300; length < mark.size(); length += 7)
        EXPECT_FALSE(readDcpMark(mark.substr(0, length))) << length;
    std::string otherFile = mark;
    const std::size_t file = otherFile.find("__0_0.distcp");
    ASSERT_NE(file, std::string::npos);
    otherFile.replace(file, 12, "__7_0.distcp");
    const auto other = readDcpMark(otherFile);
    ASSERT_TRUE(other);
    EXPECT_NE(other->metadata, first->metadata);
    EXPECT_EQ(other->metadata->fileBytes.count("__7_0.distcp"), 1u);
    // Whichever byte is changed, the result is the same as if no other .metadata had been read before.
    for (std::size_t at = 0; at < mark.size(); at += 11) {
        std::string changed = mark;
        changed[at] = static_cast<char>(changed[at] ^ 1);
        const auto known = readDcpMark(changed);
        const auto plain = parseDcpMetadata(changed);
        ASSERT_EQ(known.has_value(), plain.has_value()) << at;
        if (!plain) continue;
        EXPECT_EQ(known->metadata->fileBytes, plain->fileBytes) << at;
        EXPECT_EQ(known->saveId, plain->saveId) << at;
        EXPECT_EQ(known->metadata->tensors.structure(), plain->tensors.structure()) << at;
    }
}

// Reads it twice, so that the second read finds the result of the first.
void expectReadAsWithoutOthers(const std::string &mark, const std::string &what)
{
    const auto plain = parseDcpMetadata(mark);
    for (int reading = 0; reading < 2; ++reading) {
        const auto known = readDcpMark(mark);
        ASSERT_EQ(known.has_value(), plain.has_value()) << what;
        if (!plain) return;
        EXPECT_EQ(known->saveId, plain->saveId) << what;
        EXPECT_EQ(known->metadata->fileBytes, plain->fileBytes) << what;
        EXPECT_EQ(known->metadata->tensors.structure(), plain->tensors.structure()) << what;
    }
}

// A text after the shards may become a name for which the reader searches, and the id may be a reference to an earlier
// text.
TEST(DcpReader, ReadsMetadataCorrectlyAfterStringsAreSwapped)
{
    const std::string mark = test::data("torch/dcp/step-100/.metadata");
    ASSERT_TRUE(readDcpMark(mark));
    const std::size_t end = mark.find("storage_meta");
    ASSERT_NE(end, std::string::npos);
    int changed = 0;
    for (std::size_t at = mark.find('\x8c', end); at != std::string::npos; at = mark.find('\x8c', at + 1)) {
        const auto length = static_cast<unsigned char>(mark[at + 1]);
        if (at + 2 + length > mark.size()) continue;
        for (const std::string name : {"state_dict_metadata", "storage_data", "storage_meta", "save_id", "other"}) {
            std::string other = mark;
            other.replace(at + 1, length + 1u, std::string(1, char(name.size())) + name);
            expectReadAsWithoutOthers(other, name + " at " + std::to_string(at));
            ++changed;
        }
    }
    EXPECT_GT(changed, 20);
    const std::string key("save_id\x94", 8);
    const std::size_t id = mark.find(key) + key.size();
    std::string reference = mark;
    reference.replace(id, 2u + static_cast<unsigned char>(mark[id + 1]), std::string("h\0", 2));
    expectReadAsWithoutOthers(reference, "an id by reference");
}

TEST(DcpReader, F10_RefusesChunkGapsAndPathsOutsideTheDirectory)
{
    std::string mark = test::data("torch/dcp/step-100/.metadata");
    const std::string size("K K\x08\x86", 5);  // (32, 8)
    const std::size_t at = mark.find(size);
    ASSERT_NE(at, std::string::npos);
    mark[at + 1] = '\x21';  // (33, 8)
    EXPECT_FALSE(parseDcpMetadata(mark).has_value());
    std::string path = test::data("torch/dcp/step-100/.metadata");
    const std::size_t file = path.find("__0_0.distcp");
    ASSERT_NE(file, std::string::npos);
    path.replace(file, 12, "../../passwd");
    const auto refused = parseDcpMetadata(path);
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().message.find("not a file in this directory"), std::string::npos);
}

}  // namespace
}  // namespace rankdeck::dcp_reader_test
