// SPDX-License-Identifier: GPL-3.0-or-later
// Before SIGTERM or SIGKILL: every process that gets the signal, with pid, start, user, log and command line, and what it
// costs. The list is the one that is signalled when this is accepted. The default is Cancel; the button says the act.
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
