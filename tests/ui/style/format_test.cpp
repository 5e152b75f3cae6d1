// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/format.h"

#include <QTextDocument>

#include <gtest/gtest.h>

namespace rankdeck::ui::format_test {
namespace {

TEST(ToolTip, TextOfANodeIsShownWithoutMarkup)
{
    for (const char *hostile : {"<img src='http://evil/x.png'>", "<b>bold</b>", "a < b & c > d", "plain",
                                "<!-- hidden -->", "<table><tr><td>x", "two\nlines"}) {
        const QString text = QString::fromLatin1(hostile);
        QTextDocument shown;
        shown.setHtml(toolTipOf(text));  // as QToolTip does with what looks like markup
        EXPECT_TRUE(Qt::mightBeRichText(toolTipOf(text))) << hostile;
        EXPECT_EQ(shown.toPlainText(), text) << hostile;
    }
    EXPECT_TRUE(toolTipOf({}).isEmpty()) << "no empty bubble";
}

TEST(Words, DeviceTimeUsesAUnitWithANonzeroValue)
{
    EXPECT_EQ(deviceHours(0.009), QStringLiteral("32 device-seconds"));
    EXPECT_EQ(deviceHours(0.2), QStringLiteral("12 device-minutes"));
    EXPECT_EQ(deviceHours(4.12), QStringLiteral("4.1 device-hours"));
    EXPECT_EQ(deviceHours(0), QStringLiteral("0 device-seconds"));
    EXPECT_EQ(deviceHours(1234), QStringLiteral("1,234 device-hours"));
}

TEST(Words, RecentAgesAreShownAsNow)
{
    EXPECT_EQ(ago(0.01), QStringLiteral("now"));
    EXPECT_EQ(ago(0.4), QStringLiteral("0.4 s ago"));
    EXPECT_EQ(ago(-3), QStringLiteral("now")) << "a clock that runs ahead";
}

}  // namespace
}  // namespace rankdeck::ui::format_test
