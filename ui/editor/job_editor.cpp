// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/job_editor.h"

#include "core/base/files.h"
#include "core/discover/launch/launch_text.h"
#include "core/job/job_file.h"
#include "core/job/text/json_lines.h"
#include "ui/editor/job_checks.h"
#include "ui/editor/job_form.h"
#include "ui/kit/act_button.h"
#include "ui/kit/focus_ring.h"
#include "ui/kit/glyph_label.h"
#include "ui/kit/label.h"
#include "ui/style/format.h"
#include "ui/style/window_words.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTextBlock>
#include <QVBoxLayout>

namespace rankdeck::ui {

using Font = Theme::Font;
using Role = Theme::Role;

namespace {
constexpr int restBeforeCheck = 400;  // ms
}

JobEditor::JobEditor(QWidget *parent)
    : QWidget(parent), m_remarks(new Label({}, Font::normal, Role::text2)), m_verdict(new Label),
      m_sign(new GlyphLabel(Glyph::check, 12)), m_text(new QPlainTextEdit), m_form(new JobForm),
      m_checks(new JobChecks), m_watch(new ActButton(tr("Watch this job")))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    auto *head = new QHBoxLayout;
    head->addWidget(new Label(tr("Job file"), Font::bold), 1);
    auto *back = new QPushButton(tr("Back to the jobs found"));
    auto *save = new QPushButton(tr("Save as…"));
    head->addWidget(back);
    head->addWidget(save);
    head->addWidget(m_watch);
    column->addLayout(head);
    column->addWidget(m_remarks->wrapped());
    m_text->setAccessibleName(tr("Job file"));
    m_text->setFont(Theme::of(this).font(Font::mono));
    m_text->setTabChangesFocus(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setMinimumWidth(scaled(280));
    FocusRing::addTo(m_text);
    auto *halves = new QSplitter;
    halves->setChildrenCollapsible(false);
    halves->addWidget(m_form);
    auto *right = new QWidget;
    auto *below = new QVBoxLayout(right);
    below->setContentsMargins(0, 0, 0, 0);
    below->setSpacing(6);
    below->addWidget(m_text, 1);
    below->addWidget(m_checks);
    halves->addWidget(right);
    halves->setStretchFactor(0, 54);
    halves->setStretchFactor(1, 46);
    column->addWidget(halves, 1);
    auto *foot = new QHBoxLayout;
    foot->addWidget(m_sign, 0, Qt::AlignTop);
    foot->addWidget(m_verdict->wrapped(), 1);
    column->addLayout(foot);
    connect(m_text, &QPlainTextEdit::textChanged, this, &JobEditor::check);
    connect(m_text, &QPlainTextEdit::cursorPositionChanged, this, &JobEditor::followCursor);
    connect(m_form, &JobForm::edited, this, &JobEditor::replaceBy);
    connect(m_form, &JobForm::pasteWanted, this, &JobEditor::pasteLaunch);
    connect(m_form, &JobForm::keyChosen, this, &JobEditor::showKey);
    connect(back, &QPushButton::clicked, this, &JobEditor::left);
    connect(save, &QPushButton::clicked, this, &JobEditor::save);
    connect(m_watch, &QPushButton::clicked, this, [this] {
        if (m_job) Q_EMIT watchWanted(*m_job);
    });
    m_watch->setPrimary(true);
    m_rest.setSingleShot(true);
    m_rest.setInterval(restBeforeCheck);
    connect(&m_rest, &QTimer::timeout, this, &JobEditor::checkWanted);
    connect(m_checks, &JobChecks::hostsWanted, this, &JobEditor::hostsWanted);
}

void JobEditor::setChecks(const std::vector<JobCheck> &checks, const QStringList &notAsked)
{
    if (!m_rest.isActive()) m_checks->setChecks(checks, notAsked);
}

void JobEditor::hideChecks() { m_checks->hide(); }

QString JobEditor::text() const { return m_text->toPlainText(); }

void JobEditor::open(const QString &text, const QStringList &remarks, const QString &file)
{
    m_file = file;
    m_remarks->setVisible(!remarks.isEmpty());
    m_remarks->setText(remarks.join(QLatin1Char('\n')));
    m_text->setPlainText(text);
    m_text->setFocus();
}

void JobEditor::check()
{
    const auto parsed = parseJob(text().toStdString());
    m_job = parsed ? std::optional(parsed->job) : std::nullopt;
    m_watch->setEnabled(m_job.has_value());
    m_checks->setChecks({}, {});  // earlier results belong to a different text
    m_rest.start();
    m_form->setText(text(), m_job, parsed ? QString() : fromCore(parsed.error().message));
    if (!parsed) {
        m_sign->setGlyph(Glyph::refuses);
        m_verdict->setText(fromCore(parsed.error().message));
        return;
    }
    m_sign->setGlyph(parsed->warnings.empty() ? Glyph::check : Glyph::warns);
    m_verdict->setText(parsed->warnings.empty() ? tr("This is a job file.") : asSentence(parsed->warnings.front()));
}

// Fills the launch section from a launch line, a batch script or a vcjob in the clipboard. Undo works as for typed
// text.
void JobEditor::pasteLaunch()
{
    const auto launch = launchOfText(QGuiApplication::clipboard()->text().toStdString());
    const auto filled = launch ? withLaunch(text().toStdString(), launch->launch) : Result<std::string>(launch.error());
    QStringList said;
    if (!filled) {
        said << tr("The clipboard has nothing to paste here.") << asSentence(filled.error().message);
    } else {
        replaceBy(QString::fromStdString(*filled));
        m_form->showKey(QStringLiteral("launch.command"));
        said << tr("The section launch was filled from the clipboard. Ctrl+Z in the text undoes it.");
        for (const std::string &note : launch->notes) said << asSentence(note);
        if (const int now = m_job ? m_job->ranks() : 0; launch->ranks > 0 && now > 0 && now != launch->ranks)
            said << tr("It starts %1 ranks, but the nodes here have %2.").arg(number(launch->ranks), number(now));
    }
    m_remarks->setText(said.join(QLatin1Char('\n')));
    m_remarks->setVisible(true);
}

// Replaces only the changed part, to keep undo and the scroll position.
void JobEditor::replaceBy(const QString &text)
{
    const QString now = this->text();
    qsizetype same = 0, tail = 0;
    const qsizetype shorter = std::min(now.size(), text.size());
    while (same < shorter && now[same] == text[same]) ++same;
    while (tail < shorter - same && now[now.size() - 1 - tail] == text[text.size() - 1 - tail]) ++tail;
    const bool before = std::exchange(m_showing, true);
    QTextCursor cursor(m_text->document());
    cursor.setPosition(static_cast<int>(same));
    cursor.setPosition(static_cast<int>(now.size() - tail), QTextCursor::KeepAnchor);
    cursor.insertText(text.mid(same, text.size() - tail - same));
    m_showing = before;
}

void JobEditor::showKey(const QString &path)
{
    if (m_showing) return;
    const auto lines = jsonLines(text().toStdString());
    const auto line = lines.find(path.toStdString());
    if (line == lines.end()) return;
    const bool before = std::exchange(m_showing, true);
    QTextCursor cursor(m_text->document()->findBlockByNumber(line->second - 1));
    cursor.select(QTextCursor::LineUnderCursor);
    m_text->setTextCursor(cursor);
    m_text->ensureCursorVisible();
    m_showing = before;
}

// Shows the key whose value is the last one that begins on this line or before it.
void JobEditor::followCursor()
{
    if (m_showing || !m_text->hasFocus()) return;
    const int here = m_text->textCursor().blockNumber() + 1;
    std::pair<int, std::string> best;
    for (const auto &[path, line] : jsonLines(text().toStdString()))
        if (line <= here) best = std::max(best, {line, path});
    const bool before = std::exchange(m_showing, true);
    m_form->showKey(fromNode(best.second));
    m_showing = before;
}

void JobEditor::save()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the job file"),
                                                      m_file.isEmpty() ? QStringLiteral("job.rankdeck.json") : m_file,
                                                      tr("Job files (*.rankdeck.json)"));
    if (path.isEmpty()) return;
    const Status written = writeLocalFileAtomically(path.toStdString(), text().toStdString(), 0600);
    m_sign->setGlyph(written ? Glyph::saved : Glyph::refuses);
    if (written) m_file = path;
    m_verdict->setText(written ? tr("Saved as %1.").arg(path) : fromCore(written.error().message));
}

}  // namespace rankdeck::ui
