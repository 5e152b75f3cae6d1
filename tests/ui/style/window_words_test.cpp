// SPDX-License-Identifier: GPL-3.0-or-later
// Advice of core with terminal commands, which the window shows with its own terms. The sentences are read from core's sources, so
// that a new one with an option does not slip through.
#include "ui/style/window_words.h"

#include "tests/testbed/paths.h"
#include "ui/style/format.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>

#include <gtest/gtest.h>

namespace rankdeck::ui::window_words_test {
namespace {

// All literals of a file; those that the compiler joins are one.
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

// Options of the terminal. --resume does not count: it belongs to the training script, in launch.command.
bool namesAnOption(const QString &text)
{
    static const QRegularExpression option(QStringLiteral("(?:^|[ (])--(?!resume\\b)[a-z][a-z-]+"));
    return text.contains(option) || text.contains(QLatin1String("rankdeckctl"));
}

TEST(WindowWords, NoSentenceOfCoreShowsACommandLineOptionInTheWindow)
{
    int named = 0;
    for (const char *room : {"resume", "stop", "keep", "lookback", "edit"}) {
        const QString under =
            QString::fromStdString(sourceDirectory()) + QStringLiteral("/core/recover/") + QLatin1String(room);
        QDirIterator files(under, {QStringLiteral("*.cpp")}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            ASSERT_TRUE(file.open(QIODevice::ReadOnly)) << file.fileName().toStdString();
            for (const QString &text : literalsOf(QString::fromUtf8(file.readAll()))) {
                if (!namesAnOption(text) || !text.contains(QLatin1Char(' ')) ||
                    text.startsWith(QLatin1String("scancel")))
                    continue;
                ++named;
                EXPECT_FALSE(namesAnOption(windowWords(text)))
                    << file.fileName().toStdString() << ": " << windowWords(text).toStdString();
            }
        }
    }
    EXPECT_GE(named, 8) << "core still words its sentences for the terminal; else this room has no task left";
}

TEST(WindowWords, TheActIsNamedByItsButton)
{
    EXPECT_EQ(windowWords(QStringLiteral("look there; if you are sure that none runs, say --fix ranks_unknown")),
              QStringLiteral("look there; if you are sure that none runs, press \"Continue anyway\""));
    EXPECT_EQ(windowWords(QStringLiteral("allow it explicitly (--allow-unproven), or take a VALID set")),
              QStringLiteral("allow it explicitly (tick \"Use it although it is unproven\"), or take a VALID set"));
    EXPECT_EQ(windowWords(QStringLiteral("stop the run first (exit), or let the plan end exactly these")),
              QStringLiteral("stop the run first, or let the plan end exactly these"));
    EXPECT_EQ(asSentence("ascend-02, device 1 had UCE"), QStringLiteral("ascend-02, device 1 had UCE."));
    EXPECT_EQ(sentence(QStringLiteral("signal 9 (SIGKILL)")), QStringLiteral("Signal 9 (SIGKILL)."));
    EXPECT_EQ(sentence(QStringLiteral("torch.cuda.OutOfMemoryError: x")),
              QStringLiteral("torch.cuda.OutOfMemoryError: x."));
    EXPECT_EQ(asSentence("watch it there, or take it back with --cancel"),
              QStringLiteral("Watch it there, or press \"Cancel the stop\"."));
}

TEST(WindowWords, TextWithoutAnOptionStaysAsItIs)
{
    for (const char *text :
         {"", "port 8118 is free", "usage: train.py [--config FILE]", "a -- b", "python `which python`"})
        EXPECT_EQ(windowWords(QString::fromLatin1(text)), QString::fromLatin1(text));
}

TEST(WindowWords, ASetIsNamedByItsStepAsOnTheDeck)
{
    EXPECT_EQ(
        windowWords(QStringLiteral("All 8 ranks confirmed, saved set 0:3-74 of step 1,274 (VALID) and are gone.")),
        QStringLiteral("All 8 ranks confirmed, saved set 1,274 (VALID) and are gone."));
    EXPECT_EQ(windowWords(QStringLiteral("All 8 ranks continue from set 0:3-74 (epoch 3, step 74, global step 274).")),
              QStringLiteral("All 8 ranks continue from set 274 (epoch 3, step 74)."));
    EXPECT_EQ(windowWords(QStringLiteral("the set of step 12 is whole")),
              QStringLiteral("the set of step 12 is whole"));
}

}  // namespace
}  // namespace rankdeck::ui::window_words_test
