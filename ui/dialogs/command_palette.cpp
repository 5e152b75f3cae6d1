// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/command_palette.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPointer>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace rankdeck::ui {

namespace {

QString plainName(const QAction &action)
{
    QString name = action.text();
    return name.remove(QLatin1Char('&'));
}

}  // namespace

CommandPalette::CommandPalette(const QList<QAction *> &actions, QWidget *parent)
    : QFrame(parent, Qt::Popup), m_actions(actions), m_find(new QLineEdit), m_list(new QListWidget)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::Box);
    setAccessibleName(tr("All actions"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(6, 6, 6, 6);
    column->addWidget(m_find);
    column->addWidget(m_list);
    m_find->setPlaceholderText(tr("Type an action"));
    m_find->setAccessibleName(tr("Find an action"));
    m_list->setAccessibleName(tr("Actions"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_find->installEventFilter(this);
    // Actions of a submenu are found by their own names.
    for (const QAction *action : actions)
        if (action->menu() != nullptr) m_actions += action->menu()->actions();
    m_actions.removeIf([](const QAction *action) {
        if (action->menu() != nullptr) return true;
        return !action->isEnabled() || action->isSeparator() || action->text().isEmpty();
    });
    connect(m_find, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(m_find, &QLineEdit::returnPressed, this, &CommandPalette::run);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::run);
    fill({});
}

void CommandPalette::popUp()
{
    resize(480, 360);
    const QWidget *above = parentWidget()->window();
    move(above->mapToGlobal(QPoint((above->width() - width()) / 2, 96)));
    show();
    m_find->setFocus();
}

void CommandPalette::fill(const QString &wanted)
{
    m_list->clear();
    for (qsizetype i = 0; i < m_actions.size(); ++i) {
        const QString name = plainName(*m_actions[i]);
        const QStringList parts = wanted.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        if (!std::all_of(parts.begin(), parts.end(),
                         [&](const QString &part) { return name.contains(part, Qt::CaseInsensitive); }))
            continue;
        const QString key = m_actions[i]->shortcut().toString(QKeySequence::NativeText);
        auto *item = new QListWidgetItem(key.isEmpty() ? name : QStringLiteral("%1    %2").arg(name, key), m_list);
        item->setData(Qt::UserRole, i);
    }
    if (m_list->count() == 0) {
        auto *none = new QListWidgetItem(tr("No available action has these words in its name."), m_list);
        none->setFlags(Qt::NoItemFlags);
        return;
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::run()
{
    const QListWidgetItem *item = m_list->currentItem();
    if (item == nullptr) return;
    const QPointer<QAction> action = m_actions[item->data(Qt::UserRole).toLongLong()];
    close();
    // Runs after the popup has closed, so that a window opened by the action gets the focus.
    if (!action) return;
    QTimer::singleShot(0, action, [action = action.data()] {
        action->setProperty(byName, true);
        action->trigger();
        action->setProperty(byName, {});
    });
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_find && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Up || key == Qt::Key_PageDown || key == Qt::Key_PageUp) {
            QCoreApplication::sendEvent(m_list, event);
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

}  // namespace rankdeck::ui
