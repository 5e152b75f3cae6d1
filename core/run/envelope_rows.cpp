// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/envelope_rows.h"

#include "core/run/series/quantile.h"
#include "core/run/series/step_border.h"

#include <algorithm>
#include <cmath>

namespace rankdeck {

namespace {

constexpr std::int64_t fresh = std::numeric_limits<std::int64_t>::max();  // no row is out of date

// A value for each rank; the sum of these values distinguishes sets of ranks.
std::uint64_t signOf(int rank)
{
    std::uint64_t x = static_cast<std::uint64_t>(rank) + 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

}  // namespace

void EnvelopeRows::Summary::take(const Summary &later)
{
    nonFinite += later.nonFinite;
    if (later.firstNonFiniteRank >= 0)
        firstNonFiniteRank =
            firstNonFiniteRank < 0 ? later.firstNonFiniteRank : std::min(firstNonFiniteRank, later.firstNonFiniteRank);
    if (later.ranks == 0) return;
    mixed = mixed || later.mixed || (ranks > 0 && who != later.who);
    min = std::min(min, later.min);
    max = std::max(max, later.max);
    ranks = later.ranks;
    who = later.who;
}

// Makes the rows of one page from the samples, rank after rank, in the order of the steps.
class EnvelopeRows::Maker {
public:
    void take(int rank, const std::vector<PlacedSample> &samples, std::int64_t shift)
    {
        std::size_t at = 0;
        for (const PlacedSample &sample : samples) {
            const std::int64_t step = sample.step - shift;
            while (at < m_rows.size() && m_rows[at].row.step < step) ++at;
            if (at == m_rows.size() || m_rows[at].row.step != step) {
                const auto made = m_rows.emplace(m_rows.begin() + static_cast<std::ptrdiff_t>(at));
                made->row.step = step;
            }
            put(m_rows[at], rank, sample.loss);
        }
    }
    void finish(std::vector<Row> &into)
    {
        for (Made &made : m_rows) {
            if (!made.lasts.empty()) {
                const Quantiles quantiles = quantilesOf(made.lasts);
                made.row.median = quantiles.median;
                made.row.low = quantiles.low;
                made.row.high = quantiles.high;
            }
            into.push_back(made.row);
        }
    }

private:
    struct Made {
        Row row;
        std::vector<float> lasts;
        int rank = -1;  // rank of the last sample
    };
    static void put(Made &made, int rank, float loss)
    {
        Summary &summary = made.row.summary;
        if (!std::isfinite(loss)) {
            ++summary.nonFinite;
            if (summary.firstNonFiniteRank < 0) summary.firstNonFiniteRank = rank;
            return;
        }
        summary.min = std::min(summary.min, loss);
        summary.max = std::max(summary.max, loss);
        if (made.rank == rank) {  // a step that it logged twice
            made.lasts.back() = loss;
            return;
        }
        made.rank = rank;
        made.lasts.push_back(loss);
        ++summary.ranks;
        summary.who += signOf(rank);
    }
    std::vector<Made> m_rows;
};

std::int64_t EnvelopeRows::pageOf(std::int64_t step) const
{
    return step >= 0 ? step / m_pageSteps : -((m_pageSteps - 1 - step) / m_pageSteps);
}

void EnvelopeRows::clear() { *this = EnvelopeRows(); }

void EnvelopeRows::placed(std::int64_t step)
{
    if (m_pageSteps == 0 || m_tooSparse) return;
    Page &page = m_pages[pageOf(step)];
    page.staleFrom = std::min(page.staleFrom, step);
    if (m_pages.size() <= mostPages) return;
    m_pages.clear();
    m_tooSparse = true;
}

// Chooses the width of pages by how sparsely the ranks log, and makes pages from the first sample to the last.
bool EnvelopeRows::begin(const std::vector<RankSeries> &ranks)
{
    if (m_pageSteps > 0 || m_tooSparse) return !m_tooSparse;
    std::int64_t first = highestStep, last = lowestStep, apart = 0;
    for (const RankSeries &one : ranks) {
        if (one.series->size() == 0) continue;
        const std::int64_t from = one.series->first()->step - one.series->shift();
        const std::int64_t to = one.series->last()->step - one.series->shift();
        first = std::min(first, from);
        last = std::max(last, to);
        const auto between = static_cast<std::int64_t>(one.series->size()) - 1;
        if (between > 0) apart = std::max(apart, (to - from) / between);
    }
    if (first > last) return false;
    m_pageSteps = pageRows * std::max<std::int64_t>(apart, 1);
    m_tooSparse = pageOf(last) - pageOf(first) >= static_cast<std::int64_t>(mostPages);
    if (m_tooSparse) return false;
    for (std::int64_t number = pageOf(first); number <= pageOf(last); ++number) m_pages[number];
    return true;
}

std::int64_t EnvelopeRows::make(std::int64_t number, Page &page, const std::vector<RankSeries> &ranks) const
{
    const std::int64_t from = std::max(page.staleFrom, number * m_pageSteps);
    const std::int64_t last = (number + 1) * m_pageSteps - 1;
    const auto kept = std::lower_bound(page.rows.begin(), page.rows.end(), from,
                                       [](const Row &row, std::int64_t step) { return row.step < step; });
    page.rows.erase(kept, page.rows.end());
    Maker maker;
    std::int64_t read = 0;
    for (const RankSeries &one : ranks) {
        const std::int64_t shift = one.series->shift();
        const std::vector<PlacedSample> samples = one.series->samples(from + shift, last + shift);
        maker.take(one.rank, samples, shift);
        read += static_cast<std::int64_t>(samples.size());
    }
    maker.finish(page.rows);
    page.groups.clear();
    for (std::size_t i = 0; i < page.rows.size(); ++i) {
        if (i % groupRows == 0) page.groups.emplace_back();
        page.groups.back().take(page.rows[i].summary);
    }
    page.staleFrom = fresh;
    return read;
}

void EnvelopeRows::foldRows(const Page &page, std::size_t begin, std::size_t end, Summary &into, const Row *&last)
{
    for (std::size_t i = end; i > begin; --i)
        if (page.rows[i - 1].summary.ranks > 0) {
            last = &page.rows[i - 1];
            break;
        }
    while (begin < end) {
        if (begin % groupRows == 0 && begin + groupRows <= end) {
            into.take(page.groups[begin / groupRows]);
            begin += groupRows;
        } else {
            into.take(page.rows[begin].summary);
            ++begin;
        }
    }
}

std::vector<FoldedColumn> EnvelopeRows::fold(const ColumnGrid &grid, std::int64_t shift, std::int64_t lowest,
                                             std::int64_t highest, const std::vector<RankSeries> &ranks,
                                             std::int64_t &budget)
{
    std::vector<FoldedColumn> result(static_cast<std::size_t>(grid.count()));
    if (ranks.empty() || highest < lowest) return result;
    const bool begun = begin(ranks);
    lowest = std::max(lowest, lowestStep) - shift;
    const std::int64_t beyond = std::min(highest, highestStep - 1) + 1 - shift;
    const auto borderStep = [&](int column) {
        return std::clamp(firstStepNotBelow(grid.border(column)) - shift, lowest, beyond);
    };
    std::int64_t to = borderStep(0);
    auto page = begun ? m_pages.lower_bound(pageOf(to)) : m_pages.end();
    for (std::size_t i = 0; i < result.size(); ++i) {
        std::int64_t from = to;
        to = borderStep(static_cast<int>(i) + 1);
        if (from >= to) continue;
        if (!begun) {
            result[i].of = m_tooSparse ? FoldedColumn::Of::unknown : FoldedColumn::Of::nothing;
            continue;
        }
        Summary sum;
        const Row *last = nullptr;
        bool known = true;
        while (page != m_pages.end() && page->first * m_pageSteps < to) {
            const std::int64_t end = (page->first + 1) * m_pageSteps;
            if (page->second.staleFrom < std::min(to, end) && budget > 0)
                budget -= make(page->first, page->second, ranks);
            known = known && page->second.staleFrom >= std::min(to, end);
            const std::vector<Row> &rows = page->second.rows;
            const auto below = [](const Row &row, std::int64_t step) { return row.step < step; };
            const auto begins = std::lower_bound(rows.begin(), rows.end(), from, below);
            const auto ends = std::lower_bound(begins, rows.end(), to, below);
            foldRows(page->second, static_cast<std::size_t>(begins - rows.begin()),
                     static_cast<std::size_t>(ends - rows.begin()), sum, last);
            if (end > to) break;  // the next column begins in this row
            ++page;
        }
        if (!known || sum.mixed) {
            result[i].of = FoldedColumn::Of::unknown;
        } else if (sum.ranks > 0 || sum.nonFinite > 0) {
            result[i].of = FoldedColumn::Of::rows;
            EnvelopeColumn &column = result[i].column;
            column.nonFinite = sum.nonFinite;
            column.firstNonFiniteRank = sum.firstNonFiniteRank;
            if (last == nullptr) continue;
            column.min = sum.min;
            column.max = sum.max;
            column.median = last->median;
            column.low = last->low;
            column.high = last->high;
            column.ranks = sum.ranks;
        }
    }
    return result;
}

std::size_t EnvelopeRows::bytes() const
{
    std::size_t sum = sizeof *this;
    for (const auto &[number, page] : m_pages)
        sum += sizeof page + 48 + page.rows.capacity() * sizeof(Row) + page.groups.capacity() * sizeof(Summary);
    return sum;
}

}  // namespace rankdeck
