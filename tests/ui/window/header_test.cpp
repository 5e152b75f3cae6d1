// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/header_bar.h"

#include "tests/ui/scenes.h"
#include "ui/kit/act_button.h"
#include "ui/kit/label.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QtTest/QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace rankdeck::ui::header_test {
namespace {

class HeaderTest : public testing::Test {
protected:
    void show(const Snapshot &snapshot, int width = 1366)
    {
        m_window.resize(width, 64);
        m_header.resize(width, 64);
        m_window.show();
        m_header.showSnapshot(snapshot, scenes::now());
    }
    QStringList words() const
    {
        QStringList all;
        for (const auto *label : m_header.findChildren<QLabel *>())
            if (label->isVisible() && !label->text().isEmpty()) all << label->text();
        return all;
    }
    bool says(const QString &part) const
    {
        const QStringList all = words();
        return std::any_of(all.begin(), all.end(), [&](const QString &text) { return text.contains(part); });
    }

    QAction m_stop, m_resume;
    QWidget m_window;
    HeaderBar m_header{&m_stop, &m_resume, &m_window};
};

TEST_F(HeaderTest, LostWorkAndButtonsStayAtEveryWidthAndVitalsAreDropped)
{
    std::vector<qsizetype> counts;
    for (const int width : {1920, 1366, 1100, 900, 800}) {
        show(scenes::healthy(), width);
        counts.push_back(words().size());
        EXPECT_TRUE(says(QStringLiteral("112 steps"))) << width;
        for (const auto *button : m_header.findChildren<QPushButton *>()) EXPECT_TRUE(button->isVisible()) << width;
    }
    EXPECT_TRUE(std::is_sorted(counts.rbegin(), counts.rend()));
    EXPECT_LT(counts.back(), counts.front());
}

TEST_F(HeaderTest, ShowsThatAJobStartsAndCompilesBeforeItsFirstStep)
{
    Snapshot s = scenes::healthy();
    std::vector<RankState> ranks(s.view.ranks.begin(), s.view.ranks.end());
    for (RankState &rank : ranks) rank.progress = {};
    for (RankState &rank : ranks) rank.progress.attempt = s.view.attempt;
    s.view.ranks = SharedVector<RankState>();
    for (const RankState &rank : ranks) s.view.ranks.push_back(rank);
    show(s);
    EXPECT_TRUE(says(QStringLiteral("starts, compiles: "))) << words().join(QLatin1Char('|')).toStdString();
    show(scenes::healthy());
    EXPECT_FALSE(says(QStringLiteral("compiles")));
}

TEST_F(HeaderTest, ChosenSetShowsItsOwnLostWorkAndOnlyOneButtonIsPrimary)
{
    show(scenes::resumable());
    EXPECT_TRUE(m_header.findChild<ActButton *>()->isPrimary());
    m_header.setLostWith(LostWords{QStringLiteral("Lost with the chosen set"), QStringLiteral("900 steps"), {}});
    m_header.showSnapshot(scenes::resumable(), scenes::now());
    EXPECT_TRUE(says(QStringLiteral("900 steps")));
    EXPECT_FALSE(m_header.findChild<ActButton *>()->isPrimary()) << "the pane has the button now";
    m_header.setLostWith({});
    m_header.showSnapshot(scenes::resumable(), scenes::now());
    EXPECT_FALSE(says(QStringLiteral("900 steps")));
}

TEST_F(HeaderTest, ArmedIsShownNextToTheJob)
{
    show(scenes::stopping(0, 0));
    EXPECT_TRUE(says(QStringLiteral("ARMED")));
    show(scenes::stopped());
    EXPECT_FALSE(says(QStringLiteral("ARMED")));
}

TEST_F(HeaderTest, OfflineHistoryDisablesResumeUntilTheJobIsLiveAgain)
{
    m_header.setOffline(QStringLiteral("05:11:17"));
    show(scenes::resumable());
    EXPECT_TRUE(says(QStringLiteral("05:11:17")));
    EXPECT_FALSE(m_resume.isEnabled());
    m_header.setOffline({});
    show(scenes::resumable());
    EXPECT_FALSE(says(QStringLiteral("05:11:17")));
    EXPECT_TRUE(m_resume.isEnabled());
}

}  // namespace
}  // namespace rankdeck::ui::header_test
