// SPDX-License-Identifier: GPL-3.0-or-later
// Real checkpoints of TensorFlow, complete and with every damage that a kill, a disk or a copy can cause.
#include "core/checkpoint/codec/crc32c.h"
#include "core/checkpoint/codec/snappy.h"
#include "core/checkpoint/formats/formats.h"
#include "core/checkpoint/formats/tensorflow/tf_bundle.h"
#include "core/checkpoint/formats/tensorflow/tf_table.h"
#include "tests/core/checkpoint/local_files.h"
#include "tests/testbed/paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>

namespace rankdeck::tensorflow_reader_test {
namespace {

using testing::HasSubstr;

constexpr std::int64_t second = 1'000'000'000;

// A sample directory in memory, whose index is one second newer than the data, and the composites that the layouts find
// in it.
struct Directory {
    explicit Directory(const std::string &name)
    {
        for (const auto &item : std::filesystem::directory_iterator(testData() + "/tensorflow/" + name)) {
            const std::string base = item.path().filename().string();
            const bool index = base.size() > 6 && base.substr(base.size() - 6) == ".index";
            put(base, test::readFile(item.path().string()), index ? 2000 * second : 1999 * second);
        }
    }
    void put(const std::string &base, const std::string &bytes, std::int64_t time = 1999 * second)
    {
        entries["/tf/" + base] = files.add("/tf/" + base, bytes, time, 0644);
    }
    void edit(const std::string &base, const std::function<void(std::string &)> &change)
    {
        std::string bytes = files.at("/tf/" + base).bytes;
        const std::int64_t time = entries.at("/tf/" + base).stat.mtimeNs;
        change(bytes);
        put(base, bytes, time);
    }
    void remove(const std::string &base)
    {
        entries.erase("/tf/" + base);
        files.erase("/tf/" + base);
    }
    std::vector<Composite> composites()
    {
        listing.root = "/tf";
        listing.entries.clear();
        for (const auto &[path, entry] : entries) listing.entries.push_back(entry);
        return findComposites(ListingTree(listing));
    }
    Evidence read(const std::string &prefix)
    {
        for (const Composite &found : composites())
            if (found.whole.path == "/tf/" + prefix) return test::readAll(files, found.whole, found.parts);
        ADD_FAILURE() << "no checkpoint " << prefix;
        return {};
    }
    std::string code(const std::string &prefix)
    {
        const Evidence e = read(prefix);
        return e.complete == true ? "whole" : e.problems.empty() ? "nothing" : e.problems.front().code.word();
    }
    test::MemoryFiles files;
    std::map<std::string, FileEntry> entries;
    Listing listing;
};

const std::string shards = std::string("-") + "?????" + "-of-00002";

TEST(Crc32c, ComputesKnownValuesAndRemovesTheMask)
{
    EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
    EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
    EXPECT_EQ(crc32c(""), 0u);
    EXPECT_EQ(unmaskedCrc(0xa282ead8u), 0u);
    const std::uint32_t crc = 0xe3069283u;
    EXPECT_EQ(unmaskedCrc(((crc >> 15) | (crc << 17)) + 0xa282ead8u), crc);
}

struct Real {
    const char *directory, *prefix;
    Format format;
    std::int64_t step;
    std::size_t tensors;
};

class RealTensorflow : public testing::TestWithParam<Real> {};

TEST_P(RealTensorflow, IsWholeAndHasItsStep)
{
    const Real &real = GetParam();
    Directory d(real.directory);
    const Evidence e = d.read(real.prefix);
    EXPECT_EQ(e.complete, true) << (e.problems.empty() ? "" : e.problems.front().text);
    EXPECT_EQ(e.format, real.format);
    EXPECT_EQ(e.level, EvidenceLevel::L3);
    EXPECT_EQ(e.number("global_step").value_or(-1), real.step);
    EXPECT_EQ(e.tensors.size(), real.tensors);
    EXPECT_LE(e.roundTrips, 3);
    EXPECT_FALSE(e.nonFiniteSeen);
    EXPECT_TRUE(e.problems.empty()) << e.problems.front().text;
}

INSTANTIATE_TEST_SUITE_P(Samples, RealTensorflow,
                         testing::Values(Real{"saver-v2", "model.ckpt-1300", Format::tfV2, 1300, 3},
                                         Real{"saver-v2", "model.ckpt-1200", Format::tfV2, 1200, 3},
                                         Real{"saver-v2-sharded", "model.ckpt-1300", Format::tfV2, 1300, 3},
                                         Real{"saver-v1", "model.ckpt-1300", Format::tfV1, 1300, 3},
                                         Real{"saver-v1-sharded", "model.ckpt-1200-\?\?\?\?\?-of-00002", Format::tfV1,
                                              1200, 3},
                                         Real{"tf2-manager", "ckpt-2", Format::tfV2, 41200, 17},
                                         Real{"estimator", "model.ckpt-160", Format::tfV2, 160, 5}));

TEST(TensorflowReader, ReportsTensorsWithShapeTypeAndOffset)
{
    Directory d("saver-v2");
    const Evidence e = d.read("model.ckpt-1300");
    ASSERT_EQ(e.tensors.size(), 3u);
    EXPECT_EQ(e.tensors[1].name, "layer1/kernel");
    EXPECT_EQ(e.tensors[1].type, "float32");
    EXPECT_EQ(e.tensors[1].shape, (std::vector<std::int64_t>{16, 8}));
    EXPECT_EQ(e.tensors[1].offset, 8u);
    EXPECT_EQ(e.crc, Evidence::Crc::ok);  // small enough for a full comparison
}

TEST(TensorflowReader, NumberInTf2NamesCountsSavesNotSteps)
{
    Directory d("tf2-manager");
    const Evidence e = d.read("ckpt-2");
    EXPECT_EQ(e.number("save_counter"), 2);
    EXPECT_EQ(e.number("global_step"), 41200);
    for (const Composite &found : d.composites()) EXPECT_EQ(found.name.globalStep, std::nullopt);
}

TEST(TensorflowReader, MetaFilesAndOtherFilesAreNotCheckpoints)
{
    Directory d("saver-v1");
    EXPECT_EQ(d.composites().size(), 2u);
    d.remove("model.ckpt-1300");
    EXPECT_EQ(d.composites().size(), 1u);  // .meta alone is a graph
    d.put("train-00000-of-01024", "records");
    d.put("packed.index", "of something else");
    d.put("events.out.tfevents.1700000000.host", "events");
    EXPECT_EQ(d.composites().size(), 1u);
}

TEST(TensorflowReader, F05_ReportsAFooterWithAWrongByte)
{
    Directory d("saver-v2");
    d.edit("model.ckpt-1300.index", [](std::string &b) { b[b.size() - 8] = static_cast<char>(b[b.size() - 8] + 1); });
    EXPECT_EQ(d.code("model.ckpt-1300"), "torn");
}

TEST(TensorflowReader, F05_ReportsAnyChangedByteOfTheIndex)
{
    Directory whole("saver-v2-sharded");
    const std::string index = whole.files.at("/tf/model.ckpt-1300.index").bytes;
    // Only the padding of the footer may change without any effect.
    const std::size_t padding = index.size() - 48 + 5;
    for (std::size_t at = 0; at < index.size(); ++at) {
        if (at >= padding && at < index.size() - 8) continue;
        Directory d("saver-v2-sharded");
        d.edit("model.ckpt-1300.index", [at](std::string &b) { b[at] = static_cast<char>(b[at] ^ 0x04); });
        const Evidence e = d.read("model.ckpt-1300");
        EXPECT_EQ(e.complete, false) << at;
    }
}

TEST(TensorflowReader, F05_ReportsAnIndexCutAtAnyLength)
{
    Directory whole("saver-v2");
    const std::string index = whole.files.at("/tf/model.ckpt-1300.index").bytes;
    for (std::size_t length = 0; length < index.size(); ++length) {
        Directory d("saver-v2");
        d.edit("model.ckpt-1300.index", [length](std::string &b) { b.resize(length); });
        EXPECT_EQ(d.code("model.ckpt-1300"), "torn") << length;
    }
}

TEST(TensorflowReader, F05_ReportsShortDataAndToleratesAlignedPadding)
{
    Directory d("saver-v2");
    d.edit("model.ckpt-1300.data-00000-of-00001", [](std::string &b) { b.pop_back(); });
    const Evidence e = d.read("model.ckpt-1300");
    EXPECT_EQ(e.complete, false);
    EXPECT_EQ(e.problems.front().code, ReasonCode("torn"));
    EXPECT_THAT(e.problems.front().text, HasSubstr("647 bytes, but the index needs 648"));
    Directory longer("saver-v2");
    longer.edit("model.ckpt-1300.data-00000-of-00001", [](std::string &b) { b += "of another save"; });
    EXPECT_EQ(longer.code("model.ckpt-1300"), "size_mismatch");
    Directory aligned("saver-v2");
    aligned.edit("model.ckpt-1300.data-00000-of-00001", [](std::string &b) { b += std::string(56, '\0'); });
    EXPECT_EQ(aligned.code("model.ckpt-1300"), "whole");
}

TEST(TensorflowReader, ReportsAMissingIndexAndAMissingShard)
{
    Directory d("saver-v2-sharded");
    d.remove("model.ckpt-1300.index");
    EXPECT_EQ(d.code("model.ckpt-1300"), "commit_missing");
    Directory shard("saver-v2-sharded");
    shard.remove("model.ckpt-1300.data-00001-of-00002");
    EXPECT_EQ(shard.code("model.ckpt-1300"), "shard_missing");
    EXPECT_THAT(shard.read("model.ckpt-1300").problems.front().text, HasSubstr("data-00001-of-00002 is missing"));
}

// A save that died after it had renamed the data: sizes are equal, and only the checksums show the difference.
TEST(TensorflowReader, M03_ReportsNewDataUnderAnOldIndex)
{
    Directory d("saver-v2");
    d.put("model.ckpt-1200.data-00000-of-00001", d.files.at("/tf/model.ckpt-1300.data-00000-of-00001").bytes,
          2001 * second);
    const Evidence e = d.read("model.ckpt-1200");
    EXPECT_EQ(e.complete, false);
    EXPECT_EQ(e.problems.front().code, ReasonCode("commit_stale"));
    EXPECT_THAT(e.problems.front().text, HasSubstr("global_step"));
    // A copy: the data is newer than the index, and every checksum matches.
    Directory copied("saver-v2");
    copied.put("model.ckpt-1200.data-00000-of-00001", d.files.at("/tf/model.ckpt-1200.data-00000-of-00001").bytes);
    copied.put("model.ckpt-1300.data-00000-of-00001", d.files.at("/tf/model.ckpt-1300.data-00000-of-00001").bytes,
               2001 * second);
    EXPECT_EQ(copied.code("model.ckpt-1300"), "whole");
}

TEST(TensorflowReader, F12_ReportsAChangedBitOfASmallTensor)
{
    Directory d("saver-v2");
    d.edit("model.ckpt-1300.data-00000-of-00001", [](std::string &b) { b[300] = static_cast<char>(b[300] ^ 1); });
    const Evidence e = d.read("model.ckpt-1300");
    EXPECT_EQ(e.complete, false);
    EXPECT_EQ(e.crc, Evidence::Crc::bad);
    EXPECT_EQ(e.problems.front().code, ReasonCode("crc_bad"));
    EXPECT_THAT(e.problems.front().text, HasSubstr("layer1/kernel"));
}

TEST(TensorflowReader, V1FileCutAtAnyLengthIsNeverWhole)
{
    const std::string bytes = test::data("tensorflow/saver-v1/model.ckpt-1300");
    for (std::size_t length = 0; length < bytes.size(); ++length)
        EXPECT_NE(test::readBytes(bytes.substr(0, length), "model.ckpt-1300").complete, true) << length;
}

TEST(TensorflowReader, ReportsAnyChangedByteOfV1Blocks)
{
    const std::string bytes = test::data("tensorflow/saver-v1/model.ckpt-1300");
    for (std::size_t at = 0; at < 0x37a; at += 7) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ 0x10);
        EXPECT_EQ(test::readBytes(changed, "model.ckpt-1300").complete, false) << at;
    }
}

TEST(TensorflowReader, ReportsV1BlocksAtShiftedOffsets)
{
    std::string bytes = test::data("tensorflow/saver-v1/model.ckpt-1300");
    bytes.insert(0, std::string(16, 'x'));
    EXPECT_EQ(test::readBytes(bytes, "model.ckpt-1300").complete, false);
}

TEST(TensorflowReader, ReportsMissingOrForeignV1Shards)
{
    Directory d("saver-v1-sharded");
    d.remove("model.ckpt-1300-00001-of-00002");
    EXPECT_EQ(d.code("model.ckpt-1300" + shards), "shard_missing");
    d.put("model.ckpt-1300-00001-of-00002", "");
    EXPECT_EQ(d.code("model.ckpt-1300" + shards), "torn");
    d.put("model.ckpt-1300-00001-of-00002", test::data("tensorflow/saver-v1-sharded/model.ckpt-1200-00000-of-00002"));
    EXPECT_EQ(d.code("model.ckpt-1300" + shards), "step_mismatch");
}

TEST(TensorflowReader, P02_RecognisesSavesInProgress)
{
    Directory d("saver-v2");
    d.put("model.ckpt-1400.data-00000-of-00001.tempstate12345", "half");
    d.put("model.ckpt-1500_temp/part-00000-of-00001.data-00000-of-00001", "half");
    d.put("model.ckpt-1600.tempstate77", "half");
    std::map<std::string, bool> temporary;
    for (const Composite &found : d.composites())
        temporary[found.name.prefix + "-" + std::to_string(found.name.globalStep.value_or(0))] = found.name.temporary;
    EXPECT_EQ(temporary, (std::map<std::string, bool>{{"model.ckpt-1200", false},
                                                      {"model.ckpt-1300", false},
                                                      {"model.ckpt-1400", true},
                                                      {"model.ckpt-1500", true},
                                                      {"model.ckpt-1600", true}}));
}

TEST(TensorflowReader, ReportsNaNWeights)
{
    const std::string nan("\x00\x00\xc0\x7f", 4);
    std::string bytes = test::data("tensorflow/saver-v1/model.ckpt-1300");
    bytes.replace(0x100, 4, nan);
    // The checksum of the block must match again, as in the save of a training that produced NaN.
    const std::size_t payload = parseTfFooter(bytes, bytes.size())->metaindex.offset - 5;
    const std::uint32_t crc = crc32c(std::string_view(bytes).substr(0, payload + 1));
    const std::uint32_t masked = ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
    for (int i = 0; i < 4; ++i) bytes[payload + 1 + std::size_t(i)] = static_cast<char>(masked >> (8 * i));
    const Evidence e = test::readBytes(bytes, "model.ckpt-1300");
    EXPECT_EQ(e.complete, true) << e.problems.front().text;
    EXPECT_TRUE(e.nonFiniteSeen);
}

TEST(TensorflowReader, U01_UnreadableShardIsNotReportedAsMissing)
{
    Directory d("saver-v2");
    d.files.at("/tf/model.ckpt-1300.data-00000-of-00001").error = "Permission denied";
    const Evidence e = d.read("model.ckpt-1300");
    EXPECT_EQ(e.complete, std::nullopt);
    EXPECT_EQ(e.level, EvidenceLevel::L0);
    EXPECT_EQ(e.problems.front().code, ReasonCode("unreadable"));
}

TEST(TensorflowReader, P01_ReportsAPartThatChangedSinceItsListing)
{
    Directory d("saver-v2");
    const std::vector<Composite> found = d.composites();
    d.put("model.ckpt-1300.data-00000-of-00001", "new", 2100 * second);
    const Evidence e = test::readAll(d.files, found[1].whole, found[1].parts);
    EXPECT_EQ(e.problems.front().code, ReasonCode("still_growing"));
    EXPECT_EQ(e.complete, std::nullopt);
}

TEST(TensorflowReader, ReadsAnIndexWithItsData)
{
    Directory d("saver-v2");
    EXPECT_EQ(test::readAll(d.files, d.entries.at("/tf/model.ckpt-1300.index")).format, Format::tfV2);
    EXPECT_EQ(test::readAll(d.files, d.entries.at("/tf/model.ckpt-1300.index")).number("global_step"), 1300);
}

std::string unhex(std::string_view text)
{
    std::string bytes;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
        bytes += static_cast<char>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16));
    return bytes;
}

// 20 names, all byte values and 500 zeros, packed by a real encoder.
const std::string packed = "a80ca06c617965722f776569676874732f2e415454524942555445532f5641524941424c455f56414c554520fe2"
                           "900fe2900fe2900fe2900fe29"
                           "00fe2900fe2900fe2900fe2900fe2900fe2900fe29001d29f40e01000102030405060708090a0b0c0d0e0f10111"
                           "2131415161718191a1b1c1d1e"
                           "1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4"
                           "c4d4e4f505152535455565758"
                           "595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f8081828384858"
                           "68788898a8b8c8d8e8f909192"
                           "939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc"
                           "0c1c2c3c4c5c6c7c8c9cacbcc"
                           "cdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9f"
                           "afbfcfdfeff00000000000000"
                           "0000000000000000fe0900fe0900fe0900fe0900fe0900fe0900fe0900920900";

std::string unpacked()
{
    std::string text;
    for (int i = 0; i < 20; ++i) text += "layer/weights/.ATTRIBUTES/VARIABLE_VALUE ";
    for (int c = 0; c < 256; ++c) text += static_cast<char>(c);
    return text + std::string(500, '\0');
}

TEST(Snappy, UnpacksDataOfARealEncoder)
{
    EXPECT_EQ(unpackSnappy(unhex(packed), 4096), unpacked());
    EXPECT_EQ(unpackSnappy(unhex(packed), 1575), std::nullopt);
    EXPECT_EQ(unpackSnappy(std::string(1, '\0'), 10), "");
}

TEST(Snappy, RefusesTruncatedDataAndFalseSizes)
{
    const std::string bytes = unhex(packed);
    for (std::size_t length = 0; length < bytes.size(); ++length)
        EXPECT_EQ(unpackSnappy(bytes.substr(0, length), 1 << 20), std::nullopt) << length;
    for (std::size_t at = 0; at < bytes.size(); ++at)
        for (const char c : {'\0', '\x7f', '\xff'}) {
            std::string changed = bytes;
            changed[at] = c;
            const auto out = unpackSnappy(changed, 1 << 20);
            EXPECT_TRUE(!out || out->size() <= std::size_t(1) << 20);
        }
    EXPECT_EQ(unpackSnappy(unhex("ffffffff0f00"), std::size_t(1) << 33), std::nullopt);  // 4 GB of two bytes
    EXPECT_EQ(unpackSnappy(unhex("0401610500"), 100), std::nullopt);  // copies from before the beginning
}

// Sets every length field of every layer to its extremes. The checksum is corrected, so that the parser behind it must
// refuse.
TEST(TensorflowReader, Q02_SurvivesExtremeBytesWithMatchingChecksums)
{
    for (const char *sample : {"saver-v2/model.ckpt-1300.index", "saver-v1/model.ckpt-1300"}) {
        const std::string bytes = test::data(std::string("tensorflow/") + sample);
        const std::size_t payload = parseTfFooter(bytes, bytes.size())->metaindex.offset - 5;
        for (std::size_t at = 0; at < payload; ++at) {
            if (at > 200 && at + 60 < payload) continue;  // values of weights
            for (const unsigned value : {0x00u, 0x01u, 0x7fu, 0x80u, 0xffu}) {
                std::string changed = bytes;
                changed[at] = static_cast<char>(value);
                if (value == 0xffu && at + 10 < payload) changed.replace(at, 10, unhex("ffffffffffffffffff01"));
                const std::uint32_t crc = crc32c(std::string_view(changed).substr(0, payload + 1));
                const std::uint32_t masked = ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
                for (std::size_t i = 0; i < 4; ++i) changed[payload + 1 + i] = static_cast<char>(masked >> (8 * i));
                if (std::string(sample).find("v2") != std::string::npos)
                    (void)parseTfBundle(changed);
                else
                    (void)test::readBytes(changed, "model.ckpt-1300");
            }
        }
    }
}

// Keys that share all bytes with the previous key take three bytes each in the file, but would take megabytes in
// memory.
TEST(TensorflowReader, Q02_SharedKeysDoNotExhaustMemory)
{
    std::string block = unhex("00ffff0301") + std::string(65535, 'k') + "v";
    for (int i = 0; i < 20000; ++i)
        block += unhex("fdff030300") + 'z' + static_cast<char>(i >> 8) + static_cast<char>(i & 0xff);
    block += std::string(4, '\0');
    const auto entries = parseTfBlock(block);
    ASSERT_FALSE(entries.has_value());
    EXPECT_EQ(entries.error().kind, ErrorKind::unsupported) << entries.error().message;
}

TEST(TensorflowReader, Q02_HugeIndexIsNotRead)
{
    Directory d("saver-v2");
    FileStat &stat = d.files.at("/tf/model.ckpt-1300.index").stat;
    stat.size = std::uint64_t(10) << 40;
    d.entries.at("/tf/model.ckpt-1300.index").stat = stat;
    const Evidence e = d.read("model.ckpt-1300");
    EXPECT_EQ(e.problems.front().code, ReasonCode("metadata_too_large"));
    EXPECT_EQ(e.complete, std::nullopt);
    EXPECT_LT(d.files.bytesAsked, 1u << 20);
}

}  // namespace
}  // namespace rankdeck::tensorflow_reader_test
