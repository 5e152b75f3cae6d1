// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of core in a Chinese window, with the same names and numbers.
#include "ui/style/window_words.h"

#include "core/discover/text/host_list.h"
#include "core/job/job_file.h"
#include "ui/kit/label.h"
#include "ui/panels/journal_model.h"
#include "ui/style/format.h"

#include <QApplication>
#include <QTranslator>

#include <gtest/gtest.h>

namespace rankdeck::ui::core_messages_test {
namespace {

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

TEST_F(Chinese, ShowsMessagesOfCore)
{
    const Message files = message("%1 of %2 files complete, same step", 8, 8);
    const Message newer = message("rank %1 no longer has a file: all its files are newer", 1);
    EXPECT_EQ(fromCore(message("Step %1: %2, %3", "1,140", verdictMessage(Verdict::valid), files)),
              QString::fromUtf8("Step 1,140：有效，8/8 个文件完整，step 一致"));
    EXPECT_EQ(fromCore(message("Step %1: %2, %3", "540", verdictMessage(Verdict::incomplete), newer)),
              QString::fromUtf8("Step 540：不完整，rank 1 的文件已不存在：它的文件都更新"));
    EXPECT_EQ(fromCore(message("only a .tmp file")), QString::fromUtf8("只有 .tmp"));
    EXPECT_EQ(fromCore(message("%1 short", "1.2 kB")), QString::fromUtf8("缺 1.2 kB"));
    EXPECT_EQ(fromCore(message("%1 is live", "%2")), QString::fromUtf8("%2 在线")) << "a name is no placeholder";
}

TEST_F(Chinese, ShowsErrorsInAJobFile)
{
    const auto unknown = parseJob(R"({"rankdeck": 1, "name": "a", "nodes": [{"host": "n", "ranks": [0]}], "nmae": 1})");
    ASSERT_TRUE(unknown);
    ASSERT_FALSE(unknown->warnings.empty());
    EXPECT_EQ(fromCore(unknown->warnings.front()),
              QString::fromUtf8("job:1: nmae：未知的键，已忽略；是否想写“name”？"));
    const auto wrong = parseJob(R"({"rankdeck": 1, "name": "a", "nodes": "x"})");
    ASSERT_FALSE(wrong);
    EXPECT_EQ(fromCore(wrong.error().message), QString::fromUtf8("job:1: nodes：应为 数组，实为 字符串 \"x\""));
}

TEST_F(Chinese, ShowsPreflightFindings)
{
    EXPECT_EQ(asSentence(
                  message("stop the run first%1, or let the plan end exactly these processes; two attempts would write "
                          "the same files",
                          terminalWords(" (exit)"))),
              QString::fromUtf8("请先停止该运行，或由计划恰好结束这些进程；两次运行会写同样的文件。"));
    EXPECT_EQ(fromCore(message("All %1 ranks confirmed, saved %2 (VALID) and are gone.", 8,
                               terminalWords("set %1 of step %2", "0:3-74", "274"))),
              QString::fromUtf8("全部 8 个 rank 已确认、已保存整组 274（有效）并已退出。"));
    EXPECT_EQ(fromCore(message("All %1 ranks continue from %2.", 8,
                               terminalWords("set %1 (epoch %2, step %3, global step %4)", "0:3-74", 3, 74, 274))),
              QString::fromUtf8("全部 8 个 rank 自整组 274（epoch 3，step 74）继续。"));
}

TEST_F(Chinese, LeavesTheFullStopOfAClauseOut)
{
    const Message said =
        message("Nothing was started: %1. %2.", withoutStop(message("Cancelled.")), message("no rank"));
    EXPECT_EQ(said, "Nothing was started: Cancelled. no rank.");
    EXPECT_EQ(fromCore(said), fromCore(message("Nothing was started: %1. %2.", "\xE5\xB7\xB2\xE5\x8F\x96\xE6\xB6\x88",
                                               message("no rank"))));
    EXPECT_EQ(fromCore(Message::decoded(said, said.encoded())), fromCore(said));
}

TEST_F(Chinese, ShowsErrorsInHostLists)
{
    const auto many = expandHosts("n[1-9999]");
    ASSERT_FALSE(many);
    EXPECT_EQ(fromCore(many.error().message), QString::fromUtf8("最多 1,024 台主机；请少指定一些。"));
    for (const char *text : {"n[9-1]", "n]"}) {
        const auto hosts = expandHosts(text);
        ASSERT_FALSE(hosts) << text;
        EXPECT_FALSE(fromCore(hosts.error().message).contains(QLatin1String("Expected"))) << text;
    }
    const auto none = hostsOfSlurm("42", 0, "", "");
    ASSERT_FALSE(none);
    EXPECT_FALSE(fromCore(none.error().message).contains(QLatin1String("Expected")));
}

TEST_F(Chinese, ShowsStatesOfTheJournal)
{
    for (const char *state : {"planned", "arming_failed", "stopped", "rolled_back", "proven", "step"}) {
        JournalEntry entry;
        entry.state = state;
        JournalModel one;
        one.setEntries({entry});
        EXPECT_NE(one.index(0, JournalModel::outcome).data().toString(), QString::fromLatin1(state));
    }
}

TEST_F(Chinese, EndsASentenceWithOneFullStopOfItsLanguage)
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

TEST_F(Chinese, LeavesAPlainTextUnchanged)
{
    for (const char *text :
         {"Step 5: loss 2.3, acc 0.1", "OSError: [Errno 28] No space left on device", "", "%1 is live"})
        EXPECT_EQ(fromCore(text), QString::fromLatin1(text));
}

}  // namespace
}  // namespace rankdeck::ui::core_messages_test
