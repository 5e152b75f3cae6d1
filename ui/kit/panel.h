// SPDX-License-Identifier: GPL-3.0-or-later
// A bottom tab: its content and its filters. The filters are at the right of the tab bar, or above the content if the
// bar has no room. Made by panels.cpp, owned by the page. A panel never fails as a whole: it shows an error in place of
// the content that it cannot read.
#pragma once

#include <QWidget>

namespace rankdeck::ui {

class Panel : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    [[nodiscard]] virtual QWidget *corner() { return nullptr; }  // filters; the parent changes with their place
    virtual void find() {}                                       // called by Ctrl+F
    virtual void findNext() {}                                   // called by F3
    virtual void showSelectedRank(int) {}                        // rank chosen in the deck; -1: none
    // Wanted share of the height of deck and tabs when the panel opens; 0: the usual height.
    [[nodiscard]] virtual double wantedShare() const { return 0; }

Q_SIGNALS:
    void logRequested(int rank, quint64 offset);  // the log line that contains this byte
    void rankChosen(int rank);                    // rank is never -1
};

}  // namespace rankdeck::ui
