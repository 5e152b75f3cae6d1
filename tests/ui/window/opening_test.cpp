// SPDX-License-Identifier: GPL-3.0-or-later
// The ways to open a job in the window, and its entry in the list of recent jobs.
#include "core/job/job_file.h"
#include "tests/testbed/temp_dir.h"
#include "tests/ui/fixed_search.h"
#include "tests/ui/scenes.h"
#include "tests/ui/settle.h"
#include "tests/ui/shown.h"
#include "ui/start/first_start.h"
#include "ui/start/found_card.h"
#include "ui/start/found_jobs.h"
#include "ui/start/hosts_box.h"
#include "ui/state/seen_job.h"
#include "ui/window/job_page.h"
#include "ui/window/main_window.h"
#include "ui/window/window_state.h"

#include <QDir>
#include <QDropEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QUrl>
#include <QtTest/QTest>

#include <gtest/gtest.h>

namespace rankdeck::ui::opening_test {
namespace {

class Opening : public testing::Test {
protected:
    void SetUp() override
    {
        JobSources sources;
        sources.stateDirectory = QString::fromStdString(m_dir.file("state"));
        sources.sshConfig = QString::fromStdString(m_dir.file("no_config"));
        sources.open = [this](Job job, bool) {
            m_opened.push_back(std::move(job));
            auto feed = std::make_unique<FixedFeed>();
            feed->set(scenes::healthy());
            return Result<std::unique_ptr<JobFeed>>(std::move(feed));
        };
        sources.search = [this] {
            auto owned = std::make_unique<FixedSearch>();
            m_search = owned.get();
            return owned;
        };
        m_window = std::make_unique<MainWindow>(sources);
        m_window->resize(1366, 768);
        m_window->show();
    }
    void drop(const std::string &path)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QString::fromStdString(path))});
        const QPointF middle(600, 300);
        QDragEnterEvent enter(middle.toPoint(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &enter);
        EXPECT_TRUE(enter.isAccepted());
        QDropEvent event(middle, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &event);
        settle();
    }
    std::string jobFile() { return m_dir.write("lenet.rankdeck.json", jobToJson(scenes::foundJob().found.job)); }
    FirstStart *first() { return m_window->findChild<FirstStart *>(); }

    TempDir m_dir;
    std::vector<Job> m_opened;
    FixedSearch *m_search = nullptr;
    std::unique_ptr<MainWindow> m_window;
};

TEST_F(Opening, FoundJobIsWatchedThroughTheSearchAndItsFileIsSaved)
{
    FixedSearch *search = m_search;
    const Job job = scenes::foundJob().found.job;
    ASSERT_NE(search, nullptr);
    m_window->watchFound(job);
    EXPECT_NE(m_window->page(), nullptr);
    EXPECT_TRUE(m_opened.empty()) << "not by a connection of its own";
    const std::string kept = m_dir.file("state/jobs/pangu-2.6b.rankdeck.json");
    const auto read = readJobFile(kept);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(jobToJson(read->job), jobToJson(job));
    EXPECT_EQ(QFileInfo(QString::fromStdString(kept)).permissions() & QFile::ReadOther, QFile::Permissions());
    EXPECT_EQ(WindowState::recentJobs().value(0), QString::fromStdString(kept));
}

TEST_F(Opening, SavedJobFileIsNeverOverwrittenByAnotherJob)
{
    Job job = scenes::foundJob().found.job;
    m_window->watchFound(job);
    m_window->closeJob();
    m_window->watchFound(job);
    m_window->closeJob();
    job.worldSize = 4;
    job.nodes.pop_back();
    m_window->watchFound(job);
    const QStringList files = QDir(QString::fromStdString(m_dir.file("state/jobs"))).entryList(QDir::Files, QDir::Name);
    EXPECT_EQ(files.join(QLatin1Char(' ')), QLatin1String("pangu-2.6b-2.rankdeck.json pangu-2.6b.rankdeck.json"));
}

TEST_F(Opening, JobWithMissingRanksIsWatchedWithoutSavingAnInvalidFile)
{
    m_window->watchFound(scenes::halfJob().found.job);
    EXPECT_NE(m_window->page(), nullptr);
    EXPECT_FALSE(QFileInfo::exists(QString::fromStdString(m_dir.file("state/jobs"))));
}

// A host answers only after the job was opened without its ranks.
TEST_F(Opening, RanksOfALateHostJoinTheWatchedJob)
{
    FixedSearch *search = m_search;
    DiscoveryPicture picture;
    picture.hosts = {scenes::host("ascend-01", NodeState::live, {}), scenes::host("ascend-02", NodeState::connecting)};
    picture.hosts[0].scanned = true;
    picture.hosts[1].scanned = false;
    JobScan whole = scenes::foundJob(), part = whole;
    std::erase_if(part.found.ranks, [](const DiscoveredRank &rank) { return rank.rank >= 4; });
    part.found.job.nodes.pop_back();
    picture.jobs = {part};
    m_window->findChild<HostsBox *>()->addHosts({QStringLiteral("ascend-01"), QStringLiteral("ascend-02")});
    search->set(picture);
    Q_EMIT first()->findChild<FoundJobs *>()->watchWanted(part.id);
    ASSERT_EQ(search->watched.size(), 1u);
    const JobPage *page = m_window->page();
    ASSERT_NE(page, nullptr);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    whole.looked = false;  // its files are unknown yet: it would be watched without them
    picture.hosts[1].scanned = true;
    picture.jobs = {whole};
    search->set(picture);
    QCoreApplication::processEvents();
    EXPECT_EQ(search->watched.size(), 1u);
    m_window->page()->openStop();
    picture.jobs.front().looked = true;
    search->set(picture);
    QCoreApplication::processEvents();
    EXPECT_EQ(search->watched.size(), 1u) << "not under the hands of somebody who looks at a pane";
    m_window->page()->escape();
    std::size_t nodes = 0;
    search->onWatch = [&](const Job &job) { nodes = job.nodes.size(); };
    search->set(picture);
    QCoreApplication::processEvents();
    EXPECT_EQ(nodes, whole.found.job.nodes.size());
    EXPECT_NE(m_window->page(), nullptr);
    EXPECT_TRUE(QFileInfo::exists(QString::fromStdString(m_dir.file("state/jobs/pangu-2.6b.rankdeck.json"))));
}

TEST_F(Opening, JobThatCannotBeWatchedIsReportedOnTheFirstPage)
{
    m_search->refusal = fail(ErrorKind::invalid, "logs.sample: expected a group named loss");
    m_window->watchFound(scenes::foundJob().found.job);
    EXPECT_EQ(m_window->page(), nullptr);
    ASSERT_NE(first(), nullptr);
    EXPECT_TRUE(says(*first(), QStringLiteral("expected a group named loss")));
}

TEST_F(Opening, CardsFitASmallScreen)
{
    const auto cut = [this] {
        QStringList lines;
        for (const auto *card : m_window->findChildren<FoundCard *>()) {
            for (const auto *label : card->findChildren<QLabel *>()) {
                const int needed =
                    label->wordWrap() ? label->heightForWidth(label->width()) : label->sizeHint().height();
                if (label->isVisible() && label->height() + 1 < needed) lines << label->text();
            }
        }
        return lines;
    };
    m_window->resize(1024, 600);
    m_window->findChild<HostsBox *>()->addHosts({QStringLiteral("ascend-01")});
    m_search->set(scenes::eightHosts());
    EXPECT_TRUE(becomes([&] { return cut().isEmpty(); })) << cut().join(QLatin1Char('\n')).toStdString();
    EXPECT_EQ(m_window->findChildren<FoundCard *>().size(), 2);
}

TEST_F(Opening, DroppedJobFileIsOpened)
{
    drop(jobFile());
    ASSERT_EQ(m_opened.size(), 1u);
    EXPECT_EQ(m_opened[0].name, "pangu-2.6b");
    EXPECT_NE(m_window->page(), nullptr);
}

TEST_F(Opening, DroppedDirectoryIsJudgedWithoutAJobFile)
{
    QDir().mkpath(QString::fromStdString(m_dir.file("ckpt{1}")));
    drop(m_dir.file("ckpt{1}"));
    ASSERT_EQ(m_opened.size(), 1u);
    EXPECT_EQ(m_opened[0].checkpoints.path, m_dir.file("ckpt{{1}}"));
    EXPECT_EQ(m_opened[0].nodes.front().host, "local");
    EXPECT_EQ(m_opened[0].ranks(), 0);
}

TEST_F(Opening, DroppedHostfileAddsItsHosts)
{
    drop(m_dir.write("hostfile", "node1 slots=8\nnode2 slots=8\n"));
    EXPECT_EQ(m_search->added.join(QLatin1Char(' ')), QLatin1String("node1 node2"));
    EXPECT_EQ(m_window->page(), nullptr);
}

TEST_F(Opening, RecentJobShowsItsLastKnownState)
{
    m_window->openJobFile(QString::fromStdString(jobFile()));
    m_window->closeJob();
    const QByteArray kept =
        WindowState::kept(QString::fromStdString(m_dir.file("lenet.rankdeck.json")), QStringLiteral("seen"));
    const Snapshot healthy = scenes::healthy();
    EXPECT_EQ(kept, seenOf(healthy));
    const QString words = seenWords(kept, healthy.at + std::chrono::hours(2));
    EXPECT_TRUE(words.startsWith(QLatin1String("8 of 8 ranks ran 2 h"))) << words.toStdString();
    EXPECT_TRUE(words.contains(QLatin1String("newest VALID 40,600"))) << words.toStdString();
    EXPECT_TRUE(seenWords(seenOf(scenes::died()), healthy.at).contains(QLatin1String("1 of 8 ranks had died")));
    EXPECT_EQ(seenWords("not ours", healthy.at), QString());
    EXPECT_EQ(seenWords({}, healthy.at), QString());
}

}  // namespace
}  // namespace rankdeck::ui::opening_test
