// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of a torch.save dictionary that tell where in the training it was made and by how many ranks: of scripts,
// Lightning, DeepSpeed, Megatron and LayerZeRO, by the names that these give them. Pure.
#pragma once

#include "core/checkpoint/codec/pickle.h"
#include "core/checkpoint/meta.h"

#include <string>

namespace rankdeck {

void takeTorchNumbers(const Pickle &pickle, Meta &meta);
// What an object of a script counts, under any names: "count.seen". Some of many; not what was best, which stands still.
void takeOwnCounts(const Pickle &pickle, Meta &meta);
// Of a number, a truth value or a (short) text; empty for everything else.
std::string scalarText(const Pickle::Node &node);

}  // namespace rankdeck
