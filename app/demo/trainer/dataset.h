// SPDX-License-Identifier: GPL-3.0-or-later
// Synthetic pictures of ten classes: a prototype per class plus noise. A batch is a pure function of seed, rank and
// step, so a resumed rank sees exactly the data that it would have seen. Ranks differ in their draws and in the number
// of wrong labels.
#pragma once

#include <cstdint>
#include <vector>

namespace rankdeck::demo {

inline constexpr int pictureSize = 64;
inline constexpr int classCount = 10;

struct Batch {
    std::vector<float> pictures;  // batch × pictureSize
    std::vector<int> labels;
};

class Dataset {
public:
    Dataset(std::uint64_t seed, int rank, int batchSize);
    [[nodiscard]] Batch batch(std::int64_t step) const;

private:
    std::uint64_t m_seed;
    int m_rank;
    int m_batchSize;
    std::vector<float> m_prototypes;  // classCount × pictureSize
};

// Random numbers that are the same on every machine, unlike the distributions of <random>.
class Draws {
public:
    explicit Draws(std::uint64_t seed) : m_state(seed) {}
    std::uint64_t next();
    double uniform();  // range: [0, 1)
    double normal();

private:
    std::uint64_t m_state;
};

}  // namespace rankdeck::demo
