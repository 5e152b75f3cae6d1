// SPDX-License-Identifier: GPL-3.0-or-later
// One log of several ranks: each line belongs to the rank that its prefix names, and interleaved tracebacks do not mix.
#include "core/parse/lines/line_prefix.h"
#include "tests/core/parse/parsed_lines.h"

#include <gtest/gtest.h>

namespace rankdeck::prefixed_parser_test {
namespace {

TEST(LineOwner, IsReadFromEveryKindOfPrefix)
{
    const auto rank = [](int number) { return LineOwner{.rank = number}; };
    const auto local = [](int number) { return LineOwner{.localRank = number}; };
    const std::pair<const char *, LineOwner> prefixes[] = {
        {"[rank3]: x", rank(3)},
        {"[rank3]:[E218 10:48:25.0 a.cpp:3] x", rank(3)},
        {"[default7]:x", local(7)},
        {"[default1]:[rank5]: x", rank(5)},
        {"3: x", rank(3)},
        {"  12: x", rank(12)},
        {"[1,4]<stdout>:x", rank(4)},
        {"2026-11-24T05:34:35.679Z [rank2]: x", rank(2)},
        {"[gpu id: 6 ] x", local(6)},
        {"[gpu id: None ] x", {}},
        {"2022-01-01 10:00:01,123 INFO [train.py:815] (3/8) Epoch 1, batch 50", rank(3)},
        {"[INFO] x (3/8) y", {}},
        {"[INFO] (9/8) y", {}},
        {"epoch: 1 step: 2, loss is 2.5", {}},
        {"[INFO] x", {}},
        {"", {}},
    };
    for (const auto &[line, owner] : prefixes) EXPECT_EQ(ownerOf(line), owner) << line;
}

TEST(SharedLog, GivesEachRankItsOwnLines)
{
    Lines lines;
    lines.parser = std::move(LogParser::make({}, LogRole::worker, true)).value();
    for (int step = 1; step < 4; ++step)
        for (int rank = 0; rank < 3; ++rank)
            lines << "[default" + std::to_string(rank) + "]:step " + std::to_string(step) + " loss " +
                         std::to_string(rank) + ".5";
    ASSERT_EQ(lines.parsed.samples.size(), 9u);
    for (const Sample &sample : lines.parsed.samples) {
        ASSERT_TRUE(sample.owner.localRank.has_value());
        EXPECT_EQ(sample.loss, *sample.owner.localRank + 0.5);
    }
}

TEST(SharedLog, KeepsInterleavedTracebacksApart)
{
    Lines lines;
    lines.parser = std::move(LogParser::make({}, LogRole::worker, true)).value();
    lines << "0: Traceback (most recent call last):"
          << "1: Traceback (most recent call last):"
          << "0:   File \"a.py\", line 1, in <module>"
          << "1:   File \"b.py\", line 2, in <module>"
          << "1: ValueError: of rank 1"
          << "0: KeyError: of rank 0";
    lines.end();
    ASSERT_EQ(lines.parsed.events.size(), 2u);
    for (const LogEvent &event : lines.parsed.events) {
        ASSERT_TRUE(event.owner.rank.has_value());
        EXPECT_NE(event.text.find("of rank " + std::to_string(*event.owner.rank)), std::string::npos) << event.text;
    }
}

}  // namespace
}  // namespace rankdeck::prefixed_parser_test
