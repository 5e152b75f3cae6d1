// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/output/checkpoint_table.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rankdeck::ctl::checkpoint_table_test {
namespace {

CheckpointSet setOf(const std::string &id, std::int64_t step, Verdict verdict, const std::vector<MemberState> &states)
{
    CheckpointSet set;
    set.id = id;
    set.position = step;
    set.verdict = verdict;
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        MemberVerdict member;
        member.rank = static_cast<int>(rank);
        member.state = states[rank];
        member.level = EvidenceLevel::L3;
        set.members.push_back(member);
    }
    return set;
}

CheckpointReport report(std::vector<CheckpointSet> sets)
{
    CheckpointReport out;
    out.worldSize = sets.empty() ? 0 : static_cast<int>(sets.front().members.size());
    out.sets = std::move(sets);
    if (const CheckpointSet *valid = out.newestValid()) {
        out.recommended = valid->id;
        out.recommendedText = "newest VALID set";
    }
    return out;
}

std::vector<std::string> lines(const std::string &text)
{
    std::vector<std::string> all;
    std::size_t at = 0;
    for (std::size_t end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
        all.push_back(text.substr(at, end - at));
    return all;
}

using enum MemberState;

TEST(CheckpointTable, ShowsOneLetterPerRankAndTheFirstReason)
{
    CheckpointSet bad = setOf("0:3-10", 30, Verdict::incomplete, {ok, missing, ok, torn});
    bad.reasons = {{"torn", 3, "rank 3: 12 bytes short"}, {"rank_missing", 1, "rank 1 has no file"}};
    const std::vector<std::string> table =
        lines(checkpointTable(report({bad, setOf("0:2-10", 20, Verdict::valid, {ok, ok, replica, ok})}), false, 0));
    ASSERT_EQ(table.size(), 6u);
    EXPECT_NE(table[1].find("verdict"), std::string::npos);
    EXPECT_NE(table[2].find("INCOMPLETE"), std::string::npos);
    EXPECT_NE(table[2].find("o.oX"), std::string::npos);
    EXPECT_NE(table[2].find("rank 3: 12 bytes short (+1)"), std::string::npos);
    EXPECT_EQ(table[3].substr(0, 8), "> 0:2-10");
    EXPECT_NE(table[3].find("ooro"), std::string::npos);
    EXPECT_EQ(table[4], "ranks: o ok, . missing, X torn, r replica");
    EXPECT_EQ(table[5], "> 0:2-10: newest VALID set");
    EXPECT_EQ(table[2].find("INCOMPLETE"), table[3].find("VALID"));  // aligned in columns
}

TEST(CheckpointTable, ManyRanksAreGrouped)
{
    std::vector<MemberState> states(1024, ok);
    states[5] = states[6] = states[7] = torn;
    states[1000] = missing;
    const std::string row = matrixRow(setOf("0:1", 1, Verdict::corrupt, states));
    EXPECT_EQ(row, "1,020 ok; 1 missing (1000); 3 torn (5–7)");
    EXPECT_EQ(matrixRow(setOf("0:1", 1, Verdict::valid, std::vector<MemberState>(1024, ok))), "1,024 ok");
    EXPECT_EQ(matrixRow(setOf("0:1", 1, Verdict::valid, std::vector<MemberState>(64, ok))), std::string(64, 'o'));
}

TEST(CheckpointTable, ExplainShowsEveryReasonAndEveryCell)
{
    CheckpointSet set = setOf("0:3-10", 30, Verdict::corrupt, {ok, torn, torn, torn});
    set.reasons = {{"torn", 1, "rank 1: cut"}, {"leftover", -1, "one file too many"}};
    set.members[2].note = set.members[3].note = "damaged";
    const std::string text = checkpointTable(report({set}), true, 0);
    EXPECT_NE(text.find("torn (whole): rank 1: cut"), std::string::npos);
    EXPECT_NE(text.find("leftover (whole): one file too many"), std::string::npos);
    EXPECT_NE(text.find("ranks 2, 3: torn: damaged"), std::string::npos) << text;
    EXPECT_NE(text.find("read to L3"), std::string::npos);
    EXPECT_NE(text.find("nothing VALID\n"), std::string::npos);
}

TEST(CheckpointTable, TruncatesReasonsToTheTerminalWidthButNotInAPipe)
{
    CheckpointSet set = setOf("0:3-10", 30, Verdict::incomplete, {ok, missing});
    set.reasons = {{"rank_missing", 1, "rank 1 has no file; the others saved 03:12:07 to 03:12:31 – all of them"}};
    const CheckpointReport one = report({set});
    for (const std::string &line : lines(checkpointTable(one, false, 80))) {
        const auto columns = std::count_if(line.begin(), line.end(),
                                           [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
        EXPECT_LE(columns, 80) << line;
    }
    EXPECT_NE(checkpointTable(one, false, 0).find("all of them"), std::string::npos);
}

TEST(CheckpointTable, ReportsMissingCheckpointsAndEscapesControlCharacters)
{
    EXPECT_NE(checkpointTable(report({}), false, 0).find("no checkpoint found"), std::string::npos);
    const std::string unread = checkpointTable(report({}), false, 0, false);
    EXPECT_EQ(unread.find("no checkpoint found"), std::string::npos) << "what was not read is unknown";
    EXPECT_EQ(unread.find("nothing VALID"), std::string::npos);
    EXPECT_NE(unread.find("cannot tell whether"), std::string::npos);
    CheckpointSet set = setOf("0:1", 1, Verdict::unknown, {unreadable});
    set.reasons = {{"unreadable", 0, "\x1b[2Jrank 0: \nno"}};
    CheckpointReport one = report({set});
    one.notes = {"a\x1b]0;title\x07note"};
    const std::string text = checkpointTable(one, true, 0);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find('\x07'), std::string::npos);
}

}  // namespace
}  // namespace rankdeck::ctl::checkpoint_table_test
