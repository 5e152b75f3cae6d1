// SPDX-License-Identifier: GPL-3.0-or-later
// What this is, its version, and the licences of what it is made of.
#pragma once

#include <QDialog>

namespace rankdeck::ui {

class AboutDialog : public QDialog {
    Q_OBJECT
public:
    explicit AboutDialog(QWidget *parent = nullptr);
};

// F1 and Ctrl+?: the first steps, or the keys, as a table of the window's actions.
class HelpDialog : public QDialog {
    Q_OBJECT
public:
    HelpDialog(const QString &title, const QString &html, QWidget *parent = nullptr);
};

}  // namespace rankdeck::ui
