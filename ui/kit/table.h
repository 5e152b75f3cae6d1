// SPDX-License-Identifier: GPL-3.0-or-later
// The one look of all tables: rows of 20 px, whole rows selected, no grid, headings at the left, copy with Ctrl+C.
// Small tables can grow with their rows instead of scrolling.
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
    [[nodiscard]] QString selectedText() const;  // rows as lines, columns as tabs

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    void setModel(QAbstractItemModel *model) override;

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void applyTheme();

    int m_growsTo = 0;
};

}  // namespace rankdeck::ui
