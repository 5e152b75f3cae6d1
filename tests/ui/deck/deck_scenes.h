// SPDX-License-Identifier: GPL-3.0-or-later
// Made-up jobs of any size for the deck: a feed with a matching snapshot and run.
#pragma once

#include "tests/ui/fixed_feed.h"

#include <memory>

namespace rankdeck::ui::deckscenes {

constexpr std::int64_t lastStep = 40712;
constexpr std::int64_t newestValid = 40600;

// 8 ranks on 2 nodes, three attempts, a set every 200 steps; rank 3 went NaN in attempt 2.
std::unique_ptr<FixedFeed> healthy();
// Rank 5 died at 41,037. 40,800 is torn on rank 2, and 41,000 has only a .tmp on rank 5. ascend-01 is stale.
std::unique_ptr<FixedFeed> trouble();
// Attempt 4 continues from 40,600; the sets after it belong to the discarded branch.
std::unique_ptr<FixedFeed> resumed();
// Any number of ranks, 8 on a node, 80 sets, a loss at every 16th step; a few bad sets and three outliers.
std::unique_ptr<FixedFeed> many(int ranks, int sets = 80, std::int64_t every = 16);
// Only nodes and ranks are known.
std::unique_ptr<FixedFeed> empty();

CheckpointSet setAt(std::int64_t step, Verdict verdict, int ranks, int attempt);
// The same snapshot, with all ranks a number of steps further.
Snapshot advanced(const Snapshot &snapshot, std::int64_t by);

}  // namespace rankdeck::ui::deckscenes
