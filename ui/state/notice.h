// SPDX-License-Identifier: GPL-3.0-or-later
// The message of the banner: the worst alarm of the job (core/alarm) with the window's texts and glyphs, and at most
// two actions. Pure; never fails. Empty if nothing is wrong.
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
    QString key = {};  // identifies the alarm from its beginning to its end
    int all = 1;       // number of current alarms, including this one
};
QString putBackWords(const QString &set);       // "Put 160 back and resume from it…"
QString resumeWords(const Snapshot &snapshot);  // "Resume from 580…", "Choose a set…", "Show the sets"
// Progress of keeping the set that a notice offers to keep; empty if the user did not request it.
struct Keeping {
    bool running = false;
    std::optional<KeepReport> report = {};
};
void wordKeeping(Notice &notice, const Keeping &keeping);
// The same as a separate notice, if there is nothing worse to report.
Notice keptNotice(const QString &set, const QString &step, const Keeping &keeping);
Notice noticeOf(const Alarm &alarm, const Snapshot &snapshot, WallTime now);
// All current alarms, the worst first.
std::vector<Notice> notices(const Snapshot &snapshot, WallTime now);
// The first alarm that is not acknowledged yet, by its key; its rest contains the number of the others.
std::optional<Notice> mostUrgent(const Snapshot &snapshot, WallTime now, const std::set<QString> &seen = {});

}  // namespace rankdeck::ui
