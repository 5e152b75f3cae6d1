// SPDX-License-Identifier: GPL-3.0-or-later
// The line at the bottom: connection, decimation note, bytes read; history at the right. Nothing important stands only here.
#pragma once

#include "core/engine.h"

#include <QWidget>

namespace rankdeck::ui {

class GlyphLabel;
class Label;

class StatusLine : public QWidget {
    Q_OBJECT
public:
    explicit StatusLine(QWidget *parent = nullptr);
    void showSnapshot(const Snapshot &snapshot, const QString &deckNote, WallTime now);
    void showOffline();  // after showSnapshot(): no node is asked
    void showPlain(const QString &left, const QString &right);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    GlyphLabel *m_armedSign, *m_nodesSign;
    Label *m_armed, *m_nodes, *m_note, *m_read, *m_history;
};

}  // namespace rankdeck::ui
