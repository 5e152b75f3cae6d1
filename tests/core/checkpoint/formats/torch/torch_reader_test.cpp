// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/codec/pickle.h"
#include "core/checkpoint/formats/torch/torch_names.h"
#include "tests/core/checkpoint/local_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::torch_reader_test {
namespace {

using test::data;
using testing::HasSubstr;

Evidence read(const std::string &bytes) { return test::readBytes(bytes, "model.pt"); }
Evidence sample(const std::string &name) { return read(data("torch/" + name)); }
std::string firstText(const Evidence &e) { return e.problems.empty() ? "" : e.problems.front().text; }

TEST(TorchReader, ReadsEpochAndStepOfAWholeZipFile)
{
    for (const char *name : {"whole/zip.pt", "whole/zip-stream.pt"}) {
        const Evidence e = sample(name);
        EXPECT_EQ(e.format, Format::torchZip);
        EXPECT_EQ(e.complete, true) << firstText(e);
        EXPECT_EQ(e.level, EvidenceLevel::L3);
        EXPECT_EQ(e.number("epoch"), 7);
        EXPECT_EQ(e.number("global_step"), 41200);
        EXPECT_GT(e.tensors.size(), 3u);
        EXPECT_LE(e.roundTrips, 4);
    }
    EXPECT_EQ(sample("whole/zip.pt").meta.at("archive_root"), "zip");
    EXPECT_EQ(sample("whole/zip-stream.pt").meta.at("archive_root"), "archive");
}

TEST(TorchReader, ReadsTheSameTensorsFromALegacyFile)
{
    const Evidence legacy = sample("whole/legacy.pt");
    EXPECT_EQ(legacy.format, Format::torchLegacy);
    EXPECT_EQ(legacy.complete, true) << firstText(legacy);
    EXPECT_EQ(legacy.level, EvidenceLevel::L3);
    EXPECT_EQ(legacy.number("epoch"), 7);
    EXPECT_TRUE(legacy.tensors.sameStructure(sample("whole/zip.pt").tensors));
}

TEST(TorchReader, ReadsEveryTensorType)
{
    const Evidence e = sample("whole/dtypes.pt");
    EXPECT_EQ(e.complete, true) << firstText(e);
    std::set<std::string> types;
    for (const TensorInfo &tensor : e.tensors) types.insert(tensor.type);
    for (const char *type : {"bfloat16", "float16", "int64", "bool", "float8_e4m3fn"})
        EXPECT_TRUE(types.count(type)) << type;
    EXPECT_EQ(sample("whole/whole-module.pt").complete, true);
}

TEST(TorchReader, ReadsFilesThatAScriptSavesPerRank)
{
    const Evidence e = sample("per_rank/rank_1/checkpoint.pth.tar");
    EXPECT_EQ(e.complete, true) << firstText(e);
    EXPECT_EQ(e.number("epoch"), 3);
    EXPECT_EQ(sample("per_rank/rank_0/model_best.pth.tar").meta.at("archive_root"),
              "checkpoint.pth");  // a copy keeps its first name
}

TEST(TorchReader, F08_ReportsStoragesMissingAfterAnExceptionInTheSave)
{
    EXPECT_EQ(sample("torn/complete-64x4KiB.pt").complete, true);
    const Evidence some = sample("torn/sigint-21-of-64.pt");
    EXPECT_EQ(some.complete, false);
    EXPECT_THAT(firstText(some), testing::AnyOf(HasSubstr("storages are missing"), HasSubstr("no data.pkl")));
    const Evidence none = sample("torn/sigint-no-data-pkl.pt");
    EXPECT_EQ(none.complete, false);
    EXPECT_THAT(firstText(none), HasSubstr("no data.pkl"));
}

TEST(TorchReader, F01_ReportsKilledSavesWithoutEndRecord)
{
    EXPECT_EQ(sample("torn/sigterm-no-eocd.pt").complete, false);
    EXPECT_THAT(firstText(sample("torn/sigterm-no-eocd.pt")), HasSubstr("no end record"));
    EXPECT_EQ(sample("torn/sigkill-empty.pt").complete, false);
    const std::string whole = data("torch/whole/zip.pt");
    EXPECT_EQ(read(whole.substr(0, whole.size() - 100)).complete, false);
    EXPECT_EQ(read(whole + std::string(200 << 10, 'g')).complete, false);  // F02
}

TEST(TorchReader, F03_ReportsALegacyFileCutAtAnyLength)
{
    for (const char *name : {"torn/legacy-sigint-header-only.pt", "torn/legacy-sigkill-in-storage.pt",
                             "torn/legacy-sigkill-in-storage-2.pt"})
        EXPECT_EQ(sample(name).complete, false) << name;
    const std::string whole = data("torch/whole/legacy.pt");
    for (std::size_t length = 16; length < whole.size(); length += 11)
        EXPECT_NE(read(whole.substr(0, length)).complete, true) << length;
    EXPECT_THAT(firstText(read(whole.substr(0, whole.size() - 1))), HasSubstr("1 B short"));
    EXPECT_EQ(read(whole + "x").complete, false);
}

TEST(TorchReader, ZipFileCutAtAnyLengthIsNeverWhole)
{
    const std::string whole = data("torch/whole/zip.pt");
    for (std::size_t length = 1; length < whole.size(); length += 101)
        EXPECT_NE(read(whole.substr(0, length)).complete, true) << length;
}

TEST(TorchReader, ReportsNaNInAStorage)
{
    std::string bytes = data("torch/torn/complete-64x4KiB.pt");
    EXPECT_FALSE(read(bytes).nonFiniteSeen);
    const std::size_t at = bytes.find("/data/0");
    ASSERT_NE(at, std::string::npos);
    const std::size_t begin = (at / 64 + 2) * 64;
    bytes.replace(begin, 4, std::string("\0\0\xc0\x7f", 4));
    EXPECT_TRUE(read(bytes).nonFiniteSeen);
}

std::string pickled(const std::string &body) { return "\x80\x02" + body + "."; }

// Storages that are read completely are compared with the checksums of the directory.
TEST(TorchReader, F12_ReportsAChangedBitOfASmallStorage)
{
    const std::string good = data("torch/per_rank/rank_0/checkpoint.pth.tar");
    std::string bytes = good;
    bytes[3100] = static_cast<char>(bytes[3100] ^ 1);
    const Evidence e = test::readBytes(bytes, "checkpoint.pth.tar");
    EXPECT_EQ(e.complete, false);
    EXPECT_EQ(e.problems.front().code, ReasonCode("crc_bad"));
    EXPECT_THAT(e.problems.front().text, testing::HasSubstr("data/14"));
    EXPECT_TRUE(test::readBytes(good, "checkpoint.pth.tar").problems.empty());
}

// set_crc32_options(False): no checksum matches, but the file is good.
TEST(TorchReader, DisabledChecksumsAreNotReportedAsDamage)
{
    std::string bytes = data("torch/per_rank/rank_0/checkpoint.pth.tar");
    for (std::size_t at = bytes.find("PK\x01\x02"); at != std::string::npos; at = bytes.find("PK\x01\x02", at + 4))
        std::fill_n(bytes.begin() + std::ptrdiff_t(at) + 16, 4, '\x77');
    const Evidence e = test::readBytes(bytes, "checkpoint.pth.tar");
    EXPECT_EQ(e.complete, true);
    ASSERT_EQ(e.problems.size(), 1u);
    EXPECT_EQ(e.problems.front().code, ReasonCode("crc_off"));
}

TEST(PickleTest, Q01_NamesHostileGlobalsAndNeverRunsThem)
{
    const std::string call = std::string("cposix\nsystem\n") + std::string("X\x02\0\0\0id", 7) + "\x85R";
    const auto hostile = Pickle::parse(pickled(call));
    ASSERT_TRUE(hostile.has_value()) << hostile.error().message;
    EXPECT_EQ(hostile->dangerous(), std::vector<std::string>{"posix.system"});
    // STACK_GLOBAL that takes its arguments from the memo.
    const std::string memoized =
        std::string("\x80\x04\x8c\x05posix\x94\x8c\x06system\x94") + "00" + std::string("h\0h\x01\x93", 5) + ").";
    const auto sly = Pickle::parse(memoized);
    ASSERT_TRUE(sly.has_value()) << sly.error().message;
    EXPECT_EQ(sly->dangerous(), std::vector<std::string>{"posix.system"});
}

std::string textOf(const std::string &text)
{
    return "X" + std::string{char(text.size())} + std::string(3, '\0') + text;
}

// getattr(module.Class, "name"), optionally with a call of the result.
std::string getattrOf(const std::string &outer, const std::string &name, bool called = false)
{
    const std::string fetched = "c__builtin__\ngetattr\n" + outer + textOf(name) + "\x86R";
    return called ? fetched + textOf("id") + "\x85R" : fetched;
}

TEST(PickleTest, ClassMemberIsHarmlessUnlessItIsCalled)
{
    const struct {
        std::string pickle;
        bool harmless;
    } rows[] = {
        {getattrOf("cdeepspeed.runtime.zero.config\nZeroStageEnum\n", "gradients"), true},
        {getattrOf("cmy.script\nMode\n", "TRAIN_2"), true},
        {getattrOf("cmy.script\nMode\n", "TRAIN", true), false},
        {getattrOf("cmy.script\nMode\n", "__init__"), false},
        {getattrOf("cmy.script\nmodule\n", "anything"), false},
        {getattrOf("cos.path\nSomething\n", "system"), false},
        {getattrOf("csubprocess\nPopen\n", "wait"), false},
        {getattrOf(getattrOf("cmy.script\nOuter\n", "Inner"), "VALUE"), true},
        {getattrOf(getattrOf("cmy.script\nOuter\n", "Inner"), "VALUE", true), false},
        {getattrOf("ctorch.distributed.fsdp.x\nFullyShardedDataParallel\n", "State", true), true},
        {getattrOf("cmy.script\nMode\n", "TRAIN") + "}b", false},  // BUILD
        {"c__builtin__\ngetattr\n", false},
    };
    for (const auto &row : rows) {
        const auto pickle = Pickle::parse(pickled(row.pickle));
        ASSERT_TRUE(pickle.has_value()) << row.pickle << pickle.error().message;
        EXPECT_EQ(pickle->dangerous().empty(), row.harmless) << row.pickle;
    }
}

TEST(PickleTest, Q02_BoundsLengthsDepthAndExpansion)
{
    EXPECT_FALSE(Pickle::parse(std::string("\x80\x02X\xff\xff\xff\xff", 7) + "abc").has_value());
    EXPECT_FALSE(Pickle::parse(std::string("\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\xff", 11) + "abc").has_value());
    EXPECT_TRUE(Pickle::parse(pickled(std::string(100000, ']') + std::string(99999, 'a'))).has_value());
    std::string bomb = "]q";
    bomb += '\0';
    for (int i = 0; i < 100; ++i) bomb += std::string("(h\0h\0h\0h\0h\0h\0h\0h\0h\0h\0e", 22);
    EXPECT_TRUE(Pickle::parse(pickled(bomb)).has_value());
    EXPECT_FALSE(Pickle::parse(pickled("N0000")).has_value());
    EXPECT_FALSE(Pickle::parse("").has_value());
    EXPECT_FALSE(Pickle::parse(pickled("r\xff\xff\xff\xff")).has_value());
    EXPECT_FALSE(Pickle::parse(pickled("i")).has_value());  // INST
    // One text of 100 kB as the name of a million classes (STACK_GLOBAL): 100 GB.
    std::string names = "X" + std::string("\xa0\x86\x01\0", 4) + std::string(100000, 'm') + std::string("q\0", 2);
    for (int i = 0; i < 1000000; ++i)
        names += std::string("h\0h\0\x93"
                             "0",
                             6);
    const auto named = Pickle::parse(pickled(names));
    ASSERT_FALSE(named.has_value());
    EXPECT_EQ(named.error().kind, ErrorKind::unsupported) << named.error().message;
}

TEST(PickleTest, ParsesEveryNumberFormat)
{
    const auto list = Pickle::parse(pickled(std::string("](K\x07M\x01\x02J\xff\xff\xff\xff\x8a\x02\x00\x80"
                                                        "G\x3f\xf0\0\0\0\0\0\0\x88Ne",
                                                        28)));
    ASSERT_TRUE(list.has_value()) << list.error().message;
    ASSERT_EQ(list->root().items.size(), 7u);
    EXPECT_EQ(list->at(list->root().items[0]).integer, 7);
    EXPECT_EQ(list->at(list->root().items[1]).integer, 513);
    EXPECT_EQ(list->at(list->root().items[2]).integer, -1);
    EXPECT_EQ(list->at(list->root().items[3]).integer, -32768);
    EXPECT_EQ(list->at(list->root().items[4]).real, 1.0);
}

TEST(TorchNames, ParsesFileNamesOfScripts)
{
    EXPECT_EQ(parseTorchName("model_best.pth.tar", "")->prefix, "model_best");
    EXPECT_EQ(parseTorchName("epoch_3.pt", "")->epoch, 3);
    EXPECT_EQ(parseTorchName("net-step-1200.pth", "")->globalStep, 1200);
    EXPECT_EQ(parseTorchName("epoch=2-step=40.pt", "")->epoch, 2);
    EXPECT_EQ(parseTorchName("epoch=2-step=40.pt", "")->globalStep, 40);
    EXPECT_EQ(parseTorchName("checkpoint_npu3model_best.pth.tar", "")->prefix, "checkpoint");
    for (const char *name :
         {"notes.txt", "optimizer.pt", "rng_state_0.pth", "mp_rank_00_model_states.pt", "model_optim_rng.pt"})
        EXPECT_FALSE(parseTorchName(name, "")) << name;
}

}  // namespace
}  // namespace rankdeck::torch_reader_test
