// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of repeated work in processor time. Work that rests in proportion to its cost takes a bounded share of a core,
// however large the job is and however busy the machine.
#pragma once

#include <chrono>

namespace rankdeck {

// Processor time that the calling thread has used.
std::chrono::nanoseconds workOfThisThread();

// How long to rest after `work`, so that it takes at most the fraction 1/`parts` of a core; at most `longest`.
std::chrono::nanoseconds restAfter(std::chrono::nanoseconds work, int parts, std::chrono::nanoseconds longest);

}  // namespace rankdeck
