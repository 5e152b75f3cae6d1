// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/settings_dialog.h"

#include "ui/kit/label.h"
#include "ui/style/translations.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace rankdeck::ui {

namespace {

Label *noteBelow(QFormLayout &form, const QString &text)
{
    auto *note = new Label(text, Theme::Font::small, Theme::Role::text2);
    note->wrapped();
    form.addRow(QString(), note);
    return note;
}

QString languageName(const QString &language)
{
    if (language.isEmpty()) return SettingsDialog::tr("Same as the desktop");
    // Each language is named in itself, so that a user who cannot read the current one finds the way back.
    return language == QLatin1String("en") ? QStringLiteral("English") : QString::fromUtf8("简体中文");
}

}  // namespace

SettingsDialog::SettingsDialog(const Preferences &now, const QString &usualState, const QString &stateFixed,
                               QWidget *parent)
    : QDialog(parent), m_preferences(now)
{
    setWindowTitle(tr("Settings"));
    setObjectName(QStringLiteral("settings"));
    auto *column = new QVBoxLayout(this);
    auto *form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setLabelAlignment(Qt::AlignRight);
    column->addLayout(form);
    addLook(*form);
    addUnits(*form);
    addAlarms(*form);
    addPlaces(*form, usualState, stateFixed);
    column->addStretch(1);
    column->addWidget((new Label(tr("All settings apply at once and are kept for the next start."), Theme::Font::small,
                                 Theme::Role::text2)));
    auto *buttons = new QDialogButtonBox;
    buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole)->setDefault(true);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    setMinimumWidth(scaled(520));
}

void SettingsDialog::addLook(QFormLayout &form)
{
    QComboBox *theme = addChoice(form, tr("&Theme"), "theme");
    theme->addItem(tr("Same as the desktop"), static_cast<int>(Theme::Mode::system));
    theme->addItem(tr("Light"), static_cast<int>(Theme::Mode::light));
    theme->addItem(tr("Dark"), static_cast<int>(Theme::Mode::dark));
    theme->setCurrentIndex(theme->findData(static_cast<int>(m_preferences.theme)));
    connect(theme, &QComboBox::currentIndexChanged, this, [this, theme] {
        m_preferences.theme = static_cast<Theme::Mode>(theme->currentData().toInt());
        take();
    });
    QComboBox *language = addChoice(form, tr("&Language"), "language");
    for (const QString &name : shownLanguages()) language->addItem(languageName(name), name);
    language->setCurrentIndex(language->findData(m_preferences.language));
    connect(language, &QComboBox::currentIndexChanged, this, [this, language] {
        m_preferences.language = language->currentData().toString();
        take();
    });
    QComboBox *letters = addChoice(form, tr("L&etters"), "letters");
    for (const int percent : Preferences::letterSizes()) letters->addItem(tr("%1 %").arg(percent), percent);
    letters->setCurrentIndex(letters->findData(m_preferences.letters));
    connect(letters, &QComboBox::currentIndexChanged, this, [this, letters] {
        m_preferences.letters = letters->currentData().toInt();
        take();
    });
    addBox(form, {}, tr("Redraw &less often: twice a second (for remote screens)"), &Preferences::calm);
}

void SettingsDialog::addUnits(QFormLayout &form)
{
    QComboBox *zone = addChoice(form, tr("Time &zone"), "zone");
    zone->addItem(tr("Of this machine"), false);
    zone->addItem(QStringLiteral("UTC"), true);
    zone->setCurrentIndex(m_preferences.utc ? 1 : 0);
    connect(zone, &QComboBox::currentIndexChanged, this, [this, zone] {
        m_preferences.utc = zone->currentData().toBool();
        take();
    });
    QComboBox *sizes = addChoice(form, tr("&Sizes"), "sizes");
    sizes->addItem(tr("kB, MB, GB (by 1,000)"), false);
    sizes->addItem(tr("KiB, MiB, GiB (by 1,024)"), true);
    sizes->setCurrentIndex(m_preferences.binary ? 1 : 0);
    connect(sizes, &QComboBox::currentIndexChanged, this, [this, sizes] {
        m_preferences.binary = sizes->currentData().toBool();
        take();
    });
}

void SettingsDialog::addAlarms(QFormLayout &form)
{
    addBox(form, tr("When an alarm begins"), tr("Show a desktop &notification"), &Preferences::notifies);
    addBox(form, {}, tr("Mark the window in the task &bar"), &Preferences::attention);
    addBox(form, {}, tr("&Ring the bell"), &Preferences::sounds);
}

void SettingsDialog::addPlaces(QFormLayout &form, const QString &usualState, const QString &stateFixed)
{
    addField(form, tr("ss&h program"), "ssh", tr("Reads the ssh config of a host. Used from the next connection on."),
             problemOfProgram, &Preferences::sshProgram);
    QLineEdit *state = addField(
        form, tr("State &directory"), "state",
        stateFixed.isEmpty() ? tr("Holds the history and the journal. Used for jobs that are opened from now on.")
                             : tr("This start uses %1, as --state-dir says.").arg(stateFixed),
        problemOfStateDirectory, &Preferences::stateDirectory);
    state->setPlaceholderText(usualState);
}

QComboBox *SettingsDialog::addChoice(QFormLayout &form, const QString &label, const char *name)
{
    auto *choice = new QComboBox;
    choice->setObjectName(QString::fromLatin1(name));
    QString spoken = label;
    choice->setAccessibleName(spoken.remove(QLatin1Char('&')));
    form.addRow(label, choice);
    return choice;
}

QCheckBox *SettingsDialog::addBox(QFormLayout &form, const QString &label, const QString &text,
                                  bool Preferences::*value)
{
    auto *box = new QCheckBox(text);
    box->setChecked(m_preferences.*value);
    form.addRow(label, box);
    connect(box, &QCheckBox::toggled, this, [this, value](bool on) {
        m_preferences.*value = on;
        take();
    });
    return box;
}

QLineEdit *SettingsDialog::addField(QFormLayout &form, const QString &label, const char *name, const QString &hint,
                                    QString (*problem)(const QString &), QString Preferences::*value)
{
    auto *field = new QLineEdit(m_preferences.*value);
    field->setObjectName(QString::fromLatin1(name));
    form.addRow(label, field);
    QString spoken = label;
    field->setAccessibleName(spoken.remove(QLatin1Char('&')));
    field->setAccessibleDescription(hint);
    Label *note = noteBelow(form, hint);
    connect(field, &QLineEdit::textEdited, this, [this, field, note, hint, problem, value] {
        const QString typed = field->text().trimmed();
        const QString wrong = problem(typed);
        note->setText(wrong.isEmpty() ? hint : wrong);
        note->setTone(wrong.isEmpty() ? Theme::Role::text2 : Theme::Role::text);
        note->setLook(wrong.isEmpty() ? Theme::Font::small : Theme::Font::smallBold);
        field->setAccessibleDescription(note->text());
        if (!wrong.isEmpty() || m_preferences.*value == typed) return;
        m_preferences.*value = typed;
        take();
    });
    return field;
}

void SettingsDialog::take()
{
    m_preferences.keep();
    Q_EMIT changed(m_preferences);
}

}  // namespace rankdeck::ui
