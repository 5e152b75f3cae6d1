// SPDX-License-Identifier: GPL-3.0-or-later
// The envelope of a run as one place looks at it: a window that follows slides over the same columns, so only those are
// folded anew in which samples have come, over all ranks; the answer is that of Run::envelope to the bit. Many ranks are
// left to the rows that the run keeps (envelope_rows.h). Nothing fails. Under the run's lock; not locked itself.
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
    [[nodiscard]] std::uint64_t folded() const { return m_folded; }  // columns so far, for those who count the work

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
    // Below this position nothing has changed since the last look; takes what there is now.
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
