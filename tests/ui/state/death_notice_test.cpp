// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/notice.h"

#include "tests/ui/fault_scenes.h"

#include <gtest/gtest.h>

namespace rankdeck::ui::death_notice_test {
namespace {

// A job whose ranks ended with this error, except the first ones, whose state is unknown.
Snapshot gaveUp(std::size_t silent, const std::string &error)
{
    Snapshot s = scenes::healthy();
    for (std::size_t i = 0; i < s.view.ranks.size(); ++i) {
        RankState &rank = s.view.ranks[i];
        rank.alive = i < silent ? Known::unknown : Known::no;
        rank.seenAlive = i >= silent;
        if (i >= silent) rank.error = RankError{scenes::now(), error, {}, 0};
    }
    return s;
}

const char *const withTime = "RuntimeError: Timed out waiting 1200000ms for recv operation to complete";
const char *const withoutTime = "RuntimeError: Watchdog caught collective operation timeout";

TEST(DeathNotice, ShowsRanksThatTimedOutAsWaitingForTheSilentRank)
{
    const struct {
        std::size_t silent;
        const char *error, *fact, *rest;
    } rows[] = {
        {1, withTime, "Ranks 1–7 gave up waiting for rank 0 after 20 min",
         "Rank 0 is silent and reports no error: check it first."},
        {2, withTime, "Ranks 2–7 gave up waiting for ranks 0, 1 after 20 min",
         "Ranks 0, 1 are silent and report no error: check them first."},
        {7, withoutTime, "Rank 7 gave up waiting for ranks 0–6",
         "Ranks 0–6 are silent and report no error: check them first."},
    };
    for (const auto &row : rows) {
        const auto notice = mostUrgent(gaveUp(row.silent, row.error), scenes::now());
        ASSERT_TRUE(notice);
        EXPECT_TRUE(notice->fact.startsWith(QString::fromUtf8(row.fact))) << notice->fact.toStdString();
        EXPECT_TRUE(notice->rest.contains(QString::fromUtf8(row.rest))) << notice->rest.toStdString();
        EXPECT_FALSE(QString(notice->fact + notice->rest).contains(QLatin1String("died")))
            << notice->rest.toStdString();
        EXPECT_FALSE(notice->rest.contains(QLatin1String("unknown"))) << "it is said of rank 0 already";
    }
}

TEST(DeathNotice, NamesTheSilentNode)
{
    Snapshot s = gaveUp(1, withTime);
    s.view.nodes[0].state = NodeState::lost;
    s.view.nodes[0].lastContact = scenes::now() - std::chrono::seconds(40);
    for (const Notice &notice : notices(s, scenes::now()))
        if (notice.kind == Notice::Kind::died) {
            EXPECT_TRUE(notice.rest.contains(QLatin1String("no contact for 40 s"))) << notice.rest.toStdString();
            return;
        }
    FAIL() << "no notice about the ranks that ended";
}

}  // namespace
}  // namespace rankdeck::ui::death_notice_test
