// SPDX-License-Identifier: GPL-3.0-or-later
// Marks that cross all parts of the deck and look the same in each. They are the steps that would be lost, the line of
// the newest VALID set, seams, the selected column, and the cursor. Pure painting.
#pragma once

#include "ui/deck/scene/deck_scene.h"
#include "ui/deck/scene/step_axis.h"

class QPainter;
class QRect;

namespace rankdeck::ui {

class Theme;

// area: in the painter's coordinates; origin: the deck's x at the painter's x = 0.
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
// True if the focus came by keyboard; only then is a frame shown.
[[nodiscard]] bool focusByKeyboard(Qt::FocusReason reason);
// The x range of the selected column in the deck's pixels; empty if there is none or it is not visible.
[[nodiscard]] QRect selectedColumnBox(const DeckScene &scene, const StepAxis &axis, int top, int height);

}  // namespace rankdeck::ui
