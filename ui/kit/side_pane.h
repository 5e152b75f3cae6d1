// SPDX-License-Identifier: GPL-3.0-or-later
// The space next to the deck: one pane at a time, or none. Asks its splitter for the width that the pane prefers.
#pragma once

#include <QStackedWidget>

namespace rankdeck::ui {

class Pane;

class SidePane : public QStackedWidget {
    Q_OBJECT
public:
    explicit SidePane(QWidget *parent = nullptr);
    void add(Pane *pane);
    void open(Pane *pane);                // nullptr: closes the open one
    [[nodiscard]] Pane *current() const;  // nullptr: none is open

Q_SIGNALS:
    void opened(rankdeck::ui::Pane *pane);  // nullptr: closed

protected:
    void paintEvent(QPaintEvent *event) override;
};

}  // namespace rankdeck::ui
