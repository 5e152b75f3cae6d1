// SPDX-License-Identifier: GPL-3.0-or-later
// The list of the bottom tabs, in the order of display. A new panel needs its own files and one row in panels.cpp; tab,
// menu entry, key (Ctrl+1 and up) and filters follow from the row.
#pragma once

#include "ui/feed/job_feed.h"

#include <QString>

#include <vector>

namespace rankdeck::ui {

class Panel;

struct PanelRow {
    const char *name;                     // untranslated, with its mnemonic
    Panel *(*make)(JobFeed &feed);        // made without a parent; the caller owns it. The feed must outlive it
    [[nodiscard]] QString title() const;  // title of the tab
    [[nodiscard]] QString menuText() const;
};

const std::vector<PanelRow> &panelRows();

}  // namespace rankdeck::ui
