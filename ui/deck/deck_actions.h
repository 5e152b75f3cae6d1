// SPDX-License-Identifier: GPL-3.0-or-later
// The acts of the deck as QActions with their keys. They work by menu from everywhere, by key only while the focus is
// in the deck: the letters belong to the tables and fields beside it.
#pragma once

#include "core/run/metric.h"

#include <QKeySequence>
#include <QList>
#include <QObject>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QAction;
class QMenu;
class QWidget;

namespace rankdeck::ui {

class Deck;

class DeckActions : public QObject {
    Q_OBJECT
public:
    explicit DeckActions(Deck &deck);
    ~DeckActions() override;

    QAction *previousSet, *nextSet, *previousRank, *nextRank, *inspect, *newestValid, *nextTrouble, *previousTrouble;
    QAction *follow, *zoomIn, *zoomOut, *wholeJob, *undoView, *redoView, *logScale, *smoothing, *pin, *keep, *nextCurve;
    std::vector<std::pair<std::optional<Metric>, QAction *>> curves;  // one is checked
    // Of them. Nobody's child: a menu among the deck's children takes them all out of the way of Tab (QWidget::setFocusProxy).
    std::unique_ptr<QMenu> curveMenu;
    [[nodiscard]] const QList<QAction *> &all() const { return m_all; }
    // Puts them on a window or page around the deck, for its menus.
    void addTo(QWidget &window);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void makeCurves();
    QAction *make(const QString &text, const char *name, const QList<QKeySequence> &keys);

    Deck &m_deck;
    QList<QAction *> m_all;
};

}  // namespace rankdeck::ui
