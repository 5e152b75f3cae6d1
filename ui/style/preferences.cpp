// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/preferences.h"

#include "core/base/said_units.h"
#include "ui/style/translations.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

#include <cmath>
#include <utility>

namespace rankdeck::ui {

namespace {

struct SettingsWords {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::Preferences)
};

const QString themeKey = QStringLiteral("theme"), languageKey = QStringLiteral("language"),
              lettersKey = QStringLiteral("letters"), utcKey = QStringLiteral("utc"),
              binaryKey = QStringLiteral("binaryUnits"), calmKey = QStringLiteral("calm"),
              notifiesKey = QStringLiteral("alarms/notify"), attentionKey = QStringLiteral("alarms/attention"),
              soundsKey = QStringLiteral("alarms/sound"), sshKey = QStringLiteral("ssh"),
              stateKey = QStringLiteral("stateDirectory");

const std::pair<Theme::Mode, const char *> themes[] = {
    {Theme::Mode::system, "system"}, {Theme::Mode::light, "light"}, {Theme::Mode::dark, "dark"}};

// The desktop's font size before any change by this program.
double usualLetters()
{
    static const double points = QApplication::font().pointSizeF();
    return points;
}

bool setLetters(int percent)
{
    const double wanted = usualLetters() * percent / 100;
    QFont font = QApplication::font();
    if (wanted <= 0 || std::abs(font.pointSizeF() - wanted) < 0.01) return false;
    font.setPointSizeF(wanted);
    QApplication::setFont(font);
    return true;
}

}  // namespace

const QList<int> &Preferences::letterSizes()
{
    static const QList<int> sizes{90, 100, 110, 125, 150, 175, 200, 250, 300};
    return sizes;
}

Preferences Preferences::kept()
{
    const QSettings settings;
    const Preferences usual;
    Preferences found;
    for (const auto &[mode, name] : themes)
        if (settings.value(themeKey).toString() == QLatin1String(name)) found.theme = mode;
    found.language = settings.value(languageKey).toString();
    if (!shownLanguages().contains(found.language)) found.language.clear();
    found.letters = settings.value(lettersKey, usual.letters).toInt();
    if (!letterSizes().contains(found.letters)) found.letters = usual.letters;
    found.utc = settings.value(utcKey, usual.utc).toBool();
    found.binary = settings.value(binaryKey, usual.binary).toBool();
    found.calm = settings.value(calmKey, usual.calm).toBool();
    found.notifies = settings.value(notifiesKey, usual.notifies).toBool();
    found.attention = settings.value(attentionKey, usual.attention).toBool();
    found.sounds = settings.value(soundsKey, usual.sounds).toBool();
    found.sshProgram = settings.value(sshKey, usual.sshProgram).toString();
    if (found.sshProgram.isEmpty()) found.sshProgram = usual.sshProgram;
    found.stateDirectory = settings.value(stateKey).toString();
    return found;
}

void Preferences::keep() const
{
    QSettings settings;
    for (const auto &[mode, name] : themes)
        if (mode == theme) settings.setValue(themeKey, QLatin1String(name));
    settings.setValue(languageKey, language);
    settings.setValue(lettersKey, letters);
    settings.setValue(utcKey, utc);
    settings.setValue(binaryKey, binary);
    settings.setValue(calmKey, calm);
    settings.setValue(notifiesKey, notifies);
    settings.setValue(attentionKey, attention);
    settings.setValue(soundsKey, sounds);
    settings.setValue(sshKey, sshProgram);
    settings.setValue(stateKey, stateDirectory);
}

bool Preferences::apply() const
{
    Theme::of(nullptr).setMode(theme);
    const bool otherUnits = timesAreInUtc() != utc || sizesAreBinary() != binary;
    sayTimesInUtc(utc);
    saySizesInBinary(binary);
    const bool otherLetters = setLetters(letters);
    const bool otherWords = showLanguage(language);
    return otherUnits || otherLetters || otherWords;
}

QString problemOfProgram(const QString &program)
{
    if (program.isEmpty()) return SettingsWords::tr("Expected the name or the path of ssh; found nothing.");
    const bool path = program.contains(QLatin1Char('/'));
    if (path && !QFileInfo(program).isAbsolute())
        return SettingsWords::tr("Expected a name, or a path that begins with /; found %1.").arg(program);
    if (path && !QFileInfo(program).isFile())
        return SettingsWords::tr("%1 is not a file. Enter the path of ssh.").arg(program);
    if (path && !QFileInfo(program).isExecutable())
        return SettingsWords::tr("You may not run %1. Enter the path of ssh.").arg(program);
    if (!path && QStandardPaths::findExecutable(program).isEmpty())
        return SettingsWords::tr("There is no %1 in the PATH. Enter its full path.").arg(program);
    return {};
}

QString problemOfStateDirectory(const QString &directory)
{
    if (directory.isEmpty()) return {};
    if (!QDir::isAbsolutePath(directory))
        return SettingsWords::tr("Expected a path that begins with /; found %1.").arg(directory);
    const QFileInfo there(directory);
    if (there.exists() && !there.isDir())
        return SettingsWords::tr("%1 is a file. Expected a directory.").arg(directory);
    if (there.exists() && there.ownerId() != QFileInfo(QDir::homePath()).ownerId())
        return SettingsWords::tr("%1 belongs to %2. Expected a directory of your own.").arg(directory, there.owner());
    // The directory is created later, so its nearest existing parent must be writable.
    QFileInfo above = there;
    while (!above.exists()) above = QFileInfo(above.path());
    if (!above.isDir() || !above.isWritable())
        return SettingsWords::tr("You may not write to %1.").arg(above.absoluteFilePath());
    return {};
}

}  // namespace rankdeck::ui
