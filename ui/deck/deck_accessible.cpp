// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/deck_accessible.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QWidget>

namespace rankdeck::ui {

namespace {

struct PartRole {
    const char *className;
    QAccessible::Role role;
};
constexpr PartRole partRoles[] = {{"rankdeck::ui::Deck", QAccessible::Grouping},
                                  {"QCustomPlot", QAccessible::Chart},
                                  {"rankdeck::ui::HistoryBar", QAccessible::Chart},
                                  {"rankdeck::ui::SeamPlot", QAccessible::Chart},
                                  {"rankdeck::ui::ReadoutLine", QAccessible::StaticText}};

QAccessibleInterface *partOf(const QString &className, QObject *object)
{
    auto *widget = qobject_cast<QWidget *>(object);
    if (widget == nullptr) return nullptr;
    for (const PartRole &part : partRoles)
        if (className == QLatin1String(part.className)) return new QAccessibleWidget(widget, part.role);  // owned by Qt
    return nullptr;
}

}  // namespace

void installDeckRoles()
{
    static const bool installed = [] {
        QAccessible::installFactory(partOf);
        return true;
    }();
    static_cast<void>(installed);
}

}  // namespace rankdeck::ui
