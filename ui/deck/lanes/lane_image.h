// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes of very many ranks, as an image. A stripe per set shows the worst state of the ranks under each pixel. Each
// run of exceptions is a sign with a label: its ranks, or their number and nodes. An exception is at least 5 px high
// and never covered by a label.
#pragma once

#include "ui/deck/lanes/lane_painter.h"

#include <vector>

namespace rankdeck::ui {

// A run of bad ranks in one column group, rows [first, last].
struct BadRun {
    int group = 0;  // index into the column groups
    int firstRow = 0, lastRow = 0;
    std::vector<int> ranks = {};  // only the bad ranks
    Glyph worst = Glyph::none;
};
// Runs of exceptions per group and node, top to bottom. A run that covers a whole node continues into the next node.
[[nodiscard]] std::vector<BadRun> badRuns(const LaneData &lanes, const std::vector<ColumnGroup> &groups);
[[nodiscard]] QString badRunWords(const BadRun &run, const LaneData &lanes);

void paintLaneImage(QPainter &painter, const DeckScene &scene, const StepAxis &axis, const Theme &theme,
                    const LaneGeometry &geometry, const std::vector<ColumnGroup> &groups);
void paintLaneExceptions(QPainter &painter, const DeckScene &scene, const StepAxis &axis, const Theme &theme,
                         GlyphSheet &sheet, const LaneGeometry &geometry, const std::vector<ColumnGroup> &groups);

// Nodes that share a line of the gutter: one node per line for up to 12 nodes, else at most 8 lines.
[[nodiscard]] std::vector<std::pair<int, int>> blockLines(const LaneData &lanes);  // [first, last] block

}  // namespace rankdeck::ui
