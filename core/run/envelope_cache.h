// SPDX-License-Identifier: GPL-3.0-or-later
// Cached envelope of a run for one view. A moving window uses the same columns again, so only columns with new samples
// are folded again, over all ranks. The result is bit-identical to that of Run::envelope. With many ranks, the run's
// own rows are used (envelope_rows.h). Nothing fails. Not locked: use it under the run's lock.
#pragma once

#include "core/run/run.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace rankdeck {

class EnvelopeCache {
public:
    explicit EnvelopeCache(bool discarded = false) : m_discarded(discarded) {}
    // Valid until the next call.
    const std::vector<EnvelopeColumn> &of(const Run &run, const ColumnGrid &grid);
    [[nodiscard]] std::uint64_t folded() const { return m_folded; }  // columns so far, a measure of the work

private:
    struct Seen {  // one rank in one attempt
        int rank = -1;
        std::size_t size = 0, prepended = 0;
        std::uint64_t revision = 0;
        std::int64_t shift = 0, last = 0;
    };
    struct Attempt {
        std::optional<std::int64_t> discardedAfter;
        std::vector<Seen> ranks;
    };
    // Position below which nothing has changed since the last call. Also stores the present state for the next call.
    double unchangedBelow(const Run &run, const std::vector<int> &ranks);
    void fold(const Run &run, const ColumnGrid &grid, std::vector<EnvelopeColumn> &into);

    bool m_discarded;
    const Run *m_run = nullptr;
    std::vector<Attempt> m_attempts;
    ColumnGrid m_grid;
    std::vector<EnvelopeColumn> m_columns;
    std::uint64_t m_folded = 0;
};

}  // namespace rankdeck
