// SPDX-License-Identifier: GPL-3.0-or-later
// A job from its history is shown as such, and offers no action that needs a live job. The demo keeps its own ssh
// config.
#include "core/base/files.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/kit/act_button.h"
#include "ui/panes/resume_pane.h"
#include "ui/panes/stop_pane.h"
#include "ui/state/run_state.h"
#include "ui/window/banner.h"
#include "ui/window/hazard_strip.h"
#include "ui/window/header_bar.h"
#include "ui/window/status_line.h"

#include <QSignalSpy>
#include <QTemporaryDir>

namespace rankdeck::ui::offline_test {
namespace {

class Offline : public Window {
protected:
    void openOffline(Snapshot snapshot)
    {
        open(snapshot);
        m_feed->isOffline = true;
        m_feed->set(std::move(snapshot));
    }
};

TEST_F(Offline, TitleHeaderBannerAndStatusShowOffline)
{
    openOffline(scenes::resumable());
    const QString asOf = asOfWords(*m_feed->snapshot(), scenes::now());
    EXPECT_TRUE(m_window->windowTitle().startsWith(QStringLiteral("Offline, as of %1").arg(asOf)))
        << m_window->windowTitle().toStdString();
    ASSERT_TRUE(part<Banner>()->isVisible());
    EXPECT_TRUE(part<Banner>()->notice()->fact.startsWith(QLatin1String("Offline, as of")));
    bool inHeader = false, inStatus = false;
    for (const auto *label : part<HeaderBar>()->findChildren<QLabel *>())
        inHeader = inHeader || (label->isVisible() && label->text().contains(QLatin1String("offline")));
    for (const auto *label : part<StatusLine>()->findChildren<QLabel *>())
        inStatus = inStatus || label->text().contains(QLatin1String("no node is contacted"));
    EXPECT_TRUE(inHeader);
    EXPECT_TRUE(inStatus);
}

TEST_F(Offline, ButtonsMenusKeysAndBannerDoNothing)
{
    openOffline(scenes::resumable());
    const auto *header = part<HeaderBar>();
    for (const QString &act : {QStringLiteral("Stop gracefully"), QStringLiteral("&Resume…")}) {
        QPushButton *one = button(act, part<HeaderBar>());
        ASSERT_NE(one, nullptr);
        EXPECT_FALSE(one->isEnabled()) << act.toStdString();
    }
    EXPECT_FALSE(header->findChild<ActButton *>()->isPrimary());
    EXPECT_FALSE(m_window->actions().stop->isEnabled());
    EXPECT_FALSE(m_window->actions().resume->isEnabled());
    m_window->page()->openResume();
    m_window->page()->openStop();
    m_window->page()->stopOrCancel();
    EXPECT_FALSE(part<ResumePane>()->isVisible());
    EXPECT_FALSE(part<StopPane>()->isVisible());
    EXPECT_TRUE(m_feed->exits.empty());
    EXPECT_TRUE(m_feed->plansAsked.empty());
}

TEST_F(Offline, ArmedHistoryIsNotShownAsArmedNow)
{
    openOffline(scenes::stopping(0, 0));
    EXPECT_FALSE(part<HazardStrip>()->isVisible());
    EXPECT_FALSE(m_window->windowTitle().startsWith(QLatin1String("ARMED")));
}

TEST_F(Offline, ConnectIsOneClick)
{
    openOffline(scenes::resumable());
    const QSignalSpy wanted(m_window->page(), &JobPage::connectWanted);
    QObject::disconnect(m_window->page(), &JobPage::connectWanted, m_window.get(), nullptr);
    QPushButton *connect = button(QStringLiteral("Connect"), part<Banner>());
    ASSERT_NE(connect, nullptr);
    QTest::mouseClick(connect, Qt::LeftButton);
    EXPECT_EQ(wanted.count(), 1);
}

TEST(Demo, KeepsItsOwnSshConfigWhateverTheWindowWasStartedWith)
{
    const QTemporaryDir home;
    const std::string file = home.filePath(QStringLiteral("demo.rankdeck.json")).toStdString();
    ASSERT_TRUE(writeLocalFileAtomically(
        file,
        R"({"rankdeck":1,"name":"demo","nodes":[{"name":"node0","host":"node0"}],"ssh_config":"/demo/ssh_config"})",
        0644));
    JobSources sources;
    std::vector<std::string> configs;
    sources.sshConfig = QStringLiteral("/home/me/other_config");
    sources.open = [&](const Job &job, bool) {
        configs.push_back(job.sshConfig);
        return Result<std::unique_ptr<JobFeed>>(std::make_unique<FixedFeed>());
    };
    sources.startDemo = [&](const std::function<void(Result<StartedDemo>)> &done) {
        done(StartedDemo{QString::fromStdString(file)});
    };
    MainWindow window(sources);
    window.startDemo();
    window.openJobFile(QString::fromStdString(file));
    EXPECT_EQ(configs, (std::vector<std::string>{"/demo/ssh_config", "/home/me/other_config"}));
}

}  // namespace
}  // namespace rankdeck::ui::offline_test
