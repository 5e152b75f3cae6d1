// SPDX-License-Identifier: GPL-3.0-or-later
// A frame of 2 px in the accent over a widget while that has the focus: for tables, texts and flat buttons, which show none of
// their own. A child of the widget, gone with it; takes no mouse and no key.
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
