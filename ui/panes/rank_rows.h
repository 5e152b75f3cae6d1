// SPDX-License-Identifier: GPL-3.0-or-later
// A table model with one row per rank. Selection and scroll position survive as long as the number of ranks does not
// change.
#pragma once

#include <QAbstractTableModel>

#include <utility>
#include <vector>

namespace rankdeck::ui {

template <class Row, int columns>
class RankRows : public QAbstractTableModel {
public:
    using QAbstractTableModel::QAbstractTableModel;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const final
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const final { return parent.isValid() ? 0 : columns; }

protected:
    void setRows(std::vector<Row> rows)
    {
        const bool asMany = rows.size() == m_rows.size();
        if (!asMany) beginResetModel();
        m_rows = std::move(rows);
        if (!asMany)
            endResetModel();
        else if (!m_rows.empty())
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
    }
    [[nodiscard]] const Row &rowAt(const QModelIndex &index) const
    {
        return m_rows[static_cast<std::size_t>(index.row())];
    }
    [[nodiscard]] const std::vector<Row> &rows() const { return m_rows; }

private:
    std::vector<Row> m_rows;
};

}  // namespace rankdeck::ui
