// SPDX-License-Identifier: GPL-3.0-or-later
// Real archives of NumPy (tests/data/numpy): complete, cut, and with wrong headers.
#include "core/checkpoint/formats/formats.h"
#include "core/checkpoint/formats/numpy/npy_header.h"
#include "tests/core/checkpoint/local_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::npz_test {
namespace {

using test::data;
using testing::HasSubstr;

const std::string sample = "numpy/rank_0/state_step_200.npz";

Evidence read(const std::string &bytes) { return test::readBytes(bytes, "state_step_200.npz"); }
std::string firstText(const Evidence &e) { return e.problems.empty() ? "" : e.problems.front().text; }

std::string replaced(std::string bytes, const std::string &from, const std::string &to)
{
    const std::size_t at = bytes.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? bytes : bytes.replace(at, from.size(), to);
}

TEST(Npz, ReadsRealArchivesDownToTheirWeights)
{
    const Evidence e = read(data(sample));
    EXPECT_EQ(e.format, Format::npz);
    EXPECT_EQ(e.complete, true) << firstText(e);
    EXPECT_EQ(e.level, EvidenceLevel::L3);
    EXPECT_EQ(e.number("global_step"), 200);
    ASSERT_EQ(e.tensors.size(), 6u);
    EXPECT_EQ(e.tensors[0].name, "params/dense/kernel");
    EXPECT_EQ(e.tensors[0].type, "float32");
    EXPECT_EQ(shapeText(e.tensors[0].shape), "[16, 8]");
    EXPECT_EQ(e.meta.count("holds"), 0u);
    EXPECT_EQ(read(data("numpy/weights.npz")).meta.at("holds"), "weights");
}

TEST(Npz, ReadsCompressedArchivesDownToTheirHeaders)
{
    const Evidence e = read(data("numpy/compressed.npz"));
    EXPECT_EQ(e.complete, true) << firstText(e);
    EXPECT_EQ(e.number("global_step"), 200);
    EXPECT_TRUE(e.tensors.sameStructure(read(data(sample)).tensors));
}

TEST(Npz, AcceptsOtherByteOrdersAndTypes)
{
    const Evidence e = read(data("numpy/order.npz"));
    EXPECT_EQ(e.complete, true) << firstText(e);
    EXPECT_EQ(e.tensors[1].type, ">f8");
    EXPECT_EQ(e.tensors[2].type, "<U4");
    EXPECT_TRUE(e.tensors[2].shape.empty());
}

TEST(Npz, FlagsPickledObjectsWithoutLoadingThem)
{
    const Evidence e = read(data("numpy/objects.npz"));
    ASSERT_FALSE(e.problems.empty());
    EXPECT_EQ(e.problems.front().code, ReasonCode("dangerous_pickle"));
}

TEST(Npz, F01_ReportsACutAtAnyLength)
{
    const std::string bytes = data(sample);
    for (std::size_t length = 1; length < bytes.size(); length += 37)
        EXPECT_NE(read(bytes.substr(0, length)).complete, true) << length;
    EXPECT_EQ(read(bytes.substr(0, bytes.size() - 1)).complete, false);
    EXPECT_EQ(read(bytes + "x").complete, false);
}

TEST(Npz, F04_ReportsHeadersWithFalseValues)
{
    const std::string bytes = data(sample);
    EXPECT_THAT(firstText(read(replaced(bytes, "(16, 8)", "(17, 8)"))), HasSubstr("needs"));
    EXPECT_THAT(firstText(read(replaced(bytes, "(16, 8)", "(-6, 8)"))), HasSubstr("shape"));
    EXPECT_THAT(firstText(read(replaced(bytes, "'<f4'", "'<f8'"))), HasSubstr("needs"));
    EXPECT_THAT(firstText(read(replaced(bytes, "\x93NUMPY", "\x93NUMPX"))), HasSubstr("magic"));
    EXPECT_EQ(read(replaced(bytes, "\x93NUMPY\x01", "\x93NUMPY\x09")).complete, false);
}

TEST(Npz, RefusesShapesThatOverflow)
{
    std::string header =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4611686018427387904), }";
    const std::string npy = std::string("\x93NUMPY\x01\x00", 8) + char(header.size()) + std::string(1, '\0') + header;
    EXPECT_FALSE(parseNpyHeader(npy).has_value());
    EXPECT_FALSE(parseNpyHeader(npy.substr(0, 20)).has_value());
    EXPECT_FALSE(parseNpyHeader("").has_value());
}

TEST(Npz, ParsesFileNamesOfScripts)
{
    EXPECT_EQ(parseCheckpointName("state_step_200.npz", "")->globalStep, 200);
    EXPECT_EQ(parseCheckpointName("params_rank_3.npz", "")->rank, 3);
    EXPECT_EQ(parseCheckpointName("x.npz", "")->extension, "npz");
    EXPECT_FALSE(parseCheckpointName(".npz", ""));
}

}  // namespace
}  // namespace rankdeck::npz_test
