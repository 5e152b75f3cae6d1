// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs that ran on the ticked hosts and have ended: read from real histories and shown as cards that open them.
#include "ui/start/ended_jobs.h"

#include "core/job/job_file.h"
#include "tests/testbed/temp_dir.h"
#include "tests/ui/fixed_search.h"
#include "tests/ui/shown.h"
#include "ui/kit/card.h"

#include <QLabel>
#include <QPushButton>
#include <QtTest/QTest>

#include <gtest/gtest.h>

namespace rankdeck::ui::ended_jobs_test {
namespace {

using namespace std::chrono_literals;
using Story = Run;

class EndedJobsTest : public testing::Test {
protected:
    // Adds a job of this console that ran there. deaths: ranks that died, the first one first.
    void ran(const std::string &name, const std::string &host, const std::vector<int> &deaths,
             const std::vector<int> &exits = {}, std::chrono::seconds apart = 10s, const std::string &secondHost = {})
    {
        auto history = History::open(m_state.path(), name);
        ASSERT_TRUE(history.has_value());
        Story run(1000);
        std::vector<LogPosition> positions;
        ASSERT_TRUE(history.value()->load(run, positions).has_value());
        Job job;
        job.name = name;
        job.nodes = {{.name = host, .host = host, .ranks = {0, 1}}};
        if (!secondHost.empty()) job.nodes.push_back({.name = secondHost, .host = secondHost, .ranks = {2, 3}});
        job.logs.path = "/data/" + name + "/worker_{rank}.log";
        ASSERT_TRUE(history.value()->putJob(jobToJson(job)).has_value());
        run.beginAttempt(m_now - 4h);
        for (int rank : {0, 1}) {
            Sample sample;
            sample.globalStep = 41'037;
            sample.loss = 2;
            run.add(rank, 0, {sample}, m_now - 3h);
        }
        const auto tell = [&](EventKind kind, int rank, WallTime time) {
            Event event;
            event.kind = kind;
            event.rank = rank;
            event.time = time;
            run.add(event);
        };
        WallTime died = m_now - 3h;
        for (const int rank : deaths) tell(EventKind::rankDied, rank, std::exchange(died, died + apart));
        for (const int rank : exits) tell(EventKind::gracefulExit, rank, m_now - 3h);
        ASSERT_TRUE(history.value()->flush(run, positions).has_value());
    }
    [[nodiscard]] std::vector<EndedJob> all() const { return readEndedJobs(m_state.path()); }
    [[nodiscard]] QString wordsOf(const std::string &name) const
    {
        for (const EndedJob &job : all())
            if (job.job.name == name) return endedWords(job, m_now);
        return {};
    }
    static DiscoveryPicture lookedAt(const std::string &host)
    {
        DiscoveryPicture picture;
        picture.hosts = {scenes::host(host, NodeState::live)};
        return picture;
    }

    const TempDir m_state;
    const WallTime m_now = wallNow();
};

TEST_F(EndedJobsTest, CardsShowWhenAndHowAJobEnded)
{
    ran("one", "ascend-01", {1});
    ran("all", "ascend-01", {1, 0});
    ran("together", "ascend-01", {1, 0}, {}, 1s);
    ran("left", "ascend-01", {}, {0, 1});
    ran("alone", "ascend-01", {});
    EXPECT_EQ(wordsOf("one"), QStringLiteral("ended 3 h ago, at step 41,037: rank 1 died"));
    EXPECT_EQ(wordsOf("all"), QStringLiteral("ended 3 h ago, at step 41,037: 2 of 2 ranks died, rank 1 first"));
    EXPECT_EQ(wordsOf("together"), QStringLiteral("ended 3 h ago, at step 41,037: 2 of 2 ranks died"));
    EXPECT_EQ(wordsOf("left"), QStringLiteral("ended 3 h ago, at step 41,037: 2 of 2 ranks left gracefully"));
    EXPECT_EQ(wordsOf("alone"),
              QStringLiteral("not running any more; last line 3 h ago, at step 41,037: reason unknown"));
}

TEST_F(EndedJobsTest, ListsOnlyJobsOfScannedHostsThatDoNotRun)
{
    ran("here", "ascend-01", {1});
    ran("elsewhere", "ascend-09", {1});
    EXPECT_EQ(endedOn(all(), {}).size(), 0u);
    DiscoveryPicture picture = lookedAt("ascend-01");
    ASSERT_EQ(endedOn(all(), picture).size(), 1u);
    EXPECT_EQ(endedOn(all(), picture).front().job.name, "here");
    picture.hosts.front().scanned = false;  // it may run there
    EXPECT_TRUE(endedOn(all(), picture).empty());
    picture.hosts.front().scanned = true;
    JobScan running;
    running.found.job = endedOn(all(), picture).front().job;
    picture.jobs.push_back(running);
    EXPECT_TRUE(endedOn(all(), picture).empty());
    Job &other = picture.jobs.front().found.job;
    other.name = "another";
    EXPECT_TRUE(endedOn(all(), picture).empty()) << "its logs are where that one's were";
    other.logs.path = "/data/here/worker_{local_rank}.log";
    EXPECT_TRUE(endedOn(all(), picture).empty()) << "the same file in other words";
    other.logs.path = "/data/here/worker_{nobody}.log";
    EXPECT_TRUE(endedOn(all(), picture).empty()) << "whether it is the same file is not known";
    other.logs.path = "/data/another/worker_{rank}.log";
    EXPECT_EQ(endedOn(all(), picture).size(), 1u);
}

TEST_F(EndedJobsTest, JobHasEndedOnlyIfAllItsNodesWereScanned)
{
    ran("two", "ascend-01", {1}, {}, 10s, "ascend-02");
    DiscoveryPicture picture = lookedAt("ascend-01");
    EXPECT_TRUE(endedOn(all(), picture).empty()) << "it may run on the other one";
    picture.hosts.push_back(scenes::host("ascend-02", NodeState::live));
    EXPECT_EQ(endedOn(all(), picture).size(), 1u);
    picture.hosts.back().unreadable.emplace_back();
    EXPECT_TRUE(endedOn(all(), picture).empty()) << "whose training that is cannot be read";
}

TEST_F(EndedJobsTest, CardOpensTheJobOrItsHistory)
{
    ran("here", "ascend-01", {1});
    EndedJobs list;
    list.setJobs({}, {}, m_now);
    EXPECT_FALSE(list.isVisibleTo(nullptr));
    list.setJobs(endedOn(all(), lookedAt("ascend-01")), {}, m_now);
    list.show();
    QStringList opened;
    QObject::connect(&list, &EndedJobs::watchWanted, &list,
                     [&](const Job &job) { opened << QStringLiteral("watch ") + QString::fromStdString(job.name); });
    QObject::connect(&list, &EndedJobs::offlineWanted, &list, [&](const HistoryEntry &entry) {
        opened << QStringLiteral("history ") + QString::fromStdString(entry.jobName);
    });
    const QList<QPushButton *> buttons = list.findChildren<QPushButton *>();
    ASSERT_EQ(buttons.size(), 2);
    for (QPushButton *button : buttons) {
        EXPECT_FALSE(button->accessibleName().isEmpty());
        button->click();
    }
    EXPECT_EQ(opened, (QStringList{QStringLiteral("history here"), QStringLiteral("watch here")}));
    // If only the age has grown, no card is replaced under the mouse.
    list.setJobs(endedOn(all(), lookedAt("ascend-01")), {}, m_now + 1h);
    EXPECT_EQ(list.findChildren<QPushButton *>(), buttons);
    EXPECT_TRUE(list.findChild<QLabel *>(QStringLiteral("ended"))->text().contains(QStringLiteral("4 h ago")));
}

// The card of a history also shows what is on the disks. A job that was never watched gets its own card.
TEST_F(EndedJobsTest, CardsShowTheContentsOfTheDisks)
{
    ran("watched", "ascend-01", {1});
    EndedJobScan watched;
    watched.job = all().front().job;
    EndedJobScan other;
    other.job.name = "never watched";
    other.job.logs.path = "/data/other/worker_{rank}.log";
    other.looked = true;
    other.logs = {.asked = 4, .readable = 4, .problem = {}};
    other.logs.newest = Sample{.loss = 2, .globalStep = 600};
    other.logs.writtenNs =
        std::chrono::duration_cast<std::chrono::nanoseconds>((m_now - 3h).time_since_epoch()).count();
    EndedJobs list;
    const auto tells = [&list](const QString &words) {
        QCoreApplication::processEvents();  // show the added cards
        return says(list, words);
    };
    list.setJobs(endedOn(all(), lookedAt("ascend-01")), {watched, other}, m_now);
    list.show();
    ASSERT_EQ(list.findChildren<Card *>().size(), 2);
    EXPECT_TRUE(tells(QStringLiteral("Reading its files.")));
    EXPECT_TRUE(tells(QStringLiteral("None of its processes was found.")));
    EXPECT_TRUE(tells(QStringLiteral("Logs: 4 of 4, last written 3 h ago, at step 600.")));
    other.logs = {.asked = 4, .readable = 0, .problem = "ascend-01: Permission denied"};
    list.setJobs({}, {other}, m_now);
    EXPECT_TRUE(tells(QStringLiteral("None of the 4 logs could be read: ascend-01: Permission denied.")));
    EXPECT_EQ(list.findChildren<QPushButton *>().size(), 1) << "there is no history to open";
    other.looked = false;
    list.setJobs({}, {other}, m_now);
    EXPECT_TRUE(tells(QStringLiteral("Reading its files."))) << "not known is not none";
}

TEST_F(EndedJobsTest, UnreadableHistoryIsLeftOut)
{
    ran("good", "ascend-01", {1});
    m_state.write("history/bad.sqlite", "no database");
    ASSERT_EQ(all().size(), 1u);
    EXPECT_EQ(all().front().job.name, "good");
}

}  // namespace
}  // namespace rankdeck::ui::ended_jobs_test
