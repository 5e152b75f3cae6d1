// SPDX-License-Identifier: GPL-3.0-or-later
// Rules for every state of a job, with every pane open and in both themes: all made-up states are checked.
#include "tests/ui/settle.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/kit/act_button.h"
#include "ui/panes/inspector_pane.h"
#include "ui/panes/proof_pane.h"
#include "ui/panes/resume_pane.h"
#include "ui/panes/stop_pane.h"
#include "ui/window/banner.h"
#include "ui/window/header_bar.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QLineEdit>
#include <QTabBar>
#include <QTabWidget>
#include <QTextDocument>

#include <cmath>
#include <functional>

namespace rankdeck::ui::properties_test {
namespace {

Snapshot stoppingFive() { return scenes::stopping(5, 2); }
Snapshot armed() { return scenes::stopping(0, 0); }

Snapshot everyRankNaN()
{
    Snapshot s = scenes::healthy();
    for (RankState &rank : s.view.ranks) rank.progress.loss = std::nan("");
    return s;
}

Snapshot cutOff()
{
    Snapshot s = scenes::healthy();
    for (NodeStatus &node : s.view.nodes) {
        node.state = NodeState::lost;
        node.reason = "name node0 cannot be resolved";
    }
    return s;
}

Snapshot oneRankOnly()
{
    Snapshot s = scenes::healthy();
    s.view.job.worldSize = 1;
    s.view.ranks.resize(1);
    s.view.nodes.resize(1);
    for (CheckpointSet &set : s.view.checkpoints.sets) set.members.resize(1);
    return s;
}

Snapshot diedWhileArmed()
{
    Snapshot s = scenes::stopping(0, 0);
    s.view.ranks[5].alive = false;
    s.view.ranks[5].exitCode = 1;
    return s;
}

struct Moment {
    const char *name;
    Snapshot (*snapshot)();
};
const Moment moments[] = {{"healthy", scenes::healthy},
                          {"died", scenes::died},
                          {"armed", armed},
                          {"stopping", stoppingFive},
                          {"stopped", scenes::stopped},
                          {"resumable", scenes::resumable},
                          {"proven", scenes::proven},
                          {"not proven", scenes::notProven},
                          {"empty", scenes::empty},
                          {"NaN", everyRankNaN},
                          {"cut off", cutOff},
                          {"one rank", oneRankOnly},
                          {"died armed", diedWhileArmed}};

// Puts some markup and control codes into all texts that a node, a log or a file can contain.
void poison(Snapshot &s)
{
    const std::string bad = "<img src=http://evil/x.png>\x1b[31m<b>b</b>&amp;\r\n";
    s.view.job.name += bad;
    for (NodeStatus &node : s.view.nodes) node.reason += bad;
    for (RankState &rank : s.view.ranks) rank.logPath += bad;
    for (Event &event : s.view.recentEvents) event.text += bad;
    for (CheckpointSet &set : s.view.checkpoints.sets) {
        for (Reason &reason : set.reasons) reason.text += bad;
        for (MemberVerdict &member : set.members) member.note += bad, member.path += bad;
    }
    const auto findings = [&](std::vector<Finding> &all) {
        for (Finding &finding : all) finding.text += bad, finding.fix += bad;
    };
    findings(s.exitPreflight.preflight);
    if (s.exit) s.exit->text += bad, findings(s.exit->preflight);
    if (s.resume) {
        s.resume->text += bad;
        findings(s.resume->preflight);
        for (RankProof &proof : s.resume->ranks) proof.note += bad;
    }
}

class EveryMoment : public Window {
protected:
    // Runs the check in every state, with every pane and every tab.
    void inEach(const std::function<void(const std::string &where)> &check,
                const std::function<void(Snapshot &)> &change = {})
    {
        for (const Moment &moment : moments) {
            Snapshot s = moment.snapshot();
            if (change) change(s);
            open(s);
            for (const Event &event : s.view.recentEvents) m_feed->run().add(event);
            m_feed->set(s);
            JobPage &page = *m_window->page();
            const std::pair<const char *, std::function<void()>> faces[] = {
                {"nothing", [] {}},
                {"stop", [&] { page.openStop(); }},
                {"resume", [&] { page.openResume(); }},
                {"proof", [&] { page.openProof(); }},
                {"inspector", [&] { page.inspect(QStringLiteral("2:40600"), 0); }}};
            for (const auto &[face, show] : faces) {
                show();
                auto *tabs = part<QTabWidget>();
                for (int tab = 0; tab < tabs->count(); ++tab) {
                    tabs->setCurrentIndex(tab);
                    check(std::string(moment.name) + ", " + face + ", tab " + std::to_string(tab));
                }
            }
        }
    }
    template <class T>
    QList<T *> seen() const
    {
        QList<T *> all = m_window->findChildren<T *>();
        all.removeIf([](const T *one) { return !one->isVisible(); });
        return all;
    }
};

TEST_F(EveryMoment, HasOnePrimaryButtonWithReasonsAndUnits)
{
    inEach([this](const std::string &where) {
        int filled = 0;
        for (const ActButton *one : seen<ActButton>()) filled += one->isPrimary() && one->isEnabled();
        EXPECT_LE(filled, 1) << where;
        for (const QPushButton *one : part<HeaderBar>()->findChildren<QPushButton *>()) {
            if (!one->isVisible() || one->isEnabled()) continue;
            EXPECT_FALSE(one->accessibleDescription().isEmpty()) << where << ": " << one->text().toStdString();
            EXPECT_FALSE(one->toolTip().isEmpty()) << where << ": " << one->text().toStdString();
        }
        for (const QLabel *label : seen<QLabel>()) {
            for (const char *wrong : {"0.0 device-hours", "0.0 s ago", "set 2:", "set 1:", "%1", "%2"})
                EXPECT_FALSE(label->text().contains(QLatin1String(wrong)))
                    << where << ": " << label->text().toStdString();
        }
    });
}

TEST_F(EveryMoment, ShowsTextOfANodeWithoutMarkupOrControlCodes)
{
    const auto plain = [](const QString &text, const std::string &where) {
        QTextDocument shown;
        if (Qt::mightBeRichText(text))
            shown.setHtml(text);
        else
            shown.setPlainText(text);
        EXPECT_FALSE(text.contains(QLatin1String("<img"))) << where << ": " << text.toStdString();
        EXPECT_FALSE(text.contains(QLatin1Char('\x1b'))) << where << ": " << text.toStdString();
        EXPECT_FALSE(shown.toHtml().contains(QLatin1String("<img"))) << where << ": " << text.toStdString();
    };
    inEach(
        [&](const std::string &where) {
            for (const QLabel *label : seen<QLabel>()) {
                if (label->textFormat() != Qt::PlainText) plain(label->text(), where);
                EXPECT_NE(label->textFormat(), Qt::AutoText) << where << ": " << label->text().toStdString();
                EXPECT_FALSE(label->text().contains(QLatin1Char('\x1b'))) << where;
            }
            for (const QWidget *widget : seen<QWidget>()) plain(widget->toolTip(), where);
            for (const QAbstractItemView *view : seen<QAbstractItemView>()) {
                if (view->model() == nullptr) continue;
                for (int row = 0; row < std::min(view->model()->rowCount(), 12); ++row)
                    for (int column = 0; column < std::min(view->model()->columnCount(), 12); ++column)
                        plain(view->model()->index(row, column).data(Qt::ToolTipRole).toString(), where);
            }
        },
        poison);
}

TEST_F(EveryMoment, F6CyclesThroughDeckPaneAndTabs)
{
    open(scenes::resumable());
    m_window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(m_window.get(), neverMs));
    m_window->page()->openResume();
    m_window->page()->findChild<QWidget *>(QStringLiteral("deck"))->setFocus();
    const auto in = [this](QWidget *part) { return part->isAncestorOf(m_window->focusWidget()); };
    m_window->actions().nextPane->trigger();
    EXPECT_TRUE(in(part<ResumePane>()));
    m_window->actions().nextPane->trigger();
    EXPECT_TRUE(in(part<QTabWidget>()));
    m_window->actions().nextPane->trigger();
    EXPECT_TRUE(in(m_window->page()->findChild<QWidget *>(QStringLiteral("deck"))));
    m_window->actions().previousPane->trigger();
    EXPECT_TRUE(in(part<QTabWidget>()));
}

TEST_F(EveryMoment, NoKeyIsAssignedTwice)
{
    open(scenes::healthy());
    QHash<QKeySequence, QString> taken;
    const QList<QAction *> all =
        m_window->actions().findChildren<QAction *>(Qt::FindDirectChildrenOnly) + m_window->page()->actions();
    QSet<QAction *> counted;
    for (QAction *action : all) {
        if (counted.contains(action)) continue;
        counted.insert(action);
        for (const QKeySequence &key : action->shortcuts()) {
            EXPECT_FALSE(taken.contains(key)) << key.toString().toStdString() << ": " << action->text().toStdString()
                                              << " and " << taken.value(key).toStdString();
            taken.insert(key, action->text());
        }
    }
    EXPECT_GE(taken.size(), 25);
}

}  // namespace
}  // namespace rankdeck::ui::properties_test
