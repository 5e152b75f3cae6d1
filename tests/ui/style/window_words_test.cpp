// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of core in the window. Messages with options of the terminal are read from core's sources, so that a new one
// cannot be missed.
#include "ui/style/window_words.h"

#include "core/recover/wording.h"
#include "tests/testbed/paths.h"
#include "ui/style/format.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>

#include <gtest/gtest.h>

namespace rankdeck::ui::window_words_test {
namespace {

// All string literals of a file; adjacent ones, which the compiler joins, count as one.
QStringList literalsOf(const QString &source)
{
    static const QRegularExpression joined(
        QStringLiteral("\"(?:[^\"\\\\\\n]|\\\\.)*\"(?:\\s*\"(?:[^\"\\\\\\n]|\\\\.)*\")*"));
    static const QRegularExpression seam(QStringLiteral("\"\\s*\""));
    QStringList all;
    auto found = joined.globalMatch(source);
    while (found.hasNext()) {
        QString literal = found.next().captured().replace(seam, QString());
        if (literal.size() > 2) all << literal.mid(1).chopped(1);
    }
    return all;
}

// True if the text names a command-line option. --resume does not count: in launch.command it belongs to the training
// script.
bool namesAnOption(const QString &text)
{
    static const QRegularExpression option(QStringLiteral("(?:^|[ (])--(?!resume\\b)[a-z][a-z-]+"));
    return text.contains(option) || text.contains(QLatin1String("rankdeckctl"));
}

QString source(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QStringList sourcesOfCore()
{
    QStringList all;
    QDirIterator files(QString::fromStdString(sourceDirectory()) + QStringLiteral("/core"), {QStringLiteral("*.cpp")},
                       QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) all << files.next();
    return all;
}

TEST(WindowWords, ReplacesEveryCommandLineOption)
{
    static const QRegularExpression call(QStringLiteral("terminalWords\\(\\s*\"((?:[^\"\\\\]|\\\\.)*)\""));
    int seen = 0;
    for (const QString &path : sourcesOfCore()) {
        auto found = call.globalMatch(source(path));
        while (found.hasNext()) {
            const std::string format = found.next().captured(1).toStdString();
            const Message inTerminal(format, {"A", "B", "C", "D"});
            const QString inWindow = fromCore(inTerminal);
            EXPECT_NE(inWindow, fromNode(inTerminal)) << path.toStdString() << ": the window has no words for it";
            EXPECT_FALSE(namesAnOption(inWindow)) << path.toStdString() << ": " << inWindow.toStdString();
            ++seen;
        }
    }
    EXPECT_GE(seen, 15) << "this test no longer finds the calls";
}

// An option outside of terminalWords() would appear in the window.
TEST(WindowWords, FindsNoOptionOutsideTerminalWords)
{
    static const QRegularExpression calls(QStringLiteral("terminalWords\\(\\s*\"(?:[^\"\\\\]|\\\\.)*\""));
    for (const char *room : {"resume", "stop", "keep", "lookback", "edit"})
        for (const QString &path : sourcesOfCore()) {
            if (!path.contains(QStringLiteral("/core/recover/%1/").arg(QLatin1String(room)))) continue;
            for (const QString &text : literalsOf(source(path).remove(calls)))
                EXPECT_FALSE(namesAnOption(text) && text.contains(QLatin1Char(' ')) &&
                             !text.startsWith(QLatin1String("scancel")))
                    << path.toStdString() << ": " << text.toStdString();
        }
}

TEST(WindowWords, NamesTheButtonOfAnAction)
{
    EXPECT_EQ(
        asSentence(message("if you are sure that none is running, %1", terminalWords("say --fix %1", "ranks_unknown"))),
        QStringLiteral("If you are sure that none is running, press \"Continue anyway\"."));
    EXPECT_EQ(fromCore(message("allow it %1, or choose a VALID set", terminalWords("(--allow-unproven)"))),
              QStringLiteral("allow it (tick \"Use it although it is unproven\"), or choose a VALID set"));
    EXPECT_EQ(fromCore(message("stop the run first%1, or watch it", terminalWords(" (exit)"))),
              QStringLiteral("stop the run first, or watch it"));
    EXPECT_EQ(asSentence(message("watch it there, or %1", terminalWords("take it back with --cancel"))),
              QStringLiteral("Watch it there, or press \"Cancel the stop\"."));
}

TEST(WindowWords, CapitalizesOnlyAnOrdinaryFirstWord)
{
    EXPECT_EQ(asSentence("ascend-02, device 1 had UCE"), QStringLiteral("ascend-02, device 1 had UCE."));
    EXPECT_EQ(sentence(QStringLiteral("signal 9 (SIGKILL)")), QStringLiteral("Signal 9 (SIGKILL)."));
    EXPECT_EQ(sentence(QStringLiteral("torch.cuda.OutOfMemoryError: x")),
              QStringLiteral("torch.cuda.OutOfMemoryError: x."));
}

TEST(WindowWords, LeavesAPlainTextUnchanged)
{
    for (const char *text : {"", "port 8118 is free", "usage: train.py [--config FILE]", "say --fix %1", "%1 is live"})
        EXPECT_EQ(fromCore(text), QString::fromLatin1(text));
}

TEST(WindowWords, NamesASetByItsStep)
{
    const Message stopped = message("saved %1 (VALID)", terminalWords("set %1 of step %2", "0:3-74", "1,274"));
    EXPECT_EQ(stopped, "saved set 0:3-74 of step 1,274 (VALID)");
    EXPECT_EQ(fromCore(stopped), QStringLiteral("saved set 1,274 (VALID)"));
    CheckpointSet set;
    set.id = "0:3-74";
    set.epoch = 3;
    set.step = 74;
    set.globalStep = 274;
    EXPECT_EQ(setText(set), "set 0:3-74 (epoch 3, step 74, global step 274)");
    EXPECT_EQ(fromCore(setText(set)), QStringLiteral("set 274 (epoch 3, step 74)"));
}

// Bytes from a node are never used as a format, markup or control characters.
TEST(WindowWords, ShowsPartsFromANodeAsText)
{
    EXPECT_EQ(fromCore(message("%1 is %2", "%2\x1b[1m", "<b>%1</b>\n")),
              fromNode("%2\x1b[1m") + QStringLiteral(" is ") + fromNode("<b>%1</b>\n"));
}

}  // namespace
}  // namespace rankdeck::ui::window_words_test
