// SPDX-License-Identifier: GPL-3.0-or-later
// Parts that must be visible on the screen: the edges of fields and boxes in both themes, the sign on a filled button,
// the focus.
#include "tests/ui/settle.h"
#include "ui/kit/act_button.h"
#include "ui/kit/focus_ring.h"
#include "ui/kit/table.h"
#include "ui/style/color_math.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QRadioButton>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <gtest/gtest.h>

namespace rankdeck::ui::controls_test {
namespace {

using R = Theme::Role;

class Controls : public testing::TestWithParam<bool> {
protected:
    void SetUp() override { Theme::of(nullptr).setMode(GetParam() ? Theme::Mode::dark : Theme::Mode::light); }
    void TearDown() override { Theme::of(nullptr).setMode(Theme::Mode::light); }
    // The best contrast to the background that any pixel in these rows and columns has.
    static double edgeContrast(const QImage &image, const QRect &area, const QColor &ground)
    {
        double best = 1;
        for (int y = area.top(); y <= area.bottom(); ++y)
            for (int x = area.left(); x <= area.right(); ++x)
                best = std::max(best, contrastRatio(image.pixelColor(x, y), ground));
        return best;
    }
    // The contrast of the left edge that the widget draws, halfway down.
    static double leftEdge(QWidget &widget, const QColor &ground, int width = 3)
    {
        widget.resize(widget.sizeHint().expandedTo({120, 24}));
        QPixmap shot(widget.size());
        shot.fill(ground);
        widget.render(&shot);
        const int middle = widget.height() / 2;
        return edgeContrast(shot.toImage(), QRect(0, middle - 1, width, 2), ground);
    }
};

TEST_P(Controls, FieldsAndBoxesContrastWithWindowAndCard)
{
    for (const R role : {R::window, R::base}) {
        const QColor ground = Theme::color(role, GetParam());
        QLineEdit field;
        EXPECT_GE(leftEdge(field, ground), 3) << "field";
        QCheckBox box(QStringLiteral("Use it"));
        EXPECT_GE(leftEdge(box, ground), 3) << "check box";
        QRadioButton round(QStringLiteral("This"));
        EXPECT_GE(leftEdge(round, ground), 3) << "radio button";
        QComboBox choice;
        choice.addItem(QStringLiteral("One"));
        EXPECT_GE(leftEdge(choice, ground), 3) << "combo box";
    }
}

TEST_P(Controls, UncheckedHostIsVisible)
{
    QStandardItemModel model;
    auto *item = new QStandardItem;
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable);
    item->setCheckState(Qt::Unchecked);
    model.appendRow(item);
    Table table(QStringLiteral("Hosts"));
    table.setModel(&model);
    table.resize(120, 80);
    table.show();
    const QImage shot = table.viewport()->grab().toImage();
    const QRect cell = table.visualRect(model.index(0, 0)).intersected(shot.rect().adjusted(0, 0, -1, -1));
    EXPECT_GE(edgeContrast(shot, QRect(cell.left(), cell.top(), 22, cell.height()), Theme::color(R::base, GetParam())),
              3);
}

TEST_P(Controls, SignOnAFilledButtonIsWhite)
{
    ActButton button(QStringLiteral("Resume"));
    button.setGlyph(Glyph::play);
    button.setPrimary(true);
    const QImage sign = button.icon().pixmap(button.iconSize()).toImage();
    int drawn = 0;
    for (int y = 0; y < sign.height(); ++y) {
        for (int x = 0; x < sign.width(); ++x) {
            if (sign.pixelColor(x, y).alpha() < 200) continue;
            ++drawn;
            EXPECT_GE(contrastRatio(sign.pixelColor(x, y), Theme::color(R::accentFill, GetParam())), 3);
        }
    }
    EXPECT_GT(drawn, 20);
}

TEST_P(Controls, TablesAndTextsShowTheFocusInTheAccentColour)
{
    QWidget window;
    auto *column = new QVBoxLayout(&window);
    auto *table = new Table(QStringLiteral("Rows"));
    auto *text = new QPlainTextEdit;
    FocusRing::addTo(text);
    column->addWidget(table);
    column->addWidget(text);
    window.resize(300, 300);
    window.show();
    window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window, neverMs));
    const QColor accent = Theme::color(R::accent, GetParam());
    for (QWidget *widget : std::initializer_list<QWidget *>{table, text}) {
        widget->setFocus();
        QImage shot = widget->grab().toImage();
        EXPECT_EQ(shot.pixelColor(0, 60), accent);
        EXPECT_EQ(shot.pixelColor(shot.width() - 1, 60), accent);
        widget->clearFocus();
        shot = widget->grab().toImage();
        EXPECT_NE(shot.pixelColor(0, 60), accent);
    }
}

INSTANTIATE_TEST_SUITE_P(Themes, Controls, testing::Bool());

}  // namespace
}  // namespace rankdeck::ui::controls_test
