// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/deck_actions.h"

#include "ui/deck/deck.h"
#include "ui/style/format.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>

namespace rankdeck::ui {

DeckActions::DeckActions(Deck &deck) : QObject(&deck), m_deck(deck)
{
    previousSet = make(tr("&Previous set"), "deck.previousSet", {Qt::Key_Left});
    nextSet = make(tr("&Next set"), "deck.nextSet", {Qt::Key_Right});
    newestValid = make(tr("Select the newest &VALID set"), "deck.newestValid", {Qt::Key_V});
    nextTrouble = make(tr("Next &trouble"), "deck.nextTrouble", {Qt::Key_N});
    previousTrouble = make(tr("P&revious trouble"), "deck.previousTrouble", {QKeySequence(Qt::SHIFT | Qt::Key_N)});
    inspect = make(tr("&Inspect the checkpoint"), "deck.inspect", {Qt::Key_Return, Qt::Key_Enter});
    previousRank = make(tr("&Previous rank"), "deck.previousRank", {Qt::Key_Up});
    nextRank = make(tr("&Next rank"), "deck.nextRank", {Qt::Key_Down});
    pin = make(tr("P&in the rank's line"), "deck.pin", {Qt::Key_Space});
    follow = make(tr("&Follow the newest step"), "deck.follow", {Qt::Key_F});
    zoomIn = make(tr("Zoom &in"), "deck.zoomIn", {Qt::Key_Plus, Qt::Key_Equal});
    zoomOut = make(tr("Zoom &out"), "deck.zoomOut", {Qt::Key_Minus});
    wholeJob = make(tr("Show the &whole job"), "deck.wholeJob", {Qt::Key_0});
    undoView = make(tr("&Undo the move of the view"), "deck.undoView", {QKeySequence(Qt::CTRL | Qt::Key_Z)});
    redoView = make(tr("&Redo the move of the view"), "deck.redoView",
                    {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    logScale = make(tr("&Log scale"), "deck.logScale", {Qt::Key_L});
    smoothing = make(tr("&Smoothing"), "deck.smoothing", {Qt::Key_S});
    keep = make(tr("&Keep the set (protect it from rotation)"), "deck.keep", {Qt::Key_K});
    nextCurve = make(tr("Next &curve below the loss"), "deck.nextCurve", {Qt::Key_C});
    logScale->setCheckable(true);
    makeCurves();
}

DeckActions::~DeckActions() = default;

void DeckActions::makeCurves()
{
    curveMenu = std::make_unique<QMenu>(tr("C&urve below the loss"));
    curveMenu->menuAction()->setObjectName(QStringLiteral("deck.curves"));
    auto *one = new QActionGroup(this);
    const auto add = [&](std::optional<Metric> metric, const QString &text) {
        QAction *action = curveMenu->addAction(text);
        action->setCheckable(true);
        action->setChecked(!metric);
        one->addAction(action);
        curves.emplace_back(metric, action);
    };
    add({}, tr("None"));
    for (const MetricRow &row : metricRows) add(row.metric, metricWord(row.metric));
    m_all << curveMenu->menuAction();
}

QAction *DeckActions::make(const QString &text, const char *name, const QList<QKeySequence> &keys)
{
    auto *action = new QAction(text, this);
    action->setObjectName(QString::fromLatin1(name));
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_deck.addAction(action);
    m_all << action;
    return action;
}

void DeckActions::addTo(QWidget &window)
{
    window.addActions(m_all);
    window.installEventFilter(this);
}

// Qt first asks the focused widget and its parents whether they want to handle the key themselves.
bool DeckActions::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::ShortcutOverride) return QObject::eventFilter(watched, event);
    // An open menu leaves the focus in the deck, but the keys belong to the menu.
    const QWidget *focus = QApplication::activePopupWidget() != nullptr ? nullptr : QApplication::focusWidget();
    if (focus && (focus == &m_deck || m_deck.isAncestorOf(focus))) return false;
    const auto *key = static_cast<QKeyEvent *>(event);
    const QKeySequence pressed(key->keyCombination());
    const bool ours = std::any_of(m_all.begin(), m_all.end(),
                                  [&](const QAction *action) { return action->shortcuts().contains(pressed); });
    if (ours) event->accept();
    return ours;
}

}  // namespace rankdeck::ui
