// SPDX-License-Identifier: GPL-3.0-or-later
// Consecutive samples as bytes, for a row of the history: about four bytes a sample. Steps are runs of equal stride,
// losses little-endian floats, offsets only changes. Nothing is compressed further, because the noise of losses does
// not compress. Bytes of a file are untrusted until read: unpacking is bounded by their number. Pure. Internal to run.
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
