// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/segments.h"

#include "ui/style/theme.h"

#include <QPainter>

namespace rankdeck::ui {

Segments::Segments(QWidget *parent) : QWidget(parent) { setFixedHeight(14); }

void Segments::setRanks(const std::vector<RankExit> &ranks)
{
    std::vector<Fill> fills;
    for (const RankExit &rank : ranks) {
        const bool proven = rank.savedVerdict == Verdict::valid;
        fills.push_back(proven ? Fill::full : (rank.confirmed ? Fill::half : Fill::empty));
    }
    setVisible(!fills.empty());
    if (fills == m_fills) return;
    m_fills = std::move(fills);
    update();
}

void Segments::paintEvent(QPaintEvent *)
{
    if (m_fills.empty()) return;
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    const auto count = static_cast<int>(m_fills.size());
    const int gap = count <= 32 ? 3 : 0;
    for (int i = 0; i < count; ++i) {
        const int left = i * (width() + gap) / count, right = (i + 1) * (width() + gap) / count - gap;
        const QRect box(left, 0, std::max(1, right - left), height());
        const Fill fill = m_fills[static_cast<std::size_t>(i)];
        painter.fillRect(box, theme.color(fill == Fill::full ? Theme::Role::complete : Theme::Role::base));
        if (fill == Fill::half)
            painter.fillRect(box.adjusted(0, height() / 2, 0, 0), theme.color(Theme::Role::writing));
        if (fill == Fill::full || gap == 0) continue;
        painter.setPen(theme.color(fill == Fill::half ? Theme::Role::writing : Theme::Role::missing));
        painter.drawRect(box.adjusted(0, 0, -1, -1));
    }
}

}  // namespace rankdeck::ui
