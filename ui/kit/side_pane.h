// SPDX-License-Identifier: GPL-3.0-or-later
// The place beside the deck: one pane at a time, or none. Asks its splitter for the width that the pane prefers.
#pragma once

#include <QStackedWidget>

namespace rankdeck::ui {

class Pane;

class SidePane : public QStackedWidget {
    Q_OBJECT
public:
    explicit SidePane(QWidget *parent = nullptr);
    void add(Pane *pane);
    void open(Pane *pane);                // nullptr: closes
    [[nodiscard]] Pane *current() const;  // nullptr: closed

Q_SIGNALS:
    void opened(rankdeck::ui::Pane *pane);  // nullptr: closed

protected:
    void paintEvent(QPaintEvent *event) override;
};

}  // namespace rankdeck::ui
