// SPDX-License-Identifier: GPL-3.0-or-later
// The live view: it fits into the terminal, shows problems before everything else, and uses colour only on request.
#include "app/ctl/output/watch_screen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace rankdeck::ctl::watch_screen_test {
namespace {

using testing::HasSubstr;

Snapshot jobOf(int ranks, int died)
{
    Snapshot s;
    s.at = std::chrono::system_clock::now();
    s.view.job.name = "pangu \x1b[31m";
    s.view.attempt = 0;
    for (int number = 0; number < ranks; ++number) {
        RankState rank;
        rank.rank = number;
        rank.alive = number != died;
        rank.seenAlive = true;
        if (number == died) rank.exitCode = -9;
        rank.progress.position = 41'207;
        rank.progress.hasLoss = true;
        rank.progress.loss = 2.402;
        rank.progress.heard = s.at - std::chrono::seconds(1);
        s.view.ranks.push_back(rank);
    }
    Event event;
    event.time = s.at;
    event.rank = died;
    event.kind = EventKind::rankDied;
    event.text = "signal 9 (SIGKILL)\nand \x1b[2Jmore of it, with 中文 in a line that is longer than any terminal that "
                 "is not wide";
    s.view.recentEvents.push_back(event);
    s.alarms = findAlarms(pictureOf(s, s.at));
    return s;
}

std::string joined(const std::vector<std::string> &lines)
{
    std::string all;
    for (const std::string &line : lines) all += line + "\n";
    return all;
}

TEST(WatchScreen, FitsEveryTerminalAndShowsProblemsFirst)
{
    for (const TerminalSize size :
         {TerminalSize{80, 24}, TerminalSize{40, 10}, TerminalSize{200, 60}, TerminalSize{20, 3}}) {
        const std::vector<std::string> lines =
            watchScreen(jobOf(512, 300), std::vector<float>(30, 1), {.size = size, .colour = false});
        EXPECT_LE(lines.size(), size.rows);
        for (const std::string &line : lines) {
            EXPECT_LE(columnsOf(line), size.columns) << line;
            EXPECT_EQ(line.find('\x1b'), std::string::npos) << line;
        }
        if (size.rows < 24) continue;
        const std::string whole = joined(lines);
        EXPECT_THAT(whole, HasSubstr("ALARM: Rank 300 died at step 41,207"));
        EXPECT_THAT(lines, testing::Contains(testing::MatchesRegex(" +300 .*died")));
        EXPECT_THAT(whole, HasSubstr(" more: "));
    }
}

TEST(WatchScreen, ShowsAllRanksIfThereIsRoom)
{
    const std::vector<std::string> lines =
        watchScreen(jobOf(8, 5), {}, {.size = {.columns = 80, .rows = 24}, .colour = true});
    for (int rank = 0; rank < 8; ++rank)
        EXPECT_THAT(lines, testing::Contains(HasSubstr("    " + std::to_string(rank) + "     41,207"))) << rank;
    EXPECT_THAT(lines, testing::Contains(testing::StartsWith("\x1b[1;31m"))) << "what died is loud";
    EXPECT_THAT(joined(lines), testing::Not(HasSubstr(" more: ")));
}

// More ranks have died than the screen has room for: those without room still count as dead, not as running.
TEST(WatchScreen, CountsRanksThatDoNotFitByTheirState)
{
    Snapshot s = jobOf(512, 300);
    std::vector<RankState> ranks(s.view.ranks.begin(), s.view.ranks.end());
    for (int number = 100; number < 200; ++number) {
        ranks[std::size_t(number)].alive = false;
        ranks[std::size_t(number)].exitCode = -9;
    }
    s.view.ranks = SharedVector<RankState>();
    for (const RankState &rank : ranks) s.view.ranks.push_back(rank);
    s.alarms.clear();
    const std::string whole = joined(watchScreen(s, {}, {.size = {.columns = 80, .rows = 24}, .colour = false}));
    EXPECT_THAT(whole, testing::ContainsRegex("and 494 more: 411 run, 83 died"));
}

TEST(WatchScreen, CountsWideAndCombiningCharactersAsTheTerminalDoes)
{
    EXPECT_EQ(columnsOf("中文"), 4u);
    EXPECT_EQ(columnsOf("e\xcc\x81"), 1u);
    EXPECT_EQ(cut("中文中文", 5), "中文…");
    EXPECT_EQ(cut("中文中文", 4), "中…");
    EXPECT_EQ(cut("abc", 0), "");
    EXPECT_EQ(columnsOf("\xe4\xb8"), 2u) << "half a letter is two odd bytes";
}

TEST(WatchScreen, WrapsLongSentencesWithoutLosingText)
{
    const std::string text = "ALARM: Rank 3 died at step 7: OSError: 没有 space left on device. Resume from step 5.";
    for (std::size_t columns = 12; columns < 100; ++columns) {
        std::string whole;
        for (const std::string &line : wrapped(text, columns, 4, 50)) {
            EXPECT_LE(columnsOf(line), columns);
            whole += whole.empty() ? line : line.substr(3);
        }
        EXPECT_EQ(whole, text) << columns;
    }
    EXPECT_EQ(wrapped(text, 40, 4, 2).size(), 2u);
    EXPECT_THAT(wrapped(text, 40, 4, 2).back(), testing::EndsWith("…"));
}

TEST(WatchScreen, DrawsSparklineFromLowToHighAndLeavesNaNBlank)
{
    EXPECT_EQ(sparkline({1, 0.5F, std::nanf(""), 0}), "█▅ ▁");
    EXPECT_EQ(sparkline({2, 2}), "▁▁");
    EXPECT_EQ(sparkline({}), "");
}

TEST(Fitted, LosesNoTextAndBreaksBetweenWords)
{
    const std::string line =
        "  refuse  node_not_live: node n1 does not answer /a/path/that/is/longer/than/one/line/of/it "
        "and what comes behind it";
    for (std::size_t columns = 0; columns < 120; ++columns) {
        std::string whole;
        for (const std::string &part : fitted(line, columns)) {
            whole += (whole.empty() ? "" : " ") + part.substr(whole.empty() ? 0 : part.find_first_not_of(' '));
            const std::string words = part.substr(part.find_first_not_of(' '));
            if (columns >= 40 && words.find(' ') != std::string::npos) { EXPECT_LE(part.size(), columns) << part; }
        }
        EXPECT_EQ(whole, line) << columns;
    }
    EXPECT_EQ(fitted("a", 40), std::vector<std::string>{"a"});
    EXPECT_EQ(fitted("", 40), std::vector<std::string>{""});
    EXPECT_EQ(fitted(std::string(100, ' ') + "a b", 40).size(), 2u);
}

}  // namespace
}  // namespace rankdeck::ctl::watch_screen_test
