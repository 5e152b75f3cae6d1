// SPDX-License-Identifier: GPL-3.0-or-later
// The editor of one value of a job file: a list of choices, or a line that completes placeholders. pathRole of the
// index is the key.
#pragma once

#include <QStringList>
#include <QStyledItemDelegate>

namespace rankdeck::ui {

// The placeholders that the job file parser accepts in the value of this key, such as "{rank}". The recipe of the
// launch decides about some of them. Empty: none, or the value of the key is not a text.
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
