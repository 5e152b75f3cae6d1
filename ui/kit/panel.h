// SPDX-License-Identifier: GPL-3.0-or-later
// A bottom tab: its content, and the filters that stand at the right of the tab bar while it is shown, or above the content
// where the tab bar has no room for them. Made by panels.cpp, owned by the page. A panel never fails as a whole: what it
// cannot read it says in its place.
#pragma once

#include <QWidget>

namespace rankdeck::ui {

class Panel : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    [[nodiscard]] virtual QWidget *corner() { return nullptr; }  // the filters; its parent changes with its place
    virtual void find() {}                                       // Ctrl+F
    virtual void findNext() {}                                   // F3
    virtual void showSelectedRank(int) {}                        // chosen in the deck; -1: none
    // Part of the height of deck and tabs that it asks for when it opens; 0: what the tabs have.
    [[nodiscard]] virtual double wantedShare() const { return 0; }

Q_SIGNALS:
    void logRequested(int rank, quint64 offset);  // the line that begins at this byte, or holds it
    void rankChosen(int rank);                    // never -1
};

}  // namespace rankdeck::ui
