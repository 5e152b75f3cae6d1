// SPDX-License-Identifier: GPL-3.0-or-later
// Counters of a torch.save dictionary: the position of the training, and its number of ranks. Known names: those of
// scripts, Lightning, DeepSpeed, Megatron and LayerZeRO. Pure.
#pragma once

#include "core/checkpoint/codec/pickle.h"
#include "core/checkpoint/meta.h"

#include <string>

namespace rankdeck {

void takeTorchNumbers(const Pickle &pickle, Meta &meta);
// Counts of a script's own objects, under any names: "count.seen". Takes at most a few; skips counts named "best",
// which do not advance with the training.
void takeOwnCounts(const Pickle &pickle, Meta &meta);
// Text of a number, a truth value or a (short) text; empty for everything else.
std::string scalarText(const Pickle::Node &node);

}  // namespace rankdeck
