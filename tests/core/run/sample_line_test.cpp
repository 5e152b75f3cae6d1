// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/sample_line.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rankdeck::sample_line_test {
namespace {

std::optional<std::uint64_t> lineIn(const std::string &log, SampleNumbers wanted, std::size_t piece = 7)
{
    SampleLineSearch search(std::move(wanted), 1000);
    for (std::size_t at = 0; at < log.size(); at += piece) {
        if (search.add(std::string_view(log).substr(at, piece))) break;
    }
    return search.found();
}

TEST(SampleLine, FindsOneOfManyEqualLossesByItsStep)
{
    std::string log;
    std::vector<std::uint64_t> at;
    for (int step = 1; step <= 300; ++step) {
        at.push_back(1000 + log.size());
        log += "epoch: 1 step: " + std::to_string(step) + ", loss is 0.5\n";
    }
    EXPECT_EQ(lineIn(log, {0.5f, {105}}), at[104]);
    EXPECT_EQ(lineIn(log, {0.5f, {300}}), at[299]);
    EXPECT_FALSE(lineIn(log, {0.5f, {301}})) << "300 lines say the same";
    EXPECT_FALSE(lineIn(log, {0.25f, {105}}));
}

TEST(SampleLine, FindsALineByItsStepWithinTheEpochOrWithoutTheShift)
{
    const SampleNumbers numbers = SampleNumbers::of({.step = 230, .loss = 2.0f}, 30, 50);
    for (const std::int64_t name : {230, 200, 30, 50})
        EXPECT_EQ(std::count(numbers.steps.begin(), numbers.steps.end(), name), 1) << name;
    const std::string log = "epoch: 4 step: 49, loss is 2.0\nepoch: 4 step: 50, loss is 2.0\n";
    EXPECT_EQ(lineIn(log, numbers), 1031u);
}

TEST(SampleLine, FindsALineWithoutAStepIfItsLossIsUnique)
{
    const std::string log = "loss 1.25\nloss 1.125\nloss 1.25e0x\nrank1.5\n";
    EXPECT_EQ(lineIn(log, {1.125f, {7}}), 1010u);
    EXPECT_EQ(lineIn(log, {1.25f, {7}}), 1000u) << "1.25e0x is no number";
    EXPECT_FALSE(lineIn(log, {1.5f, {7}})) << "a number within a word is none";
}

TEST(SampleLine, FindsNaNButNoUnfinishedLine)
{
    EXPECT_EQ(lineIn("step: 3 loss: 1.0\nstep: 4 loss: nan\n", {std::nanf(""), {4}}), 1018u);
    EXPECT_FALSE(lineIn("step: 3 loss: 1.0\nstep: 4 loss: 2.0", {2.0f, {4}}));
}

}  // namespace
}  // namespace rankdeck::sample_line_test
