// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog for an unknown host key: shows its SHA-256; the user accepts it or not. The default is Cancel. Changed and
// revoked keys are refused and never shown here.
#pragma once

#include "core/node/protocol/messages.h"

#include <QDialog>

namespace rankdeck::ui {

class HostKeyDialog : public QDialog {
    Q_OBJECT
public:
    HostKeyDialog(const QString &node, const HostKeyQuestion &question, QWidget *parent = nullptr);
};

}  // namespace rankdeck::ui
