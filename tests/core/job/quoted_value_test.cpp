// SPDX-License-Identifier: GPL-3.0-or-later
// A value is found through any nesting of quotes, and only there.
#include "core/job/quoted_value.h"

#include "core/base/text.h"
#include "tests/testbed/races.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>

namespace rankdeck::quoted_value_test {
namespace {

std::string inShell(const std::string &text) { return "'" + replaceAll(text, "'", "'\\''") + "'"; }
std::string inJson(const std::string &text) { return nlohmann::json(text).dump(); }
std::string inAscii(const std::string &text) { return nlohmann::json(text).dump(-1, ' ', true); }
std::string inPython(const std::string &text) { return "r'''" + replaceAll(inAscii(text), "'", "\\u0027") + "'''"; }
std::string inYaml(const std::string &text) { return "'" + replaceAll(text, "'", "''") + "'"; }
std::string inDouble(const std::string &text)
{
    std::string quoted;
    for (const char c : text) {
        if (c == '"' || c == '\\' || c == '$' || c == '`') quoted += '\\';
        quoted += c;
    }
    return '"' + quoted + '"';
}

TEST(QuotedValue, IsFoundThroughAnyNestingOfQuotes)
{
    using Quote = std::string (*)(const std::string &);
    const Quote quotes[] = {inShell, inJson, inAscii, inPython, inYaml, inDouble};
    const std::string letters[] = {"a", "b",  "k",  "n", "u",  "0",  "7", "-",  " ",
                                   "'", "\"", "\\", "$", "\n", "\t", "é", "密", "🔑"};
    std::mt19937 random(3);
    for (unsigned round = 0; round < propertyRounds(2000); ++round) {
        std::string value = "x";
        for (auto left = 6 + random() % 12; left > 0; --left) value += letters[random() % std::size(letters)];
        const QuotedValue sought(value + "y");
        for (const bool whole : {true, false}) {
            std::string text = value + (whole ? "y" : "z");
            for (auto depth = random() % 4; depth > 0; --depth) text = quotes[random() % std::size(quotes)](text);
            text = "key: " + text + " end";
            const auto place = sought.findIn(text);
            ASSERT_EQ(place.begin != std::string::npos, whole) << value << " in " << text;
            if (whole) { EXPECT_EQ(text[place.end - 1], 'y'); }
        }
    }
}

TEST(QuotedValue, MatchesNothingIfTheValueHasOnlyQuotes)
{
    EXPECT_EQ(QuotedValue("'\"\\\n").size(), 0U);
    EXPECT_EQ(QuotedValue("'\"").findIn("a'\"b").begin, std::string::npos);
}

}  // namespace
}  // namespace rankdeck::quoted_value_test
