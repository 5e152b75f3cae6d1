// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/trainer/dataset.h"

#include <cmath>
#include <numbers>

namespace rankdeck::demo {

std::uint64_t Draws::next()
{
    m_state += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = m_state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

double Draws::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

double Draws::normal()
{
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

Dataset::Dataset(std::uint64_t seed, int rank, int batchSize) : m_seed(seed), m_rank(rank), m_batchSize(batchSize)
{
    Draws draws(seed ^ 0x70726f746f747970ULL);
    m_prototypes.resize(static_cast<std::size_t>(classCount) * pictureSize);
    for (auto &value : m_prototypes) value = static_cast<float>(0.45 * draws.normal());
}

Batch Dataset::batch(std::int64_t step) const
{
    Draws mixed(m_seed + 0x100000001b3ULL * static_cast<std::uint64_t>(m_rank));
    Draws draws(mixed.next() ^ static_cast<std::uint64_t>(step) * 0xd6e8feb86659fd93ULL);
    const double wrongLabels = 0.03 + 0.01 * (m_rank % 8);
    Batch batch;
    batch.pictures.reserve(static_cast<std::size_t>(m_batchSize) * pictureSize);
    for (int i = 0; i < m_batchSize; ++i) {
        const auto label = static_cast<int>(draws.next() % classCount);
        const float *prototype = m_prototypes.data() + static_cast<std::size_t>(label) * pictureSize;
        for (int k = 0; k < pictureSize; ++k)
            batch.pictures.push_back(prototype[k] + static_cast<float>(draws.normal()));
        const bool wrong = draws.uniform() < wrongLabels;
        batch.labels.push_back(wrong ? static_cast<int>(draws.next() % classCount) : label);
    }
    return batch;
}

}  // namespace rankdeck::demo
