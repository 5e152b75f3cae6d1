// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/translations.h"

#include <QApplication>
#include <QFontDatabase>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace rankdeck::ui {

namespace {

const QString chinese = QStringLiteral("zh_CN"), english = QStringLiteral("en");

// A minimal system has no Han glyphs, and boxes instead of characters are worse than English.
bool canDraw(QLocale::Language language)
{
    return language != QLocale::Chinese || !QFontDatabase::families(QFontDatabase::SimplifiedChinese).isEmpty();
}

const QLocale &desktopLocale()
{
    static const QLocale locale;
    return locale;
}

void install(const QLocale &locale, const QString &name, const QString &directory)
{
    auto *texts = new QTranslator(qApp);
    texts->setObjectName(QStringLiteral("shown"));
    if (texts->load(locale, name, QStringLiteral("_"), directory))
        QApplication::installTranslator(texts);
    else
        delete texts;
}

void installTexts(const QLocale &locale)
{
    const bool inChinese = locale.language() == QLocale::Chinese && canDraw(QLocale::Chinese);
    const QLocale shown = inChinese ? locale : QLocale(QLocale::English);
    install(shown, QStringLiteral("rankdeck"), QStringLiteral(":/i18n"));
    if (inChinese) install(shown, QStringLiteral("qtbase"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
}

QString &shownName()
{
    static QString name;
    return name;
}

}  // namespace

void installTranslations() { installTexts(desktopLocale()); }

QStringList shownLanguages()
{
    QStringList names{{}, english};
    if (canDraw(QLocale::Chinese)) names << chinese;
    return names;
}

bool showLanguage(const QString &name)
{
    desktopLocale();  // called here to store the locale before the first change
    if (name == shownName()) return false;
    shownName() = name;
    const QLocale locale = name.isEmpty() ? desktopLocale() : QLocale(name);
    QLocale::setDefault(locale);
    qDeleteAll(qApp->findChildren<QTranslator *>(QStringLiteral("shown"), Qt::FindDirectChildrenOnly));
    installTexts(locale);
    return true;
}

}  // namespace rankdeck::ui
