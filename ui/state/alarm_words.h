// SPDX-License-Identifier: GPL-3.0-or-later
// An alarm's data as sentences of the window. Text from nodes becomes a single line without control characters.
#pragma once

#include "ui/state/notice.h"

#include <QCoreApplication>

namespace rankdeck::ui {

struct Notices {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::Notices)
};

// Sets fact and rest, and the set or glyph if the alarm has one.
void wordAlarm(Notice &notice, const Alarm &alarm, const Snapshot &snapshot, WallTime now);
void wordDeath(Notice &notice, const Alarm &alarm, const Snapshot &snapshot,
               WallTime now);                   // for job_died and rank_died
QString unknownRanksWords(const Alarm &alarm);  // "Status of 4 ranks unknown (node1: no contact for 40 s)."
QString sentenceOf(const QString &text);        // first line of the text, with a full stop
QString putBackWords(const QString &set);       // "Put 160 back and resume from it…"
QString resumeWords(const Snapshot &snapshot);  // "Resume from 580…", "Choose a set…", "Show the sets"

}  // namespace rankdeck::ui
