// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panes/plan_view.h"

#include "ui/kit/focus_ring.h"
#include "ui/style/format.h"
#include "ui/style/theme.h"

#include <QPlainTextEdit>
#include <QTabBar>
#include <QTextBlock>
#include <QVBoxLayout>

namespace rankdeck::ui {

PlanView::PlanView(QWidget *parent) : QWidget(parent), m_tabs(new QTabBar), m_text(new QPlainTextEdit)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_tabs);
    column->addWidget(m_text, 1);
    m_tabs->setAccessibleName(tr("Nodes of the plan"));
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(false);
    m_text->setReadOnly(true);
    m_text->setAccessibleName(tr("Plan of this node"));
    m_text->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_text->setTabChangesFocus(true);
    FocusRing::addTo(m_text);
    m_text->setMinimumHeight(120);
    connect(m_tabs, &QTabBar::currentChanged, this, &PlanView::showNode);
    connect(&Theme::of(this), &Theme::changed, this, [this] { showNode(m_tabs->currentIndex()); });
}

void PlanView::setEmptyWords(const QString &words) { m_text->setPlaceholderText(words); }

void PlanView::setPlan(const Plan &plan)
{
    const int kept = m_tabs->currentIndex();
    m_plan = withoutSecrets(plan);
    const QSignalBlocker quiet(m_tabs);
    while (m_tabs->count() > 0) m_tabs->removeTab(0);
    for (const NodePlan &node : m_plan.nodes) m_tabs->addTab(fromNode(node.node));
    m_tabs->setVisible(m_tabs->count() > 1);
    m_tabs->setCurrentIndex(std::clamp(kept, 0, std::max(0, m_tabs->count() - 1)));
    showNode(m_tabs->currentIndex());
}

void PlanView::setWhole(bool whole)
{
    m_whole = whole;
    showNode(m_tabs->currentIndex());
}

QString PlanView::text() const { return m_text->toPlainText(); }

void PlanView::showNode(int index)
{
    const Theme &theme = Theme::of(this);
    m_text->clear();
    m_text->setFont(theme.font(Theme::Font::mono));
    if (index < 0 || index >= static_cast<int>(m_plan.nodes.size())) return;
    QTextCursor cursor(m_text->document());
    bool first = true;
    for (const PlanLine &line : planLines(m_plan.nodes[static_cast<std::size_t>(index)], m_whole ? 0 : 4)) {
        QTextBlockFormat block;
        if (line.kind == PlanLine::Kind::added) block.setBackground(theme.color(Theme::Role::tintOk));
        if (line.kind == PlanLine::Kind::removed) block.setBackground(theme.color(Theme::Role::tintBad));
        QTextCharFormat letters;
        letters.setForeground(
            theme.color(line.kind == PlanLine::Kind::remark ? Theme::Role::text2 : Theme::Role::text));
        if (!first) cursor.insertBlock();
        first = false;
        cursor.setBlockFormat(block);
        cursor.insertText(line.text, letters);
    }
    m_text->moveCursor(QTextCursor::Start);
}

}  // namespace rankdeck::ui
