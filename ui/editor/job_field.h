// SPDX-License-Identifier: GPL-3.0-or-later
// One value of a job file while it is typed: a list of choices, or a line that completes placeholders. The index says by
// pathRole which key it is.
#pragma once

#include <QStringList>
#include <QStyledItemDelegate>

namespace rankdeck::ui {

// The placeholders that the reader of job files takes in the value of this key, "{rank}" …; recipe: of the launch, as some
// are one value for a node by it. Empty: none, or the key is no text.
[[nodiscard]] QStringList placeholdersOf(const QString &path, const QString &recipe);

class JobField : public QStyledItemDelegate {
    Q_OBJECT
public:
    static constexpr int pathRole = Qt::UserRole;
    using QStyledItemDelegate::QStyledItemDelegate;
    void setRecipe(const QString &recipe) { m_recipe = recipe; }
    [[nodiscard]] QString recipe() const { return m_recipe; }

    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void updateEditorGeometry(QWidget *editor, const QStyleOptionViewItem &option,
                              const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    QString m_recipe;
};

}  // namespace rankdeck::ui
