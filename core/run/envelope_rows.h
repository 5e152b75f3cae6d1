// SPDX-License-Identifier: GPL-3.0-or-later
// Values of all ranks of one attempt at each step: extremes, quantiles, and which ranks are present. With many ranks,
// the envelope of a window is read from these rows, so that its cost does not grow with the number of ranks. Rows are
// in pages, which are made when they are first used, and made again from the first new sample on. Meant for ranks that
// log the same steps. If the ranks differ from row to row within a column, the rows cannot give its quantiles, and the
// column is reported as unknown. Steps are nominal. Internal to run; not locked.
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
    enum class Of { nothing, rows, unknown };  // unknown: the series of the ranks must be read
    Of of = Of::nothing;
    EnvelopeColumn column = {};
};

// With fewer ranks than this, the series of the ranks are read, which takes no memory and hardly more time.
constexpr std::size_t ranksForRows = 64;

class EnvelopeRows {
public:
    void placed(std::int64_t step);  // reports a new sample at this step
    void clear();                    // reports that samples have moved: all rows are made again

    // Folds the positions (steps + shift) from lowest to highest into the columns of the grid. The ranks are all ranks
    // of the attempt, ascending. The budget limits the number of samples that may be read to make pages, and is reduced
    // by the number that was read. One page is always made.
    std::vector<FoldedColumn> fold(const ColumnGrid &grid, std::int64_t shift, std::int64_t lowest,
                                   std::int64_t highest, const std::vector<RankSeries> &ranks, std::int64_t &budget);
    [[nodiscard]] std::size_t bytes() const;

private:
    struct Summary {
        float min = std::numeric_limits<float>::infinity(), max = -std::numeric_limits<float>::infinity();
        std::uint32_t ranks = 0;  // number of ranks with a finite sample
        std::uint32_t nonFinite = 0;
        int firstNonFiniteRank = -1;
        bool mixed = false;     // its rows have different ranks
        std::uint64_t who = 0;  // identifies the ranks with a finite sample
        void take(const Summary &later);
    };
    struct Row {
        std::int64_t step = 0;
        float median = 0, low = 0, high = 0;
        Summary summary = {};
    };
    struct Page {
        std::vector<Row> rows = {};
        std::vector<Summary> groups = {};                                   // one for each groupRows rows
        std::int64_t staleFrom = std::numeric_limits<std::int64_t>::min();  // rows from this step on must be made
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
    std::int64_t m_pageSteps = 0;  // 0: begin() was not called
    bool m_tooSparse = false;
};

}  // namespace rankdeck
