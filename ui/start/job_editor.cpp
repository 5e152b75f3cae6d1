// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/start/job_editor.h"

#include "core/base/files.h"
#include "core/job/job_file.h"
#include "ui/kit/act_button.h"
#include "ui/kit/glyph_label.h"
#include "ui/kit/label.h"
#include "ui/style/format.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace rankdeck::ui {

using Font = Theme::Font;
using Role = Theme::Role;

JobEditor::JobEditor(QWidget *parent)
    : QWidget(parent), m_remarks(new Label({}, Font::normal, Role::text2)), m_verdict(new Label),
      m_sign(new GlyphLabel(Glyph::check, 12)), m_text(new QPlainTextEdit), m_watch(new ActButton(tr("Watch this job")))
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
    column->addWidget(m_text, 1);
    auto *foot = new QHBoxLayout;
    foot->addWidget(m_sign, 0, Qt::AlignTop);
    foot->addWidget(m_verdict->wrapped(), 1);
    column->addLayout(foot);
    connect(m_text, &QPlainTextEdit::textChanged, this, &JobEditor::check);
    connect(back, &QPushButton::clicked, this, &JobEditor::left);
    connect(save, &QPushButton::clicked, this, &JobEditor::save);
    connect(m_watch, &QPushButton::clicked, this, [this] {
        if (m_job) Q_EMIT watchWanted(*m_job);
    });
    m_watch->setPrimary(true);
}

QString JobEditor::text() const { return m_text->toPlainText(); }

void JobEditor::open(const QString &text, const QStringList &remarks)
{
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
    if (!parsed) {
        m_sign->setGlyph(Glyph::refuses);
        m_verdict->setText(fromNode(parsed.error().message));
        return;
    }
    m_sign->setGlyph(parsed->warnings.empty() ? Glyph::check : Glyph::warns);
    m_verdict->setText(parsed->warnings.empty() ? tr("This is a job file.") : asSentence(parsed->warnings.front()));
}

void JobEditor::save()
{
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save the job file"), QStringLiteral("job.rankdeck.json"), tr("Job files (*.rankdeck.json)"));
    if (path.isEmpty()) return;
    const Status written = writeLocalFileAtomically(path.toStdString(), text().toStdString(), 0600);
    m_sign->setGlyph(written ? Glyph::saved : Glyph::refuses);
    m_verdict->setText(written ? tr("Saved as %1.").arg(path) : fromNode(written.error().message));
}

}  // namespace rankdeck::ui
