// SPDX-License-Identifier: GPL-3.0-or-later
// The one look of all tables: rows of 20 px, whole rows selected, no grid, headings at the left, copy with Ctrl+C.
// Small tables can grow with their rows instead of scrolling. The menu of a row copies its cell, the row or the whole table;
// actions that were added to the table stand above that. A table without rows says why it has none.
#pragma once

#include <QTableView>

namespace rankdeck::ui {

class Table : public QTableView {
    Q_OBJECT
public:
    explicit Table(const QString &accessibleName, QWidget *parent = nullptr);
    void setGrowsTo(int rows);  // as high as its rows, up to this many
    // Width of each column: px, 0 fits its content, -1 takes what is left.
    void setWidths(const QList<int> &widths);
    void setWraps(int column);               // its words break into lines where they have no room, and are never cut
    void setEmptyText(const QString &text);  // what stands there while there is no row
    [[nodiscard]] QString emptyText() const { return m_empty; }
    [[nodiscard]] QString selectedText() const;  // rows as lines, columns as tabs

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    void setModel(QAbstractItemModel *model) override;

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void applyTheme();
    void fitRows();
    [[nodiscard]] QList<int> columnsWithText() const;
    [[nodiscard]] QString textOf(const QModelIndexList &rows) const;

    int m_growsTo = 0;
    int m_wraps = -1;
    QString m_empty;
};

}  // namespace rankdeck::ui
