// SPDX-License-Identifier: GPL-3.0-or-later
// Consecutive samples as bytes, for a row of the history: about four bytes per sample. Steps are stored as runs of
// equal stride, losses as little-endian floats, offsets as differences. There is no further compression, because the
// noise of losses does not compress. Bytes from a file are not trusted: unpacking is bounded by their number. Pure.
// Internal to run.
#pragma once

#include "core/base/result.h"
#include "core/parse/lines/sample.h"
#include "core/run/series/series.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

std::string packSamples(const std::vector<PlacedSample> &samples);
Result<std::vector<PlacedSample>> unpackSamples(std::string_view bytes);
// Samples that are not placed yet.
std::string packWaiting(const std::vector<Sample> &samples);
Result<std::vector<Sample>> unpackWaiting(std::string_view bytes);

// One loss with all its digits. The blob has the form of a sample, as in earlier versions, which stored only a float.
std::string packExact(double loss);
Result<double> unpackExact(std::string_view bytes);

}  // namespace rankdeck
