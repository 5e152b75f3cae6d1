// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/series/series.h"

#include "core/run/series/series_block.h"
#include "core/run/series/step_border.h"

#include <algorithm>
#include <deque>

namespace rankdeck {

namespace {

constexpr std::size_t splitSize = 4096;

SeriesBlock blockOf(const std::vector<PlacedSample> &samples, std::size_t begin, std::size_t end)
{
    SeriesBlock block;
    for (std::size_t i = begin; i < end; ++i) block.append(samples[i]);
    return block;
}

std::vector<PlacedSample> samplesOf(const SeriesBlock &block)
{
    std::vector<PlacedSample> samples;
    samples.reserve(block.size());
    block.copy(0, block.size(), samples);
    return samples;
}

}  // namespace

class Series::Impl {
public:
    std::deque<SeriesBlock> blocks;
    std::size_t size = 0;
    std::size_t prepended = 0;
    std::uint64_t insertions = 0;
    std::int64_t shift = 0;

    void append(const PlacedSample &sample);
    void insert(const PlacedSample &sample);
    void prepend(const std::vector<PlacedSample> &older);
    // Index of the first block whose last step is at or above this step; blocks.size() if there is none.
    [[nodiscard]] std::size_t blockFor(std::int64_t step) const;
    // Approximate number of samples there, for the choice of a level.
    [[nodiscard]] double samplesBetween(std::int64_t from, std::int64_t to) const;
};

void Series::Impl::append(const PlacedSample &sample)
{
    if (!blocks.empty() && sample.step < blocks.back().lastStep()) {
        insert(sample);
        return;
    }
    if (blocks.empty() || blocks.back().size() == SeriesBlock::capacity) blocks.emplace_back();
    blocks.back().append(sample);
    ++size;
}

// Rare: a script that goes back, or two writers. Splitting the block bounds the cost of many such samples.
void Series::Impl::insert(const PlacedSample &sample)
{
    const auto later = [](std::int64_t step, const SeriesBlock &block) { return step < block.lastStep(); };
    const auto place = std::upper_bound(blocks.begin(), blocks.end(), sample.step, later);
    std::vector<PlacedSample> samples = samplesOf(*place);
    const auto at = std::upper_bound(samples.begin(), samples.end(), sample.step,
                                     [](std::int64_t step, const PlacedSample &other) { return step < other.step; });
    samples.insert(at, sample);
    ++size;
    ++insertions;
    if (samples.size() <= splitSize) {
        *place = blockOf(samples, 0, samples.size());
        return;
    }
    const std::size_t half = samples.size() / 2;
    *place = blockOf(samples, half, samples.size());
    blocks.insert(place, blockOf(samples, 0, half));
}

void Series::Impl::prepend(const std::vector<PlacedSample> &older)
{
    for (std::size_t end = older.size(); end > 0;) {
        const std::size_t begin = end - std::min(end, SeriesBlock::capacity);
        blocks.push_front(blockOf(older, begin, end));
        end = begin;
        // Merges small batches, so that each sample is copied only a few times.
        while (blocks.size() > 1 && blocks[0].size() + blocks[1].size() <= SeriesBlock::capacity &&
               blocks[1].size() <= 2 * blocks[0].size()) {
            std::vector<PlacedSample> both = samplesOf(blocks[0]);
            blocks[1].copy(0, blocks[1].size(), both);
            blocks.pop_front();
            blocks.front() = blockOf(both, 0, both.size());
        }
    }
    size += older.size();
    prepended += older.size();
}

std::size_t Series::Impl::blockFor(std::int64_t step) const
{
    const auto earlier = [](const SeriesBlock &block, std::int64_t value) { return block.lastStep() < value; };
    return static_cast<std::size_t>(std::lower_bound(blocks.begin(), blocks.end(), step, earlier) - blocks.begin());
}

double Series::Impl::samplesBetween(std::int64_t from, std::int64_t to) const
{
    if (blocks.empty()) return 0;
    const std::int64_t begin = std::max(from, blocks.front().firstStep());
    const std::int64_t end = std::min(to, blocks.back().lastStep() + 1);
    const std::int64_t all = blocks.back().lastStep() + 1 - blocks.front().firstStep();
    if (end <= begin || all <= 0) return 0;
    return static_cast<double>(size) * (static_cast<double>(end - begin) / static_cast<double>(all));
}

Series::Series() : m_impl(std::make_unique<Impl>()) {}
Series::~Series() = default;
Series::Series(Series &&) noexcept = default;
Series &Series::operator=(Series &&) noexcept = default;

void Series::append(const PlacedSample &sample) { m_impl->append(sample); }

void Series::prepend(const std::vector<PlacedSample> &older)
{
    if (older.empty()) return;
    const auto below = [](const PlacedSample &a, const PlacedSample &b) { return a.step < b.step; };
    const bool inOrder = std::is_sorted(older.begin(), older.end(), below) &&
                         (m_impl->blocks.empty() || older.back().step <= m_impl->blocks.front().firstStep());
    if (inOrder) {
        m_impl->prepend(older);
        return;
    }
    for (const PlacedSample &sample : older) m_impl->append(sample);
    ++m_impl->insertions;
}

std::size_t Series::size() const { return m_impl->size; }

std::optional<PlacedSample> Series::first() const
{
    if (m_impl->blocks.empty()) return std::nullopt;
    const SeriesBlock &block = m_impl->blocks.front();
    return PlacedSample{block.firstStep() + m_impl->shift, block.loss(0), block.offset(0)};
}

std::vector<PlacedSample> Series::head(std::size_t count) const
{
    std::vector<PlacedSample> first = slice(0, std::min(count, size()));
    for (PlacedSample &sample : first) sample.step += m_impl->shift;
    return first;
}

std::optional<PlacedSample> Series::last() const
{
    if (m_impl->blocks.empty()) return std::nullopt;
    const SeriesBlock &block = m_impl->blocks.back();
    return PlacedSample{block.lastStep() + m_impl->shift, block.loss(block.size() - 1), block.offset(block.size() - 1)};
}

std::optional<PlacedSample> Series::at(std::int64_t step) const
{
    const std::int64_t nominal = step - m_impl->shift;
    std::size_t block = m_impl->blockFor(nominal + 1);
    std::size_t index = 0;
    if (block < m_impl->blocks.size()) {
        std::size_t hint = 0;
        index = m_impl->blocks[block].lowerBound(nominal + 1, hint);
    }
    if (index == 0) {
        if (block == 0) return std::nullopt;
        --block;
        index = m_impl->blocks[block].size();
    }
    const SeriesBlock &found = m_impl->blocks[block];
    return PlacedSample{found.step(index - 1) + m_impl->shift, found.loss(index - 1), found.offset(index - 1)};
}

std::vector<Column> Series::query(double from, double to, int columns) const
{
    return queryWithin(ColumnGrid::between(from, to, columns), lowestStep, highestStep);
}

std::vector<Column> Series::queryWithin(const ColumnGrid &grid, std::int64_t lowest, std::int64_t highest) const
{
    std::vector<Column> result(static_cast<std::size_t>(grid.count()));
    if (result.empty() || m_impl->blocks.empty() || !(grid.to() > grid.from()) || highest < lowest) return result;
    const std::int64_t shift = m_impl->shift;
    lowest = std::max(lowest, lowestStep) - shift;
    const std::int64_t beyond = std::min(highest, highestStep - 1) + 1 - shift;
    std::int64_t step = std::clamp(firstStepNotBelow(grid.from()) - shift, lowest, beyond);
    SeriesBlock::Seam seam;
    seam.forColumnsOf(m_impl->samplesBetween(step, firstStepNotBelow(grid.to()) - shift) /
                      static_cast<double>(result.size()));

    // Finds all borders first, so that the data for the next borders can be fetched while a column is folded. Borders
    // are far apart in memory, and waiting for each of them would cost more than everything else.
    struct Place {
        std::size_t block, index;
    };
    std::vector<Place> places(result.size() + 1);
    std::size_t block = m_impl->blockFor(step);
    std::size_t hint = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (i > 0) { step = std::clamp(firstStepNotBelow(grid.border(static_cast<int>(i))) - shift, lowest, beyond); }
        for (; block < m_impl->blocks.size() && m_impl->blocks[block].lastStep() < step; hint = 0) ++block;
        places[i] = {block, block < m_impl->blocks.size() ? m_impl->blocks[block].lowerBound(step, hint) : 0};
    }
    constexpr std::size_t ahead = 8;
    for (std::size_t i = 0; i < result.size(); ++i) {
        if (i + ahead < places.size() && places[i + ahead].block < m_impl->blocks.size())
            m_impl->blocks[places[i + ahead].block].prefetch(places[i + ahead].index);
        std::size_t begin = places[i].index;
        for (block = places[i].block; block < places[i + 1].block; ++block) {
            m_impl->blocks[block].fold(begin, m_impl->blocks[block].size(), result[i], seam);
            begin = 0;
            seam.index = SeriesBlock::Seam::noIndex;
        }
        if (block < m_impl->blocks.size()) m_impl->blocks[block].fold(begin, places[i + 1].index, result[i], seam);
    }
    return result;
}

std::vector<PlacedSample> Series::samples(std::int64_t from, std::int64_t to) const
{
    std::vector<PlacedSample> result;
    if (to < from) return result;
    const std::int64_t shift = m_impl->shift;
    for (std::size_t b = m_impl->blockFor(from - shift); b < m_impl->blocks.size(); ++b) {
        const SeriesBlock &block = m_impl->blocks[b];
        if (block.firstStep() > to - shift) break;
        std::size_t hint = 0;
        const std::size_t begin = block.lowerBound(from - shift, hint);
        block.copy(begin, std::max(begin, block.lowerBound(to - shift + 1, hint)), result);
    }
    for (PlacedSample &sample : result) sample.step += shift;
    return result;
}

std::size_t Series::bytes() const
{
    std::size_t sum = sizeof *m_impl;
    for (const SeriesBlock &block : m_impl->blocks) sum += block.bytes();
    return sum;
}

void Series::setShift(std::int64_t shift) { m_impl->shift = shift; }
std::int64_t Series::shift() const { return m_impl->shift; }
std::size_t Series::prepended() const { return m_impl->prepended; }
std::uint64_t Series::insertions() const { return m_impl->insertions; }

std::vector<PlacedSample> Series::slice(std::size_t index, std::size_t count) const
{
    std::vector<PlacedSample> result;
    result.reserve(count);
    for (const SeriesBlock &block : m_impl->blocks) {
        if (count == 0) break;
        if (index >= block.size()) {
            index -= block.size();
            continue;
        }
        const std::size_t end = std::min(block.size(), index + count);
        block.copy(index, end, result);
        count -= end - index;
        index = 0;
    }
    return result;
}

}  // namespace rankdeck
