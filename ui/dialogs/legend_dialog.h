// SPDX-License-Identifier: GPL-3.0-or-later
// Every sign of the window with its words: verdicts, checkpoints of one rank, nodes, ranks, and what the mouse does. Not modal: it
// may stay open beside the deck.
#pragma once

#include <QDialog>

class QGridLayout;

namespace rankdeck::ui {

class LegendDialog : public QDialog {
    Q_OBJECT
public:
    explicit LegendDialog(QWidget *parent = nullptr);
};

}  // namespace rankdeck::ui
