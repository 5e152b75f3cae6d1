// SPDX-License-Identifier: GPL-3.0-or-later
// What each finding is about, in the window's language. Core words the sentences, with their paths and numbers, in English;
// in another language this label stands before them. Pure.
#pragma once

#include "core/recover/finding_codes.h"

#include <QString>

namespace rankdeck::ui {

// Empty where core's own words are in that language.
QString findingLabel(FindingCode code);

}  // namespace rankdeck::ui
