// SPDX-License-Identifier: GPL-3.0-or-later
// Black and amber stripes over the full width, shown only while a stop is armed. Amber stripes have no other meaning.
#pragma once

#include <QWidget>

namespace rankdeck::ui {

class HazardStrip : public QWidget {
    Q_OBJECT
public:
    explicit HazardStrip(QWidget *parent = nullptr);
    void setArmed(bool armed);

protected:
    void paintEvent(QPaintEvent *event) override;
};

}  // namespace rankdeck::ui
