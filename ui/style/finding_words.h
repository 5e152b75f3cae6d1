// SPDX-License-Identifier: GPL-3.0-or-later
// Labels of findings in the window's language. Core writes the sentences, with their paths and numbers, in English; in
// another language the label precedes them. Pure.
#pragma once

#include "core/recover/finding_codes.h"

#include <QString>

namespace rankdeck::ui {

// Empty if the window's language is that of core.
QString findingLabel(FindingCode code);

}  // namespace rankdeck::ui
