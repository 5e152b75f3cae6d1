// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/color_math.h"
#include "ui/style/glyphs.h"
#include "ui/style/theme.h"

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QPalette>
#include <QSignalSpy>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace rankdeck::ui::theme_test {
namespace {

using R = Theme::Role;

constexpr std::array status = {R::complete, R::writing, R::partial, R::corrupt, R::missing};
constexpr std::array rankLines = {R::rankLine1, R::rankLine2, R::rankLine3, R::rankLine4, R::rankLine5, R::rankLine6};
constexpr std::array eyes = {Eye::normal, Eye::protan, Eye::deutan, Eye::tritan};

class Palette : public testing::TestWithParam<bool> {
protected:
    [[nodiscard]] static QColor color(R role) { return Theme::color(role, GetParam()); }
    template <class Roles>
    static double nearest(const Roles &roles, Eye eye)
    {
        double least = 1000;
        for (std::size_t i = 0; i < roles.size(); ++i)
            for (std::size_t j = i + 1; j < roles.size(); ++j)
                least = std::min(least, deltaE2000(seenBy(eye, color(roles[i])), seenBy(eye, color(roles[j]))));
        return least;
    }
};

TEST_P(Palette, StatusColoursDifferForColourBlindUsers)
{
    for (const Eye eye : eyes) EXPECT_GE(nearest(status, eye), 20) << static_cast<int>(eye);
}

TEST_P(Palette, RankLinesDifferForColourBlindUsers)
{
    for (const Eye eye : eyes) EXPECT_GE(nearest(rankLines, eye), 18) << static_cast<int>(eye);
}

TEST_P(Palette, GlyphsAndLinesContrastWithTheirBackground)
{
    for (const R role : status) {
        EXPECT_GE(contrastRatio(color(role), color(R::base)), 3) << static_cast<int>(role);
        EXPECT_GE(contrastRatio(color(role), color(R::window)), 3) << static_cast<int>(role);
    }
    for (const R role : rankLines) EXPECT_GE(contrastRatio(color(role), color(R::base)), 3) << static_cast<int>(role);
    EXPECT_GE(contrastRatio(color(R::median), color(R::band)), 3);
}

TEST_P(Palette, TextIsReadableOnEveryBackground)
{
    for (const R ground : {R::window, R::base, R::alt, R::tintBad, R::tintWarn, R::tintOk, R::lostGround}) {
        EXPECT_GE(contrastRatio(color(R::text), color(ground)), 4.5) << static_cast<int>(ground);
        EXPECT_GE(contrastRatio(color(R::text2), color(ground)), 4.5) << static_cast<int>(ground);
    }
    EXPECT_GE(contrastRatio(Qt::white, color(R::completeFlag)), 4.5);
    EXPECT_GE(contrastRatio(Qt::white, color(R::accentFill)), 4.5);
    EXPECT_GE(contrastRatio(color(R::armedBlack), color(R::armedAmber)), 4.5);
}

TEST_P(Palette, MarksOnFilledShapesAreVisible)
{
    Theme &theme = Theme::of(nullptr);
    theme.setMode(GetParam() ? Theme::Mode::dark : Theme::Mode::light);
    for (const R role : status)
        EXPECT_GE(contrastRatio(theme.inkOn(role), theme.color(role)), 3) << static_cast<int>(role);
    theme.setMode(Theme::Mode::light);
}

INSTANTIATE_TEST_SUITE_P(LightAndDark, Palette, testing::Bool());

TEST(ColourMath, AgreesWithPublishedDistances)
{
    EXPECT_NEAR(deltaE2000(Qt::white, Qt::black), 100, 0.01);
    EXPECT_NEAR(deltaE2000(QColor(10, 20, 30), QColor(10, 20, 30)), 0, 1e-9);
    EXPECT_NEAR(deltaE2000(Qt::red, Qt::green), deltaE2000(Qt::green, Qt::red), 1e-9);
    EXPECT_NEAR(deltaE2000(QColor(255, 0, 0), QColor(0, 255, 0)), 86.61, 0.05);
    EXPECT_NEAR(deltaE2000(QColor(255, 0, 0), QColor(0, 0, 255)), 52.88, 0.05);
    EXPECT_NEAR(contrastRatio(Qt::white, Qt::black), 21, 1e-6);
}

TEST(ThemeTest, SwitchesTheApplicationAndReportsIt)
{
    Theme &theme = Theme::of(nullptr);
    theme.setMode(Theme::Mode::light);
    const QSignalSpy changed(&theme, &Theme::changed);
    theme.setMode(Theme::Mode::dark);
    EXPECT_EQ(changed.count(), 1);
    EXPECT_TRUE(theme.dark());
    EXPECT_EQ(QApplication::palette().color(QPalette::Base), Theme::color(R::base, true));
    EXPECT_EQ(theme.color(R::text), Theme::color(R::text, true));
    theme.setMode(Theme::Mode::dark);
    EXPECT_EQ(changed.count(), 1) << "nothing changed the second time";
    theme.setMode(Theme::Mode::light);
    EXPECT_EQ(QApplication::palette().color(QPalette::Base), Theme::color(R::base, false));
}

TEST(ThemeTest, NoFontExceptTheKindLetterIsSmallerThanElevenPixels)
{
    const Theme &theme = Theme::of(nullptr);
    for (const auto font : {Theme::Font::normal, Theme::Font::bold, Theme::Font::small, Theme::Font::smallBold,
                            Theme::Font::value, Theme::Font::title, Theme::Font::mono})
        EXPECT_GE(theme.font(font).pixelSize(), 11);
    EXPECT_EQ(theme.font(Theme::Font::kind).pixelSize(), 9);
}

// The shape of a glyph without its colour: the darkness of each pixel against the background.
std::vector<int> shapeOf(Glyph which)
{
    const Theme &theme = Theme::of(nullptr);
    const QImage image = glyph(which, 32, theme, 1).toImage();
    std::vector<int> shape;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            const bool body = pixel.alpha() > 127 && deltaE2000(pixel, theme.color(glyphRole(which))) < 30;
            shape.push_back(body ? 1 : 0);
        }
    return shape;
}

void expectDistinct(const std::vector<Glyph> &glyphs)
{
    for (std::size_t i = 0; i < glyphs.size(); ++i) {
        const auto one = shapeOf(glyphs[i]);
        EXPECT_GT(std::count(one.begin(), one.end(), 1), 8) << "glyph " << static_cast<int>(glyphs[i]) << " is empty";
        for (std::size_t j = i + 1; j < glyphs.size(); ++j) {
            const auto other = shapeOf(glyphs[j]);
            int different = 0;
            for (std::size_t p = 0; p < one.size(); ++p) different += one[p] != other[p];
            EXPECT_GT(different, 60) << static_cast<int>(glyphs[i]) << " and " << static_cast<int>(glyphs[j]);
        }
    }
}

TEST(Glyphs, VerdictsDifferInShapeAlone)
{
    expectDistinct({Glyph::valid, Glyph::validUnproven, Glyph::inProgress, Glyph::incomplete, Glyph::inconsistent,
                    Glyph::corrupt, Glyph::unknown});
}

TEST(Glyphs, MemberStatesDifferInShapeAlone)
{
    expectDistinct({Glyph::ok, Glyph::replica, Glyph::saving, Glyph::missing, Glyph::shortFile, Glyph::mismatch,
                    Glyph::torn, Glyph::unreadable});
}

TEST(Glyphs, NodeStatesDifferInShapeAlone)
{
    expectDistinct({Glyph::queued, Glyph::connecting, Glyph::needsYou, Glyph::live, Glyph::stale, Glyph::lost,
                    Glyph::refused, Glyph::unsupported});
}

TEST(Glyphs, AreCrispAtEveryPixelRatio)
{
    const Theme &theme = Theme::of(nullptr);
    for (const qreal ratio : {1.0, 1.25, 1.5, 2.0}) {
        const QPixmap pixmap = glyph(Glyph::valid, 16, theme, ratio);
        EXPECT_EQ(pixmap.width(), qRound(16 * ratio));
        EXPECT_EQ(pixmap.devicePixelRatio(), ratio);
    }
    const QIcon icon = glyphIcon(Glyph::corrupt, theme);
    EXPECT_EQ(icon.pixmap(QSize(24, 24)).width(), 24);
}

TEST(Glyphs, CheckpointKindsHaveDistinctBars)
{
    const Theme &theme = Theme::of(nullptr);
    const auto bars = [&](CheckpointKind kind) {
        QImage image(16, 16, QImage::Format_ARGB32);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        paintKindMark(painter, kind, QRectF(0, 0, 16, 16), theme);
        painter.end();
        return std::array{qAlpha(image.pixel(4, 1)) > 0, qAlpha(image.pixel(4, 14)) > 0,
                          qAlpha(image.pixel(8, 14)) > 0};
    };
    EXPECT_EQ(bars(CheckpointKind::periodic), (std::array{false, false, false}));
    EXPECT_EQ(bars(CheckpointKind::graceful), (std::array{false, true, true}));
    EXPECT_EQ(bars(CheckpointKind::breakpoint), (std::array{false, true, false}));
    EXPECT_EQ(bars(CheckpointKind::ttp), (std::array{true, false, false}));
    EXPECT_EQ(kindLetter(CheckpointKind::graceful), QStringLiteral("G"));
    EXPECT_TRUE(kindLetter(CheckpointKind::periodic).isEmpty());
}

}  // namespace
}  // namespace rankdeck::ui::theme_test
