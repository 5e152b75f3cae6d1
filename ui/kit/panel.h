// SPDX-License-Identifier: GPL-3.0-or-later
// A bottom tab: its content, and the filters that stand at the right of the tab bar while it is shown.
#pragma once

#include <QWidget>

namespace rankdeck::ui {

class Panel : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    [[nodiscard]] virtual QWidget *corner() { return nullptr; }  // owned by the panel's window once it is shown
    virtual void find() {}                                       // Ctrl+F
    virtual void findNext() {}                                   // F3
};

}  // namespace rankdeck::ui
