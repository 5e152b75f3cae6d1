// SPDX-License-Identifier: GPL-3.0-or-later
// Every fault and its text in each part of the window: banner, title, header, the big buttons. The window and `status`
// must never disagree, so each row is also compared with the alarms of core.
#include "tests/ui/window/window_fixture.h"
#include "ui/kit/act_button.h"
#include "ui/kit/glyph_label.h"
#include "ui/style/theme.h"
#include "ui/window/banner.h"
#include "ui/window/header_bar.h"
#include "ui/window/status_line.h"

#include "core/alarm/alarm.h"

#include <QDialog>
#include <QMenu>
#include <QTimer>
#include <QToolButton>

#include <limits>

namespace rankdeck::ui::faults_test {
namespace {

using std::chrono::seconds;

void dies(RankState &rank, int code)
{
    rank.alive = false;
    rank.seenAlive = true;
    rank.exitCode = code;
    rank.process.reset();
}

Snapshot oneDied()
{
    Snapshot s = scenes::healthy();
    dies(s.view.ranks[3], 1);
    return s;
}
Snapshot allDied()
{
    Snapshot s = scenes::healthy();
    for (RankState &rank : s.view.ranks) dies(rank, -9);
    return s;
}
Snapshot diedWhileArmed()
{
    Snapshot s = scenes::stopping(0, 0);
    dies(s.view.ranks[5], 1);
    return s;
}
Snapshot notANumber()
{
    Snapshot s = scenes::healthy();
    s.view.ranks[2].progress.loss = std::numeric_limits<double>::quiet_NaN();
    s.view.ranks[2].firstNonFinite = scenes::now() - seconds(5);
    s.view.ranks[2].firstNonFiniteStep = 40'710;
    return s;
}
Snapshot nodeIn(NodeState state)
{
    Snapshot s = scenes::healthy();
    s.view.nodes[1].state = state;
    s.view.nodes[1].lastContact = scenes::now() - seconds(40);
    s.view.nodes[1].reason = "the connection timed out";
    return s;
}
Snapshot lost() { return nodeIn(NodeState::lost); }
Snapshot stale() { return nodeIn(NodeState::stale); }
Snapshot asks()
{
    Snapshot s = nodeIn(NodeState::needsYou);
    s.view.nodes[1].hostKey = HostKeyQuestion{"ascend-02", "10.0.0.2", "ssh-ed25519", "SHA256:x", "known_hosts"};
    return s;
}
Snapshot nothingValid()
{
    Snapshot s = scenes::healthy();
    for (CheckpointSet &set : s.view.checkpoints.sets) {
        set.verdict = Verdict::incomplete;
        set.reasons = {{"rank_missing", 1, "rank 1 has no file"}};
    }
    s.view.checkpoints.recommended.reset();
    return s;
}
Snapshot leftArmed()
{
    Snapshot s = scenes::healthy();
    s.view.flags[0].armed = true;
    s.view.flags[0].value = 1;
    return s;
}
Snapshot armedLong()
{
    Snapshot s = scenes::stopping(5, 2);
    s.exit->started = scenes::now() - seconds(600);
    return s;
}
Snapshot told()
{
    Snapshot s = scenes::healthy();
    s.messages = {"job file: unknown key \"worldsize\""};
    return s;
}

struct Fault {
    const char *name;
    Snapshot (*snapshot)();
    AlarmCode code;
    const char *words;  // text in the banner
    bool resumeFirst;   // whether the resume is the next action
};
const Fault faults[] = {{"one died", oneDied, AlarmCode::rankDied, "Rank 3 died", true},
                        {"all died", allDied, AlarmCode::jobDied, "All 8 ranks died", true},
                        {"died while armed", diedWhileArmed, AlarmCode::rankDied, "Rank 5 died", true},
                        {"NaN", notANumber, AlarmCode::nanLoss, "rank 2", false},
                        {"node lost", lost, AlarmCode::nodeLost, "ascend-02", false},
                        {"node stale", stale, AlarmCode::nodeStale, "ascend-02", false},
                        {"node asks", asks, AlarmCode::nodeNeedsYou, "ascend-02", false},
                        {"nothing valid", nothingValid, AlarmCode::nothingValid, "rank 1 has no file", false},
                        {"left armed", leftArmed, AlarmCode::leftArmed, "ascend-01", false},
                        {"armed long", armedLong, AlarmCode::armedLong, "5 of 8", false},
                        {"not proven", scenes::notProven, AlarmCode::notProven, "rank 6", false},
                        {"a note", told, AlarmCode::note, "worldsize", false}};

class Faults : public Window {
protected:
    QString bannerWords()
    {
        QStringList words;
        for (const auto *label : part<Banner>()->findChildren<QLabel *>())
            if (label->isVisible()) words << label->accessibleName() << label->text();
        return words.join(QLatin1Char(' '));
    }
    QList<QPushButton *> bannerButtons()
    {
        QList<QPushButton *> seen;
        for (auto *one : part<Banner>()->findChildren<QPushButton *>())
            if (one->isVisible()) seen << one;
        return seen;
    }
    static std::vector<Alarm> alarmsOf(const Snapshot &s) { return findAlarms(pictureOf(s, scenes::now())); }
};

TEST_F(Faults, BannerTitleAndButtonsShowTheWorstAlarmOfCore)
{
    open(scenes::healthy());
    for (const Fault &fault : faults) {
        const Snapshot s = fault.snapshot();
        const std::vector<Alarm> alarms = alarmsOf(s);
        ASSERT_FALSE(alarms.empty()) << fault.name;
        EXPECT_EQ(alarmCodeName(alarms.front().code), std::string(alarmCodeName(fault.code))) << fault.name;
        m_feed->set(s);
        ASSERT_TRUE(part<Banner>()->isVisible()) << fault.name;
        EXPECT_TRUE(bannerWords().contains(QLatin1String(fault.words), Qt::CaseInsensitive))
            << fault.name << ": " << bannerWords().toStdString();
        const bool died = fault.code == AlarmCode::rankDied || fault.code == AlarmCode::jobDied;
        EXPECT_EQ(m_window->windowTitle().contains(QLatin1String("died")), died) << fault.name;
        EXPECT_TRUE(m_window->windowTitle().contains(QLatin1String("pangu-2.6b"))) << fault.name;
        const QList<QPushButton *> buttons = bannerButtons();
        EXPECT_LE(buttons.size(), 2) << fault.name;
        for (const auto *one : buttons) {
            EXPECT_GE(one->text().size(), 3) << fault.name;
            EXPECT_NE(one->focusPolicy() & Qt::TabFocus, 0) << fault.name;
        }
        if (std::string(fault.name) == "died while armed") continue;  // the stop is running
        EXPECT_EQ(part<HeaderBar>()->findChild<ActButton *>()->isPrimary(), fault.resumeFirst) << fault.name;
    }
}

TEST_F(Faults, EndedFaultIsNoLongerShown)
{
    open(scenes::healthy());
    const QString title = m_window->windowTitle();
    EXPECT_FALSE(part<Banner>()->isVisible());
    for (const Fault &fault : faults) {
        m_feed->set(fault.snapshot());
        EXPECT_TRUE(part<Banner>()->isVisible()) << fault.name;
        m_feed->set(scenes::healthy());
        EXPECT_FALSE(part<Banner>()->isVisible()) << fault.name;
        EXPECT_EQ(m_window->windowTitle(), title) << fault.name;
    }
}

// No button of the banner acts on the job before the operator has seen the plan.
TEST_F(Faults, NoBannerButtonDirectlyEndsOrStartsRanks)
{
    for (const Fault &fault : faults) {
        qsizetype ways = 1;
        for (qsizetype which = 0; which < ways; ++which) {
            open(fault.snapshot());
            const QList<QPushButton *> buttons = bannerButtons();
            ways = buttons.size();
            if (which >= ways) continue;
            const bool stops = buttons[which]->text().contains(QLatin1String("Stop"));
            QTest::mouseClick(buttons[which], Qt::LeftButton);
            EXPECT_TRUE(m_feed->resumes.empty()) << fault.name;
            EXPECT_TRUE(m_feed->rungs.empty()) << fault.name;
            EXPECT_TRUE(stops || m_feed->exits.empty()) << fault.name << ": " << which;
            for (QDialog *dialog : m_window->findChildren<QDialog *>()) dialog->reject();
        }
    }
}

TEST_F(Faults, BannerShowsTheWorseAlarmAndCountsTheOther)
{
    open(scenes::healthy());
    Snapshot both = notANumber();
    both.messages = {"a note"};
    m_feed->set(both);
    EXPECT_TRUE(bannerWords().contains(QLatin1String("NaN")));
    dies(both.view.ranks[7], 1);
    m_feed->set(both);
    EXPECT_TRUE(bannerWords().contains(QLatin1String("Rank 7 died"))) << bannerWords().toStdString();
    EXPECT_EQ(alarmsOf(both).size(), 3u);
}

TEST_F(Faults, AcknowledgedActiveAlarmIsCountedAtTheBottom)
{
    open(scenes::healthy());
    const auto seen = [&]() -> QToolButton * {
        for (auto *button : part<StatusLine>()->findChildren<QToolButton *>())
            if (button->isVisible()) return button;
        return nullptr;
    };
    m_feed->set(notANumber());
    EXPECT_EQ(seen(), nullptr);
    Q_EMIT part<Banner>()->seen(notices(notANumber(), scenes::healthy().at).front().key);
    EXPECT_FALSE(part<Banner>()->isVisible());
    ASSERT_NE(seen(), nullptr);
    EXPECT_EQ(seen()->text(), QStringLiteral("1 alarm acknowledged…"));
    EXPECT_FALSE(seen()->icon().isNull()) << "its sign says what it is";
    QStringList listed;
    int foot = 0;
    QTimer::singleShot(0, m_window.get(), [&] {
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        ASSERT_NE(menu, nullptr);
        for (const QAction *line : menu->actions()) listed << line->text();
        foot = menu->mapToGlobal(QPoint(0, menu->height())).y();
        menu->close();
    });
    const int line = seen()->mapToGlobal(QPoint(0, 0)).y();
    seen()->click();
    ASSERT_EQ(listed.size(), 1);
    EXPECT_TRUE(listed.front().endsWith(QLatin1String("(acknowledged)"))) << listed.front().toStdString();
    EXPECT_LE(foot, line + 2) << "it covers the line that it came from";
    m_feed->set(scenes::healthy());
    EXPECT_EQ(seen(), nullptr) << "what has ended is said no more";
}

TEST_F(Faults, UnknownRanksAreNeverShownAsDeadMissingOrStopped)
{
    open(lost());
    Snapshot unknown = lost();
    for (int rank = 4; rank < 8; ++rank) {
        unknown.view.ranks[static_cast<std::size_t>(rank)].alive = std::nullopt;
        unknown.view.ranks[static_cast<std::size_t>(rank)].process.reset();
    }
    m_feed->set(unknown);
    for (const auto *label : m_window->findChildren<QLabel *>()) {
        if (!label->isVisible()) continue;
        for (const char *wrong : {"died", "exited", "not running", "nothing runs"})
            EXPECT_FALSE(label->text().contains(QLatin1String(wrong))) << label->text().toStdString();
    }
}

TEST_F(Faults, TextIsReadableInBothThemes)
{
    Theme &theme = Theme::of(nullptr);
    for (const bool dark : {false, true}) {
        theme.setMode(dark ? Theme::Mode::dark : Theme::Mode::light);
        open(scenes::healthy());
        for (const Fault &fault : faults) {
            m_feed->set(fault.snapshot());
            for (const auto *label : m_window->findChildren<QLabel *>()) {
                if (!label->isVisible() || label->text().isEmpty() || !label->isEnabled()) continue;
                const QColor ink = label->palette().color(label->foregroundRole());
                EXPECT_TRUE(ink == theme.color(Theme::Role::text) || ink == theme.color(Theme::Role::text2) ||
                            ink == theme.color(Theme::Role::armedBlack) || ink.lightness() > 240)
                    << fault.name << (dark ? " dark: " : ": ") << label->text().toStdString() << " in "
                    << ink.name().toStdString() << ": no word is written in a status colour";
            }
        }
        m_window.reset();
    }
    theme.setMode(Theme::Mode::light);
}

}  // namespace
}  // namespace rankdeck::ui::faults_test
