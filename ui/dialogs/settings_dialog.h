// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of the user (Ctrl+,). Each change is saved and applied at once, without a button to confirm. An invalid
// value is not accepted; the reason is shown next to its field.
#pragma once

#include "ui/style/preferences.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLineEdit;

namespace rankdeck::ui {

class Label;

class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    // stateFixed: the state directory given on the command line, which overrides the setting; empty: not given.
    SettingsDialog(const Preferences &now, const QString &usualState, const QString &stateFixed,
                   QWidget *parent = nullptr);
    [[nodiscard]] const Preferences &preferences() const { return m_preferences; }

Q_SIGNALS:
    void changed(const rankdeck::ui::Preferences &preferences);

private:
    void addLook(QFormLayout &form);
    void addUnits(QFormLayout &form);
    void addAlarms(QFormLayout &form);
    void addPlaces(QFormLayout &form, const QString &usualState, const QString &stateFixed);
    QComboBox *addChoice(QFormLayout &form, const QString &label, const char *name);
    QCheckBox *addBox(QFormLayout &form, const QString &label, const QString &text, bool Preferences::*value);
    QLineEdit *addField(QFormLayout &form, const QString &label, const char *name, const QString &hint,
                        QString (*problem)(const QString &), QString Preferences::*value);
    void take();

    Preferences m_preferences;
};

}  // namespace rankdeck::ui
