// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/read/reader.h"
#include "tests/core/checkpoint/local_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::mindspore_reader_test {
namespace {

using test::data;
using test::readBytes;
using testing::HasSubstr;

std::string firstText(const Evidence &e) { return e.problems.empty() ? "" : e.problems.front().text; }
std::string firstCode(const Evidence &e) { return e.problems.empty() ? "" : e.problems.front().code.word(); }

struct Sample {
    const char *path;
    std::int64_t epoch, step, globalStep;
    std::size_t tensors;
};

class RealCheckpoint : public testing::TestWithParam<Sample> {};

TEST_P(RealCheckpoint, IsCompleteAndHasItsEpochAndStep)
{
    const Sample sample = GetParam();
    const Evidence e = readBytes(data(std::string("mindspore/") + sample.path));
    EXPECT_EQ(e.format, Format::mindsporeCkpt);
    EXPECT_EQ(e.complete, true) << firstText(e);
    EXPECT_GE(e.level, EvidenceLevel::L3);
    EXPECT_EQ(e.number("epoch_num").value_or(-1), sample.epoch);
    EXPECT_EQ(e.number("step_num").value_or(-1), sample.step);
    EXPECT_EQ(e.number("global_step").value_or(-1), sample.globalStep);
    EXPECT_EQ(e.tensors.size(), sample.tensors);
    EXPECT_FALSE(e.nonFiniteSeen);
    EXPECT_LE(e.roundTrips, 2);
}

INSTANTIATE_TEST_SUITE_P(Samples, RealCheckpoint,
                         testing::Values(Sample{"ckpt/2.0.0/append_info/rank_0/lenet-2_5.ckpt", 2, 15, 0, 11},
                                         Sample{"ckpt/2.0.0/plain/rank_0/lenet-1_10.ckpt", -1, -1, 0, 9},
                                         Sample{"ckpt/2.0.0/breakpoint/rank_0/lenet-2_3_breakpoint.ckpt", 2, 3, 0, 11},
                                         Sample{"ckpt/2.7.0/append_info/rank_0/lenet-2_10.ckpt", 2, 20, 20, 11},
                                         Sample{"ckpt/2.7.0/plain/rank_0/lenet-1_5.ckpt", -1, -1, 5, 9},
                                         Sample{"ckpt/2.7.0/crc/rank_0/lenet-1_10.ckpt", 1, 10, 10, 11},
                                         Sample{"ckpt/2.7.0/breakpoint/rank_0/lenet-2_3_breakpoint.ckpt", 2, 3, 13, 11},
                                         Sample{"ckpt/2.7.0/graceful/rank_0/LeNet5_train.ckpt", 1, 1, 1, 14},
                                         Sample{"ckpt/2.10.0/append_info/rank_0/lenet-1_5.ckpt", 1, 5, 5, 11},
                                         Sample{"ckpt/2.10.0/crc/rank_0/lenet-1_5.ckpt", 1, 5, 5, 11},
                                         Sample{"dp4/2.10.0/graceful/rank_3/LeNet5_train.ckpt", 2, 14, 14, 14},
                                         Sample{"dp4/2.7.0/resume/rank_2/lenet_1-4_10.ckpt", 4, 20, 40, 11}));

TEST(MindsporeReader, ReportsTensorsWithShapeTypeAndOffset)
{
    const std::string bytes = data("mindspore/ckpt/2.7.0/append_info/rank_0/lenet-1_10.ckpt");
    const Evidence e = readBytes(bytes);
    ASSERT_GE(e.tensors.size(), 2u);
    EXPECT_EQ(e.tensors[1].name, "fc.weight");
    EXPECT_EQ(e.tensors[1].type, "Float32");
    EXPECT_EQ(e.tensors[1].shape, (std::vector<std::int64_t>{10, 18}));
    EXPECT_EQ(e.tensors[1].bytes, 720u);
    EXPECT_EQ(e.tensors[1].offset, 993u - 720u);
    EXPECT_EQ(e.meta.at("learning_rate"), "0.00999999978");
}

TEST(MindsporeReader, ReadsBothFormsOfScalars)
{
    EXPECT_EQ(readBytes(data("mindspore/ckpt/2.0.0/append_info/rank_0/lenet-1_10.ckpt")).meta.at("scalar_dims"), "[0]");
    EXPECT_EQ(readBytes(data("mindspore/ckpt/2.7.0/append_info/rank_0/lenet-1_10.ckpt")).meta.count("scalar_dims"), 0u);
}

TEST(MindsporeReader, ShowsValuesThatAScriptAppendsUnderItsOwnNames)
{
    const Evidence e = readBytes(data("mindspore/ckpt/2.7.0/own_info/rank_0/own-1_2.ckpt"));
    EXPECT_EQ(e.meta.at("info.lr"), "0.00999999978");
    EXPECT_EQ(e.meta.at("info.round"), "7");
    EXPECT_EQ(e.meta.at("info.augmented"), "1");
    EXPECT_EQ(e.meta.at("info.note"), "second try");
    EXPECT_EQ(e.meta.at("info.scale"), "0.5");
    EXPECT_EQ(e.meta.at("momentum"), "0.899999976");
    EXPECT_EQ(e.meta.at("epoch_num"), "1");
    EXPECT_EQ(e.meta.count("info.bias"), 0u) << "a weight of one element is none";
    EXPECT_EQ(e.complete, true);
}

TEST(MindsporeReader, RecognisesTheCrcTrailer)
{
    EXPECT_EQ(readBytes(data("mindspore/ckpt/2.7.0/crc/rank_0/lenet-1_10.ckpt")).crc, Evidence::Crc::ok);
    EXPECT_EQ(readBytes(data("mindspore/ckpt/2.7.0/append_info/rank_0/lenet-1_10.ckpt")).crc, Evidence::Crc::absent);
}

TEST(MindsporeReader, ReadsGracefulExitTagsAndScalarGlobalStep)
{
    const Evidence train = readBytes(data("mindspore/dp4/2.7.0/graceful/rank_0/LeNet5_train.ckpt"));
    EXPECT_TRUE(train.graceful);
    EXPECT_EQ(train.number("graceful_exit"), 1);
    EXPECT_EQ(train.number("graceful_init"), 1);
    EXPECT_EQ(train.number("batch_num"), 10);
    EXPECT_EQ(train.meta.at("global_step_shape"), "[]");
    const Evidence early = readBytes(data("mindspore/dp4/2.7.0/graceful/rank_0/lenet-1_5.ckpt"));
    EXPECT_TRUE(early.graceful);
    EXPECT_EQ(early.number("graceful_exit"), 0);
    EXPECT_FALSE(readBytes(data("mindspore/dp4/2.7.0/resume/rank_0/lenet-1_5.ckpt")).graceful);
}

TEST(MindsporeReader, FindsNanWeightsInAWholeFile)
{
    for (const char *version : {"2.0.0", "2.7.0", "2.10.0"}) {
        const std::string path = std::string("mindspore/ckpt/") + version + "/nan/rank_0/lenet-";
        const Evidence sick = readBytes(data(path + "2_5.ckpt"));
        EXPECT_EQ(sick.complete, true);
        EXPECT_TRUE(sick.nonFiniteSeen) << version;
        EXPECT_EQ(firstCode(sick), "nan_weights");
        EXPECT_THAT(firstText(sick), HasSubstr("NaN"));
        EXPECT_FALSE(readBytes(data(path + "1_5.ckpt")).nonFiniteSeen) << version;
    }
}

TEST(MindsporeReader, RecognisesEncryptedFiles)
{
    for (const char *name : {"encrypted_AES-GCM.ckpt", "encrypted_AES-CBC.ckpt"}) {
        const Evidence e = readBytes(data(std::string("mindspore/ckpt/2.7.0/encrypted/") + name));
        EXPECT_TRUE(e.encrypted);
        EXPECT_EQ(e.complete, std::nullopt);
        EXPECT_EQ(firstCode(e), "encrypted");
    }
}

TEST(MindsporeReader, DoesNotTakeAStrategyFileForACheckpoint)
{
    const Evidence e = readBytes(data("mindspore/strategy/ckpt_strategy_rank_0.ckpt"), "model-1_10.ckpt");
    EXPECT_EQ(e.format, Format::mindsporeStrategy);
    EXPECT_EQ(firstCode(e), "not_a_checkpoint");
    EXPECT_NE(e.complete, true);
}

TEST(MindsporeReader, ReportsEveryCutInsideARecord)
{
    const std::string bytes = data("mindspore/ckpt/2.7.0/append_info/rank_0/lenet-1_10.ckpt");
    const std::vector<std::size_t> boundaries = test::recordBoundaries(bytes);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        const bool boundary =
            length != 0 && std::find(boundaries.begin(), boundaries.end(), length) != boundaries.end();
        const Evidence e = readBytes(bytes.substr(0, length));
        EXPECT_EQ(e.complete, boundary) << "cut to " << length;
        if (!boundary) { EXPECT_FALSE(e.problems.empty()) << length; }
    }
}

TEST(MindsporeReader, CutBetweenRecordsLooksWholeButHasFewerTensors)
{
    const std::string bytes = data("mindspore/ckpt/2.7.0/append_info/rank_0/lenet-1_10.ckpt");
    const Evidence whole = readBytes(bytes);
    const std::vector<std::size_t> boundaries = test::recordBoundaries(bytes);
    for (std::size_t i = 1; i + 1 < boundaries.size(); ++i) {
        const Evidence cut = readBytes(bytes.substr(0, boundaries[i]));
        EXPECT_EQ(cut.complete, true);
        EXPECT_EQ(cut.tensors.size(), i);
        EXPECT_EQ(cut.tensors.commonPrefix(whole.tensors), i);
    }
}

TEST(MindsporeReader, ReportsHowManyBytesACutFileLacks)
{
    const std::string bytes = data("mindspore/ckpt/2.7.0/append_info/rank_0/lenet-1_10.ckpt");
    const Evidence e = readBytes(bytes.substr(0, 900));
    EXPECT_EQ(firstCode(e), "torn");
    EXPECT_THAT(firstText(e), HasSubstr("fc.weight"));
    EXPECT_THAT(firstText(e), HasSubstr("93 B"));
    EXPECT_EQ(e.problems.front().offset, 900u);
}

TEST(MindsporeReader, ReportsBytesAfterTheLastRecord)
{
    const std::string bytes = data("mindspore/ckpt/2.7.0/append_info/rank_0/lenet-1_10.ckpt");
    EXPECT_THAT(firstText(readBytes(bytes + std::string(512, '\0'))), HasSubstr("zeros"));
    EXPECT_EQ(readBytes(bytes + "garbage").complete, false);
    EXPECT_EQ(readBytes(bytes + bytes).complete, false);  // two concatenated files
    const std::string crc = data("mindspore/ckpt/2.7.0/crc/rank_0/lenet-1_10.ckpt");
    for (std::size_t cut = 1; cut < 17; ++cut)
        EXPECT_EQ(readBytes(crc.substr(0, crc.size() - cut)).complete, false) << cut;
}

TEST(MindsporeReader, ReportsZeroedFrames)
{
    const std::string bytes = data("mindspore/ckpt/2.7.0/append_info/rank_0/lenet-1_10.ckpt");
    EXPECT_EQ(readBytes(std::string(bytes.size(), '\0')).complete, false);
    std::string half = bytes;
    std::fill(half.begin() + 1000, half.end(), '\0');
    EXPECT_EQ(readBytes(half).complete, false);
}

TEST(MindsporeReader, ComparesContentSizeWithTheShape)
{
    const std::string good = test::record("w", "Float32", {2, 2}, std::string(16, 'x'));
    EXPECT_EQ(readBytes(good).complete, true);
    EXPECT_THAT(firstText(readBytes(test::record("w", "Float32", {2, 2}, std::string(12, 'x')))),
                HasSubstr("needs 16"));
    EXPECT_EQ(readBytes(test::record("w", "Float32", {-1, 4}, std::string(16, 'x'))).complete, false);
    EXPECT_EQ(readBytes(test::record("w", "Float32", {std::int64_t(1) << 62, 4}, std::string(16, 'x'))).complete,
              false);
}

TEST(MindsporeReader, ReadsTensorNamesOfAnyLength)
{
    const std::string tag(600, 't');
    const Evidence e =
        readBytes(test::record(tag, "Float32", {4}, std::string(16, '\0')) + test::int64Record("epoch_num", 7));
    EXPECT_EQ(e.complete, true) << firstText(e);
    EXPECT_EQ(e.tensors[0].name, tag);
    EXPECT_EQ(e.number("epoch_num"), 7);
}

TEST(MindsporeReader, JoinsSlicesOfOneLargeTensor)
{
    // Two records of 512 MiB each are needed. The reader reads only their heads, so holes replace the content.
    const auto head = [](std::uint64_t content) {
        std::string tensor = std::string("\x08\x80\x80\x80\x80\x01", 6) +
                             std::string("\x12\x07"
                                         "Float32",
                                         9) +
                             '\x1a';
        std::string size;
        for (std::uint64_t v = content;; v >>= 7) {
            size += static_cast<char>((v >= 0x80 ? 0x80 : 0) | (v & 0x7f));
            if (v < 0x80) break;
        }
        tensor += size;
        const auto varintOf = [](std::uint64_t v) {
            std::string s;
            for (;; v >>= 7) {
                s += static_cast<char>((v >= 0x80 ? 0x80 : 0) | (v & 0x7f));
                if (v < 0x80) return s;
            }
        };
        const std::string value = std::string("\x0a\x01w\x12", 4) + varintOf(tensor.size() + content) + tensor;
        return std::string("\x0a") + varintOf(value.size() + content) + value;
    };
    const std::uint64_t slice = 512u << 20;
    const std::string one = head(slice);
    FileEntry entry{"/big-1_1.ckpt", {}};
    entry.stat.size = 2 * (one.size() + slice);
    const auto reader = makeReader(entry, EvidenceLevel::L2);
    ASSERT_FALSE(reader->advance({}).done());
    ReadReplies replies;
    replies.ranges = {{one, 0, entry.stat, {}}, {std::string(64, '\0'), entry.stat.size - 64, entry.stat, {}}};
    ScanReply skim;
    skim.stat = entry.stat;
    skim.end = entry.stat.size;
    skim.records = {{0, one.size() + slice, one}, {one.size() + slice, one.size() + slice, one}};
    replies.scans = {skim};
    EXPECT_TRUE(reader->advance(replies).done());
    const Evidence e = reader->evidence();
    EXPECT_EQ(e.complete, true) << firstText(e);
    ASSERT_EQ(e.tensors.size(), 1u);
    EXPECT_EQ(e.tensors[0].bytes, 2 * slice);
}

TEST(MindsporeReader, ReadsMoreRecordsThanOneRequestReturns)
{
    std::string bytes;
    for (int i = 0; i < 45000; ++i) bytes += test::record("w" + std::to_string(i), "Int8", {1}, "x");
    const Evidence e = readBytes(bytes);
    EXPECT_EQ(e.complete, true) << firstText(e);
    EXPECT_EQ(e.tensors.size(), 45000u);
    EXPECT_LE(e.roundTrips, 4);
}

TEST(MindsporeReader, FileThatChangedSinceListingProvesNothing)
{
    test::MemoryFiles files;
    const FileEntry entry =
        files.add("/c/lenet-1_5.ckpt", data("mindspore/ckpt/2.7.0/append_info/rank_0/lenet-1_5.ckpt"));
    files.at("/c/lenet-1_5.ckpt").stat.mtimeNs += 1;
    const Evidence e = test::readAll(files, entry);
    EXPECT_EQ(e.level, EvidenceLevel::L0);
    EXPECT_EQ(e.complete, std::nullopt);
    EXPECT_EQ(firstCode(e), "still_growing");
}

TEST(MindsporeReader, UnreadableFileReportsItsReason)
{
    FileEntry entry{"/c/lenet-1_5.ckpt", {}, {}, "Permission denied"};
    const auto reader = makeReader(entry, EvidenceLevel::L3);
    EXPECT_TRUE(reader->advance({}).done());
    EXPECT_EQ(firstCode(reader->evidence()), "unreadable");
    EXPECT_EQ(reader->evidence().complete, std::nullopt);
}

TEST(MindsporeReader, ReadsOnlyKilobytesOfTenTerabytesOfZeros)
{
    test::MemoryFiles files;
    FileEntry entry = files.add("/c/lenet-1_5.ckpt", "");
    files.at(entry.path).stat.size = entry.stat.size = 10ull << 40;
    const Evidence e = test::readAll(files, entry);
    EXPECT_EQ(e.complete, false);
    EXPECT_LT(files.bytesAsked, 100u << 10);
}

TEST(MindsporeReader, ReadsOnlyKilobytesOfALargeFile)
{
    std::string bytes;
    for (int i = 0; i < 30; ++i)
        bytes +=
            test::record("layer" + std::to_string(i) + ".weight", "Float32", {1 << 16}, std::string(4 << 16, '\x3c'));
    bytes += test::int64Record("epoch_num", 1);
    test::MemoryFiles files;
    const FileEntry entry = files.add("/c/lenet-1_5.ckpt", bytes);
    const Evidence e = test::readAll(files, entry);
    EXPECT_EQ(e.level, EvidenceLevel::L3);
    EXPECT_LT(e.bytesRead, 120u << 10);
    EXPECT_EQ(e.bytesRead, files.bytesAsked);
    EXPECT_EQ(e.roundTrips, 2);
}

TEST(MindsporeReader, F12_ComparesASmallFileWithItsChecksumAtOnce)
{
    const std::string good = data("mindspore/ckpt/2.7.0/crc/rank_0/lenet-1_10.ckpt");
    EXPECT_EQ(readBytes(good).level, EvidenceLevel::L4);
    for (const std::size_t at : {std::size_t(100), std::size_t(700), good.size() - 1}) {
        std::string bytes = good;
        bytes[at] = static_cast<char>(bytes[at] ^ 1);
        const Evidence e = readBytes(bytes);
        EXPECT_EQ(e.crc, Evidence::Crc::bad) << at;
        EXPECT_EQ(e.complete, false);
        EXPECT_EQ(e.problems.front().code, ReasonCode("crc_bad"));
    }
    // This file is too large for a complete read: only a check of every byte on the node shows the damage.
    std::string large = test::record("w", "Float32", {600, 500}, std::string(1'200'000, '\x11'));
    large = test::withCrc(large + test::int64Record("epoch_num", 1));
    large[1000] = '\x12';
    EXPECT_EQ(readBytes(large).crc, Evidence::Crc::unchecked);
    EXPECT_EQ(readBytes(large).level, EvidenceLevel::L3);
}

// Sets each length field of a small file to its extremes: the result is bounded, and "complete" only if nothing was
// changed.
TEST(MindsporeReader, SurvivesExtremeValuesInEveryByte)
{
    const std::string bytes = data("mindspore/ckpt/2.7.0/crc/rank_0/lenet-1_10.ckpt");
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        for (const char value : {'\x00', '\x7f', '\x80', '\xff'}) {
            std::string hostile = bytes;
            hostile[at] = value;
            const Evidence e = readBytes(hostile);
            EXPECT_LE(e.problems.size(), 100u);
            EXPECT_LE(e.tensors.size(), 11u);
        }
    }
}

}  // namespace
}  // namespace rankdeck::mindspore_reader_test
