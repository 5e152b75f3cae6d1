// SPDX-License-Identifier: GPL-3.0-or-later
// The legend of all signs in the window: verdicts, checkpoints of one rank, nodes, ranks, and the mouse actions. Not
// modal: it may stay open next to the deck.
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
