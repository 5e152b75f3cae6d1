// SPDX-License-Identifier: GPL-3.0-or-later
// What goes through all parts of the deck, painted the same way in each: the ground that would be lost, the line of the
// newest VALID set, seams, the selected column, the cursor. Pure painting; x of the painter's origin is given.
#pragma once

#include "ui/deck/scene/deck_scene.h"
#include "ui/deck/scene/step_axis.h"

class QPainter;
class QRect;

namespace rankdeck::ui {

class Theme;

// area: in the painter's coordinates; origin: the deck's x that is the painter's 0.
void paintLostGround(QPainter &painter, const QRect &area, int origin, const DeckScene &scene, const StepAxis &axis,
                     const Theme &theme);
void paintLostHatch(QPainter &painter, const QRect &area, int origin, const DeckScene &scene, const StepAxis &axis,
                    const Theme &theme);
void paintSeams(QPainter &painter, const QRect &area, int origin, const DeckScene &scene, const StepAxis &axis,
                const Theme &theme);
void paintValidLine(QPainter &painter, const QRect &area, int origin, const DeckScene &scene, const StepAxis &axis,
                    const Theme &theme);
void paintSelectedColumn(QPainter &painter, const QRect &area, int origin, const DeckScene &scene, const StepAxis &axis,
                         const Theme &theme);
void paintCursor(QPainter &painter, const QRect &area, int origin, const DeckScene &scene, const StepAxis &axis,
                 const Theme &theme);
// A frame is shown only to those who move by keys.
[[nodiscard]] bool focusByKeyboard(Qt::FocusReason reason);
// x range of the selected column in the deck's pixels; empty when none or out of sight.
[[nodiscard]] QRect selectedColumnBox(const DeckScene &scene, const StepAxis &axis, int top, int height);

}  // namespace rankdeck::ui
