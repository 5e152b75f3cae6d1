// SPDX-License-Identifier: GPL-3.0-or-later
// An alarm's numbers as the window's sentences. What a node said is one line, and as harmless as any text.
#pragma once

#include "ui/state/notice.h"

#include <QCoreApplication>

namespace rankdeck::ui {

struct Notices {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::Notices)
};

// Fills in fact and rest, and the set or glyph where it is about one.
void wordAlarm(Notice &notice, const Alarm &alarm, const Snapshot &snapshot, WallTime now);
void wordDeath(Notice &notice, const Alarm &alarm, const Snapshot &snapshot,
               WallTime now);                   // of job_died and rank_died
QString unknownRanksWords(const Alarm &alarm);  // "Status of 4 ranks unknown (node1: no contact for 40 s)."
QString sentenceOf(const QString &text);        // its first line, with a full stop
QString putBackWords(const QString &set);       // "Put 160 back and resume from it…"
QString resumeWords(const Snapshot &snapshot);  // "Resume from 580…", "Choose a set…", "Show the sets"

}  // namespace rankdeck::ui
