// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/series/series_block.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace rankdeck {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

constexpr std::size_t siblings = 8;

typedef float Four __attribute__((vector_size(16)));
typedef int FourInts __attribute__((vector_size(16)));

// Grows by a quarter, because doubling as std::vector does would take up to twice the memory of the samples.
template <class Values>
void growTo(Values &values, std::size_t needed, std::size_t most)
{
    if (needed <= values.capacity()) return;
    values.reserve(std::min(most, std::max<std::size_t>(needed, values.capacity() + values.capacity() / 4 + 16)));
}

}  // namespace

void SeriesBlock::BitMap::set(std::size_t index)
{
    const std::size_t word = index / 64;
    while (words.size() <= word) {
        if (words.size() % 8 == 0) {
            std::uint32_t sum = ranks.empty() ? 0 : ranks.back();
            for (std::size_t i = words.size() - std::min<std::size_t>(8, words.size()); i < words.size(); ++i)
                sum += static_cast<std::uint32_t>(std::popcount(words[i]));
            ranks.push_back(sum);
        }
        words.push_back(0);
    }
    words[word] |= std::uint64_t(1) << (index % 64);
}

std::size_t SeriesBlock::BitMap::before(std::size_t index) const
{
    if (words.empty()) return 0;
    if (index > words.size() * 64) index = words.size() * 64;
    const std::size_t word = index / 64;
    const std::size_t group = std::min(word / 8, ranks.size() - 1);
    std::size_t sum = ranks[group];
    for (std::size_t i = group * 8; i < word; ++i) sum += static_cast<std::size_t>(std::popcount(words[i]));
    if (index % 64 != 0)
        sum += static_cast<std::size_t>(std::popcount(words[word] & ((std::uint64_t(1) << (index % 64)) - 1)));
    return sum;
}

std::size_t SeriesBlock::bytes() const
{
    std::size_t sum = sizeof *this + m_losses.capacity() * sizeof(float) + m_runs.capacity() * sizeof(StepRun) +
                      m_offsets.capacity() * sizeof(std::uint64_t);
    for (const Buckets &level : m_pyramid) sum += level.capacity() * sizeof(Bucket);
    for (const BitMap &map : m_maps)
        sum += map.words.capacity() * sizeof(std::uint64_t) + map.ranks.capacity() * sizeof(std::uint32_t);
    return sum;
}

std::int64_t SeriesBlock::step(std::size_t index) const
{
    auto run = std::upper_bound(m_runs.begin(), m_runs.end(), index,
                                [](std::size_t i, const StepRun &r) { return i < r.index; });
    --run;
    return run->step + static_cast<std::int64_t>(index - run->index) * run->stride;
}

void SeriesBlock::append(const PlacedSample &sample)
{
    const std::size_t index = m_losses.size();
    growTo(m_losses, index + 1, capacity);
    m_losses.push_back(sample.loss);
    if (index % offsetEvery == 0) {
        growTo(m_offsets, m_offsets.size() + 1, capacity / offsetEvery);
        m_offsets.push_back(sample.offset);
    }
    addStep(sample.step, index);
    addToPyramid(sample.loss, index);
    if (!std::isfinite(sample.loss)) addToMaps(sample.loss, index);
}

void SeriesBlock::addStep(std::int64_t step, std::size_t index)
{
    const std::int64_t stride = step - m_lastStep;
    m_lastStep = step;
    const bool fits = stride >= 0 && stride <= std::numeric_limits<std::uint32_t>::max();
    if (!m_runs.empty() && fits) {
        StepRun &run = m_runs.back();
        if (index == run.index + 1) run.stride = static_cast<std::uint32_t>(stride);
        if (run.stride == stride) return;
    }
    growTo(m_runs, m_runs.size() + 1, capacity);
    m_runs.push_back({step, static_cast<std::uint32_t>(index), 0});
}

void SeriesBlock::addToPyramid(float loss, std::size_t index)
{
    const bool finite = std::isfinite(loss);
    constexpr Bucket none{infinity, infinity};
    for (std::size_t level = 0; level < levels; ++level) {
        const std::size_t bucket = index >> (bottomShift + level * levelShift);
        Buckets &buckets = m_pyramid[level];
        const Bucket one = finite ? Bucket{loss, -loss} : none;
        if (bucket == buckets.size()) {
            growTo(buckets, bucket + 1, capacity >> (bottomShift + level * levelShift));
            buckets.push_back(one);
            continue;
        }
        Bucket &last = buckets[bucket];
        if (!finite || (loss >= last.low && -loss >= last.turnedHigh))
            return;  // it is not a new extreme here, so no level above changes
        last.take(one);
    }
}

void SeriesBlock::addToMaps(float loss, std::size_t index)
{
    m_allFinite = false;
    m_maps[std::isnan(loss) ? nan : loss > 0 ? posInf : negInf].set(index);
}

std::size_t SeriesBlock::lowerBound(std::int64_t step, std::size_t &hint) const
{
    if (step > m_lastStep) return size();
    for (int near = 0; near < 8 && hint + 1 < m_runs.size() && m_runs[hint + 1].step < step; ++near) ++hint;
    if (hint + 1 < m_runs.size() && m_runs[hint + 1].step < step) {
        const auto below = [](const StepRun &run, std::int64_t value) { return run.step < value; };
        const auto from = m_runs.begin() + static_cast<std::ptrdiff_t>(hint);
        hint = static_cast<std::size_t>(std::lower_bound(from, m_runs.end(), step, below) - m_runs.begin()) - 1;
    }
    const StepRun &run = m_runs[hint];
    if (step <= run.step) return run.index;
    const std::size_t end = hint + 1 < m_runs.size() ? m_runs[hint + 1].index : size();
    const std::uint64_t ahead = static_cast<std::uint64_t>(step - run.step);
    if (run.stride == 0) return end;
    const std::uint64_t index = run.index + (run.stride == 1 ? ahead : (ahead + run.stride - 1) / run.stride);
    return static_cast<std::size_t>(std::min<std::uint64_t>(index, end));
}

void SeriesBlock::foldRaw(std::size_t begin, std::size_t end, Bucket &into) const
{
    for (std::size_t i = begin; i < end; ++i) {
        const float loss = m_losses[i];
        if (m_allFinite || std::isfinite(loss)) into.take({loss, -loss});
    }
}

SeriesBlock::Bucket SeriesBlock::range(std::size_t begin, std::size_t end) const
{
    Bucket sum{infinity, infinity};
    std::size_t low = (begin + 15) >> bottomShift;
    std::size_t high = end >> bottomShift;
    if (low >= high) {
        foldRaw(begin, end, sum);
        return sum;
    }
    foldRaw(begin, low << bottomShift, sum);
    foldRaw(high << bottomShift, end, sum);
    for (std::size_t level = 0; low < high; ++level) {
        const Buckets &buckets = m_pyramid[level];
        const bool top = level + 1 == levels;
        while (low < high && (top || low % siblings != 0)) sum.take(buckets[low++]);
        while (low < high && high % siblings != 0) sum.take(buckets[--high]);
        low >>= levelShift;
        high >>= levelShift;
    }
    return sum;
}

std::size_t SeriesBlock::nextFinite(std::size_t begin, std::size_t end) const
{
    while (begin < end && !std::isfinite(m_losses[begin])) {
        const bool atBucket = begin % 16 == 0;
        const std::size_t bucket = begin >> bottomShift;
        begin += atBucket && m_pyramid[0][bucket].empty() ? 16 : 1;
    }
    return std::min(begin, end);
}

std::size_t SeriesBlock::previousFinite(std::size_t begin, std::size_t end) const
{
    while (end > begin && !std::isfinite(m_losses[end - 1])) {
        const bool atBucket = end % 16 == 0;
        const std::size_t bucket = (end - 1) >> bottomShift;
        end -= atBucket && m_pyramid[0][bucket].empty() ? std::min<std::size_t>(16, end - begin) : 1;
    }
    return end;
}

void SeriesBlock::Seam::forColumnsOf(double samples)
{
    level = -1;
    for (std::size_t candidate = 0;
         candidate < levels && samples >= static_cast<double>(32u << (levelShift * candidate)); ++candidate)
        level = static_cast<int>(candidate);
}

// Cuts the bucket around index, at the seam's level, into two. Returns the part before the index and leaves the part
// after it in the seam. Without branches: the position of a border is random, and each wrong branch prediction would
// cost more than this.
SeriesBlock::Bucket SeriesBlock::split(std::size_t index, Seam &seam) const
{
    constexpr Four none = {infinity, infinity, infinity, infinity};
    Four before = none;
    Four after = none;
    const auto take = [&](const Four &values, const FourInts &isBefore, const FourInts &isAfter) {
        const Four one = isBefore ? values : none;
        const Four other = isAfter ? values : none;
        before = one < before ? one : before;
        after = other < after ? other : after;
    };
    const auto load = [](const void *from) {
        Four four;
        std::memcpy(&four, from, sizeof four);
        return four;
    };
    const int place = static_cast<int>(index & 15);
    for (int part = 0; part < 8; ++part) {  // two losses at a time, as buckets: low, turned high
        const float *const losses = m_losses.data() + (index & ~std::size_t(15)) + std::ptrdiff_t(2) * part;
        const FourInts lanes = {2 * part, 2 * part, 2 * part + 1, 2 * part + 1};
        const Four pair = {losses[0], -losses[0], losses[1], -losses[1]};
        take(pair, lanes < place, lanes >= place);
    }
    for (int level = 0; level < seam.level; ++level) {
        const std::size_t child = index >> (bottomShift + static_cast<std::size_t>(level) * levelShift);
        const Bucket *const first = m_pyramid[static_cast<std::size_t>(level)].data() + (child & ~(siblings - 1));
        const int which = static_cast<int>(child % siblings);
        for (int part = 0; part < 4; ++part) {
            const FourInts lanes = {2 * part, 2 * part, 2 * part + 1, 2 * part + 1};
            take(load(first + std::ptrdiff_t(2) * part), (lanes < which), (lanes > which));
        }
    }
    seam.index = index;
    seam.low = std::min(after[0], after[2]);
    seam.turnedHigh = std::min(after[1], after[3]);
    return {std::min(before[0], before[2]), std::min(before[1], before[3])};
}

SeriesBlock::Bucket SeriesBlock::rangeBetweenSeams(std::size_t begin, std::size_t end, Seam &seam) const
{
    const auto level = static_cast<std::size_t>(seam.level);
    const std::size_t shift = bottomShift + level * levelShift;
    const std::size_t mask = (std::size_t(1) << shift) - 1;
    const std::size_t firstFull = (begin + mask) >> shift;
    const std::size_t lastFull = end >> shift;
    const bool cutsLast = (end & mask) != 0;
    if (firstFull > lastFull || (cutsLast && (lastFull + 1) << shift > size())) {
        seam.index = Seam::noIndex;
        return range(begin, end);
    }
    Bucket sum{infinity, infinity};
    if ((begin & mask) != 0) {
        if (seam.index != begin) split(begin, seam);
        sum = {seam.low, seam.turnedHigh};
    }
    for (std::size_t bucket = firstFull; bucket < lastFull; ++bucket) sum.take(m_pyramid[level][bucket]);
    seam.index = Seam::noIndex;
    if (cutsLast) sum.take(split(end, seam));
    return sum;
}

void SeriesBlock::fold(std::size_t begin, std::size_t end, Column &column, Seam &seam) const
{
    if (begin >= end) return;
    std::size_t finite = end - begin;
    std::size_t first = begin;
    std::size_t last = end - 1;
    if (!m_allFinite) {
        std::array<std::size_t, 3> counts{};
        for (std::size_t kind = 0; kind < counts.size(); ++kind) {
            counts[kind] = m_maps[kind].before(end) - m_maps[kind].before(begin);
            finite -= counts[kind];
        }
        column.nan += static_cast<std::uint32_t>(counts[nan]);
        column.posInf += static_cast<std::uint32_t>(counts[posInf]);
        column.negInf += static_cast<std::uint32_t>(counts[negInf]);
        if (finite == 0) return;
        first = nextFinite(begin, end);
        last = previousFinite(begin, end) - 1;
    }
    const Bucket sum = seam.level >= 0 && m_allFinite ? rangeBetweenSeams(begin, end, seam) : range(begin, end);
    if (column.count == 0) {
        column.first = m_losses[first];
        column.min = sum.low;
        column.max = -sum.turnedHigh;
    } else {
        column.min = std::min(column.min, sum.low);
        column.max = std::max(column.max, -sum.turnedHigh);
    }
    column.last = m_losses[last];
    column.count += static_cast<std::uint32_t>(finite);
}

void SeriesBlock::prefetch(std::size_t index) const
{
    if (index >= size()) return;
    __builtin_prefetch(&m_losses[index]);
    __builtin_prefetch(&m_pyramid[0][index >> bottomShift]);
    __builtin_prefetch(&m_pyramid[1][index >> (bottomShift + levelShift)]);
}

void SeriesBlock::copy(std::size_t begin, std::size_t end, std::vector<PlacedSample> &into) const
{
    std::size_t run = 0;
    for (std::size_t i = begin; i < end; ++i) {
        while (run + 1 < m_runs.size() && m_runs[run + 1].index <= i) ++run;
        into.push_back({m_runs[run].step + static_cast<std::int64_t>(i - m_runs[run].index) * m_runs[run].stride,
                        m_losses[i], offset(i)});
    }
}

}  // namespace rankdeck
