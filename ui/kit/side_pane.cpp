// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/side_pane.h"

#include "ui/kit/pane.h"

#include <QPainter>
#include <QSplitter>

namespace rankdeck::ui {

SidePane::SidePane(QWidget *parent) : QStackedWidget(parent)
{
    setContentsMargins(1, 0, 0, 0);
    hide();
}

void SidePane::add(Pane *pane)
{
    addWidget(pane);
    connect(pane, &Pane::closed, this, [this] { open(nullptr); });
}

Pane *SidePane::current() const { return isHidden() ? nullptr : qobject_cast<Pane *>(currentWidget()); }

void SidePane::open(Pane *pane)
{
    if (pane == current()) return;
    if (pane != nullptr) setCurrentWidget(pane);
    setVisible(pane != nullptr);
    auto *splitter = qobject_cast<QSplitter *>(parentWidget());
    if (pane != nullptr && splitter != nullptr) {
        const int all = splitter->width(), wanted = pane->preferredWidth(window()->width());
        splitter->setSizes({all - wanted - splitter->handleWidth(), wanted});
    }
    Q_EMIT opened(pane);
}

void SidePane::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(Theme::of(this).color(Theme::Role::frame));
    painter.drawLine(0, 0, 0, height());
}

}  // namespace rankdeck::ui
