// SPDX-License-Identifier: GPL-3.0-or-later
// A scene for each fault and each action that may be running at that time: texts and actions of banner, title, lanes
// and panes. RANKDECK_RENDER_DIR keeps a screenshot of each in both themes.
#include "tests/ui/fault_scenes.h"
#include "tests/ui/settle.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/deck/lanes/lane_view.h"
#include "ui/kit/act_button.h"
#include "ui/panes/rank_exit_model.h"
#include "ui/panes/resume_pane.h"
#include "ui/panes/stop_pane.h"
#include "ui/style/theme.h"
#include "ui/window/banner.h"
#include "ui/window/bottom_panels.h"

#include <QAbstractItemModel>
#include <QDir>
#include <QScrollArea>
#include <QTableView>

namespace rankdeck::ui::fault_scenes_test {
namespace {

struct Fault {
    const char *name;
    void (*happen)(Snapshot &);
    const char *banner;  // text of the banner; empty: there is no banner
    const char *title;   // text of the title, before the job's name
    int rank;            // rank whose lane shows it
    const char *lane;
    const char *act;      // button of the banner; empty: none
    const char *notSaid;  // text that the banner must not contain
};
const Fault faults[] = {
    {"kill-all", scenes::killAll, "All 8 ranks died at step 40,710, rank 7 first", "All 8 ranks died", 2, "died",
     "Resume from 40,600…", "still run"},
    {"kill-one", scenes::killOne, "Rank 5 died at step 40,712", "Rank 5 died", 5, "died", "Resume from 40,600…", "All"},
    {"hang", scenes::hang, "(usual 4.2 s)", "No step for ", 6, "hangs", "Show the stop", "still run"},
    {"nan", scenes::nan, "Loss has been NaN on 8 of 8 ranks since step 40,710, rank 3 first", "Loss has been NaN", 3,
     "loss NaN", "Keep 40,600", "still run"},
    {"tear", scenes::tear, "", "", 2, "Rank 2", "", ""},
    {"cut", scenes::cut, "ascend-02 has been silent for ", "", 6, "no contact", "Connect again", "died"},
    {"cut-all", scenes::cutAll, "is lost, retry in 24 s", "No node answers", 2, "no contact", "Retry now", "died"},
    {"kill-and-cut", scenes::killAndCut,
     "3 other ranks are still running. Status of 4 ranks unknown (ascend-02: no contact for ", "Rank 1 died", 6,
     "no contact", "Resume from 40,600…", "7 other"},
    {"full-disk", scenes::fullDisk, "No space left on device", "All 8 ranks died", 0, "died", "Resume from 40,600…",
     "still run"},
};

enum class State { idle, armed, choosing };
const std::pair<State, const char *> states[] = {
    {State::idle, "idle"}, {State::armed, "armed"}, {State::choosing, "resume"}};

class FaultScenes : public Window {
protected:
    void openFault(const Fault &fault, State state)
    {
        Snapshot s = state == State::armed ? scenes::stopping(0, 0) : scenes::healthy();
        open(s);
        for (Event event : s.view.recentEvents) m_feed->run().add(std::move(event));
        if (state == State::armed) m_window->page()->openStop();
        if (state == State::choosing) m_window->page()->openResume();
        const std::size_t before = s.view.recentEvents.size();
        fault.happen(s);
        for (std::size_t i = before; i < s.view.recentEvents.size(); ++i) m_feed->run().add(s.view.recentEvents[i]);
        m_feed->set(std::move(s));
        settle();  // the deck draws only a few times a second
    }
    QString bannerWords()
    {
        if (!part<Banner>()->isVisible()) return {};
        QStringList words;
        for (const auto *label : part<Banner>()->findChildren<QLabel *>())
            if (label->isVisible()) words << label->accessibleName();
        return words.join(QLatin1Char(' ')).simplified();
    }
    QString laneWords(int row)
    {
        return part<LaneView>()->model()->headerData(row, Qt::Vertical, Qt::AccessibleTextRole).toString();
    }
    void expectNoOptionOfTheTerminal(const std::string &at)
    {
        for (const auto *label : m_window->findChildren<QLabel *>()) {
            if (!label->isVisible()) continue;
            for (const char *word : {"--", "rankdeckctl"})
                EXPECT_FALSE(label->text().contains(QLatin1String(word))) << at << ": " << label->text().toStdString();
        }
    }
    // Texts and buttons fit into the width of their pane.
    static void expectWholeIn(const QWidget *pane, const std::string &at)
    {
        for (const auto *area : pane->findChildren<QScrollArea *>())
            EXPECT_LE(area->widget()->width(), area->viewport()->width()) << at;
        for (const auto *one : pane->findChildren<QPushButton *>()) {
            if (!one->isVisible()) continue;
            EXPECT_LE(one->mapTo(pane, QPoint(one->width(), 0)).x(), pane->width())
                << at << ": " << one->text().toStdString();
        }
    }
    void keepPictures(const Fault &fault, const char *state)
    {
        const QString dir = qEnvironmentVariable("RANKDECK_RENDER_DIR");
        if (dir.isEmpty()) return;
        QDir().mkpath(dir);
        for (const bool dark : {true, false}) {
            Theme::of(nullptr).setMode(dark ? Theme::Mode::dark : Theme::Mode::light);
            settle();
            EXPECT_TRUE(m_window->grab().save(QStringLiteral("%1/fault-%2-%3-%4.png")
                                                  .arg(dir, QLatin1String(fault.name), QLatin1String(state),
                                                       dark ? QStringLiteral("dark") : QStringLiteral("light"))));
        }
    }
};

TEST_F(FaultScenes, BannerTitleLanesAndButtonsShowTheFaultInEveryState)
{
    for (const Fault &fault : faults) {
        for (const auto &[state, name] : states) {
            const std::string at = std::string(fault.name) + ", " + name;
            openFault(fault, state);
            const QString said = bannerWords(), title = m_window->windowTitle();
            EXPECT_EQ(said.isEmpty(), *fault.banner == '\0') << at << ": " << said.toStdString();
            // A stop that hangs is more important than the hang itself.
            const bool stuck = state == State::armed && fault.happen == scenes::hang;
            const QString cannot = QStringLiteral("The stop cannot finish");
            EXPECT_TRUE(said.contains(stuck ? cannot : QString::fromUtf8(fault.banner)))
                << at << ": " << said.toStdString();
            const bool wrong = *fault.notSaid != '\0' && said.contains(QString::fromUtf8(fault.notSaid));
            EXPECT_FALSE(wrong) << at << ": " << said.toStdString();
            EXPECT_TRUE(title.contains(QLatin1String("pangu-2.6b"))) << at;
            EXPECT_TRUE(title.startsWith(stuck ? cannot : QString::fromUtf8(fault.title)))
                << at << ": " << title.toStdString();
            EXPECT_EQ(title.contains(QLatin1String("ARMED")), state == State::armed) << at << title.toStdString();
            EXPECT_TRUE(laneWords(fault.rank).contains(QLatin1String(fault.lane)))
                << at << ": " << laneWords(fault.rank).toStdString();
            const bool offered = *fault.act == '\0' || button(QString::fromUtf8(fault.act), part<Banner>()) != nullptr;
            EXPECT_TRUE(offered) << at << ": " << fault.act;
            expectNoOptionOfTheTerminal(at);
            if (state == State::armed) expectWholeIn(part<StopPane>(), at);
            if (state == State::choosing) expectWholeIn(part<ResumePane>(), at);
            if (state == State::idle) m_window->page()->showFailure();
            settle();
            EXPECT_EQ(m_window->size(), QSize(1366, 768)) << at;
            keepPictures(fault, name);
        }
    }
}

// A stop that can continue may be withdrawn. One that cannot says so and offers another action.
TEST_F(FaultScenes, StopThatCannotFinishIsReportedWithAWayOut)
{
    const struct {
        void (*happen)(Snapshot &);
        const char *title;   // title of the pane
        const char *wayOut;  // way out; empty: none, the stop can still finish
        bool cancels;
    } stops[] = {{scenes::killAll, "Stop cannot finish", "Resume from 40,600…", false},
                 {scenes::killOne, "Stop cannot finish", "End ranks 0–4, 6, 7 and resume from 40,600…", true},
                 {scenes::hang, "Stop cannot finish", "End ranks 0–7 and resume from 40,600…", true},
                 {scenes::tear, "", "", true},
                 {scenes::cut, "", "", true},
                 {scenes::fullDisk, "Stop cannot finish", "Resume from 40,600…", false}};
    for (const auto &stop : stops) {
        openFault({"", stop.happen, "", "", 0, "", "", ""}, State::armed);
        const auto *pane = part<StopPane>();
        const std::string title = pane->titleText().toStdString();
        EXPECT_EQ(pane->titleText().contains(QLatin1String("cannot finish")), *stop.title != '\0') << title;
        EXPECT_EQ(button(QStringLiteral("Cancel the stop"), part<StopPane>()) != nullptr, stop.cancels) << title;
        if (*stop.wayOut == '\0') continue;
        QStringList seen;
        for (const auto *one : pane->findChildren<QPushButton *>())
            if (one->isVisible()) seen << one->text();
        EXPECT_TRUE(seen.contains(QString::fromUtf8(stop.wayOut)))
            << title << ": " << seen.join(QStringLiteral(" | ")).toStdString();
    }
}

// The header makes no promise about such a stop, either.
TEST_F(FaultScenes, HeaderPromisesNothingForAStopThatCannotFinish)
{
    openFault({"", scenes::killAll, "", "", 0, "", "", ""}, State::armed);
    EXPECT_TRUE(says(m_window.get(), QStringLiteral("Lost since step 40,600, the newest VALID set")));
    EXPECT_TRUE(says(m_window.get(), QStringLiteral("sets the flag back to 0")));
    EXPECT_EQ(part<StopPane>()->titleText(), QStringLiteral("Stop cannot finish: all 8 ranks died"));
    for (const char *promise : {"0 once it is proven", "until a rank reads the flag", "when the 8 ranks are gone"})
        EXPECT_FALSE(says(m_window.get(), QLatin1String(promise))) << promise;
}

TEST_F(FaultScenes, HangingStopPromisesNothingAndItsRowsNameTheRanks)
{
    openFault({"", scenes::hang, "", "", 0, "", "", ""}, State::idle);
    EXPECT_FALSE(says(m_window.get(), QStringLiteral("loses 0 steps")));
    EXPECT_TRUE(says(m_window.get(), QStringLiteral("not while ranks hang")));
    openFault({"", scenes::hang, "", "", 0, "", "", ""}, State::armed);
    EXPECT_TRUE(says(m_window.get(), QStringLiteral("the stop cannot finish")));
    EXPECT_FALSE(says(m_window.get(), QStringLiteral("0 once it is proven")));
    const QAbstractItemModel *rows = part<StopPane>()->findChild<QTableView *>()->model();
    EXPECT_EQ(rows->index(6, RankExitModel::confirmed).data().toString(), QStringLiteral("hangs"));
    EXPECT_EQ(rows->index(5, RankExitModel::confirmed).data().toString(), QStringLiteral("waits"));
}

// Ranks on a silent node may or may not have read the request.
TEST_F(FaultScenes, StopWithASilentNodeClaimsNothingAboutItsRanks)
{
    openFault({"", scenes::cut, "", "", 0, "", "", ""}, State::armed);
    const QAbstractItemModel *rows = part<StopPane>()->findChild<QTableView *>()->model();
    EXPECT_EQ(rows->index(3, RankExitModel::confirmed).data().toString(), QStringLiteral("waits"));
    EXPECT_EQ(rows->index(4, RankExitModel::confirmed).data().toString(), QStringLiteral("no contact"));
    EXPECT_TRUE(says(part<StopPane>(), QStringLiteral("0 of 8; no contact with ranks 4–7")));
    for (const auto *label : part<StopPane>()->findChildren<QLabel *>())
        EXPECT_FALSE(label->isVisible() && label->text().contains(QStringLiteral("within one step")))
            << label->text().toStdString();
}

// The failure view does not take half of the window if it has no content.
TEST_F(FaultScenes, FailureViewTakesHalfOfTheWindowOnlyIfThereIsAFailure)
{
    openFault({"", scenes::tear, "", "", 0, "", "", ""}, State::idle);
    m_window->page()->showFailure();
    const int without = part<BottomPanels>()->height();
    openFault({"", scenes::killOne, "", "", 0, "", "", ""}, State::idle);
    m_window->page()->showFailure();
    EXPECT_GT(part<BottomPanels>()->height(), without + 60);
}

// While the loss is NaN, the window does not promise that an exit save loses nothing.
TEST_F(FaultScenes, StopAtNaNDoesNotPromiseThatNothingIsLost)
{
    for (const State state : {State::idle, State::armed}) {
        openFault({"", scenes::nan, "", "", 0, "", "", ""}, state);
        EXPECT_TRUE(says(m_window.get(), QStringLiteral("Lost already, since step 40,600")));
        const bool stopping = state == State::armed;
        EXPECT_TRUE(says(m_window.get(), stopping ? QStringLiteral("the exit save contains NaN")
                                                  : QStringLiteral("an exit save would contain NaN")));
        for (const char *promise : {"loses 0 steps", "0 once it is proven"})
            EXPECT_FALSE(says(m_window.get(), QLatin1String(promise))) << promise;
    }
}

}  // namespace
}  // namespace rankdeck::ui::fault_scenes_test
