// SPDX-License-Identifier: GPL-3.0-or-later
// The line at the bottom: acknowledged alarms that still exist, connection, decimation note, bytes read; history at the
// right. New information is never shown only here.
#pragma once

#include "core/engine.h"
#include "ui/style/glyphs.h"

#include <QPoint>
#include <QWidget>

class QToolButton;

namespace rankdeck::ui {

class GlyphLabel;
class Label;

class StatusLine : public QWidget {
    Q_OBJECT
public:
    explicit StatusLine(QWidget *parent = nullptr);
    void showSnapshot(const Snapshot &snapshot, const QString &deckNote, WallTime now);
    void showOffline();                      // call after showSnapshot(): nodes are not contacted
    void showSeen(int alarms, Glyph worst);  // number of acknowledged alarms; 0: none
    void showPlain(const QString &left, const QString &right);

Q_SIGNALS:
    void seenWanted(QPoint at);  // list of the acknowledged alarms

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QToolButton *m_seen;
    GlyphLabel *m_armedSign, *m_nodesSign;
    Label *m_armed, *m_nodes, *m_note, *m_read, *m_history;
};

}  // namespace rankdeck::ui
