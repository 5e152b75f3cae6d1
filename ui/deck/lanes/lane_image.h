// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes of very many ranks: a stripe per set in which the worst state of the ranks under a pixel wins, and each run
// of exceptions as a sign of its own with how many and whose. No exception is smaller than 5 px or under a label.
#pragma once

#include "ui/deck/lanes/lane_painter.h"

#include <vector>

namespace rankdeck::ui {

// Ranks that stand under one pixel row: [first, last].
struct BadRun {
    int group = 0;  // of the column groups
    int firstRow = 0, lastRow = 0;
    std::vector<int> ranks = {};  // the bad ones
    Glyph worst = Glyph::none;
};
// Runs of exceptions per group and node, top to bottom; a run that fills whole nodes goes on over them.
[[nodiscard]] std::vector<BadRun> badRuns(const LaneData &lanes, const std::vector<ColumnGroup> &groups);
[[nodiscard]] QString badRunWords(const BadRun &run, const LaneData &lanes);

void paintLaneImage(QPainter &painter, const DeckScene &scene, const StepAxis &axis, const Theme &theme,
                    const LaneGeometry &geometry, const std::vector<ColumnGroup> &groups);
void paintLaneExceptions(QPainter &painter, const DeckScene &scene, const StepAxis &axis, const Theme &theme,
                         GlyphSheet &sheet, const LaneGeometry &geometry, const std::vector<ColumnGroup> &groups);

// Nodes shown as one line of the gutter: one each up to 12, else at most 8 lines.
[[nodiscard]] std::vector<std::pair<int, int>> blockLines(const LaneData &lanes);  // [first, last] block

}  // namespace rankdeck::ui
