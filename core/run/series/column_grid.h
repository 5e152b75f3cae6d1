// SPDX-License-Identifier: GPL-3.0-or-later
// Equal columns of positions: column i is [border(i), border(i + 1)). A border is computed from the column's own
// number. Therefore grids with the same origin and width assign a sample to exactly the same column, wherever they
// begin. Pure. Nothing fails: a grid without a width has empty columns.
#pragma once

#include <algorithm>
#include <cstdint>

namespace rankdeck {

class ColumnGrid {
public:
    ColumnGrid() = default;
    // Divides [from, to) into columns.
    static ColumnGrid between(double from, double to, int columns)
    {
        ColumnGrid grid;
        grid.m_count = std::max(columns, 0);
        grid.m_origin = from;
        grid.m_width = grid.m_count > 0 ? (to - from) / grid.m_count : 0;
        grid.m_last = grid.m_count;
        grid.m_end = to;
        return grid;
    }
    // The columns with numbers from `first` on; column 0 begins at position 0. width > 0.
    static ColumnGrid aligned(std::int64_t first, double width, int columns)
    {
        ColumnGrid grid;
        grid.m_first = first;
        grid.m_width = width;
        grid.m_count = std::max(columns, 0);
        grid.m_last = first + grid.m_count;
        grid.m_end = width * static_cast<double>(grid.m_last);
        return grid;
    }

    [[nodiscard]] int count() const { return m_count; }
    [[nodiscard]] std::int64_t first() const { return m_first; }
    [[nodiscard]] std::int64_t beyond() const { return m_first + m_count; }
    [[nodiscard]] double width() const { return m_width; }
    [[nodiscard]] double from() const { return border(0); }
    [[nodiscard]] double to() const { return border(m_count); }
    [[nodiscard]] double border(int column) const
    {
        const std::int64_t number = m_first + column;
        return number == m_last ? m_end : m_origin + m_width * static_cast<double>(number);
    }
    // The columns from begin to end of this grid.
    [[nodiscard]] ColumnGrid part(std::int64_t begin, std::int64_t end) const
    {
        ColumnGrid grid = *this;
        grid.m_first = begin;
        grid.m_count = static_cast<int>(std::max<std::int64_t>(end - begin, 0));
        return grid;
    }
    [[nodiscard]] bool hasColumnsOf(const ColumnGrid &other) const
    {
        return m_origin == other.m_origin && m_width == other.m_width;
    }

private:
    double m_origin = 0, m_width = 1;
    std::int64_t m_first = 0, m_last = 0;  // m_last: the number of the border m_end
    int m_count = 0;
    double m_end = 0;
};

}  // namespace rankdeck
