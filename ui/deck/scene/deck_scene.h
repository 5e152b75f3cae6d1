// SPDX-License-Identifier: GPL-3.0-or-later
// The state that all parts of the deck share: lanes, selection, position of the cursor. The deck fills it, its parts
// read it when they paint. Owns only values.
#pragma once

#include "ui/deck/scene/lane_data.h"
#include "ui/style/theme.h"

#include <QString>

#include <map>
#include <optional>
#include <set>

namespace rankdeck::ui {

struct DeckScene {
    LaneData lanes = {};
    QString selectedSet = {};  // id; empty: none
    int selectedRank = -1;
    std::set<int> pinned = {};
    std::map<int, int> lineSlots = {};  // rank → colour and dash of its line
    std::optional<double> cursor = {};  // step under the mouse
    WallTime now = {};                  // reference for ages
    int rightMargin = 62;

    [[nodiscard]] int selectedColumn() const { return selectedSet.isEmpty() ? -1 : lanes.columnOf(selectedSet); }
    [[nodiscard]] int selectedRow() const { return selectedRank < 0 ? -1 : lanes.rowOf(selectedRank); }
    [[nodiscard]] const LaneColumn *newestValid() const
    {
        return lanes.newestValid < 0 ? nullptr : &lanes.columns[static_cast<std::size_t>(lanes.newestValid)];
    }
};

// Width of the lane heads; grows with the desktop's font size.
inline int gutterWidth() { return scaled(268); }

}  // namespace rankdeck::ui
