// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/path_template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::path_template_test {
namespace {

Job twoNodes()
{
    Job job;
    job.name = "x";
    job.nodes = {{.name = "a", .host = "a", .ranks = {0, 1}}, {.name = "b", .host = "b", .ranks = {2, 5}}};
    return job;
}

TEST(PathTemplate, ExpandsRankDeviceAndNode)
{
    const Result<std::string> path =
        expand("/{node}/{node_index}/r{rank}/l{local_rank}/d{device}/w{world_size}", rankPlaceholders(twoNodes(), 5));
    ASSERT_TRUE(path.has_value());
    EXPECT_EQ(*path, "/b/1/r5/l1/d1/w6");
}

TEST(PathTemplate, DoubledBracesAreLiteral)
{
    const Result<std::string> text = expand("{{rank}} {rank} }}", rankPlaceholders(twoNodes(), 1));
    ASSERT_TRUE(text.has_value());
    EXPECT_EQ(*text, "{rank} 1 }");
    EXPECT_FALSE(usesPlaceholder("{{rank}}", "rank"));
    EXPECT_TRUE(usesPlaceholder("x{rank}", "rank"));
}

TEST(PathTemplate, RefusesUnknownNamesAndListsTheValidOnes)
{
    const Result<std::string> text = expand("{ran}", rankPlaceholders(twoNodes(), 1));
    ASSERT_FALSE(text.has_value());
    EXPECT_THAT(text.error().message, testing::HasSubstr("{rank}"));
    EXPECT_FALSE(expand("a}", {}).has_value());
}

TEST(PathTemplate, ExpandsKnownPlaceholdersAndKeepsOtherBraces)
{
    const Placeholders values{{"node", "n0"}, {"rank", "3"}};
    EXPECT_EQ(*expandWords("/d/{node}/r{rank}", values), "/d/n0/r3");
    for (const char *same :
         {"{TTP:1,UCE:1}", "{\"0,1\": 0}", "${HOME}", "{", "}", "{}", "{{}}", "{\"a\":{\"b\":1}}", "{a b}"})
        EXPECT_EQ(*expandWords(same, values), same);
    EXPECT_EQ(*expandWords("{{rank}} {rank}", values), "{rank} 3");
    EXPECT_EQ(expandWords("{checkpoint}", values).error().message,
              "unknown placeholder {checkpoint} in \"{checkpoint}\"; there are {node}, {rank}");
    for (const char *text : {"{rank}", "{{rank}}", "a{x}b{{y}}", "{TTP:1}", "plain", "{{{rank}}}"})
        EXPECT_EQ(*expandWords(literalWords(text), values), text);
}

}  // namespace
}  // namespace rankdeck::path_template_test
