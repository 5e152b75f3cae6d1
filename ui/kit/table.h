// SPDX-License-Identifier: GPL-3.0-or-later
// The common table of the window: rows of 20 px, whole rows selected, no grid, headings at the left, copy with Ctrl+C.
// Small tables can grow with their rows instead of scrolling. The menu of a row first shows the actions of the table,
// then copies the cell, the row or the whole table. An empty table says why it is empty.
#pragma once

#include <QTableView>

namespace rankdeck::ui {

class Table : public QTableView {
    Q_OBJECT
public:
    explicit Table(const QString &accessibleName, QWidget *parent = nullptr);
    void setGrowsTo(int rows);  // height follows the number of rows, up to this many
    // Widths of the columns in px; 0 fits the content, -1 takes the rest of the width.
    void setWidths(const QList<int> &widths);
    void setWraps(int column);               // text of this column is wrapped instead of cut
    void setEmptyText(const QString &text);  // text that is shown while there are no rows
    [[nodiscard]] QString emptyText() const { return m_empty; }
    [[nodiscard]] QString selectedText() const;  // one line per row, columns separated by tabs

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
