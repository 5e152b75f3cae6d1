// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/deck_strips.h"

#include "ui/deck/lanes/lane_gutter.h"
#include "ui/deck/scene/deck_paint.h"
#include "ui/state/run_state.h"
#include "ui/style/format.h"
#include "ui/style/theme.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace rankdeck::ui {

using R = Theme::Role;
using F = Theme::Font;

ReadoutLine::ReadoutLine(const StepAxis &axis, QWidget *parent) : QWidget(parent), m_axis(axis)
{
    setObjectName(QStringLiteral("readout"));
    setFixedHeight(rowHeight());
    connect(&Theme::of(this), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void ReadoutLine::setWords(const Words &words)
{
    if (words == m_words) return;
    m_words = words;
    setAccessibleName(text());
    update();
}

void ReadoutLine::setFollowing(const QString &words, bool clickable)
{
    if (words == m_following && clickable == m_clickable) return;
    m_following = words;
    m_clickable = clickable;
    setCursor(clickable ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

QString ReadoutLine::text() const
{
    QStringList parts{m_words.lead, m_words.quiet, m_words.main, m_words.details, m_words.rank};
    parts.removeAll(QString());
    return parts.join(QString::fromUtf8(" · "));
}

void ReadoutLine::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(R::window));
    const QFontMetrics small(theme.font(F::small));
    const int right = m_axis.right();
    const int followWidth = m_following.isEmpty() ? 0 : small.horizontalAdvance(m_following);
    painter.setFont(theme.font(m_clickable ? F::smallBold : F::small));
    painter.setPen(theme.color(m_clickable ? R::text : R::text2));
    painter.drawText(QRect(right - scaled(200), 0, scaled(200), height()), Qt::AlignRight | Qt::AlignVCenter,
                     m_following);
    int x = gutterWidth();
    const int limit = right - followWidth - 24;
    const auto part = [&](const QString &words, F font, R tone, int gap) {
        if (words.isEmpty()) return;
        painter.setFont(theme.font(font));
        painter.setPen(theme.color(tone));
        const int width = painter.fontMetrics().horizontalAdvance(words);
        if (x + width > limit) {
            x = limit;  // the first part that does not fit is left out, with all parts after it
            return;
        }
        painter.drawText(QRect(x, 0, width + 2, height()), Qt::AlignLeft | Qt::AlignVCenter, words);
        x += width + gap;
    };
    part(m_words.lead, F::smallBold, R::text, 8);
    part(m_words.quiet, F::small, R::text2, 10);
    part(m_words.main, F::small, R::text, 10);
    part(m_words.rank, F::smallBold, R::text, 10);
    part(m_words.details, F::small, R::text2, 10);
}

void ReadoutLine::mousePressEvent(QMouseEvent *event)
{
    if (m_clickable && event->position().x() > m_axis.right() - scaled(140)) Q_EMIT followPressed();
}

AttemptsStrip::AttemptsStrip(const DeckScene &scene, const StepAxis &axis, QWidget *parent)
    : QWidget(parent), m_scene(scene), m_axis(axis)
{
    setObjectName(QStringLiteral("attempts"));
    setFixedHeight(rowHeight());
    connect(&Theme::of(this), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QString AttemptsStrip::flagWords() const
{
    const LaneColumn *valid = m_scene.newestValid();
    if (!valid || !m_axis.sees(static_cast<double>(valid->position))) return {};
    const auto &seams = m_scene.lanes.seams;
    const bool begins = !seams.empty() && seams.back().resumedFrom == valid->position;
    return begins ? tr("%1, from newest VALID %2").arg(attemptWords(seams.back().attempt), number(valid->position))
                  : tr("newest VALID %1").arg(number(valid->position));
}

QRect AttemptsStrip::flagBox() const
{
    const QString words = flagWords();
    if (words.isEmpty()) return {};
    const int width = QFontMetrics(Theme::of(this).font(F::smallBold)).horizontalAdvance(words) + 12;
    int left = m_axis.column(static_cast<double>(m_scene.newestValid()->position)) - 1;
    if (left + width > m_axis.right()) left = m_axis.right() - width;
    return {left, 0, width, rowHeight()};
}

void AttemptsStrip::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(R::window));
    painter.setFont(theme.font(F::small));
    const auto &seams = m_scene.lanes.seams;
    const QRect flag = flagBox();
    const int middle = rowHeight() / 2 + 1;
    for (std::size_t i = 0; i < seams.size(); ++i) {
        const auto at = [&](std::size_t seam) {
            return std::clamp(m_axis.column(static_cast<double>(seams[seam].position)), m_axis.left(), m_axis.right());
        };
        const int from = i == 0 ? m_axis.left() : at(i);
        const int to = i + 1 < seams.size() ? at(i + 1) : m_axis.right();
        if (to - from < 4) continue;
        // Text that the flag would cover is left out, never cut.
        const int room = (!flag.isEmpty() && flag.right() > from && flag.left() < to ? flag.left() : to) - from - 12;
        QString words = attemptWords(seams[i].attempt);
        if (seams[i].resumedFrom) words = tr("%1, from %2").arg(words, number(*seams[i].resumedFrom));
        const QFontMetrics metrics = painter.fontMetrics();
        if (metrics.horizontalAdvance(words) > room) words = attemptWords(seams[i].attempt);
        int x = from + 6;
        if (metrics.horizontalAdvance(words) <= room) {
            painter.setPen(theme.color(R::text2));
            painter.drawText(QRect(x, 1, to - x, rowHeight() - 1), Qt::AlignLeft | Qt::AlignVCenter, words);
            x += metrics.horizontalAdvance(words) + 4;
        }
        if (x < to - 3) painter.fillRect(x, middle, to - 3 - x, 1, theme.color(R::frame));
    }
    paintSeams(painter, rect(), 0, m_scene, m_axis, theme);
    if (flag.isEmpty()) return;
    painter.fillRect(flag, theme.color(R::completeFlag));
    painter.setFont(theme.font(F::smallBold));
    painter.setPen(Qt::white);
    painter.drawText(flag, Qt::AlignCenter, flagWords());
}

AxisRow::AxisRow(const DeckScene &scene, const StepAxis &axis, QWidget *parent)
    : QWidget(parent), m_scene(scene), m_axis(axis)
{
    setObjectName(QStringLiteral("steps"));
    setFixedHeight(rowHeight());
    connect(&Theme::of(this), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void AxisRow::setCompact(bool on)
{
    if (on == m_compact) return;
    m_compact = on;
    update();
}

void AxisRow::paintHeads(QPainter &painter)
{
    const auto head = [&](int right, const QString &words) {
        painter.drawText(QRect(right - scaled(80), 0, scaled(80), rowHeight()), Qt::AlignRight | Qt::AlignVCenter,
                         words);
    };
    painter.drawText(QRect(LaneGutter::nodeLeft(), 0, scaled(70), rowHeight()), Qt::AlignLeft | Qt::AlignVCenter,
                     m_compact && m_scene.lanes.blocks.size() > 12 ? tr("Nodes") : tr("Node"));
    if (m_compact) {
        painter.drawText(QRect(scaled(94), 0, scaled(60), rowHeight()), Qt::AlignLeft | Qt::AlignVCenter, tr("Ranks"));
        head(LaneGutter::lossRight(), tr("Step"));
    } else {
        head(LaneGutter::rankRight(), tr("Rank"));
        head(LaneGutter::stepRight(), tr("Step"));
        head(LaneGutter::lossRight(), tr("Loss"));
    }
    head(LaneGutter::ageRight(), tr("Age"));
}

QRect AxisRow::cursorBox() const
{
    if (!m_scene.cursor || !m_axis.sees(*m_scene.cursor)) return {};
    const QFontMetrics metrics(Theme::of(this).font(F::smallBold));
    const int width = metrics.horizontalAdvance(number(static_cast<qint64>(*m_scene.cursor))) + 10;
    return {m_axis.column(*m_scene.cursor) - width / 2, 1, width, rowHeight() - 3};
}

void AxisRow::paintTicks(QPainter &painter, const QRect &under)
{
    const Theme &theme = Theme::of(this);
    const QFontMetrics metrics = painter.fontMetrics();
    const QString name = tr("step");
    const int nameLeft = m_axis.right() - metrics.horizontalAdvance(name) - 2;
    painter.drawText(QRect(nameLeft, 0, m_axis.right() - nameLeft, rowHeight()), Qt::AlignRight | Qt::AlignVCenter,
                     name);
    if (!m_scene.lanes.last && m_scene.lanes.columns.empty()) return;
    for (const qint64 tick : m_axis.ticks()) {
        const QString words = number(tick);
        const int x = m_axis.column(static_cast<double>(tick));
        painter.fillRect(x, 0, 1, 4, theme.color(R::frame));
        const int width = metrics.horizontalAdvance(words) + 2;
        const QRect box(x - width / 2, 1, width, rowHeight() - 1);
        if (box.right() > nameLeft - 6 || box.left() < m_axis.left() - 20 || box.intersects(under)) continue;
        painter.drawText(box, Qt::AlignCenter, words);
    }
}

void AxisRow::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(R::window));
    painter.setFont(theme.font(F::small));
    painter.setPen(theme.color(R::text2));
    const QRect under = cursorBox();
    paintHeads(painter);
    paintTicks(painter, under);
    painter.fillRect(m_axis.left() - 1, 0, m_axis.width() + 2, 1, theme.color(R::frame));
    paintValidLine(painter, QRect(0, 0, width(), 3), 0, m_scene, m_axis, theme);
    if (under.isEmpty()) return;
    painter.fillRect(under, theme.color(R::text));
    painter.setFont(theme.font(F::smallBold));
    painter.setPen(theme.color(R::base));
    painter.drawText(under, Qt::AlignCenter, number(static_cast<qint64>(*m_scene.cursor)));
}

}  // namespace rankdeck::ui
