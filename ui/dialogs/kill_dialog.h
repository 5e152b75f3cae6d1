// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog before SIGTERM or SIGKILL: all processes that get the signal, with pid, start, user, log and command line,
// and the lost work. Exactly the listed processes are signalled. The default is Cancel; the other button names the
// action.
#pragma once

#include "ui/state/stop_progress.h"

#include <QDialog>

namespace rankdeck::ui {

class KillDialog : public QDialog {
    Q_OBJECT
public:
    KillDialog(const EscalationOptions &rungs, bool kill, QWidget *parent = nullptr);
};

}  // namespace rankdeck::ui
