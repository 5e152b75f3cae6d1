// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/settle.h"
#include "ui/dialogs/command_palette.h"

#include <QAction>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QtTest/QTest>

#include <gtest/gtest.h>

namespace rankdeck::ui::command_palette_test {
namespace {

class PaletteTest : public testing::Test {
protected:
    PaletteTest()
    {
        for (const char *name : {"&Stop gracefully", "Show the s&top", "&Resume…", "Disabled act"})
            m_actions << new QAction(QString::fromUtf8(name), &m_window);
        m_actions[3]->setEnabled(false);
        m_actions[0]->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_G));
        m_palette = new CommandPalette(m_actions, &m_window);
        m_palette->popUp();
    }
    QStringList shown() const
    {
        QStringList rows;
        const auto *list = m_palette->findChild<QListWidget *>();
        for (int i = 0; i < list->count(); ++i) rows << list->item(i)->text();
        return rows;
    }
    QLineEdit *field() const { return m_palette->findChild<QLineEdit *>(); }

    QWidget m_window;
    QList<QAction *> m_actions;
    QPointer<CommandPalette> m_palette;
};

TEST_F(PaletteTest, FindsCommandsWithAllWordsInAnyOrderAndCase)
{
    EXPECT_EQ(shown().size(), 3) << "what cannot be done is not offered";
    field()->setText(QStringLiteral("STOP show"));
    EXPECT_EQ(shown(), QStringList{QStringLiteral("Show the stop")});
    field()->setText(QStringLiteral("no such"));
    ASSERT_EQ(shown().size(), 1) << "an empty place says why";
    EXPECT_EQ(m_palette->findChild<QListWidget *>()->item(0)->flags(), Qt::NoItemFlags);
    QTest::keyClick(field(), Qt::Key_Return);
    EXPECT_TRUE(m_palette) << "with nothing to do it stays";
}

TEST_F(PaletteTest, ArrowsAndEnterRunTheChosenCommandAfterThePaletteCloses)
{
    int runs = 0;
    bool byName = false, open = true;
    QObject::connect(m_actions[1], &QAction::triggered, &m_window, [&] {
        ++runs;
        open = m_palette != nullptr && m_palette->isVisible();
        byName = m_actions[1]->property(CommandPalette::byName).toBool();
    });
    QTest::keyClick(field(), Qt::Key_Down);
    QTest::keyClick(field(), Qt::Key_Return);
    ASSERT_TRUE(becomes([&] { return runs == 1; }));
    EXPECT_FALSE(open);
    EXPECT_TRUE(byName);
    EXPECT_FALSE(m_actions[1]->property(CommandPalette::byName).toBool()) << "only while it runs";
}

TEST_F(PaletteTest, DeletedActionIsNotRun)
{
    QTest::keyClick(field(), Qt::Key_Return);
    delete m_actions[0];
    settle();
    EXPECT_FALSE(m_palette);
}

}  // namespace
}  // namespace rankdeck::ui::command_palette_test
