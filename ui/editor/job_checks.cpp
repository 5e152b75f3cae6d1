// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/job_checks.h"

#include "ui/kit/glyph_label.h"
#include "ui/kit/label.h"
#include "ui/state/check_words.h"
#include "ui/style/format.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace rankdeck::ui {

using Font = Theme::Font;
using Role = Theme::Role;

JobChecks::JobChecks(QWidget *parent)
    : QWidget(parent), m_grid(new QGridLayout), m_none(new Label({}, Font::small, Role::text2)),
      m_connect(new QPushButton)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto *head = new QHBoxLayout;
    head->addWidget(new Label(tr("On the nodes, now"), Font::bold));
    head->addWidget(m_none, 1);
    head->addWidget(m_connect);
    column->addLayout(head);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(2);
    m_grid->setColumnStretch(2, 1);
    column->addLayout(m_grid);
    connect(m_connect, &QPushButton::clicked, this, [this] { Q_EMIT hostsWanted(m_notAsked); });
    setChecks({}, {});
}

void JobChecks::showLine(std::size_t at, const JobCheck &check)
{
    while (m_rows.size() <= at) {
        const int row = static_cast<int>(m_rows.size());
        m_rows.push_back({new Label({}, Font::normal, Role::text2), new GlyphLabel(Glyph::none, 12), new Label});
        m_grid->addWidget(m_rows.back().caption, row, 0, Qt::AlignTop);
        m_grid->addWidget(m_rows.back().glyph, row, 1, Qt::AlignTop);
        m_grid->addWidget(m_rows.back().text->wrapped()->selectable(), row, 2);
    }
    const FoundLine line = checkLine(check);
    const Row &row = m_rows[at];
    row.caption->setText(line.caption);
    row.caption->setToolTip(toolTipOf(fromNode(check.key)));
    row.glyph->setGlyph(line.glyph);
    row.text->setText(line.text);
}

void JobChecks::setChecks(const std::vector<JobCheck> &checks, const QStringList &notAsked)
{
    m_notAsked = notAsked;
    for (std::size_t at = 0; at < checks.size(); ++at) showLine(at, checks[at]);
    for (std::size_t at = 0; at < m_rows.size(); ++at) {
        m_rows[at].caption->setVisible(at < checks.size());
        m_rows[at].glyph->setVisible(at < checks.size());
        m_rows[at].text->setVisible(at < checks.size());
    }
    m_none->setText(checks.empty() ? tr("not known yet") : QString());
    m_connect->setVisible(!notAsked.isEmpty());
    m_connect->setText(tr("Connect to %n host(s)", nullptr, static_cast<int>(notAsked.size())));
    m_connect->setToolTip(toolTipOf(notAsked.join(QStringLiteral(", "))));
}

}  // namespace rankdeck::ui
