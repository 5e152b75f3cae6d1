// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/finding_words.h"

#include "ui/kit/finding_row.h"
#include "ui/kit/label.h"

#include <QCoreApplication>
#include <QTranslator>

#include <gtest/gtest.h>

namespace rankdeck::ui::finding_words_test {
namespace {

class FindingWords : public testing::Test {
protected:
    void TearDown() override { QCoreApplication::removeTranslator(&m_texts); }
    void showChinese()
    {
        ASSERT_TRUE(m_texts.load(QStringLiteral(":/i18n/rankdeck_zh_CN.qm")));
        QCoreApplication::installTranslator(&m_texts);
    }
    static QString shown(Finding::Result result)
    {
        Finding finding;
        finding.code = "clock_skew";
        finding.result = result;
        finding.text = "The clock of n1 is 3 h ahead";
        finding.fix = "Set it.";
        const FindingRow row(finding, {});
        return row.findChild<Label *>()->text();
    }

private:
    QTranslator m_texts;
};

TEST_F(FindingWords, EachFindingHasAChineseLabelAndNoEnglishLabelRepeatsIt)
{
    for (const auto &row : findingRows) EXPECT_TRUE(findingLabel(*FindingCode::from(row.word)).isEmpty()) << row.word;
    showChinese();
    for (const auto &row : findingRows)
        EXPECT_EQ(findingLabel(*FindingCode::from(row.word)).isEmpty(), *row.word == '\0') << row.word;
}

TEST_F(FindingWords, TheLabelComesBeforeTheWholeTextOfCore)
{
    EXPECT_FALSE(shown(Finding::Result::warn).contains(QStringLiteral("时钟")));
    showChinese();
    const QString warned = shown(Finding::Result::warn);
    EXPECT_TRUE(warned.contains(QStringLiteral("节点时钟不一致："))) << warned.toStdString();
    EXPECT_TRUE(warned.contains(QStringLiteral("The clock of n1 is 3 h ahead. Set it."))) << warned.toStdString();
}

}  // namespace
}  // namespace rankdeck::ui::finding_words_test
