// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/plot/loss_legend.h"

#include "ui/deck/plot/loss_marks.h"
#include "ui/style/glyphs.h"
#include "ui/style/theme.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace rankdeck::ui {

using R = Theme::Role;
using F = Theme::Font;

namespace {

int lineHeight() { return scaled(18); }
constexpr int textLeft = 42;
constexpr int sampleLeft = 12, sampleRight = 34;
constexpr int leftAligned = Qt::AlignVCenter | Qt::AlignLeft, rightAligned = Qt::AlignVCenter | Qt::AlignRight;

}  // namespace

LossLegend::LossLegend(QPainter &painter, const LegendContent &content, const DeckScene &scene, const QRect &box,
                       const Theme &theme)
    : m_painter(painter), m_content(content), m_scene(scene), m_box(box), m_theme(theme), m_y(box.top() + scaled(30))
{}

QRect LossLegend::logBox() { return {scaled(102), 0, scaled(42), lineHeight()}; }
QRect LossLegend::smoothBox() { return {scaled(150), 0, scaled(76), lineHeight()}; }

void LossLegend::paint()
{
    m_painter.save();
    m_painter.setClipRect(m_box);
    if (!m_content.metric.isEmpty()) {
        paintMetric();
        m_painter.restore();
        return;
    }
    paintHead();
    paintBands();
    paintRankLines();
    if (m_content.discarded)
        entry(LossPlot::tr("discarded by a resume"),
              [this](int y) { lineSample(QPen(m_theme.color(R::discarded), 2, Qt::DashLine), y); });
    entry(m_content.nonFinite ? LossPlot::tr("NaN or Inf") : LossPlot::tr("NaN or Inf: none in view"), [this](int y) {
        m_painter.drawPixmap(17, y - 6, glyph(Glyph::nan, 12, m_theme, m_painter.device()->devicePixelRatioF()));
    });
    if (listsOutliers()) paintOutliers();
    m_painter.restore();
}

void LossLegend::paintHead()
{
    m_painter.setPen(m_theme.color(R::text));
    m_painter.setFont(m_theme.font(F::bold));
    m_painter.drawText(QRect(12, m_box.top(), scaled(80), lineHeight()), leftAligned, LossPlot::tr("Loss"));
    m_painter.setFont(m_theme.font(F::small));
    m_painter.setPen(m_theme.color(R::text2));
    m_painter.drawText(logBox().translated(0, m_box.top()), rightAligned,
                       m_content.logScale ? LossPlot::tr("log  on") : LossPlot::tr("log  off"));
    const QString smooth = m_content.smoothing > 0
                               ? LossPlot::tr("smooth  %1").arg(QLocale().toString(m_content.smoothing, 'g', 2))
                               : LossPlot::tr("smooth  off");
    m_painter.drawText(smoothBox().translated(0, m_box.top()), rightAligned, smooth);
}

// Draws the metric's name and its value at the cursor, then the entries of the line and the band.
void LossLegend::paintMetric()
{
    const QRect line(12, m_box.top(), scaled(214), lineHeight());  // left of the axis numbers
    m_painter.setPen(m_theme.color(R::text));
    m_painter.setFont(m_theme.font(F::bold));
    m_painter.drawText(line, leftAligned, m_content.metric);
    m_painter.setFont(m_theme.font(F::normal));
    m_painter.drawText(line, rightAligned, m_content.value);
    entry(m_content.measured, [this](int y) { lineSample(QPen(m_theme.color(R::median), 2), y); });
    entry(LossPlot::tr("min to max over ranks"),
          [this](int y) { m_painter.fillRect(sampleLeft, y - 5, 22, 11, m_theme.color(R::band)); });
}

void LossLegend::paintBands()
{
    const auto band = [this](R role) {
        return [this, role](int y) { m_painter.fillRect(sampleLeft, y - 5, 22, 11, m_theme.color(role)); };
    };
    entry(LossPlot::tr("median of %n ranks", nullptr, m_content.ranks),
          [this](int y) { lineSample(QPen(m_theme.color(R::median), 2), y); });
    if (m_content.inner) entry(LossPlot::tr("middle 80 % of ranks"), band(R::bandInner));
    entry(m_content.inner ? LossPlot::tr("min to max, all ranks") : LossPlot::tr("min to max over ranks"),
          band(R::band));
}

void LossLegend::paintRankLines()
{
    for (const int rank : m_content.lines) {
        const auto slot = m_scene.lineSlots.find(rank);
        if (slot == m_scene.lineSlots.end() || (listsOutliers() && isOutlier(rank))) continue;
        entry(lineWords(rank), [&](int y) { lineSample(linePen(slot->second, m_theme, 2), y); });
    }
}

void LossLegend::paintOutliers()
{
    if (m_y + 40 >= m_box.bottom()) return;
    const auto number = [this] { return QRect(scaled(180), m_y - lineHeight() / 2, scaled(42), lineHeight()); };
    m_y += 4;
    m_painter.setFont(m_theme.font(F::smallBold));
    m_painter.setPen(m_theme.color(R::text2));
    m_painter.drawText(QRect(12, m_y - lineHeight() / 2, scaled(160), lineHeight()), leftAligned,
                       LossPlot::tr("Outliers, farthest first"));
    m_painter.drawText(number(), rightAligned, LossPlot::tr("MAD"));
    m_y += lineHeight();
    m_painter.setFont(m_theme.font(F::small));
    for (const LegendOutlier &one : m_content.outliers) {
        const auto slot = m_scene.lineSlots.find(one.rank);
        if (slot == m_scene.lineSlots.end() || m_y + lineHeight() / 2 > m_box.bottom()) continue;
        const QString sign = one.mads > 0 ? QStringLiteral("+") : QString::fromUtf8("\u2212");
        m_painter.setPen(m_theme.color(R::text));
        m_painter.drawText(number(), rightAligned, sign + QLocale().toString(std::abs(one.mads), 'f', 1));
        m_painter.setPen(m_theme.color(R::text2));
        m_painter.drawText(QRect(scaled(110), m_y - lineHeight() / 2, scaled(80), lineHeight()), leftAligned, one.node);
        entry(LossPlot::tr("rank %1").arg(one.rank), [&](int y) { lineSample(linePen(slot->second, m_theme, 2), y); });
    }
    if (m_content.within <= 0 || m_y + lineHeight() / 2 > m_box.bottom()) return;
    m_painter.setPen(m_theme.color(R::text2));
    m_painter.drawText(QRect(textLeft, m_y - lineHeight() / 2, scaled(200), lineHeight()), leftAligned,
                       LossPlot::tr("%n ranks within 4 MAD", nullptr, m_content.within));
}

void LossLegend::entry(const QString &words, const std::function<void(int y)> &sample)
{
    if (m_y + lineHeight() / 2 > m_box.bottom()) return;
    sample(m_y);
    m_painter.setFont(m_theme.font(F::small));
    m_painter.setPen(m_theme.color(R::text));
    m_painter.drawText(QRect(textLeft, m_y - lineHeight() / 2, scaled(190), lineHeight()), leftAligned, words);
    m_y += lineHeight();
}

void LossLegend::lineSample(const QPen &pen, int y)
{
    m_painter.setPen(pen);
    m_painter.drawLine(sampleLeft, y, sampleRight, y);
}

bool LossLegend::listsOutliers() const { return m_content.inner && !m_content.outliers.empty(); }

bool LossLegend::isOutlier(int rank) const
{
    return std::any_of(m_content.outliers.begin(), m_content.outliers.end(),
                       [rank](const LegendOutlier &one) { return one.rank == rank; });
}

QString LossLegend::lineWords(int rank) const
{
    QStringList why;
    if (rank == m_scene.selectedRank) why << LossPlot::tr("selected");
    if (isOutlier(rank)) why << LossPlot::tr("outlier");
    if (m_scene.pinned.count(rank) > 0) why << LossPlot::tr("pinned");
    return LossPlot::tr("rank %1 (%2)").arg(rank).arg(why.join(QStringLiteral(", ")));
}

}  // namespace rankdeck::ui
