// SPDX-License-Identifier: GPL-3.0-or-later
// An unknown host key: shown with its SHA-256, accepted or not. The default is Cancel. Changed and revoked keys never
// come here: they are refused.
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
