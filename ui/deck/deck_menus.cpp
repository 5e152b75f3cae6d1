// SPDX-License-Identifier: GPL-3.0-or-later
// The context menus of a set, a lane's head and the loss: actions of the deck for the item under the mouse.
#include "ui/deck/deck_impl.h"
#include "ui/style/format.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>

namespace rankdeck::ui {

namespace {

void addCopy(QMenu &menu, const QString &label, const QString &text)
{
    if (text.isEmpty()) return;
    menu.addSeparator();
    QObject::connect(menu.addAction(label), &QAction::triggered, &menu,
                     [text] { QGuiApplication::clipboard()->setText(text); });
}

}  // namespace

void Deck::Impl::connectMenus()
{
    const auto on = [this](QWidget *part, auto show) {
        part->setContextMenuPolicy(Qt::CustomContextMenu);
        QObject::connect(part, &QWidget::customContextMenuRequested, &deck, show);
    };
    on(lanes, [this](QPoint at) { setMenu(lanes->viewport(), at); });
    on(lanes->horizontalHeader(), [this](QPoint at) { setMenu(lanes->horizontalHeader()->viewport(), at); });
    on(lanes->verticalHeader(), [this](QPoint at) { laneMenu(at); });
    on(plot->canvas(), [this](QPoint at) { plotMenu(at); });
}

// The menu of the nearest column; over the lanes also of the rank under the mouse.
void Deck::Impl::setMenu(QWidget *over, QPoint at)
{
    pressedAt(at.x() + gutterWidth(), over == lanes->viewport() ? lanes->rowAt(at.y()) : -1);
    const int column = scene.selectedColumn();
    if (column < 0) return plotMenu(plot->canvas()->mapFromGlobal(over->mapToGlobal(at)));
    QMenu menu(lanes);
    menu.addActions({actions->inspect, actions->keep});
    QAction *resume = menu.addAction(Deck::tr("&Resume from %1…").arg(setWords(scene.lanes.setOf(column))));
    QObject::connect(resume, &QAction::triggered, &deck,
                     [this, id = scene.selectedSet] { Q_EMIT deck.resumeWanted(id); });
    menu.addSeparator();
    menu.addActions({actions->newestValid, actions->nextTrouble, actions->pin});
    addCopy(menu, Deck::tr("&Copy as text"),
            scene.selectedRow() < 0
                ? lanes->model()->headerData(column, Qt::Horizontal, Qt::AccessibleTextRole).toString()
                : lanes->model()->index(scene.selectedRow(), column).data().toString());
    menu.exec(over->mapToGlobal(at));
}

void Deck::Impl::laneMenu(QPoint at)
{
    const int row = lanes->rowAt(at.y());
    if (row < 0) return;
    const int rank = scene.lanes.rows[static_cast<std::size_t>(row)].rank;
    setSelectedRank(rank);
    QMenu menu(lanes);
    QObject::connect(menu.addAction(Deck::tr("Show the &log of rank %1").arg(rank)), &QAction::triggered, &deck,
                     [this, rank] { Q_EMIT deck.logWanted(rank); });
    menu.addActions({actions->pin, actions->nextTrouble});
    addCopy(menu, Deck::tr("&Copy as text"),
            lanes->model()->headerData(row, Qt::Vertical, Qt::AccessibleTextRole).toString());
    menu.exec(lanes->verticalHeader()->viewport()->mapToGlobal(at));
}

void Deck::Impl::plotMenu(QPoint at)
{
    QMenu menu(plot);
    const QPoint onDeck = plot->canvas()->mapTo(&deck, at);
    QAction *line = menu.addAction(Deck::tr("Show the log &line of this sample"));
    QObject::connect(line, &QAction::triggered, &deck, [this, onDeck] { openLog(onDeck); });
    menu.addSeparator();
    menu.addActions({actions->follow, actions->wholeJob, actions->zoomIn, actions->zoomOut, actions->undoView});
    menu.addSeparator();
    menu.addActions({actions->logScale, actions->smoothing, actions->curveMenu->menuAction()});
    addCopy(menu, Deck::tr("&Copy the values here"), readout->text());
    menu.exec(plot->canvas()->mapToGlobal(at));
}

}  // namespace rankdeck::ui
