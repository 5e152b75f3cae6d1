// SPDX-License-Identifier: GPL-3.0-or-later
// Login questions of a server: password, passphrase, one-time code. Answers are handed out once and never stored.
#pragma once

#include "core/node/protocol/messages.h"

#include <QDialog>

#include <vector>

class QLineEdit;

namespace rankdeck::ui {

class AuthDialog : public QDialog {
    Q_OBJECT
public:
    AuthDialog(const QString &node, const AuthQuestion &question, QWidget *parent = nullptr);
    [[nodiscard]] std::vector<std::string> takeAnswers();  // clears the fields

private:
    std::vector<QLineEdit *> m_fields;
};

}  // namespace rankdeck::ui
