// SPDX-License-Identifier: GPL-3.0-or-later
// A frame of 2 px in the accent colour around a widget that has the focus. It is for tables, texts and flat buttons,
// which show none of their own. A child of the widget, deleted with it; receives no mouse or key events.
#pragma once

#include <QWidget>

namespace rankdeck::ui {

class FocusRing : public QWidget {
    Q_OBJECT
public:
    static void addTo(QWidget *widget);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    explicit FocusRing(QWidget *widget);
    void follow();
};

}  // namespace rankdeck::ui
