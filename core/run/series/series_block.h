// SPDX-License-Identifier: GPL-3.0-or-later
// Up to 65,536 consecutive samples of a series: losses as floats, steps as runs of equal stride, offsets every 256
// samples. Above the losses there is a pyramid of min/max buckets of 16, 128, 1,024 and 8,192 samples, which leave out
// NaN and Inf. These have one bit each in bit maps that exist only if needed. Internal to run. Nothing fails; the
// requirements of a call are described beside it.
#pragma once

#include "core/run/series/series.h"

#include <array>
#include <cstdint>
#include <new>
#include <vector>

namespace rankdeck {

// Sixteen losses fill one cache line, and so do eight buckets of a level; both must begin at the start of a cache line.
template <class T>
struct LineAligned {
    using value_type = T;
    LineAligned() = default;
    template <class Other>
    LineAligned(const LineAligned<Other> &)
    {}
    T *allocate(std::size_t count) { return static_cast<T *>(::operator new(count * sizeof(T), std::align_val_t(64))); }
    void deallocate(T *memory, std::size_t) { ::operator delete(memory, std::align_val_t(64)); }
    template <class Other>
    bool operator==(const LineAligned<Other> &) const
    {
        return true;
    }
};

class SeriesBlock {
public:
    static constexpr std::size_t capacity = 65536;

    // Data to the right of a border of a query, kept for the next column. Also the size of the query's columns.
    struct Seam {
        int level = -1;  // highest level at which a column has at least two buckets; -1: columns are small
        std::size_t index = noIndex;
        float low = 0, turnedHigh = 0;
        static constexpr std::size_t noIndex = ~std::size_t(0);
        void forColumnsOf(double samples);
    };

    [[nodiscard]] std::size_t size() const { return m_losses.size(); }
    [[nodiscard]] std::int64_t firstStep() const { return m_runs.front().step; }
    [[nodiscard]] std::int64_t lastStep() const { return m_lastStep; }
    [[nodiscard]] std::int64_t step(std::size_t index) const;
    [[nodiscard]] float loss(std::size_t index) const { return m_losses[index]; }
    [[nodiscard]] std::uint64_t offset(std::size_t index) const { return m_offsets[index / offsetEvery]; }
    [[nodiscard]] std::size_t bytes() const;

    void append(const PlacedSample &sample);  // step ≥ lastStep(), size() < capacity
    // Index of the first sample with a step ≥ this one. hint: the run from which to search; it is moved on, for
    // ascending calls.
    [[nodiscard]] std::size_t lowerBound(std::int64_t step, std::size_t &hint) const;
    // Folds the samples [begin, end) into the column; call it in the order of the blocks.
    void fold(std::size_t begin, std::size_t end, Column &column, Seam &seam) const;
    void prefetch(std::size_t index) const;  // loads the data that a border at this index needs
    void copy(std::size_t begin, std::size_t end, std::vector<PlacedSample> &into) const;

private:
    static constexpr std::size_t offsetEvery = 256;
    static constexpr std::size_t bottomShift = 4;
    static constexpr std::size_t levelShift = 3;
    static constexpr std::size_t levels = 4;  // 16 … 8,192 samples a bucket

    struct StepRun {
        std::int64_t step;
        std::uint32_t index;
        std::uint32_t stride;
    };
    // Extremes of the finite losses. The largest is stored with a negative sign, so that one minimum operation computes
    // both.
    struct Bucket {
        float low, turnedHigh;
        void take(const Bucket &other)
        {
            low = other.low < low ? other.low : low;
            turnedHigh = other.turnedHigh < turnedHigh ? other.turnedHigh : turnedHigh;
        }
        [[nodiscard]] bool empty() const { return low > -turnedHigh; }
    };
    using Buckets = std::vector<Bucket, LineAligned<Bucket>>;
    struct BitMap {
        std::vector<std::uint64_t> words;
        std::vector<std::uint32_t> ranks;  // set bits before each group of eight words
        void set(std::size_t index);
        [[nodiscard]] std::size_t before(std::size_t index) const;
    };
    enum Kind { nan, posInf, negInf };

    void addStep(std::int64_t step, std::size_t index);
    void addToPyramid(float loss, std::size_t index);
    void addToMaps(float loss, std::size_t index);
    void foldRaw(std::size_t begin, std::size_t end, Bucket &into) const;
    [[nodiscard]] Bucket range(std::size_t begin, std::size_t end) const;
    [[nodiscard]] Bucket rangeBetweenSeams(std::size_t begin, std::size_t end, Seam &seam) const;
    Bucket split(std::size_t index, Seam &seam) const;
    [[nodiscard]] std::size_t nextFinite(std::size_t begin, std::size_t end) const;
    [[nodiscard]] std::size_t previousFinite(std::size_t begin, std::size_t end) const;

    std::vector<float, LineAligned<float>> m_losses;
    std::vector<StepRun> m_runs;
    std::int64_t m_lastStep = 0;
    std::vector<std::uint64_t> m_offsets;
    std::array<Buckets, levels> m_pyramid;
    std::array<BitMap, 3> m_maps;  // indexed by Kind
    bool m_allFinite = true;
};

}  // namespace rankdeck
