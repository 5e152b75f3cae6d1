// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/translations.h"

#include <QApplication>
#include <QFontDatabase>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace rankdeck::ui {

namespace {

// A bare system has no Han glyphs: boxes instead of words are worse than English.
bool canDraw(QLocale::Language language)
{
    return language != QLocale::Chinese || !QFontDatabase::families(QFontDatabase::SimplifiedChinese).isEmpty();
}

void install(QApplication &app, const QLocale &locale, const QString &name, const QString &directory)
{
    auto *texts = new QTranslator(&app);
    if (texts->load(locale, name, QStringLiteral("_"), directory))
        QApplication::installTranslator(texts);
    else
        delete texts;
}

}  // namespace

void installTranslations(QApplication &app)
{
    const QLocale locale;
    const bool chinese = locale.language() == QLocale::Chinese && canDraw(QLocale::Chinese);
    const QLocale shown = chinese ? locale : QLocale(QLocale::English);
    install(app, shown, QStringLiteral("rankdeck"), QStringLiteral(":/i18n"));
    if (chinese) install(app, shown, QStringLiteral("qtbase"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
}

}  // namespace rankdeck::ui
