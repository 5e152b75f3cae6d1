// SPDX-License-Identifier: GPL-3.0-or-later
// What this is, its version, the versions and licences of what it is made of; and on a click what somebody who helps has to
// know, which is shown before it is copied.
#pragma once

#include <QDialog>

namespace rankdeck::ui {

class AboutDialog : public QDialog {
    Q_OBJECT
public:
    // diagnostics: see ui/dialogs/diagnostics.h.
    explicit AboutDialog(const QString &diagnostics, QWidget *parent = nullptr);
};

// What diagnosticsOf() says, to be read before it is copied.
void showDiagnostics(const QString &text, QWidget *parent);

// F1: the first steps. Ctrl+?: the shortcut keys, as a table of the window's actions.
class HelpDialog : public QDialog {
    Q_OBJECT
public:
    HelpDialog(const QString &title, const QString &html, QWidget *parent = nullptr);
};

}  // namespace rankdeck::ui
