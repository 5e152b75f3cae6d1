// SPDX-License-Identifier: GPL-3.0-or-later
// Core's sentences in a Chinese window, with the same names and numbers. The test searches the fixed words in core's sources, so
// that a sentence that core has changed does not fall back to English unnoticed.
#include "ui/style/core_sentences.h"

#include "core/discover/text/host_list.h"
#include "tests/testbed/paths.h"
#include "ui/kit/label.h"
#include "ui/panels/journal_model.h"
#include "ui/style/format.h"
#include "ui/style/window_words.h"

#include <QApplication>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTranslator>

#include <gtest/gtest.h>

namespace rankdeck::ui::core_sentences_test {
namespace {

QString sourcesOfCore()
{
    QString all;
    QDirIterator files(QString::fromStdString(sourceDirectory()) + QStringLiteral("/core"), {QStringLiteral("*.cpp")},
                       QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly)) all += QString::fromUtf8(file.readAll());
    }
    return all;
}

class Chinese : public testing::Test {
protected:
    void SetUp() override
    {
        ASSERT_TRUE(m_texts.load(QStringLiteral(":/i18n/rankdeck_zh_CN.qm")));
        QApplication::installTranslator(&m_texts);
    }
    void TearDown() override { QApplication::removeTranslator(&m_texts); }
    QTranslator m_texts;
};

TEST_F(Chinese, CoresSentencesAreChinese)
{
    const auto said = [](const char *text) { return coreSentence(QString::fromLatin1(text)); };
    EXPECT_EQ(said("Step 1,140: VALID, 8 of 8 files complete, same step"),
              QString::fromUtf8("Step 1,140：有效，8/8 个文件完整，step 一致"));
    EXPECT_EQ(said("Step 540: INCOMPLETE, rank 1 no longer has a file: all its files are newer"),
              QString::fromUtf8("Step 540：不完整，rank 1 的文件已不存在：它的文件都更新"));
    EXPECT_EQ(said("rank 0 has no file yet; the others saved 21:20:48 to 21:20:49"),
              QString::fromUtf8("rank 0 尚无文件；其余在 21:20:48 至 21:20:49 保存"));
    EXPECT_EQ(said("node0 is stale: No contact for 10 s; the values shown are old."),
              QString::fromUtf8("node0 已静默：已 10 秒没有消息；所示数值为旧值。"));
    EXPECT_EQ(said("only a .tmp"), QString::fromUtf8("只有 .tmp"));
    EXPECT_EQ(said("1.2 kB short"), QString::fromUtf8("缺 1.2 kB"));
    EXPECT_EQ(said("job:4: mine: unknown key, ignored"), QString::fromUtf8("job:4: mine：未知的键，已忽略"));
    EXPECT_EQ(said("job:4: pathh: unknown key, ignored; did you mean \"path\"?"),
              QString::fromUtf8("job:4: pathh：未知的键，已忽略；是否想写“path”？"));
    EXPECT_EQ(said("job:7: nodes: expected a list of objects, found \"x\""),
              QString::fromUtf8("job:7: nodes：应为 a list of objects，实为 \"x\""));
    EXPECT_EQ(said("rank 2: incomplete file (12 bytes, the others have 4,096)"),
              QString::fromUtf8("rank 2：文件不完整（12 字节，其余为 4,096）"));
}

TEST_F(Chinese, PreflightTextsAreChineseInTheWindow)
{
    EXPECT_EQ(
        asSentence(
            "stop the run first (exit), or let the plan end exactly these; two attempts would write the same files"),
        QString::fromUtf8("请先停止该运行，或由计划恰好结束这些进程；两次运行会写同样的文件。"));
    EXPECT_EQ(asSentence("a graceful stop loses only the step in progress; a kill would lose 12 steps, 3.0 s"),
              QString::fromUtf8("优雅退出只损失进行中的一步；强制结束将损失 12 步、3.0 s。"));
    EXPECT_EQ(fromCore("All 8 ranks confirmed, saved set 0:3-74 of step 274 (VALID) and are gone."),
              QString::fromUtf8("全部 8 个 rank 已确认、已保存整组 274（有效）并已退出。"));
    EXPECT_EQ(fromCore("All 8 ranks continue from set 0:3-74 (epoch 3, step 74, global step 274)."),
              QString::fromUtf8("全部 8 个 rank 自整组 274（epoch 3，step 74）继续。"));
}

TEST_F(Chinese, ErrorsOfHostListsAreChinese)
{
    EXPECT_EQ(fromCore("Expected at most 1,024 hosts; list fewer hosts."),
              QString::fromUtf8("最多 1,024 台主机；请少指定一些。"));
    for (const char *text : {"n[9-1]", "n[1-9999]"}) {
        const auto hosts = expandHosts(text);
        ASSERT_FALSE(hosts) << text;
        EXPECT_FALSE(fromCore(hosts.error().message).contains(QLatin1String("Expected"))) << text;
    }
    const auto none = hostsOfSlurm("42", 0, "", "");
    ASSERT_FALSE(none);
    EXPECT_FALSE(fromCore(none.error().message).contains(QLatin1String("Expected")));
}

TEST_F(Chinese, AJournalsStatesAreChinese)
{
    for (const char *state : {"planned", "arming_failed", "stopped", "rolled_back", "proven", "step"}) {
        JournalEntry entry;
        entry.state = state;
        JournalModel one;
        one.setEntries({entry});
        EXPECT_NE(one.index(0, JournalModel::outcome).data().toString(), QString::fromLatin1(state));
    }
}

TEST_F(Chinese, ASentenceEndsInOneFullStopOfItsLanguage)
{
    EXPECT_EQ(ended(QString::fromUtf8("rank 3 已退出。")), QString::fromUtf8("rank 3 已退出。"));
    EXPECT_EQ(ended(QString::fromUtf8("rank 3 已退出")), QString::fromUtf8("rank 3 已退出。"));
    EXPECT_EQ(ended(QStringLiteral("Rank 3 died")), QStringLiteral("Rank 3 died."));
    EXPECT_TRUE(goesOn(QString::fromUtf8("，其余在等待")));
    EXPECT_TRUE(goesOn(QStringLiteral(", the others wait")));
    Label label;
    label.setBoldAndText(QString::fromUtf8("rank 3 已退出。"), QString::fromUtf8("其余在等待。"));
    EXPECT_EQ(label.accessibleName(), QString::fromUtf8("rank 3 已退出。其余在等待。"));
    label.setBoldAndText(QStringLiteral("Rank 3 died"), QStringLiteral(", the others wait."));
    EXPECT_EQ(label.accessibleName(), QStringLiteral("Rank 3 died, the others wait."));
}

TEST_F(Chinese, UnknownTextStaysAsItIs)
{
    for (const char *text :
         {"Step 5: loss 2.3, acc 0.1", "OSError: [Errno 28] No space left on device", "", "%1 %2", "n0 is down"}) {
        const QString words = QString::fromLatin1(text);
        EXPECT_EQ(coreSentence(words), words);
    }
    EXPECT_EQ(coreSentence(QStringLiteral("%2 is live")), QString::fromUtf8("%2 在线")) << "a name is no placeholder";
}

TEST(CoreSentences, AreThoseOfCore)
{
    // Literals that the compiler joins are one; the window does not show options of the terminal.
    static const QRegularExpression seam(QStringLiteral("\"\\s*\\n\\s*\""));
    const QString core = sourcesOfCore().replace(seam, QString()).remove(QStringLiteral(" (exit)"));
    ASSERT_GT(core.size(), 100000);
    // Core assembles its sentences at these places.
    static const QRegularExpression part(QStringLiteral("%[1-4]|[;:]| yet| is | at "));
    for (const QString &sentence : coreSentences()) {
        for (QString words : sentence.split(part)) {
            words = words.trimmed();
            if (words.size() < 9) continue;
            EXPECT_TRUE(core.contains(words))
                << sentence.toStdString() << ": core does not say \"" << words.toStdString() << "\" any more";
        }
    }
}

TEST(CoreSentences, AreEnglishInEnglish)
{
    const QString text = QStringLiteral("node0 is live");
    EXPECT_EQ(coreSentence(text), text);
}

}  // namespace
}  // namespace rankdeck::ui::core_sentences_test
