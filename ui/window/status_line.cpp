// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/status_line.h"

#include "ui/kit/glyph_label.h"
#include "ui/kit/label.h"
#include "ui/state/run_state.h"
#include "ui/style/format.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace rankdeck::ui {

using Font = Theme::Font;
using Role = Theme::Role;

StatusLine::StatusLine(QWidget *parent)
    : QWidget(parent), m_seen(new QToolButton), m_armedSign(new GlyphLabel(Glyph::armed, 12)),
      m_nodesSign(new GlyphLabel(Glyph::live, 10)), m_armed(new Label({}, Font::small, Role::text2)),
      m_nodes(new Label({}, Font::small, Role::text2)), m_note(new Label({}, Font::small, Role::text2)),
      m_read(new Label({}, Font::small, Role::text2)), m_history(new Label({}, Font::small, Role::text2))
{
    setFixedHeight(scaled(22));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(10, 0, 10, 0);
    row->setSpacing(5);
    m_seen->setAutoRaise(true);
    m_seen->setFocusPolicy(Qt::TabFocus);
    m_seen->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_seen->setIconSize({12, 12});
    m_seen->setFont(Theme::of(this).font(Font::small));
    m_seen->setToolTip(toolTipOf(tr("Acknowledged alarms that are still active")));
    m_seen->hide();
    connect(m_seen, &QToolButton::clicked, this, [this] { Q_EMIT seenWanted(m_seen->mapToGlobal(QPoint(0, 0))); });
    row->addWidget(m_seen);
    row->addWidget(m_armedSign);
    row->addWidget(m_armed);
    row->addSpacing(8);
    row->addWidget(m_nodesSign);
    for (Label *part : {m_nodes, m_note, m_read}) {
        // Less important texts, which may be cut in a narrow window.
        part->setMinimumWidth(scaled(40));
        part->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
        row->addWidget(part);
        row->addSpacing(14);
    }
    row->addStretch(1);
    row->addWidget(m_history);
}

void StatusLine::showSnapshot(const Snapshot &s, const QString &deckNote, WallTime now)
{
    const ArmedState armed = armedState(s);
    // no nodes if the request is a signal
    m_armedSign->setVisible(!armed.nodes.isEmpty());
    m_armed->setVisible(!armed.nodes.isEmpty());
    m_armed->setText(
        tr("armed on %1 nodes").arg(nOf(static_cast<int>(armed.nodes.size()), static_cast<int>(s.view.flags.size()))));
    const NodeCounts nodes = nodeCounts(s.view.nodes);
    QString text = tr("%1 nodes live").arg(nOf(nodes.live, nodes.all));
    double slowest = 0;
    for (const NodeStatus &node : s.view.nodes) {
        if (node.state == NodeState::live) slowest = std::max(slowest, node.facts.roundTripSeconds);
        if (node.state == NodeState::stale)
            text += tr(", %1 stale %2").arg(fromNode(node.name), durationWords(secondsSince(node.lastContact, now)));
        if (node.state == NodeState::lost) text += tr(", %1 lost").arg(fromNode(node.name));
    }
    if (slowest > 0) text += tr(", %1 ms").arg(std::max(1L, std::lround(slowest * 1000)));
    m_nodesSign->setGlyph(nodes.lost > 0            ? Glyph::lost
                          : nodes.stale > 0         ? Glyph::stale
                          : nodes.needYou > 0       ? Glyph::needsYou
                          : nodes.live == nodes.all ? Glyph::live
                                                    : Glyph::connecting);
    m_nodesSign->show();
    m_nodes->setText(text);
    m_note->setText(deckNote);
    m_read->setText(s.backfill < 0.999 ? tr("Reading back: %1 %").arg(static_cast<int>(s.backfill * 100))
                                       : tr("Read from nodes: %1").arg(byteWords(s.bytesRead)));
    m_history->setText(s.historySaved ? tr("History saved %1").arg(ago(secondsSince(*s.historySaved, now)))
                                      : tr("No history yet"));
}

void StatusLine::showSeen(int alarms, Glyph worst)
{
    m_seen->setText(tr("%n alarm(s) acknowledged…", nullptr, alarms));
    if (alarms > 0) m_seen->setIcon(glyphIcon(worst, Theme::of(this)));
    m_seen->setVisible(alarms > 0);
}

void StatusLine::showOffline()
{
    m_seen->hide();
    for (QWidget *part : std::initializer_list<QWidget *>{m_armedSign, m_armed, m_nodesSign}) part->hide();
    m_nodes->setText(tr("Offline: no node is contacted"));
    m_read->clear();
    m_history->setText(tr("From the history"));
}

void StatusLine::showPlain(const QString &left, const QString &right)
{
    m_seen->hide();
    for (QWidget *part : std::initializer_list<QWidget *>{m_armedSign, m_armed, m_nodesSign}) part->hide();
    m_nodes->setText(left);
    m_note->clear();
    m_read->clear();
    m_history->setText(right);
}

void StatusLine::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(Theme::of(this).color(Role::frame));
    painter.drawLine(0, 0, width(), 0);
    for (const Label *part : {m_note, m_read, m_history}) {
        if (!part->text().isEmpty() && part != m_history)
            painter.drawLine(part->x() - 10, 3, part->x() - 10, height() - 4);
    }
}

}  // namespace rankdeck::ui
