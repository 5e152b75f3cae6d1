// SPDX-License-Identifier: GPL-3.0-or-later
// The one thing that the banner says: the worst of the job's alarms (core/alarm) in the window's words and glyphs, with at
// most two ways on. Pure; never fails, and says nothing when nothing is wrong.
#pragma once

#include "core/engine.h"
#include "ui/style/glyphs.h"

#include <QString>

#include <optional>
#include <set>
#include <vector>

namespace rankdeck::ui {

enum class NoticeAct {
    showFailure,
    showRanks,
    showLog,
    openResume,
    openStop,
    openProof,
    stopGracefully,
    cancelStop,
    retryNode,
    answerNode,
    keepSet,
    showEvents,
    connectNodes
};

struct Notice {
    enum class Level { bad, warn, info } level = Level::warn;
    enum class Kind {
        died,
        stopStuck,
        nan,
        stalled,
        logsSilent,
        notProven,
        lost,
        armedOverdue,
        saveTrouble,
        nothingValid,
        needsYou,
        stale,
        leftArmed,
        scheduler,
        kept,
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
    QString key = {};  // of the alarm, from its begin to its end
    int all = 1;       // alarms that hold, this one among them
};
// What became of keeping the set that the notice offers to keep; nothing where it was not asked for.
struct Keeping {
    bool running = false;
    std::optional<KeepReport> report = {};
};
void wordKeeping(Notice &notice, const Keeping &keeping);
// The same as a notice of its own, where nothing worse is to be said.
Notice keptNotice(const QString &set, const QString &step, const Keeping &keeping);
Notice noticeOf(const Alarm &alarm, const Snapshot &snapshot, WallTime now);
// All that is wrong, the worst first.
std::vector<Notice> notices(const Snapshot &snapshot, WallTime now);
// The first of them that nobody has seen yet, by its key; its rest says how many more there are.
std::optional<Notice> mostUrgent(const Snapshot &snapshot, WallTime now, const std::set<QString> &seen = {});

}  // namespace rankdeck::ui
