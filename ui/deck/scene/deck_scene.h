// SPDX-License-Identifier: GPL-3.0-or-later
// What all parts of the deck show at one moment: the lanes, the selection, the place under the cursor. Filled by the
// deck, read by its parts when they paint. Owns nothing but values.
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
    std::map<int, int> lineSlots = {};  // rank → hue and dash of its line, while it has one
    std::optional<double> cursor = {};  // step under the mouse
    WallTime now = {};                  // for ages
    int rightMargin = 62;

    [[nodiscard]] int selectedColumn() const { return selectedSet.isEmpty() ? -1 : lanes.columnOf(selectedSet); }
    [[nodiscard]] int selectedRow() const { return selectedRank < 0 ? -1 : lanes.rowOf(selectedRank); }
    [[nodiscard]] const LaneColumn *newestValid() const
    {
        return lanes.newestValid < 0 ? nullptr : &lanes.columns[static_cast<std::size_t>(lanes.newestValid)];
    }
};

// Of the heads of the lanes; as wide as the desktop's letters ask for.
inline int gutterWidth() { return scaled(268); }

}  // namespace rankdeck::ui
