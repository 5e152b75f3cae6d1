// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panes/file_map.h"

#include "ui/style/format.h"
#include "ui/style/theme.h"

#include <QPainter>

#include <algorithm>

namespace rankdeck::ui {

using Role = Theme::Role;

FileMap::FileMap(QWidget *parent) : QWidget(parent)
{
    setFixedHeight(36);
    connect(&Theme::of(this), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void FileMap::setFile(const QString &name, const Evidence &evidence, std::uint64_t peerBytes)
{
    m_name = name;
    m_evidence = evidence;
    m_peerBytes = peerBytes;
    const std::uint64_t size = evidence.stat.size;
    setAccessibleName(peerBytes > size ? tr("%1: %2 of %3 bytes")
                                             .arg(name, number(static_cast<std::int64_t>(size)),
                                                  number(static_cast<std::int64_t>(peerBytes)))
                                       : tr("%1: %2 bytes").arg(name, number(static_cast<std::int64_t>(size))));
    update();
}

void FileMap::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Role::base));
    painter.setPen(theme.color(Role::frame));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    painter.setFont(theme.font(Theme::Font::small));
    painter.setPen(theme.color(Role::text));
    painter.drawText(QRect(8, 0, 60, height()), Qt::AlignLeft | Qt::AlignVCenter, m_name);
    const std::uint64_t whole = std::max(m_peerBytes, m_evidence.stat.size);
    if (whole == 0) return;
    const QRectF bar(68, 9, width() - 80, height() - 18);
    const auto x = [&](std::uint64_t byte) {
        return bar.left() + static_cast<double>(std::min(byte, whole)) / static_cast<double>(whole) * bar.width();
    };
    const double end = x(m_evidence.stat.size);
    painter.fillRect(QRectF(bar.left(), bar.top(), end - bar.left(), bar.height()), theme.color(Role::okQuiet));
    painter.setPen(theme.color(Role::base));
    double drawn = -10;
    for (const TensorInfo &tensor : m_evidence.tensors) {
        const double at = x(tensor.offset);
        // Closer record borders would hide the bar.
        if (at - drawn < 4) continue;
        painter.drawLine(QPointF(at, bar.top()), QPointF(at, bar.bottom() - 1));
        drawn = at;
    }
    if (end >= bar.right() - 0.5) return;
    const QRectF hole(end, bar.top() - 1, std::max(6.0, bar.right() - end), bar.height() + 2);
    painter.setPen(QPen(theme.color(Role::corrupt), 1.5));
    painter.setBrush(QBrush(theme.color(Role::corrupt), Qt::BDiagPattern));
    painter.drawRect(hole);
    const QString missing = tr("%1 B missing").arg(number(static_cast<std::int64_t>(whole - m_evidence.stat.size)));
    const double wide = painter.fontMetrics().horizontalAdvance(missing) + 8;
    const QRectF label(std::max(bar.left(), std::min(hole.left() - wide - 4, bar.right() - wide)), bar.top() + 2, wide,
                       bar.height() - 4);
    painter.fillRect(label, theme.color(Role::base));
    painter.setPen(theme.color(Role::text));
    painter.drawText(label, Qt::AlignCenter, missing);
}

}  // namespace rankdeck::ui
