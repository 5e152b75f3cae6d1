// SPDX-License-Identifier: GPL-3.0-or-later
// The About dialog: version, and the versions and licences of the libraries. A button shows the diagnostics for a
// support request before they are copied.
#pragma once

#include <QDialog>

namespace rankdeck::ui {

class AboutDialog : public QDialog {
    Q_OBJECT
public:
    // diagnostics: see ui/dialogs/diagnostics.h.
    explicit AboutDialog(const QString &diagnostics, QWidget *parent = nullptr);
};

// Shows the text of diagnosticsOf() before it is copied.
void showDiagnostics(const QString &text, QWidget *parent);

// The help of F1 and Ctrl+?: the first steps, or the keys as a table of the window's actions.
class HelpDialog : public QDialog {
    Q_OBJECT
public:
    HelpDialog(const QString &title, const QString &html, QWidget *parent = nullptr);
};

}  // namespace rankdeck::ui
