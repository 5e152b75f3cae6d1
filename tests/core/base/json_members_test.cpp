// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_members.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::json_members_test {
namespace {

TEST(JsonMembers, ReportsThePositionOfEachMember)
{
    const std::string text = R"( {"a\n" : [1, {"b": 2}] ,
 "c": -1.5e3, "c": NaN } )";
    const auto object = locateMembers(text);
    ASSERT_TRUE(object.has_value()) << object.error().message;
    ASSERT_EQ(object->members.size(), 3u);
    EXPECT_EQ(object->members[0].key, "a\n");
    EXPECT_EQ(object->members[0].keySpan.of(text), R"("a\n")");
    EXPECT_EQ(object->members[0].value.of(text), R"([1, {"b": 2}])");
    EXPECT_EQ(object->members[1].value.of(text), "-1.5e3");
    EXPECT_EQ(object->members[2].value.of(text), "NaN");
    EXPECT_EQ(text[object->open], '{');
    EXPECT_EQ(text[object->close], '}');
}

TEST(JsonMembers, ReportsOnlyElementsOfTheOuterArray)
{
    const std::string text = R"([ 1, [2, 3], "x]", {"k": [4]} ])";
    const auto elements = locateElements(text);
    ASSERT_TRUE(elements.has_value()) << elements.error().message;
    std::vector<std::string> found;
    for (const JsonSpan &each : *elements) found.emplace_back(each.of(text));
    EXPECT_THAT(found, testing::ElementsAre("1", "[2, 3]", "\"x]\"", R"({"k": [4]})"));
    EXPECT_TRUE(locateElements("[]")->empty());
}

TEST(JsonMembers, ReportsInvalidJsonWithItsPosition)
{
    EXPECT_EQ(locateMembers("{\"a\": 1,\n \"b\" 2}").error().message,
              "not JSON: line 2, column 6: expected ':', found '2}'");
    EXPECT_EQ(locateMembers("").error().detail, "empty");
    EXPECT_EQ(locateMembers("[1]").error().detail, "not_object");
    EXPECT_EQ(locateElements("{}").error().detail, "not_json");
    EXPECT_EQ(locateMembers("{\"a\":" + std::string(300, '[')).error().detail, "not_json");
}

}  // namespace
}  // namespace rankdeck::json_members_test
