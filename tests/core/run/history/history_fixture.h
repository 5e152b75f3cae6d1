// SPDX-License-Identifier: GPL-3.0-or-later
// A history in a separate directory, and samples for it. The test fails if a history cannot be opened or loaded.
#pragma once

#include "core/run/history/history.h"
#include "tests/testbed/temp_dir.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace rankdeck {

using Story = Run;  // in the body of a test, the name Run means GoogleTest's own

inline const WallTime start = WallTime{} + std::chrono::seconds(1000000);

class HistoryTest : public testing::Test {
protected:
    std::unique_ptr<History> open(const std::string &job = "lenet")
    {
        Result<std::unique_ptr<History>> history = History::open(m_directory, job);
        EXPECT_TRUE(history.has_value()) << (history.has_value() ? "" : history.error().message);
        return history.has_value() ? std::move(history).value() : nullptr;
    }
    std::unique_ptr<History> openAndLoad(Story &run, std::vector<LogPosition> &positions)
    {
        std::unique_ptr<History> history = open();
        const Status loaded = history->load(run, positions);
        EXPECT_TRUE(loaded.has_value()) << (loaded.has_value() ? "" : loaded.error().message);
        return history;
    }

    TempDir m_dir;
    const std::string m_directory = m_dir.path();
};

inline Sample sampleAt(std::int64_t epoch, std::int64_t step, double loss)
{
    Sample sample;
    sample.epoch = epoch;
    sample.step = step;
    sample.loss = loss;
    sample.offset = static_cast<std::uint64_t>(epoch * 1000000 + step * 40);
    return sample;
}

inline std::vector<Sample> steps(std::int64_t epoch, std::int64_t from, std::int64_t to)
{
    std::vector<Sample> samples;
    for (std::int64_t step = from; step <= to; ++step)
        samples.push_back(sampleAt(epoch, step, static_cast<double>(step) / 8));
    return samples;
}

}  // namespace rankdeck
