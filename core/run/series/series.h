// SPDX-License-Identifier: GPL-3.0-or-later
// The losses of one rank in one attempt: packed columns with a min/max pyramid, at most 6 bytes a sample. Steps are
// positions on the job's axis. Appending is O(1); older samples may come later (back-fill). A query of a window returns
// one Column per pixel column from O(columns) buckets, and never loses a spike or a NaN. Not locked.
#pragma once

#include "core/run/series/column_grid.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace rankdeck {

struct Column {              // one pixel column of a query; count 0: it is empty
    float min = 0, max = 0;  // of the finite samples
    float first = 0, last = 0;
    std::uint32_t count = 0;  // finite samples
    std::uint32_t nan = 0, posInf = 0, negInf = 0;
};

// offset: when written, that of the sample's line. When read, that of a line at most 256 samples earlier: reading a few
// kilobytes from there finds the line.
struct PlacedSample {
    std::int64_t step = 0;
    float loss = 0;
    std::uint64_t offset = 0;
};

class Series {
public:
    Series();
    ~Series();
    Series(Series &&) noexcept;
    Series &operator=(Series &&) noexcept;

    void append(const PlacedSample &sample);               // a step below the last one is inserted in order
    void prepend(const std::vector<PlacedSample> &older);  // ascending, all before the first
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] std::optional<PlacedSample> first() const;
    [[nodiscard]] std::optional<PlacedSample> last() const;
    [[nodiscard]] std::vector<PlacedSample> head(std::size_t count) const;  // the first count
    [[nodiscard]] std::optional<PlacedSample> at(std::int64_t step) const;  // the one at or before step
    // Columns of [from, to) in equal parts.
    [[nodiscard]] std::vector<Column> query(double from, double to, int columns) const;
    // Uses only samples with lowest ≤ step ≤ highest.
    [[nodiscard]] std::vector<Column> queryWithin(const ColumnGrid &grid, std::int64_t lowest,
                                                  std::int64_t highest) const;
    [[nodiscard]] std::vector<PlacedSample> samples(std::int64_t from, std::int64_t to) const;  // raw, [from, to]
    [[nodiscard]] std::size_t bytes() const;

    // Sets a value that is added to every step that is read; stored steps stay nominal. O(1), so it may be set late.
    void setShift(std::int64_t shift);
    [[nodiscard]] std::int64_t shift() const;

    // For the history. By order of place: slice(0, n) are the first n, steps nominal (without the shift).
    [[nodiscard]] std::vector<PlacedSample> slice(std::size_t index, std::size_t count) const;
    [[nodiscard]] std::size_t prepended() const;     // number of samples added by prepend
    [[nodiscard]] std::uint64_t insertions() const;  // number of samples that came out of order and moved others

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace rankdeck
