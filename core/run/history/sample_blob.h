// SPDX-License-Identifier: GPL-3.0-or-later
// Consecutive samples as bytes, for a row of the history: steps as runs of equal stride, losses as little-endian floats,
// offsets when they change: about four bytes a sample. Nothing is compressed further: the noise of losses does not get
// smaller. Bytes of a file are hostile until read: unpacking is bounded by their number. Pure. Internal to run.
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
// Samples that wait for their place.
std::string packWaiting(const std::vector<Sample> &samples);
Result<std::vector<Sample>> unpackWaiting(std::string_view bytes);

// One loss as it was read, to the last digit. The blob is that of a sample, as earlier versions wrote it; these knew a float alone.
std::string packExact(double loss);
Result<double> unpackExact(std::string_view bytes);

}  // namespace rankdeck
