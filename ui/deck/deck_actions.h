// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of the deck as QActions with their keys. The menu works from everywhere; the keys work only while the
// deck has the focus, because tables and fields next to it need the letters.
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
    std::vector<std::pair<std::optional<Metric>, QAction *>> curves;  // exactly one is checked
    // Menu of the curves. It has no parent: as a child of the deck it would take all of the deck's children out of the
    // Tab order (QWidget::setFocusProxy).
    std::unique_ptr<QMenu> curveMenu;
    [[nodiscard]] const QList<QAction *> &all() const { return m_all; }
    // Adds the actions to a window or page around the deck, for its menus.
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
