// SPDX-License-Identifier: GPL-3.0-or-later
// The form of a job file beside its text: both stay in step. Every key has a help text, and text that was not edited is
// never lost.
#include "ui/editor/job_editor.h"

#include "core/job/job_file.h"
#include "core/job/text/job_keys.h"
#include "tests/testbed/temp_dir.h"
#include "tests/ui/drawn.h"
#include "tests/ui/settle.h"
#include "tests/ui/shown.h"
#include "ui/editor/job_field.h"
#include "ui/editor/job_form.h"
#include "ui/editor/job_key_words.h"
#include "ui/style/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QCompleter>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTextBlock>
#include <QTimer>
#include <QTranslator>
#include <QTreeWidget>
#include <QtTest/QTest>

#include <gtest/gtest.h>

namespace rankdeck::ui::job_editor_test {
namespace {

const QString file = QStringLiteral(R"({
  "rankdeck": 1,
  "name": "lenet",
  "mine": {"note":   [1, 2]},
  "world_size": 4,
  "nodes": [ {"name": "n0", "host": "node-a", "ranks": [0, 1]},
             {"name": "n1", "host": "bob@10.0.0.2:2222", "ranks": [2, 3]} ],
  "logs":          {"path": "/job/{node}/worker_{rank}.log"},
  "checkpoints":   {"path": "/job/ckpt/rank_{rank}", "prefix": "lenet"},
  "launch": {"recipe": "msrun", "command": ["train.py", "--resume", "{checkpoint}"]}
}
)");

class JobEditorTest : public testing::Test {
protected:
    void SetUp() override
    {
        m_editor.resize(1318, 640);
        m_editor.show();
        m_editor.activateWindow();
        m_editor.open(file, {});
        m_tree = m_editor.findChild<QTreeWidget *>();
        m_text = m_editor.findChild<QPlainTextEdit *>();
        m_form = m_editor.findChild<JobForm *>();
    }
    [[nodiscard]] QTreeWidgetItem *row(const QString &path) const
    {
        for (QTreeWidgetItem *item : m_tree->findItems(QString(), Qt::MatchContains | Qt::MatchRecursive))
            if (item->parent() != nullptr && item->data(1, JobField::pathRole).toString() == path) return item;
        return nullptr;
    }
    [[nodiscard]] QString value(const QString &path) const { return row(path)->text(1); }
    void type(const QString &path, const QString &text) { row(path)->setText(1, text); }
    [[nodiscard]] bool says(const QString &text) const { return ui::says(m_editor, text); }
    [[nodiscard]] bool inText(const char *text) const { return m_editor.text().contains(QLatin1String(text)); }

    JobEditor m_editor;
    QTreeWidget *m_tree = nullptr;
    QPlainTextEdit *m_text = nullptr;
    JobForm *m_form = nullptr;
};

TEST_F(JobEditorTest, EveryKeyHasARowWithItsDescription)
{
    for (const JobKey &key : jobKeys) {
        QString path = QString::fromLatin1(key.path.data(), static_cast<qsizetype>(key.path.size()));
        path.replace(QLatin1String("[]"), QLatin1String("[1]"));
        ASSERT_NE(row(path), nullptr) << path.toStdString();
        EXPECT_GE(jobKeyHelp(key).size(), 10) << path.toStdString();
        m_tree->setCurrentItem(row(path));
        EXPECT_TRUE(says(jobKeyHelp(key))) << path.toStdString();
    }
}

TEST_F(JobEditorTest, FormChangesOnlyItsValueInTheText)
{
    EXPECT_EQ(value(QStringLiteral("nodes[1].ranks")), QStringLiteral("2, 3"));
    EXPECT_EQ(value(QStringLiteral("launch.command")), QStringLiteral("train.py --resume {checkpoint}"));
    type(QStringLiteral("name"), QStringLiteral("lenet \"two\""));
    QString expected = file;
    expected.replace(QLatin1String("\"lenet\",\n  \"mine\""), QLatin1String("\"lenet \\\"two\\\"\",\n  \"mine\""));
    EXPECT_EQ(m_editor.text(), expected);
    type(QStringLiteral("steps_per_epoch"), QStringLiteral("1875"));
    EXPECT_TRUE(inText("\n  \"steps_per_epoch\": 1875\n}")) << m_editor.text().toStdString();
    EXPECT_TRUE(inText("\"mine\": {\"note\":   [1, 2]}")) << "a key that nobody knows is the operator's own";
    type(QStringLiteral("steps_per_epoch"), {});
    EXPECT_EQ(m_editor.text(), expected);
    m_text->undo();
    m_text->undo();
    m_text->undo();
    EXPECT_EQ(m_editor.text(), file) << "undone as what was typed by hand";
    EXPECT_EQ(value(QStringLiteral("name")), QStringLiteral("lenet"));
}

TEST_F(JobEditorTest, TextChangesTheForm)
{
    m_text->setPlainText(QString(file).replace(QLatin1String("node-a"), QLatin1String("node-x")));
    EXPECT_EQ(value(QStringLiteral("nodes[0].host")), QStringLiteral("node-x"));
    m_text->setPlainText(file.left(80));
    EXPECT_FALSE(m_tree->isEnabled());
    EXPECT_TRUE(says(QStringLiteral("The form waits")));
    m_text->setPlainText(file);
    EXPECT_TRUE(m_tree->isEnabled());
}

TEST_F(JobEditorTest, ErrorsAreShownAtTheirKey)
{
    type(QStringLiteral("world_size"), QStringLiteral("many"));
    EXPECT_EQ(m_editor.text(), file) << "what is no number is not written";
    EXPECT_EQ(value(QStringLiteral("world_size")), QStringLiteral("4"));
    m_tree->setCurrentItem(row(QStringLiteral("world_size")));
    type(QStringLiteral("world_size"), QStringLiteral("many"));
    EXPECT_TRUE(says(QStringLiteral("Expected a whole number, found \"many\".")));
    type(QStringLiteral("checkpoints.path"), QStringLiteral("/job/{rnk}"));
    m_tree->setCurrentItem(row(QStringLiteral("checkpoints.path")));
    EXPECT_FALSE(row(QStringLiteral("checkpoints.path"))->icon(1).isNull());
    EXPECT_TRUE(row(QStringLiteral("checkpoints.prefix"))->icon(1).isNull());
    EXPECT_TRUE(says(QStringLiteral("rnk")));
}

TEST_F(JobEditorTest, PathsAreShownExpandedForEachRank)
{
    m_tree->setCurrentItem(row(QStringLiteral("logs.path")));
    EXPECT_TRUE(says(QStringLiteral("rank 0: /job/n0/worker_0.log")));
    EXPECT_TRUE(says(QStringLiteral("rank 3: /job/n1/worker_3.log")));
    EXPECT_TRUE(says(QStringLiteral("{rank} {local_rank}")));
    m_tree->setCurrentItem(row(QStringLiteral("name")));
    EXPECT_FALSE(says(QStringLiteral("Placeholders")));
}

TEST_F(JobEditorTest, OffersOnlyPlaceholdersThatTheReaderAccepts)
{
    const auto of = [](const char *path, const char *recipe = "") {
        return placeholdersOf(QString::fromLatin1(path), QString::fromLatin1(recipe));
    };
    EXPECT_TRUE(of("logs.path").contains(QStringLiteral("{rank}")));
    EXPECT_FALSE(of("logs.path").contains(QStringLiteral("{checkpoint}")));
    EXPECT_TRUE(of("launch.command").contains(QStringLiteral("{checkpoint_dir}")));
    EXPECT_FALSE(of("launch.workdir").contains(QStringLiteral("{rank}"))) << "one value for a node";
    EXPECT_TRUE(of("launch.env", "command").contains(QStringLiteral("{rank}")));
    EXPECT_FALSE(of("launch.env", "msrun").contains(QStringLiteral("{rank}")));
    EXPECT_TRUE(of("nodes[3].env", "command").contains(QStringLiteral("{rank}")));
    EXPECT_TRUE(of("launch.set").contains(QStringLiteral("{checkpoint}")));
    for (const char *none : {"name", "logs.sample", "nodes[0].host", "launch.volcano.image", "world_size"})
        EXPECT_TRUE(of(none).isEmpty()) << none;
}

TEST_F(JobEditorTest, TypingABraceOffersPlaceholders)
{
    m_tree->setFocus();
    m_tree->setCurrentItem(row(QStringLiteral("logs.path")), 1);
    m_tree->editItem(m_tree->currentItem(), 1);
    auto *line = m_tree->findChild<QLineEdit *>();
    ASSERT_NE(line, nullptr);
    line->setText(QStringLiteral("/x/"));
    QTest::keyClicks(line, QStringLiteral("{wor"));
    auto *offered = line->findChild<QCompleter *>();
    ASSERT_NE(offered, nullptr);
    EXPECT_EQ(offered->currentCompletion(), QStringLiteral("{world_size}"));
    Q_EMIT offered->activated(QStringLiteral("{world_size}"));
    EXPECT_EQ(line->text(), QStringLiteral("/x/{world_size}"));
}

TEST_F(JobEditorTest, ChoiceIsMadeFromAList)
{
    m_tree->setCurrentItem(row(QStringLiteral("launch.recipe")), 1);
    m_tree->editItem(m_tree->currentItem(), 1);
    auto *list = m_tree->findChild<QComboBox *>();
    ASSERT_NE(list, nullptr);
    list->setCurrentText(QStringLiteral("torchrun"));
    Q_EMIT list->activated(list->currentIndex());
    EXPECT_TRUE(inText("\"recipe\": \"torchrun\""));
}

TEST_F(JobEditorTest, NodesCanBeAddedAndRemoved)
{
    const auto press = [this](const char *words) {
        for (auto *one : m_editor.findChildren<QPushButton *>())
            if (one->text() == QLatin1String(words)) one->click();
    };
    press("Add a node");
    ASSERT_NE(row(QStringLiteral("nodes[2].host")), nullptr);
    EXPECT_EQ(m_form->currentKey(), QStringLiteral("nodes[2].host"));
    type(QStringLiteral("nodes[2].host"), QStringLiteral("node-c"));
    EXPECT_TRUE(inText("node-c"));
    m_tree->setCurrentItem(row(QStringLiteral("nodes[2].host")));
    press("Remove the node");
    EXPECT_EQ(m_editor.text(), file);
}

TEST_F(JobEditorTest, FormAndTextSelectTheSameKey)
{
    m_tree->setCurrentItem(row(QStringLiteral("checkpoints.path")));
    EXPECT_EQ(m_text->textCursor().block().text().trimmed().left(13), QStringLiteral("\"checkpoints\""));
    m_text->setFocus();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&m_editor, neverMs));
    QTextCursor cursor = m_text->textCursor();
    cursor.setPosition(static_cast<int>(file.indexOf(QLatin1String("world_size"))));
    m_text->setTextCursor(cursor);
    EXPECT_EQ(m_form->currentKey(), QStringLiteral("world_size"));
}

std::vector<JobCheck> checks()
{
    using What = JobCheck::What;
    return {{.what = What::nodes, .key = "nodes", .named = 2, .good = 1, .bad = 1, .problem = "n1: lost"},
            {.what = What::logs, .key = "logs.path", .named = 4, .good = 4, .more = 4},
            {.what = What::checkpoints, .key = "checkpoints.path", .named = 4, .good = 4, .more = 12},
            {.what = What::config, .key = "graceful_exit.config", .named = 2, .good = 2, .more = 1},
            {.what = What::command, .key = "launch.command", .named = 2, .good = 2}};
}

TEST_F(JobEditorTest, NodeChecksAreShownAfterTypingPauses)
{
    QSignalSpy wanted(&m_editor, &JobEditor::checkWanted);
    ASSERT_TRUE(wanted.wait(5000));
    ASSERT_TRUE(m_editor.job().has_value());
    QSignalSpy hosts(&m_editor, &JobEditor::hostsWanted);
    m_editor.setChecks(checks(), {QStringLiteral("node-a")});
    EXPECT_TRUE(says(QStringLiteral("1 of 2 connected")));
    EXPECT_TRUE(says(QStringLiteral("4 of 4 exist and are readable, loss lines at the end of 4")));
    EXPECT_TRUE(says(QStringLiteral("4 of 4 directories exist")));
    EXPECT_TRUE(says(QStringLiteral("2 of 2 readable, 1 writable")));
    EXPECT_TRUE(says(QStringLiteral("none of its arguments says which checkpoint to load")));
    for (auto *button : m_editor.findChildren<QPushButton *>())
        if (button->text().startsWith(QLatin1String("Connect to"))) button->click();
    ASSERT_EQ(hosts.size(), 1);
    EXPECT_EQ(hosts.front().front().toStringList(), QStringList{QStringLiteral("node-a")});
    type(QStringLiteral("name"), QStringLiteral("other"));
    EXPECT_FALSE(says(QStringLiteral("4 of 4"))) << "that was another text";
    m_editor.setChecks(checks(), {});
    EXPECT_FALSE(says(QStringLiteral("4 of 4"))) << "of the text before, come late";
    ASSERT_TRUE(wanted.wait(5000));
}

TEST_F(JobEditorTest, LaunchTextCanBePasted)
{
    QGuiApplication::clipboard()->setText(
        QStringLiteral("#!/bin/bash\n#SBATCH -N2\nmodule load cann\nsrun -n8 python3 run.py --load {checkpoint}\n"));
    const auto press = [this] {
        for (auto *button : m_editor.findChildren<QPushButton *>())
            if (button->text() == QLatin1String("Paste the launch command")) button->click();
    };
    press();
    EXPECT_EQ(value(QStringLiteral("launch.recipe")), QStringLiteral("slurm"));
    EXPECT_EQ(value(QStringLiteral("launch.command")), QStringLiteral("python3 run.py --load {checkpoint}"));
    EXPECT_EQ(value(QStringLiteral("launch.options")), QStringLiteral("-N2 -n8"));
    EXPECT_TRUE(inText("\"mine\": {\"note\":   [1, 2]}"));
    EXPECT_TRUE(says(QStringLiteral("module load cann")));
    EXPECT_TRUE(says(QStringLiteral("It starts 8 ranks, but the nodes here have 4.")));
    m_text->undo();
    EXPECT_EQ(m_editor.text(), file);
    QGuiApplication::clipboard()->setText(QStringLiteral("a shopping list"));
    press();
    EXPECT_EQ(m_editor.text(), file);
    EXPECT_TRUE(says(QStringLiteral("The clipboard has nothing to paste here.")));
}

TEST(JobEditorRender, IsDrawnInBothThemesAndLanguages)
{
    for (const bool chinese : {false, true}) {
        QTranslator texts;
        ASSERT_TRUE(texts.load(
            QStringLiteral(":/i18n/rankdeck_%1.qm").arg(chinese ? QStringLiteral("zh_CN") : QStringLiteral("en"))));
        QApplication::installTranslator(&texts);
        for (const auto mode : {Theme::Mode::dark, Theme::Mode::light}) {
            Theme::of(nullptr).setMode(mode);
            JobEditor editor;
            editor.setContentsMargins(24, 16, 24, 12);
            editor.resize(1366, 720);
            editor.open(file, {QStringLiteral("put {checkpoint} into launch.command")});
            editor.show();
            editor.findChild<JobForm *>()->showKey(QStringLiteral("checkpoints.path"));
            QSignalSpy rest(&editor, &JobEditor::checkWanted);
            ASSERT_TRUE(rest.wait(5000));
            editor.setChecks(checks(), {QStringLiteral("bob@10.0.0.2:2222")});
            settle();
            expectDrawn(editor, QStringLiteral("editor-%1-%2")
                                    .arg(chinese ? QStringLiteral("zh") : QStringLiteral("en"),
                                         mode == Theme::Mode::dark ? QStringLiteral("dark") : QStringLiteral("light")));
        }
        QApplication::removeTranslator(&texts);
    }
    Theme::of(nullptr).setMode(Theme::Mode::light);
}

// The test answers the dialog like a user. If the file cannot be written, the old file stays.
TEST_F(JobEditorTest, SavesTheWholeFilePrivatelyOrReportsWhyNot)
{
    const TempDir directory;
    const auto saveAs = [&](const QString &path) {
        QTimer::singleShot(0, &m_editor, [path] {
            auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
            ASSERT_NE(dialog, nullptr);
            dialog->selectFile(path);
            dialog->findChild<QLineEdit *>(QStringLiteral("fileNameEdit"))->setText(path);
            QMetaObject::invokeMethod(dialog, "accept");
        });
        buttonOf(m_editor, QStringLiteral("Save as…"))->click();
    };
    const QString path = QString::fromStdString(directory.path()) + QStringLiteral("/lenet.rankdeck.json");
    saveAs(path);
    QFile saved(path);
    ASSERT_TRUE(saved.open(QIODevice::ReadOnly));
    EXPECT_EQ(QString::fromUtf8(saved.readAll()), m_editor.text());
    EXPECT_EQ(saved.permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    EXPECT_TRUE(ui::says(m_editor, QStringLiteral("Saved as %1").arg(path)));
    EXPECT_EQ(QDir(QString::fromStdString(directory.path())).entryList(QDir::Files | QDir::Hidden).size(), 1)
        << "no half of it beside it";
    saveAs(QString::fromStdString(directory.path()) + QStringLiteral("/none/lenet.rankdeck.json"));
    EXPECT_TRUE(ui::says(m_editor, QStringLiteral("none/lenet.rankdeck.json")));
    EXPECT_FALSE(ui::says(m_editor, QStringLiteral("Saved as")));
}

}  // namespace
}  // namespace rankdeck::ui::job_editor_test
