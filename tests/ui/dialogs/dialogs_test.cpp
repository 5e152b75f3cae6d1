// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/fixed_feed.h"
#include "tests/ui/scenes.h"
#include "tests/ui/settle.h"
#include "tests/ui/shown.h"
#include "ui/dialogs/about_dialog.h"
#include "ui/dialogs/auth_dialog.h"
#include "ui/dialogs/diagnostics.h"
#include "ui/dialogs/host_key_dialog.h"
#include "ui/dialogs/kill_dialog.h"
#include "ui/dialogs/legend_dialog.h"
#include "ui/dialogs/node_question.h"
#include "ui/kit/glyph_label.h"
#include "ui/style/format.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QtTest/QTest>

#include <gtest/gtest.h>

#include <set>

namespace rankdeck::ui::dialogs_test {
namespace {

const HostKeyQuestion question{"ascend-07", "10.20.4.17", "ssh-ed25519", "SHA256:b4Vq0JgO",
                               "/home/lin/.ssh/known_hosts"};

QPushButton *defaultButton(const QDialog &dialog)
{
    for (auto *button : dialog.findChildren<QPushButton *>()) {
        if (button->isDefault()) return button;
    }
    return nullptr;
}

TEST(AboutDialog, DiagnosticsAreShownBeforeACopyAndContainNoNames)
{
    Snapshot snapshot = scenes::died();
    snapshot.view.job.file = "/home/secret-user/secret.rankdeck.json";
    snapshot.alarms = {{.code = AlarmCode::jobDied, .fact = "on secret-node"}};
    const QString text = diagnosticsOf(&snapshot);
    for (const char *known : {"Rankdeck: ", "Qt: ", "libssh: ", "QCustomPlot: 2", "SQLite: 3", "zlib: 1",
                              "libfyaml: ", "ranks: 8", "sets: ", "alarm: job_died"})
        EXPECT_TRUE(text.contains(QLatin1String(known))) << known << " in " << text.toStdString();
    QStringList names{fromNode(snapshot.view.job.name), QStringLiteral("secret")};
    for (const NodeStatus &node : snapshot.view.nodes) names << fromNode(node.name);
    for (const NodeSpec &node : snapshot.view.job.nodes) names << fromNode(node.host);
    for (const QString &name : names) EXPECT_FALSE(text.contains(name)) << name.toStdString();
    EXPECT_TRUE(diagnosticsOf(nullptr).contains(QLatin1String("no job is open")));
    AboutDialog about(text);
    QGuiApplication::clipboard()->setText(QStringLiteral("mine"));
    buttonOf(about, QStringLiteral("Copy diagnostics…"))->click();
    auto *shown = about.findChild<QPlainTextEdit *>();
    ASSERT_NE(shown, nullptr);
    EXPECT_EQ(shown->toPlainText(), text);
    EXPECT_EQ(QGuiApplication::clipboard()->text(), QStringLiteral("mine"));
    buttonOf(about, QStringLiteral("Copy"))->click();
    EXPECT_EQ(QGuiApplication::clipboard()->text(), text);
}

TEST(HostKeyDialog, DefaultsToCancelAndShowsTheFingerprint)
{
    HostKeyDialog dialog(QStringLiteral("ascend-07"), question);
    dialog.show();
    ASSERT_NE(defaultButton(dialog), nullptr);
    EXPECT_EQ(defaultButton(dialog)->text(), QStringLiteral("Cancel"));
    bool shown = false;
    for (const auto *label : dialog.findChildren<QLabel *>())
        shown = shown || label->text() == QLatin1String("SHA256:b4Vq0JgO");
    EXPECT_TRUE(shown);
    QTest::keyClick(&dialog, Qt::Key_Return);
    EXPECT_EQ(dialog.result(), QDialog::Rejected);
    EXPECT_FALSE(dialog.isVisible());
}

// Texts that a server sends before any login.
TEST(AuthDialog, ServerQuestionsAreShownWithoutMarkupOrControlCodes)
{
    const std::string bad = "<img src=http://evil/x.png><b>b</b>\x1b[31m";
    AuthQuestion asked;
    asked.host = asked.name = asked.instruction = bad;
    asked.prompts = {{bad, false}};
    AuthDialog dialog(QStringLiteral("ascend-03"), asked);
    int told = 0;
    for (const auto *label : dialog.findChildren<QLabel *>()) {
        EXPECT_EQ(label->textFormat(), Qt::PlainText) << label->text().toStdString();
        EXPECT_FALSE(label->text().contains(QLatin1Char('\x1b')));
        told += label->text().contains(QLatin1String("<img")) ? 1 : 0;
    }
    EXPECT_EQ(told, 4) << "host, name, instruction and prompt are said as they are";
}

TEST(HostKeyDialog, ServerTextIsShownWithoutMarkupOrControlCodes)
{
    const std::string bad = "<img src=http://evil/x.png>\x1b[31m";
    const HostKeyDialog dialog(QStringLiteral("<b>n</b>"), {bad, bad, bad, bad, bad});
    for (const auto *label : dialog.findChildren<QLabel *>()) {
        EXPECT_EQ(label->textFormat(), Qt::PlainText) << label->text().toStdString();
        EXPECT_FALSE(label->text().contains(QLatin1Char('\x1b')));
    }
}

TEST(AuthDialog, HidesSecretsAndForgetsThem)
{
    AuthQuestion asked;
    asked.host = "bastion";
    asked.prompts = {{"Password: ", false}, {"One-time code: ", true}};
    AuthDialog dialog(QStringLiteral("ascend-03"), asked);
    const auto fields = dialog.findChildren<QLineEdit *>();
    ASSERT_EQ(fields.size(), 2);
    EXPECT_EQ(fields[0]->echoMode(), QLineEdit::Password);
    EXPECT_EQ(fields[1]->echoMode(), QLineEdit::Normal);
    fields[0]->setText(QStringLiteral("s3cret"));
    fields[1]->setText(QStringLiteral("123456"));
    EXPECT_EQ(dialog.takeAnswers(), (std::vector<std::string>{"s3cret", "123456"}));
    EXPECT_TRUE(fields[0]->text().isEmpty());
}

TEST(NodeQuestion, IsAskedOnceAndDoesNotBlock)
{
    FixedFeed feed;
    QWidget window;
    NodeStatus node;
    node.name = "ascend-07";
    node.state = NodeState::needsYou;
    node.hostKey = question;
    askNodeQuestion(feed, node, &window);
    askNodeQuestion(feed, node, &window);  // the dialog is open already
    settle();
    const auto dialogs = window.findChildren<QDialog *>();
    ASSERT_EQ(dialogs.size(), 1);
    QTest::mouseClick(dialogs.front()->findChild<QPushButton *>(QStringLiteral("trust")), Qt::LeftButton);
    ASSERT_EQ(feed.answers.count(QStringLiteral("ascend-07")), 1u);
    EXPECT_TRUE(feed.answers[QStringLiteral("ascend-07")].accept);
}

TEST(KillDialog, DefaultsToCancelAndNamesTheActionOnItsButton)
{
    const EscalationOptions rungs = stopRungs(scenes::stopping(5, 2), scenes::now() + std::chrono::minutes(3));
    KillDialog dialog(rungs, true);
    ASSERT_NE(defaultButton(dialog), nullptr);
    EXPECT_EQ(defaultButton(dialog)->text(), QStringLiteral("Cancel"));
    bool said = false;
    for (const auto *button : dialog.findChildren<QPushButton *>())
        said = said || button->text() == QLatin1String("Kill 9 processes");
    EXPECT_TRUE(said);
}

TEST(KillDialog, ShowsEveryProcessThatGetsTheSignal)
{
    const EscalationOptions rungs = stopRungs(scenes::stopping(5, 2), scenes::now() + std::chrono::minutes(3));
    KillDialog kill(rungs, true), term(rungs, false);
    const QString killed = kill.findChild<QPlainTextEdit *>()->toPlainText();
    const QString terminated = term.findChild<QPlainTextEdit *>()->toPlainText();
    EXPECT_EQ(killed.count(QLatin1Char('\n')) + 1, 9);
    EXPECT_EQ(terminated.count(QLatin1Char('\n')) + 1, 8);
    EXPECT_TRUE(killed.contains(QLatin1String("msrun --worker_num 8")));
    EXPECT_FALSE(terminated.contains(QLatin1String("msrun --worker_num")));
    for (const char *word : {"pid 4714", "rank 3", "user hans", "started ", "log "})
        EXPECT_TRUE(killed.contains(QLatin1String(word))) << word;
}

TEST(Legend, ExplainsEveryStateThatTheDeckDraws)
{
    LegendDialog dialog;
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    std::set<Glyph> explained;
    for (const auto *sign : dialog.findChildren<GlyphLabel *>()) explained.insert(sign->shownGlyph());
    for (int i = 0; i <= static_cast<int>(Verdict::unknown); ++i)
        EXPECT_EQ(explained.count(verdictGlyph(static_cast<Verdict>(i))), 1u) << "verdict " << i;
    for (int i = 0; i <= static_cast<int>(NodeState::unsupported); ++i)
        EXPECT_EQ(explained.count(nodeGlyph(static_cast<NodeState>(i))), 1u) << "node " << i;
    for (int i = static_cast<int>(Glyph::ok); i <= static_cast<int>(Glyph::pruned); ++i) {
        EXPECT_EQ(explained.count(static_cast<Glyph>(i)), 1u) << "checkpoint sign " << i;
    }
}

}  // namespace
}  // namespace rankdeck::ui::dialogs_test
