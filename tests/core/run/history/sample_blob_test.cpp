// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/history/sample_blob.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace rankdeck::sample_blob_test {
namespace {

TEST(SampleBlob, RoundTrips)
{
    const std::vector<PlacedSample> samples{
        {1, 1.5f, 10}, {2, -INFINITY, 10}, {3, 0, 99}, {3, 2, 5}, {1000000, 3, ~0ull}};
    const Result<std::vector<PlacedSample>> back = unpackSamples(packSamples(samples));
    ASSERT_TRUE(back.has_value());
    ASSERT_EQ(back->size(), samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        EXPECT_EQ((*back)[i].step, samples[i].step);
        EXPECT_EQ((*back)[i].loss, samples[i].loss);
        EXPECT_EQ((*back)[i].offset, samples[i].offset);
    }
}

TEST(SampleBlob, KeepsTheExactLoss)
{
    for (const double loss : {2.7, 2.087599277496338, 0.0, -1e300, 1e-300})
        EXPECT_EQ(unpackExact(packExact(loss)).value(), loss);
    EXPECT_TRUE(std::isnan(unpackExact(packExact(std::nan(""))).value()));
    EXPECT_EQ(unpackExact(packSamples({{0, 1.5f, 0}})).value(), 1.5) << "of an earlier version";
    EXPECT_FALSE(unpackExact(packSamples({{0, 1.5f, 0}, {1, 2, 0}})).has_value());
}

TEST(SampleBlob, RefusesIncompleteBytes)
{
    const std::string good = packSamples({{1, 1.5f, 10}, {2, 2, 10}, {4, 3, 20}});
    for (std::size_t cut = 0; cut < good.size(); ++cut)
        EXPECT_FALSE(unpackSamples(std::string_view(good).substr(0, cut)).has_value()) << cut;
    EXPECT_FALSE(unpackSamples(good + "x").has_value());
    EXPECT_FALSE(unpackSamples("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01").has_value());
    std::mt19937 random(3);
    for (int round = 0; round < 20000; ++round) {
        std::string bytes = good;
        bytes[random() % bytes.size()] = static_cast<char>(random());
        const Result<std::vector<PlacedSample>> samples = unpackSamples(bytes);
        EXPECT_TRUE(!samples.has_value() || samples->size() <= bytes.size());
        const Result<std::vector<Sample>> waiting = unpackWaiting(bytes);
        EXPECT_TRUE(!waiting.has_value() || waiting->size() <= bytes.size());
    }
}

}  // namespace
}  // namespace rankdeck::sample_blob_test
