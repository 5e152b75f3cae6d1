// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/start/found_card.h"

#include "ui/kit/act_button.h"
#include "ui/kit/glyph_label.h"
#include "ui/kit/label.h"
#include "ui/style/format.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace rankdeck::ui {

using Font = Theme::Font;
using Role = Theme::Role;

FoundCard::FoundCard(QWidget *parent)
    : Card(parent), m_name(new Label({}, Font::title)), m_headline(new Label({}, Font::normal, Role::text2)),
      m_addHosts(new QPushButton), m_edit(new ActButton(tr("Edit job file…"))),
      m_watch(new ActButton(tr("Watch this job"))), m_grid(new QGridLayout)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(12, 10, 12, 10);
    column->setSpacing(6);
    auto *head = new QHBoxLayout;
    head->setSpacing(8);
    auto *words = new QVBoxLayout;
    words->setSpacing(0);
    words->addWidget(m_name);
    words->addWidget(m_headline->wrapped());
    head->addLayout(words, 1);
    head->addWidget(m_edit, 0, Qt::AlignTop);
    head->addWidget(m_watch, 0, Qt::AlignTop);
    column->addLayout(head);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(3);
    m_grid->setColumnStretch(2, 1);
    column->addLayout(m_grid);
    auto *foot = new QHBoxLayout;
    foot->addWidget(m_addHosts);
    foot->addStretch(1);
    column->addLayout(foot);
    m_addHosts->hide();
    connect(m_edit, &QPushButton::clicked, this, &FoundCard::editWanted);
    connect(m_watch, &QPushButton::clicked, this, &FoundCard::watchWanted);
    connect(m_addHosts, &QPushButton::clicked, this, [this] { Q_EMIT hostsWanted(m_otherHosts); });
}

void FoundCard::setJob(const JobScan &job)
{
    const QString name = fromNode(job.found.job.name);
    m_name->setText(name);
    m_headline->setText(foundHeadline(job));
    m_edit->setAccessibleName(tr("Edit the job file of %1").arg(name));
    m_watch->setAccessibleName(tr("Watch %1").arg(name));
    // Before the search is complete the job has neither logs nor checkpoints, so a window opened with it would stay
    // empty.
    for (ActButton *act : {m_edit, m_watch}) {
        act->setEnabled(job.looked);
        act->setToolTip(toolTipOf(job.looked ? QString() : tr("Searching for its files.")));
    }
    m_needsPerson = needsPerson(job);
    m_otherHosts = hostsToAdd(job);
    m_addHosts->setVisible(!m_otherHosts.isEmpty());
    m_addHosts->setText(tr("Scan %n more host(s) of this job", nullptr, static_cast<int>(m_otherHosts.size())));
    const std::vector<FoundLine> lines = foundLines(job);
    for (std::size_t row = 0; row < lines.size(); ++row) showLine(static_cast<int>(row), lines[row]);
    setPrimary(m_primary);
}

void FoundCard::showLine(int at, const FoundLine &line)
{
    while (static_cast<int>(m_rows.size()) <= at) {
        const int row = static_cast<int>(m_rows.size());
        m_rows.push_back({new Label({}, Font::normal, Role::text2), new GlyphLabel(Glyph::none, 12), new Label});
        m_rows.back().caption->setMinimumWidth(100);
        m_grid->addWidget(m_rows.back().caption, row, 0, Qt::AlignTop);
        m_grid->addWidget(m_rows.back().glyph, row, 1, Qt::AlignTop);
        m_grid->addWidget(m_rows.back().text->wrapped()->selectable(), row, 2);
    }
    const Row &row = m_rows[static_cast<std::size_t>(at)];
    row.caption->setText(line.caption);
    row.glyph->setGlyph(line.glyph);
    row.text->setText(line.text);
    row.text->setToolTip(toolTipOf(line.more));
}

void FoundCard::setPrimary(bool primary)
{
    m_primary = primary;
    setEdge(primary ? Role::accent : Role::frame);
    m_edit->setPrimary(primary && m_needsPerson);
    m_watch->setPrimary(primary && !m_needsPerson);
}

}  // namespace rankdeck::ui
