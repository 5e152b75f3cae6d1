// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/journal_panel.h"

#include "core/base/files.h"
#include "ui/kit/label.h"
#include "ui/kit/table.h"
#include "ui/panels/journal_model.h"
#include "ui/style/format.h"
#include "ui/style/window_words.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>

namespace rankdeck::ui {

JournalPanel::JournalPanel(JobFeed &feed, QWidget *parent)
    : Panel(parent), m_feed(feed), m_model(new JournalModel(this)), m_table(new Table(tr("Journal"))),
      m_corner(new QWidget(this)), m_said(new Label({}, Theme::Font::small, Theme::Role::text2))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table);
    m_table->setModel(m_model);
    m_table->setWidths({78, 120, 130, -1, 110});
    m_table->setEmptyText(tr("No actions on this job yet. Stops, resumes and kept sets appear here, step by step."));
    auto *row = new QHBoxLayout(m_corner);
    row->setContentsMargins(0, 0, 8, 0);
    auto *save = new QPushButton(tr("Export…"));
    row->addWidget(m_said);
    row->addWidget(save);
    connect(save, &QPushButton::clicked, this, &JournalPanel::exportText);
    connect(&m_timer, &QTimer::timeout, this, &JournalPanel::read);
    m_timer.start(3000);
}

void JournalPanel::showEvent(QShowEvent *event)
{
    Panel::showEvent(event);
    read();
}

void JournalPanel::read()
{
    if (m_busy || !isVisible()) return;
    m_busy = true;
    m_feed.readJournal([this, alive = QPointer<JournalPanel>(this)](std::vector<JournalEntry> entries) {
        if (!alive) return;
        m_busy = false;
        m_model->setEntries(std::move(entries));
    });
}

void JournalPanel::exportText()
{
    const QString name = fromNode(m_feed.snapshot()->view.job.name) + QStringLiteral("-journal.tsv");
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Export the journal"), name, tr("Tab-separated text (*.tsv)"));
    if (path.isEmpty()) return;
    const Status written = writeLocalFileAtomically(path.toStdString(), m_model->asText().toStdString(), 0644);
    m_said->setText(written ? tr("exported to %1").arg(path)
                            : tr("not exported: %1").arg(fromCore(written.error().message)));
}

}  // namespace rankdeck::ui
