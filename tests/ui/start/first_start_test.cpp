// SPDX-License-Identifier: GPL-3.0-or-later
// The page without a job: its texts about hosts and their jobs, and the effects of clicks.
#include "tests/ui/shown.h"
#include "ui/start/first_start.h"

#include "core/job/job_file.h"
#include "tests/testbed/temp_dir.h"
#include "tests/ui/fixed_search.h"
#include "tests/ui/settle.h"
#include "ui/editor/job_editor.h"
#include "ui/kit/act_button.h"
#include "ui/kit/table.h"
#include "ui/start/found_card.h"
#include "ui/start/hosts_box.h"
#include "ui/start/recent_jobs.h"

#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTranslator>
#include <QtTest/QTest>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::ui::first_start_test {
namespace {

class FirstStartTest : public testing::Test {
protected:
    void SetUp() override  // as in the program: plurals come from the translation
    {
        ASSERT_TRUE(m_english.load(QStringLiteral(":/i18n/rankdeck_en.qm")));
        QCoreApplication::installTranslator(&m_english);
    }
    void TearDown() override
    {
        m_first.reset();
        QCoreApplication::removeTranslator(&m_english);
    }
    void open()
    {
        JobSources sources;
        sources.sshConfig = QString::fromStdString(m_dir.file("no_config"));
        sources.search = [this] {
            auto owned = std::make_unique<FixedSearch>();
            m_search = owned.get();
            return owned;
        };
        m_first = std::make_unique<FirstStart>(sources);
        m_first->resize(1366, 700);
        m_first->show();
        m_model = &m_first->findChild<HostsBox *>()->model();
        QObject::connect(m_first.get(), &FirstStart::watchWanted, m_first.get(),
                         [this](const Job &job) { m_watched.push_back(job); });
    }
    void openEight()
    {
        open();
        DiscoveryPicture picture = scenes::eightHosts();
        for (const HostScan &host : picture.hosts) m_model->add(QString::fromStdString(host.host), true);
        m_search->set(std::move(picture));
    }
    [[nodiscard]] bool says(const QString &text) const
    {
        QCoreApplication::processEvents();  // show the added cards
        return ui::says(*m_first, text);
    }
    QPushButton *button(const QString &text, QWidget *in = nullptr) const
    {
        QCoreApplication::processEvents();
        for (auto *one : (in != nullptr ? in : m_first.get())->findChildren<QPushButton *>()) {
            if (one->isVisible() && one->text() == text) return one;
        }
        return nullptr;
    }
    [[nodiscard]] QString stateOf(int row) const
    {
        return m_model->data(m_model->index(row, HostsModel::state), Qt::DisplayRole).toString();
    }
    void type(const QString &hosts)
    {
        for (auto *one : m_first->findChildren<QLineEdit *>()) {
            if (one->accessibleName() != QLatin1String("Add a host")) continue;
            one->setText(hosts);
            QTest::keyClick(one, Qt::Key_Return);
        }
    }

    QTranslator m_english;
    TempDir m_dir;
    std::unique_ptr<FirstStart> m_first;
    FixedSearch *m_search = nullptr;
    HostsModel *m_model = nullptr;
    std::vector<Job> m_watched;
};

TEST_F(FirstStartTest, CheckedHostIsScannedAndUncheckedHostIsDisconnected)
{
    open();
    m_model->add(QStringLiteral("ascend-01"), false);
    EXPECT_TRUE(m_search->added.isEmpty());
    m_model->setTicked(0, true);
    EXPECT_EQ(m_search->added, QStringList{QStringLiteral("ascend-01")});
    m_model->setTicked(0, false);
    EXPECT_EQ(m_search->removed, QStringList{QStringLiteral("ascend-01")});
}

// Output of squeue as in its man page: the nodes on stdout, an error on stderr with exit code 1.
TEST_F(FirstStartTest, SlurmJobGivesItsHostsOrTheReasonThereAreNone)
{
    open();
    const QByteArray path = qgetenv("PATH");
    const std::string bin =
        m_dir.write("bin/squeue", "#!/bin/sh\ncase \"$*\" in\n*--jobs=7) echo 'n[0-1],gpu-a3' ;;\n"
                                  "*) echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1 ;;\nesac\n");
    ASSERT_TRUE(QFile::setPermissions(QString::fromStdString(bin), QFile::ReadOwner | QFile::ExeOwner));
    qputenv("PATH", QFileInfo(QString::fromStdString(bin)).path().toLocal8Bit() + ':' + path);
    type(QStringLiteral("slurm:7"));
    EXPECT_TRUE(becomes([&] { return m_search->added.size() == 3; }));
    EXPECT_EQ(m_search->added.join(QLatin1Char(' ')), QLatin1String("n0 n1 gpu-a3"));
    type(QStringLiteral("slurm:8"));
    const QString why = QStringLiteral("Invalid job id specified");
    EXPECT_TRUE(becomes([&] { return says(why); }));
    qputenv("PATH", m_dir.path().c_str());
    type(QStringLiteral("slurm:7"));
    EXPECT_TRUE(becomes([&] { return says(QStringLiteral("found none. Name the hosts instead.")); }));
    qputenv("PATH", path);
    EXPECT_EQ(m_search->added.size(), 3);
}

TEST_F(FirstStartTest, RangesAndHostFilesGiveHosts)
{
    open();
    type(QStringLiteral("ascend-[01-03]"));
    EXPECT_EQ(m_search->added.join(QLatin1Char(' ')), QLatin1String("ascend-01 ascend-02 ascend-03"));
    type(QStringLiteral("ascend-[1-"));
    EXPECT_TRUE(says(QStringLiteral("Not a valid list of hosts.")));
    EXPECT_EQ(m_search->added.size(), 3);
    m_first->addHostsOf(QString::fromStdString(m_dir.write("hostfile", "node1 slots=8\n-oProxyCommand=evil\nnode2\n")));
    EXPECT_EQ(m_search->added.mid(3).join(QLatin1Char(' ')), QLatin1String("node1 node2"));
    EXPECT_FALSE(says(QStringLiteral("Not a valid list of hosts.")));
    m_first->addHostsOf(
        QString::fromStdString(m_dir.write("hccl.json", R"({"server_list": [{"server_id": "10.0.0.9"}]})")));
    EXPECT_EQ(m_search->added.last(), QLatin1String("10.0.0.9"));
    m_first->addHostsOf(QString::fromStdString(m_dir.write("other.json", "{}")));
    EXPECT_TRUE(says(QStringLiteral("No hosts found in other.json.")));
}

TEST_F(FirstStartTest, InvalidHostIsMarkedWithASign)
{
    open();
    for (const char *wrong : {"-oProxyCommand=evil", "two words"}) {
        type(QString::fromLatin1(wrong));
        EXPECT_TRUE(says(QStringLiteral("Not a valid host name."))) << wrong;
        EXPECT_TRUE(m_first->statusText().contains(QLatin1String("No host"))) << m_first->statusText().toStdString();
        EXPECT_TRUE(m_search->added.isEmpty());
    }
    type(QStringLiteral("lin@ascend-09:2222"));
    EXPECT_FALSE(says(QStringLiteral("Not a valid host name.")));
    EXPECT_FALSE(m_first->statusText().contains(QLatin1String("No host")));
}

TEST_F(FirstStartTest, EveryHostShowsItsState)
{
    openEight();
    EXPECT_EQ(stateOf(0), QLatin1String("live, 41 ms, 4 training processes"));
    EXPECT_EQ(m_model->data(m_model->index(0, HostsModel::reached), Qt::DisplayRole).toString(),
              QLatin1String("lin@10.20.4.11 via bastion"));
    EXPECT_TRUE(stateOf(4).startsWith(QLatin1String("connecting"))) << stateOf(4).toStdString();
    EXPECT_TRUE(stateOf(5).contains(QLatin1String("another key")));
    EXPECT_TRUE(stateOf(7).contains(QLatin1String("next try in"))) << stateOf(7).toStdString();
    EXPECT_TRUE(m_first->statusText().contains(QLatin1String("3 live, 1 need login, 1 connecting, 3 unusable")))
        << m_first->statusText().toStdString();
    EXPECT_TRUE(says(QStringLiteral("on 3 of 8 hosts so far")));
    EXPECT_TRUE(says(QStringLiteral("The login waits for an answer of yours.")))
        << "what waits for the person comes first";
    EXPECT_NE(button(QStringLiteral("Answer…")), nullptr);
}

TEST_F(FirstStartTest, ReportsUnreadableEnvironmentsOfOtherUsersWithAdvice)
{
    open();
    m_model->add(QStringLiteral("gpu-1"), true);
    HostScan host = scenes::host("gpu-1", NodeState::live);
    ProcessInfo other;
    other.id.pid = 77;
    other.user = "wu";
    host.unreadable = {other};
    m_search->set({.hosts = {host}});
    EXPECT_TRUE(stateOf(0).contains(QLatin1String("training of another user")));
    EXPECT_TRUE(says(QStringLiteral("pid 77 of wu")));
    EXPECT_TRUE(says(QStringLiteral("wu@gpu-1")));
}

TEST_F(FirstStartTest, EachJobHasACardWithALinePerFact)
{
    openEight();
    const QList<FoundCard *> cards = m_first->findChildren<FoundCard *>();
    ASSERT_EQ(cards.size(), 2);
    for (const char *words : {"8 ranks on 2 nodes, at step 40,703", "8 of 8: ranks 0–3 on ascend-01; 4–7 on ascend-02",
                              "msrun_log/worker_{rank}.log, 8 of 8 readable, with loss lines",
                              "ckpt/rank_{rank}, 2 sets, newest VALID 40,600",
                              "MS_ENABLE_GRACEFUL_EXIT=1 in all 8 processes, pangu/graceful.json",
                              "msrun, the command line and environment of the running processes"})
        EXPECT_TRUE(says(QString::fromUtf8(words))) << words;
    for (const char *words : {"the job has 8 ranks, so ranks 4–7 are on other hosts: probably on ascend-05",
                              "3 of 4 readable: ascend-04: Permission denied", "1 set, not checked",
                              "MS_ENABLE_GRACEFUL_EXIT is not 1 in 4 of 4 processes: this run cannot stop gracefully",
                              "No option of train.py was found"})
        EXPECT_TRUE(says(QString::fromUtf8(words))) << words;
    button(QStringLiteral("Scan 1 more host of this job"))->click();
    EXPECT_EQ(m_search->added.last(), QLatin1String("ascend-05"));
}

TEST_F(FirstStartTest, CardsScrollAndCutNoLineOnASmallScreen)
{
    const auto cut = [this] {
        QStringList lines;
        for (const auto *card : m_first->findChildren<FoundCard *>()) {
            for (const auto *label : card->findChildren<QLabel *>()) {
                const int needed =
                    label->wordWrap() ? label->heightForWidth(label->width()) : label->sizeHint().height();
                if (label->isVisible() && label->height() + 1 < needed) lines << label->text();
            }
        }
        return lines;
    };
    for (const QSize size : {QSize(1024, 540), QSize(1366, 700)}) {
        open();
        m_first->resize(size);
        m_model->add(QStringLiteral("ascend-01"), true);
        m_search->set(scenes::eightHosts());
        // Heights propagate from the lines to the page, with one turn of the event loop for each part.
        EXPECT_TRUE(becomes([&] { return cut().isEmpty(); })) << cut().join(QLatin1Char('\n')).toStdString();
        EXPECT_EQ(m_first->findChildren<FoundCard *>().size(), 2);
    }
}

TEST_F(FirstStartTest, HostStatesFitASmallScreen)
{
    for (const QSize size : {QSize(1024, 540), QSize(1366, 700)}) {
        open();
        m_first->resize(size);
        for (const HostScan &host : scenes::eightHosts().hosts)
            m_model->add(QString::fromStdString(host.node.name), true);
        m_search->set(scenes::eightHosts());
        const auto *table = m_first->findChild<HostsBox *>()->findChild<Table *>();
        const auto cut = [table] {
            QStringList texts;
            for (int row = 0; row < table->model()->rowCount(); ++row) {
                const QModelIndex at = table->model()->index(row, HostsModel::state);
                const QRect room(0, 0, table->columnWidth(HostsModel::state) - table->iconSize().width() - 12, 1000);
                const int needed =
                    table->fontMetrics().boundingRect(room, Qt::TextWordWrap, at.data().toString()).height();
                if (table->rowHeight(row) < needed) texts << at.data().toString();
            }
            return texts;
        };
        EXPECT_TRUE(becomes([&] { return cut().isEmpty(); })) << cut().join(QLatin1Char('\n')).toStdString();
        EXPECT_GE(table->model()->rowCount(), 8);
        EXPECT_EQ(table->horizontalScrollBar()->maximum(), 0);
    }
}

TEST_F(FirstStartTest, OnlyOneButtonIsPrimary)
{
    open();
    m_model->add(QStringLiteral("ascend-04"), true);
    const auto primary = [&] {
        QStringList texts;
        QCoreApplication::processEvents();
        for (const auto *one : m_first->findChildren<ActButton *>())
            if (one->isVisible() && one->isPrimary()) texts << one->text();
        return texts.join(QLatin1Char('|'));
    };
    m_search->set({.hosts = {}, .jobs = {scenes::foundJob(), scenes::halfJob()}});
    EXPECT_EQ(primary(), QLatin1String("Watch this job"));
    m_search->set({.hosts = {}, .jobs = {scenes::halfJob()}});
    EXPECT_EQ(primary(), QStringLiteral("Edit job file…")) << "where somebody has to look, that comes first";
}

TEST_F(FirstStartTest, UnknownFactsAreShownAsUnknown)
{
    open();
    m_model->add(QStringLiteral("ascend-01"), true);
    JobScan fresh = scenes::foundJob();
    fresh.looked = false;
    fresh.logs.reset();
    fresh.checkpoints.reset();
    fresh.found.job.checkpoints = {};
    fresh.found.job.gracefulExit = {};
    fresh.found.notes = {{"no_checkpoints_yet", "no checkpoint was found in any directory", true}};
    const std::vector<FoundLine> lines = foundLines(fresh);
    ASSERT_EQ(lines.size(), 5u);
    for (const std::size_t line : {1u, 2u, 4u}) EXPECT_EQ(lines[line].text, QStringLiteral("looking…")) << line;
    EXPECT_FALSE(needsPerson(fresh));
    fresh.found.stopSwitch = {.variable = "MS_ENABLE_GRACEFUL_EXIT", .on = 4, .unknown = 4};
    EXPECT_EQ(foundLines(fresh)[3].glyph, Glyph::unknown);
}

// A second host answers. Until its files are read, its ranks are shown neither as found nor as "elsewhere".
TEST_F(FirstStartTest, RanksOfAHostBeingScannedAreNotShownAsElsewhere)
{
    JobScan half = scenes::foundJob();
    half.found.ranks.resize(4);
    half.found.job.nodes.resize(1);
    half.found.otherHosts = {"ascend-02"};
    half.found.notes = {{"ranks_elsewhere", "expected 8 ranks, found 4; ranks 4 to 7 run on hosts", true}};
    EXPECT_THAT(foundLines(half)[0].text.toStdString(), testing::HasSubstr("are on other hosts"));
    EXPECT_EQ(hostsToAdd(half), QStringList(QStringLiteral("ascend-02")));
    half.joining = 4;
    const FoundLine line = foundLines(half)[0];
    EXPECT_THAT(line.text.toStdString(), testing::Not(testing::HasSubstr("elsewhere")));
    EXPECT_THAT(line.text.toStdString(), testing::HasSubstr("4 more that were just found"));
    EXPECT_EQ(line.glyph, Glyph::connecting);
    EXPECT_TRUE(hostsToAdd(half).isEmpty());
}

TEST_F(FirstStartTest, WatchButtonOpensItsJob)
{
    openEight();
    button(QStringLiteral("Watch this job"), m_first->findChildren<FoundCard *>().at(1))->click();
    ASSERT_EQ(m_watched.size(), 1u);
    EXPECT_EQ(m_watched[0].name, "resnet50-b");
}

TEST_F(FirstStartTest, JobFileIsCheckedWhileItIsTyped)
{
    openEight();
    button(QStringLiteral("Edit job file…"), m_first->findChildren<FoundCard *>().at(1))->click();
    auto *editor = m_first->findChild<JobEditor *>();
    ASSERT_TRUE(editor->isVisible());
    EXPECT_TRUE(says(QStringLiteral("put {checkpoint} into launch.command")))
        << "what has to be looked at stands above it";
    auto *text = editor->findChild<QPlainTextEdit *>();
    QPushButton *watch = button(QStringLiteral("Watch this job"), editor);
    ASSERT_NE(watch, nullptr);
    EXPECT_FALSE(watch->isEnabled()) << "half of its ranks are on no node";
    EXPECT_TRUE(says(QStringLiteral("rank 4")));
    const QString good =
        text->toPlainText().replace(QLatin1String("\"world_size\": 8"), QLatin1String("\"world_size\": 4"));
    text->setPlainText(good);
    EXPECT_TRUE(watch->isEnabled());
    text->setPlainText(
        QString(good).replace(QLatin1String("\"world_size\": 4"), QLatin1String("\"world_size\": \"x\"")));
    EXPECT_FALSE(watch->isEnabled());
    EXPECT_TRUE(says(QStringLiteral("world_size")));
    text->setPlainText(QString(good).replace(QLatin1String("resnet50-b"), QLatin1String("resnet-mine")));
    EXPECT_TRUE(says(QStringLiteral("This is a job file.")));
    watch->click();
    ASSERT_EQ(m_watched.size(), 1u);
    EXPECT_EQ(m_watched[0].name, "resnet-mine");
    // More cards appear; the typed text stays.
    m_search->set(scenes::eightHosts());
    EXPECT_TRUE(editor->isVisible());
    EXPECT_TRUE(text->toPlainText().contains(QLatin1String("resnet-mine")));
}

TEST_F(FirstStartTest, EachControlShowsItsFocus)
{
    openEight();
    m_first->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(m_first.get(), neverMs));
    QTest::keyClick(m_first.get(), Qt::Key_Tab);  // buttons show the focus only to a keyboard user
    const auto check = [this] {
        for (QWidget *one : m_first->findChildren<QWidget *>()) {
            const bool takes = (one->focusPolicy() & Qt::TabFocus) == Qt::TabFocus && one->focusProxy() == nullptr;
            if (!takes || !one->isVisible() || !one->isEnabled() || one->visibleRegion().isEmpty()) continue;
            one->clearFocus();
            settle();
            const QImage without = one->grab().toImage();
            one->setFocus(Qt::TabFocusReason);
            settle();
            EXPECT_NE(one->grab().toImage(), without)
                << one->metaObject()->className() << " \"" << one->accessibleName().toStdString() << "\"";
        }
    };
    check();
    button(QStringLiteral("Edit job file…"))->click();
    settle();
    check();
}

// A job that was found once is still known on another day, when none of its ranks runs.
TEST_F(FirstStartTest, EndedJobsThatWereFoundBeforeAreSearchedAgain)
{
    JobSources sources;
    sources.stateDirectory = QString::fromStdString(m_dir.path());
    const auto openAgain = [&] {
        sources.search = [this] {
            auto owned = std::make_unique<FixedSearch>();
            m_search = owned.get();
            return owned;
        };
        m_first = std::make_unique<FirstStart>(sources);
        m_first->setEnded({});
    };
    openAgain();
    EXPECT_TRUE(m_search->past.empty());
    JobScan look = scenes::foundJob();
    look.looked = true;
    m_search->set({.hosts = {}, .jobs = {look}});
    m_search->set({.hosts = {}, .jobs = {look}});
    openAgain();
    ASSERT_EQ(m_search->past.size(), 1u);
    EXPECT_EQ(m_search->past.front().logs.path, look.found.job.logs.path);
    EXPECT_TRUE(m_search->past.front().file.empty());
}

TEST_F(FirstStartTest, UnreachableHostCanBeRetriedFromItsRow)
{
    open();
    m_model->add(QStringLiteral("lab-3"), true);
    m_search->set({.hosts = {scenes::host("lab-3", NodeState::lost, "No answer from 10.31.0.3:2222 in 10 s.")}});
    EXPECT_TRUE(says(QStringLiteral("No answer from 10.31.0.3:2222")));
    button(QStringLiteral("Try again now"))->click();
    EXPECT_EQ(m_search->retried, QStringList{QStringLiteral("lab-3")});
}

TEST_F(FirstStartTest, RecentJobsShowTheirLastKnownState)
{
    open();
    m_first->setRecent({{QStringLiteral("/jobs/lenet.rankdeck.json"), QStringLiteral("8 of 8 ranks ran 2 h ago")}});
    EXPECT_TRUE(says(QStringLiteral("lenet")));
    EXPECT_TRUE(says(QStringLiteral("8 of 8 ranks ran 2 h ago")));
    QString wanted;
    QObject::connect(m_first.get(), &FirstStart::jobFileWanted, m_first.get(),
                     [&](const QString &file) { wanted = file; });
    button(QStringLiteral("Watch this job"))->click();
    EXPECT_EQ(wanted, QLatin1String("/jobs/lenet.rankdeck.json"));
}

}  // namespace
}  // namespace rankdeck::ui::first_start_test
