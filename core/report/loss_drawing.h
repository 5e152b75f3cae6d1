// SPDX-License-Identifier: GPL-3.0-or-later
// The loss over all ranks as a small SVG. The median is a line, the middle of the ranks a band, and data discarded by
// later attempts is grey. A vertical line marks the begin of each attempt. Pure; a curve without a finite value gives
// an empty text.
#pragma once

#include "core/run/run.h"

#include <string>
#include <vector>

namespace rankdeck {

struct LossCurves {
    double from = 0, to = 0;  // steps
    std::vector<EnvelopeColumn> kept = {}, discarded = {};
    std::vector<double> seams = {};  // steps at which an attempt continued
};
std::string lossDrawing(const LossCurves &curves);

}  // namespace rankdeck
