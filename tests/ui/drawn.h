// SPDX-License-Identifier: GPL-3.0-or-later
// A screenshot of a widget, checked not to be blank. If RANKDECK_RENDER_DIR is set, it is kept there for review.
#pragma once

#include <QDir>
#include <QImage>
#include <QPixmap>
#include <QSet>
#include <QString>
#include <QWidget>

#include <gtest/gtest.h>

namespace rankdeck::ui {

inline void expectDrawn(QWidget &widget, const QString &name)
{
    const QImage image = widget.grab().toImage();
    QSet<QRgb> colours;
    for (int y = 0; y < image.height(); y += 3) {
        for (int x = 0; x < image.width(); x += 3) colours.insert(image.pixel(x, y));
    }
    EXPECT_GT(colours.size(), 20) << name.toStdString();
    const QString dir = qEnvironmentVariable("RANKDECK_RENDER_DIR");
    if (dir.isEmpty()) return;
    QDir().mkpath(dir);
    EXPECT_TRUE(image.save(QStringLiteral("%1/%2.png").arg(dir, name)));
}

}  // namespace rankdeck::ui
