// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include <gtest/gtest.h>

namespace rankdeck::text_test {
namespace {

TEST(Text, PrintableDropsControlCharactersAndReplacesInvalidBytes)
{
    EXPECT_EQ(printable("\x1b[31mred\x1b[0m\x07 ok\r\n"), "red ok");
    EXPECT_EQ(printableLines("\x1b[31mred\x1b[0m\x07 ok\r\n"), "red ok\n");
    EXPECT_EQ(printable("\x1b]0;title\x07name"), "name");
    EXPECT_EQ(printable("a\xff\xc3(b"), "a\xef\xbf\xbd\xef\xbf\xbd(b");
    EXPECT_EQ(printable("\xe6\xad\xa5\xe6\x95\xb0"), "\xe6\xad\xa5\xe6\x95\xb0");
    EXPECT_EQ(printable("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd") << "a surrogate is not UTF-8";
    EXPECT_EQ(printable("x\x1b["), "x");
}

TEST(Text, PrintableReturnsOneLineForAnyInput)
{
    EXPECT_EQ(printable("x\nsh ../a\r\n#"), "x\\nsh ../a\\n#");
    EXPECT_EQ(printable("a\xe2\x80\xa8"
                        "b\xe2\x80\xa9"
                        "c\xc2\x85"
                        "d"),
              "a\\u2028b\\u2029c\\x85d");
    EXPECT_EQ(printable("rm \xe2\x80\xae"
                        "txt\xe2\x81\xa9"),
              "rm \\u202etxt\\u2069");
    EXPECT_EQ(printableLines("a\nb\xe2\x80\xae"), "a\nb\\u202e");
}

TEST(Text, GroupedInsertsThousandsSeparators)
{
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(41200), "41,200");
    EXPECT_EQ(grouped(-1234567), "-1,234,567");
}

TEST(Text, FormatsSizesInReadableUnits)
{
    EXPECT_EQ(bytesText(0), "0 B");
    EXPECT_EQ(bytesText(494246), "494 kB");
    EXPECT_EQ(bytesText(1500), "1.5 kB");
    EXPECT_EQ(bytesText(12000000), "12 MB");
}

TEST(Text, RanksAreGroupedIntoRanges)
{
    EXPECT_EQ(rankList({0, 1, 2, 3, 5, 7, 8, 9}), "0–3, 5, 7–9");
    EXPECT_EQ(rankList({4, 5}), "4, 5");
    EXPECT_EQ(rankList({}), "");
}

TEST(Text, NearestFindsOnlySmallTypos)
{
    EXPECT_EQ(nearest("word_size", {"world_size", "name"}), "world_size");
    EXPECT_EQ(nearest("zzzz", {"world_size", "name"}), "");
}

TEST(Text, ShellQuotingIsSafe)
{
    EXPECT_EQ(shellQuoted("plain-1.ckpt"), "plain-1.ckpt");
    EXPECT_EQ(shellQuoted("it's $x"), "'it'\\''s $x'");
    EXPECT_EQ(shellQuoted(""), "''");
}

TEST(Text, SplitsAndJoinsPaths)
{
    EXPECT_EQ(dirName("/a/b"), "/a");
    EXPECT_EQ(dirName("/a"), "/");
    EXPECT_EQ(dirName("a"), ".");
    EXPECT_EQ(baseName("/a/b"), "b");
    EXPECT_EQ(joinPath("/a/", "b"), "/a/b");
    EXPECT_EQ(joinPath("/a", "/b"), "/b");
}

}  // namespace
}  // namespace rankdeck::text_test
