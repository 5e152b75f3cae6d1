// SPDX-License-Identifier: GPL-3.0-or-later
// What a server asks to log in: password, passphrase, one-time code. Answers are handed out once and never kept.
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
