// SPDX-License-Identifier: GPL-3.0-or-later
// Values of all ranks of one attempt at each step: extremes, quantiles, which ranks were present. With many ranks the
// envelope of a window is read from here, so that it costs columns and not columns × ranks. Rows are in pages, which
// are made when they are first used, and again from the first new sample. Meant for ranks that log the same steps. If
// the ranks differ from row to row within a column, rows cannot give its quantiles, and it is reported as unknown.
// Steps are nominal. Internal to run; not locked.
#pragma once

#include "core/run/run.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace rankdeck {

struct RankSeries {
    int rank = 0;
    const Series *series = nullptr;
};

struct FoldedColumn {
    enum class Of { nothing, rows, unknown };  // unknown: ask the ranks themselves
    Of of = Of::nothing;
    EnvelopeColumn column = {};
};

// With fewer ranks than this, the ranks themselves are asked: that takes no memory and hardly more time.
constexpr std::size_t ranksForRows = 64;

class EnvelopeRows {
public:
    void placed(std::int64_t step);  // there is a new sample at this step
    void clear();                    // places have changed: everything is made again

    // Folds the positions (steps + shift) from lowest to highest, by the grid's columns. The ranks are all of the
    // attempt, ascending. The budget is the number of samples that may be read to make pages; it is reduced by those
    // that were read. One page is always made.
    std::vector<FoldedColumn> fold(const ColumnGrid &grid, std::int64_t shift, std::int64_t lowest,
                                   std::int64_t highest, const std::vector<RankSeries> &ranks, std::int64_t &budget);
    [[nodiscard]] std::size_t bytes() const;

private:
    struct Summary {
        float min = std::numeric_limits<float>::infinity(), max = -std::numeric_limits<float>::infinity();
        std::uint32_t ranks = 0;  // with a finite sample
        std::uint32_t nonFinite = 0;
        int firstNonFiniteRank = -1;
        bool mixed = false;     // rows of different ranks
        std::uint64_t who = 0;  // made of the ranks with a finite sample
        void take(const Summary &later);
    };
    struct Row {
        std::int64_t step = 0;
        float median = 0, low = 0, high = 0;
        Summary summary = {};
    };
    struct Page {
        std::vector<Row> rows = {};
        std::vector<Summary> groups = {};                                   // of groupRows rows each
        std::int64_t staleFrom = std::numeric_limits<std::int64_t>::min();  // rows from this step on are to be made
    };
    class Maker;
    static constexpr std::int64_t pageRows = 256;
    static constexpr std::size_t groupRows = 16;
    static constexpr std::size_t mostPages = 200'000;

    bool begin(const std::vector<RankSeries> &ranks);
    [[nodiscard]] std::int64_t pageOf(std::int64_t step) const;
    std::int64_t make(std::int64_t number, Page &page, const std::vector<RankSeries> &ranks) const;
    static void foldRows(const Page &page, std::size_t begin, std::size_t end, Summary &into, const Row *&last);

    std::map<std::int64_t, Page> m_pages;
    std::int64_t m_pageSteps = 0;  // 0: not begun
    bool m_tooSparse = false;
};

}  // namespace rankdeck
