// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/start/ssh_hosts.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <pwd.h>
#include <unistd.h>

#include <utility>

namespace rankdeck::ui {

namespace {

constexpr int deepest = 8;  // depth of Include
constexpr qint64 largest = 1 << 20;
constexpr int mostFiles = 200;

// Keyword and arguments of a line, separated by blanks or one '='; double quotes may enclose an argument.
QStringList wordsOf(const QByteArray &raw)
{
    QStringList words;
    QString word;
    bool quoted = false, any = false;
    const QString line = QString::fromUtf8(raw).trimmed();
    if (line.startsWith(QLatin1Char('#'))) return {};
    for (const QChar letter : line) {
        const bool separator = letter.isSpace() || (letter == QLatin1Char('=') && words.isEmpty());
        if (letter == QLatin1Char('"')) {
            quoted = !quoted;
            any = true;
        } else if (separator && !quoted) {
            if (any) words << std::exchange(word, {});
            any = false;
        } else {
            word += letter;
            any = true;
        }
    }
    if (any) words << word;
    return words;
}

bool isAlias(const QString &word)
{
    return !word.isEmpty() && !word.startsWith(QLatin1Char('!')) && !word.startsWith(QLatin1Char('-')) &&
           !word.contains(QLatin1Char('*')) && !word.contains(QLatin1Char('?'));
}

// The home directory of the account, ignoring $HOME, as in ssh. A name offered here is therefore one that ssh knows.
QString accountHome()
{
    const passwd *account = getpwuid(getuid());
    return account != nullptr && account->pw_dir != nullptr ? QFile::decodeName(account->pw_dir) : QDir::homePath();
}

QStringList filesOf(const QString &pattern)
{
    QString path = pattern;
    if (path.startsWith(QLatin1String("~/"))) path = accountHome() + path.mid(1);
    if (QDir::isRelativePath(path)) path = accountHome() + QStringLiteral("/.ssh/") + path;
    const QFileInfo info(path);
    QStringList files;
    for (const QString &name : QDir(info.path()).entryList({info.fileName()}, QDir::Files | QDir::Hidden, QDir::Name))
        files << info.path() + QLatin1Char('/') + name;
    return files;
}

void readInto(const QString &path, int depth, int &files, QStringList &aliases)
{
    QFile file(path);
    if (depth > deepest || ++files > mostFiles || !file.open(QIODevice::ReadOnly)) return;
    for (const QByteArray &line : file.read(largest).split('\n')) {
        const QStringList words = wordsOf(line);
        if (words.size() < 2) continue;
        const QString keyword = words.first().toLower();
        if (keyword == QLatin1String("include")) {
            for (const QString &pattern : words.mid(1)) {
                for (const QString &included : filesOf(pattern)) readInto(included, depth + 1, files, aliases);
            }
        } else if (keyword == QLatin1String("host")) {
            for (const QString &word : words.mid(1)) {
                if (isAlias(word) && !aliases.contains(word)) aliases << word;
            }
        }
    }
}

}  // namespace

QStringList aliasesIn(const QByteArray &config)
{
    QStringList aliases;
    for (const QByteArray &line : config.split('\n')) {
        const QStringList words = wordsOf(line);
        if (words.size() < 2 || words.first().compare(QLatin1String("host"), Qt::CaseInsensitive) != 0) continue;
        for (const QString &word : words.mid(1)) {
            if (isAlias(word) && !aliases.contains(word)) aliases << word;
        }
    }
    return aliases;
}

QStringList sshAliases(const QString &configPath)
{
    QStringList aliases;
    int files = 0;
    readInto(configPath, 0, files, aliases);
    return aliases;
}

QString userSshConfig() { return accountHome() + QStringLiteral("/.ssh/config"); }

}  // namespace rankdeck::ui
