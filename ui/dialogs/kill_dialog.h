// SPDX-License-Identifier: GPL-3.0-or-later
// Before SIGTERM or SIGKILL: what is killed, what it costs. The default is Cancel; the button says the act.
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
