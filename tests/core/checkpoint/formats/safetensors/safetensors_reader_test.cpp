// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/safetensors/safetensors_header.h"
#include "tests/core/checkpoint/local_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace rankdeck::safetensors_reader_test {
namespace {

using test::data;
using testing::HasSubstr;

std::string safetensors(const std::string &json, const std::string &body)
{
    std::string out;
    for (int i = 0; i < 8; ++i) out += static_cast<char>(json.size() >> (8 * i));
    return out + json + body;
}

Evidence read(const std::string &bytes) { return test::readBytes(bytes, "model-1_10.safetensors"); }
std::string firstText(const Evidence &e) { return e.problems.empty() ? "" : e.problems.front().text; }

const std::string twoJson =
    R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"I64","shape":[],"data_offsets":[8,16]}})";

TEST(Safetensors, ReadsRealFilesOfMindspore)
{
    for (const char *version : {"2.7.0", "2.10.0"}) {
        const Evidence e =
            read(data(std::string("mindspore/ckpt/") + version + "/safetensors/rank_0/lenet-1_10.safetensors"));
        EXPECT_EQ(e.format, Format::safetensors);
        EXPECT_EQ(e.complete, true) << firstText(e);
        EXPECT_EQ(e.level, EvidenceLevel::L3);
        EXPECT_EQ(e.number("epoch_num"), 1);
        EXPECT_EQ(e.number("step_num"), 10);
        EXPECT_EQ(e.number("global_step"), 10);
        EXPECT_EQ(e.meta.at("format"), "ms");
        EXPECT_EQ(e.meta.at("remove_redundancy"), "False");
        EXPECT_EQ(e.tensors.size(), 11u);
    }
}

TEST(Safetensors, ReportsAnyWrongFileLength)
{
    const std::string bytes = data("mindspore/ckpt/2.7.0/safetensors/rank_0/lenet-1_10.safetensors");
    for (std::size_t length = 1; length < bytes.size(); length += 13)
        EXPECT_EQ(read(bytes.substr(0, length)).complete, false) << length;
    const Evidence shortOne = read(bytes.substr(0, bytes.size() - 1));
    EXPECT_THAT(firstText(shortOne), HasSubstr("1 B short"));
    EXPECT_EQ(read(bytes + "x").complete, false);
}

TEST(Safetensors, F04_ReportsHeadersWithFalseValues)
{
    EXPECT_EQ(read(safetensors(twoJson, std::string(16, 'x'))).complete, true);
    EXPECT_EQ(read(std::string(8, '\0') + "{}").complete, false);  // length 0
    EXPECT_EQ(read(std::string("\x00\xca\x9a\x3b\0\0\0\0", 8) + "{\"a\"" + std::string(64, ' ')).complete,
              false);  // 10^9
    EXPECT_EQ(read(std::string("\xff\xff\xff\xff\xff\xff\xff\xff", 8) + "{\"a\"" + std::string(64, ' ')).complete,
              false);
    EXPECT_EQ(read(safetensors(twoJson.substr(0, 60), std::string(16, 'x'))).complete, false);  // cut
    const auto with = [](const std::string &from, const std::string &to) {
        std::string json = twoJson;
        json.replace(json.find(from), from.size(), to);
        return firstText(read(safetensors(json, std::string(16, 'x'))));
    };
    EXPECT_THAT(with("[8,16]", "[9,17]"), HasSubstr("gap"));
    EXPECT_THAT(with("[8,16]", "[7,15]"), HasSubstr("overlap"));
    EXPECT_THAT(with("[2]", "[3]"), HasSubstr("needs 12"));
    EXPECT_THAT(with("[0,8]", "[8,0]"), HasSubstr("end before they begin"));
    EXPECT_THAT(with("[2]", "[-2]"), HasSubstr("bad shape"));
    EXPECT_THAT(with("[2]", "[4611686018427387904,4611686018427387904]"), HasSubstr("impossible shape"));
}

TEST(Safetensors, Q04_BoundsDeepAndLargeHeaders)
{
    const std::string deep = "{\"a\":" + std::string(100000, '[') + std::string(100000, ']') + "}";
    EXPECT_EQ(read(safetensors(deep, "")).complete, false);
    test::MemoryFiles files;
    FileEntry entry = files.add("/big.safetensors", std::string("\x00\x80\xe6\x05\0\0\0\0", 8) + "{\"a\":1}");  // 99 MB
    entry.stat.size = files.at(entry.path).stat.size = 200'000'000;
    const Evidence e = test::readAll(files, entry);
    EXPECT_NE(e.complete, true);
    EXPECT_EQ(e.problems.front().code, ReasonCode("header_too_large"));
    EXPECT_LT(files.bytesAsked, 1u << 20);
}

TEST(Safetensors, F11_ReportsAPreallocatedTailOfZeros)
{
    const std::string json =
        R"({"a.weight":{"dtype":"F32","shape":[4096],"data_offsets":[0,16384]},"b.weight":{"dtype":"F32","shape":[4096],"data_offsets":[16384,32768]}})";
    const Evidence e = read(safetensors(json, std::string(16384, '\x3c') + std::string(16384, '\0')));
    EXPECT_EQ(e.complete, false);
    EXPECT_EQ(e.problems.front().code, ReasonCode("zero_tail"));
    EXPECT_EQ(read(safetensors(json, std::string(32768, '\x3c'))).complete, true);
}

TEST(Safetensors, ZeroBiasIsNotReportedAsAZeroTail)
{
    const std::string json =
        R"({"a.weight":{"dtype":"F32","shape":[64],"data_offsets":[0,256]},"b.bias":{"dtype":"F32","shape":[64],"data_offsets":[256,512]}})";
    EXPECT_EQ(read(safetensors(json, std::string(256, '\x3c') + std::string(256, '\0'))).complete, true);
}

class NanOf : public testing::TestWithParam<std::pair<const char *, std::string>> {};

TEST_P(NanOf, IsDetectedInEveryType)
{
    const auto &[type, nan] = GetParam();
    const std::string bytes = std::to_string(nan.size() * 8);
    const std::string json =
        R"({"w":{"dtype":")" + std::string(type) + R"(","shape":[8],"data_offsets":[0,)" + bytes + "]}}";
    std::string body(nan.size() * 8, '\x3c');
    EXPECT_FALSE(read(safetensors(json, body)).nonFiniteSeen);
    body.replace(nan.size() * 3, nan.size(), nan);
    EXPECT_TRUE(read(safetensors(json, body)).nonFiniteSeen);
}

INSTANTIATE_TEST_SUITE_P(Types, NanOf,
                         testing::Values(std::pair("F16", std::string("\x01\x7e", 2)),
                                         std::pair("BF16", std::string("\xc0\x7f", 2)),
                                         std::pair("F32", std::string("\0\0\xc0\x7f", 4)),
                                         std::pair("F64", std::string("\0\0\0\0\0\0\xf8\x7f", 8)),
                                         std::pair("F32", std::string("\0\0\x80\x7f", 4)),
                                         std::pair("F64", std::string("\0\0\0\0\0\0\xf0\xff", 8))));

TEST(Safetensors, MaskOfInfinitiesIsNotReportedAsDamage)
{
    const std::string json = R"({"mask":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})";
    EXPECT_FALSE(read(safetensors(json, std::string("\0\0\x80\xff\0\0\0\0\0\0\x80\xff\0\0\0\0", 16))).nonFiniteSeen);
}

}  // namespace
}  // namespace rankdeck::safetensors_reader_test
