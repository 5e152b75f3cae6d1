// SPDX-License-Identifier: GPL-3.0-or-later
// The shapes of the glyphs in a box from -8 to 8: a body in the colour of the state, with a mark on it. Pure.
#pragma once

#include "ui/style/glyphs.h"

#include <QPainterPath>

namespace rankdeck::ui {

struct GlyphPaths {
    QPainterPath body;
    QPainterPath ink = {};
};

[[nodiscard]] GlyphPaths glyphPaths(Glyph glyph);

}  // namespace rankdeck::ui
