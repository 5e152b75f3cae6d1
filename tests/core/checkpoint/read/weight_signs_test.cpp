// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/read/weight_signs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace rankdeck::weight_signs_test {
namespace {

std::string bytesOf(const std::vector<float> &values)
{
    std::string out(values.size() * 4, '\0');
    std::memcpy(out.data(), values.data(), out.size());
    return out;
}

std::vector<float> rising(std::size_t count, float by = 1)
{
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(1e-6F + by * float((i * 37) % count));
    return values;
}

std::string sidesOf(const std::string &name, const std::vector<float> &values)
{
    SignSample sample;
    sample.add(name, "F32", 16, bytesOf(values));
    const auto all = sample.ofFile();
    const auto moments = all ? all->find(secondMoments) : std::map<std::string, WeightSigns>::const_iterator();
    return !all || moments == all->end() ? std::string() : moments->second.begin()->second;
}

TEST(WeightSigns, MarksLargeSecondMoments)
{
    for (const char *name : {"state.0.exp_avg_sq", "adam_v.decoder.w", "moment2.w", "w/Adam_1", "w/moment2_0"}) {
        const std::string sides = sidesOf(name, rising(64));
        EXPECT_EQ(sides.size(), 64U) << name;
        EXPECT_EQ(std::count(sides.begin(), sides.end(), '+'), 32) << name;
    }
    // Moments that decay or grow together keep their marks.
    EXPECT_EQ(sidesOf("x.exp_avg_sq", rising(64)), sidesOf("x.exp_avg_sq", rising(64, 0.25F)));
}

TEST(WeightSigns, IgnoresOtherTensorsAndSecondMomentsThatCannotBeOrdered)
{
    EXPECT_EQ(sidesOf("state.0.exp_avg", rising(64)), "");
    EXPECT_EQ(sidesOf("layer.weight", rising(64)), "");
    EXPECT_EQ(sidesOf("x.exp_avg_sq", rising(16)), "");
    EXPECT_EQ(sidesOf("x.exp_avg_sq", std::vector<float>(64, 0)), "");
    EXPECT_EQ(sidesOf("x.exp_avg_sq", std::vector<float>(64, 0.5F)), "");
    std::vector<float> negative = rising(64);
    negative[7] = -1;
    EXPECT_EQ(sidesOf("x.exp_avg_sq", negative), "");
}

// A parameter that has not moved yet has a second moment of zero.
TEST(WeightSigns, MarksZeroSecondMomentsSeparately)
{
    std::vector<float> values = rising(64);
    for (const std::size_t i : {3, 9, 20}) values[i] = 0;
    const std::string sides = sidesOf("x.exp_avg_sq", values);
    EXPECT_EQ(std::count(sides.begin(), sides.end(), '0'), 3);
}

}  // namespace
}  // namespace rankdeck::weight_signs_test
