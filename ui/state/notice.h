// SPDX-License-Identifier: GPL-3.0-or-later
// The one thing that the banner says: the most urgent of what a snapshot shows, with at most two ways on. Pure.
#pragma once

#include "core/engine.h"
#include "ui/style/glyphs.h"

#include <QString>

#include <optional>
#include <vector>

namespace rankdeck::ui {

enum class NoticeAct {
    showMoment,
    showLog,
    openResume,
    openStop,
    openProof,
    stopGracefully,
    cancelStop,
    retryNode,
    answerNode,
    showEvents,
    connectNodes
};

struct Notice {
    enum class Level { bad, warn, info } level = Level::warn;
    enum class Kind {
        died,
        notProven,
        armedOverdue,
        nothingValid,
        needsYou,
        lost,
        stale,
        leftArmed,
        warning
    } kind = Kind::warning;
    Glyph glyph = Glyph::warns;
    QString fact, rest = {};
    struct Act {
        NoticeAct act;
        QString text;
    };
    std::vector<Act> acts = {};
    QString node = {};
    int rank = -1;
    QString set = {};
};
std::optional<Notice> mostUrgent(const Snapshot &snapshot, WallTime now);

}  // namespace rankdeck::ui
