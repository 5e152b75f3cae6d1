// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/flag/flag_edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::flag_edit_test {
namespace {

using ::testing::HasSubstr;

struct EditCase {
    const char *name;
    std::string before;
    bool on;
    std::string after;
};

class FlagEditTable : public ::testing::TestWithParam<EditCase> {};

TEST_P(FlagEditTable, ChangesTheValueAndNothingElse)
{
    const auto edit = setFlag(GetParam().before, GetParam().on);
    ASSERT_TRUE(edit.has_value()) << edit.error().message;
    EXPECT_EQ(edit->bytes, GetParam().after);
    EXPECT_EQ(edit->changed, GetParam().before != GetParam().after);
    const auto now = readFlag(edit->bytes);
    ASSERT_TRUE(now.has_value());
    EXPECT_EQ(now->armed, GetParam().on);
}

INSTANTIATE_TEST_SUITE_P(
    Formats, FlagEditTable,
    ::testing::Values(
        EditCase{"Compact", R"({"GracefulExit":0})", true, R"({"GracefulExit":1})"},
        EditCase{"Spaced", R"({ "GracefulExit" : 0 })", true, R"({ "GracefulExit" : 1 })"},
        EditCase{"Off", R"({"GracefulExit": 1})", false, R"({"GracefulExit": 0})"},
        EditCase{"Empty", "{}", true, R"({"GracefulExit": 1})"},
        EditCase{"EmptyWithBlanks", "{ }\n", true, "{\"GracefulExit\": 1}\n"},
        EditCase{"AddsAfterCompact", R"({"a":1})", true, R"({"a":1,"GracefulExit":1})"},
        EditCase{"AddsAfterSpaced", R"({"a": 1, "b": [1, 2]})", true, R"({"a": 1, "b": [1, 2], "GracefulExit": 1})"},
        EditCase{"AddsOnItsOwnLine", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", true,
                 "{\n  \"a\": 1,\n  \"b\": 2,\n  \"GracefulExit\": 1\n}\n"},
        EditCase{"AddsAfterOneOnItsOwnLine", "{\n\t\"a\": 1\n}", true, "{\n\t\"a\": 1,\n\t\"GracefulExit\": 1\n}"},
        EditCase{"KeepsCarriageReturns", "{\r\n  \"a\": 1,\r\n  \"GracefulExit\": 0\r\n}\r\n", true,
                 "{\r\n  \"a\": 1,\r\n  \"GracefulExit\": 1\r\n}\r\n"},
        EditCase{"KeepsOrderAndOtherKeys", R"({"z": 1.50, "GracefulExit": 0, "a": {"GracefulExit": 0}})", true,
                 R"({"z": 1.50, "GracefulExit": 1, "a": {"GracefulExit": 0}})"},
        EditCase{"SetsEveryOneOfARepeatedKey", R"({"GracefulExit": 0, "GracefulExit": 0})", true,
                 R"({"GracefulExit": 1, "GracefulExit": 1})"},
        EditCase{"FindsAnEscapedKey", "{\"Graceful\\u0045xit\": 0}", true, "{\"Graceful\\u0045xit\": 1}"},
        EditCase{"TakesAwayTheByteOrderMark", "\xef\xbb\xbf{\"GracefulExit\": 0}", true, "{\"GracefulExit\": 1}"},
        EditCase{"AStringIsNotArmed", R"({"GracefulExit": "1"})", true, R"({"GracefulExit": 1})"},
        EditCase{"AStringIsPutOff", R"({"GracefulExit": "1"})", false, R"({"GracefulExit": 0})"},
        EditCase{"TwoIsNotArmed", R"({"GracefulExit": 2})", true, R"({"GracefulExit": 1})"},
        EditCase{"TrueIsArmed", R"({"GracefulExit": true})", true, R"({"GracefulExit": true})"},
        EditCase{"OnePointNoughtIsArmed", R"({"GracefulExit": 1.0})", true, R"({"GracefulExit": 1.0})"},
        EditCase{"TrueIsPutOff", R"({"GracefulExit": true})", false, R"({"GracefulExit": 0})"},
        EditCase{"AbsentStaysAbsentWhenOff", R"({"a": 1})", false, R"({"a": 1})"},
        EditCase{"KeepsOtherText", "{\"名\": \"值\", \"GracefulExit\": 0}", true,
                 "{\"名\": \"值\", \"GracefulExit\": 1}"},
        EditCase{"TakesWhatPythonTakes", R"({"x": NaN, "y": -Infinity, "GracefulExit": 0})", true,
                 R"({"x": NaN, "y": -Infinity, "GracefulExit": 1})"},
        EditCase{"NestedValue", R"({"GracefulExit": {"a": [0]}, "b": 1})", true, R"({"GracefulExit": 1, "b": 1})"}),
    [](const auto &one) { return std::string(one.param.name); });

struct ProblemCase {
    const char *name;
    std::string text;
    const char *detail, *says;
};

class FlagProblemTable : public ::testing::TestWithParam<ProblemCase> {};

TEST_P(FlagProblemTable, IsRefusedWithItsPosition)
{
    const auto edit = setFlag(GetParam().text, true);
    ASSERT_FALSE(edit.has_value());
    EXPECT_EQ(edit.error().kind, ErrorKind::invalid);
    EXPECT_EQ(edit.error().detail, GetParam().detail);
    EXPECT_THAT(edit.error().message, HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    Problems, FlagProblemTable,
    ::testing::Values(ProblemCase{"Empty", "", "empty", "empty"}, ProblemCase{"Blank", " \n", "empty", "empty"},
                      ProblemCase{"Torn", "{\n  \"GracefulExit\": ", "not_json", "line 2, column 19"},
                      ProblemCase{"Trailing", "{} x", "not_json", "line 1, column 4"},
                      ProblemCase{"TrailingComma", "{\"a\": 1,}", "not_json", "column 9"},
                      ProblemCase{"SingleQuotes", "{'GracefulExit': 0}", "not_json", "double quotes"},
                      ProblemCase{"Comment", "{ // no\n}", "not_json", "column 3"},
                      ProblemCase{"List", "[\"GracefulExit\"]", "not_object", "a list"},
                      ProblemCase{"Number", "1", "not_object", "a number"},
                      ProblemCase{"Null", "null", "not_object", "null"},
                      ProblemCase{"String", "\"GracefulExit\"", "not_object", "a string"},
                      ProblemCase{"Bytes", "{\"a\": \"\xff\"}", "not_json", "UTF-8"},
                      ProblemCase{"OpenString", "{\"a\n\": 1}", "not_json", "end of the line"},
                      ProblemCase{"BadEscape", "{\"\\x\": 1}", "not_json", "escape"},
                      ProblemCase{"LeadingNought", "{\"a\": 01}", "not_json", "column 7"}),
    [](const auto &one) { return std::string(one.param.name); });

TEST(FlagEdit, BoundsItsNesting)
{
    const std::string deep = "{\"a\": " + std::string(100000, '[') + std::string(100000, ']') + "}";
    const auto edit = setFlag(deep, true);
    ASSERT_FALSE(edit.has_value());
    EXPECT_THAT(edit.error().message, HasSubstr("levels of nesting"));
}

TEST(FlagEdit, ReadsTheLastOfARepeatedKeyAsPythonDoes)
{
    EXPECT_TRUE(readFlag(R"({"GracefulExit": 0, "GracefulExit": 1})")->armed);
    EXPECT_FALSE(readFlag(R"({"GracefulExit": 1, "GracefulExit": 0})")->armed);
    EXPECT_EQ(readFlag(R"({"GracefulExit": 1, "GracefulExit": 0})")->count, 2);
}

TEST(FlagEdit, ReportsUnusualForms)
{
    const auto marked = readFlag("\xef\xbb\xbf{\"GracefulExit\": 1}");
    ASSERT_TRUE(marked.has_value());
    ASSERT_EQ(marked->notes.size(), 1u);
    EXPECT_THAT(marked->notes.front(), HasSubstr("byte order mark"));
    EXPECT_EQ(readFlag("{}")->present, false);
    EXPECT_EQ(readFlag(R"({"GracefulExit": 1e0})")->value, 1);
    EXPECT_EQ(readFlag(R"({"GracefulExit": "1"})")->value, std::nullopt);
}

}  // namespace
}  // namespace rankdeck::flag_edit_test
