# SPDX-License-Identifier: GPL-3.0-or-later
"""Statements before and after they were rewritten: the rules see the first, and never the second."""
from prose_rules import rules, texts

BEFORE = (
    "What is kept is part of the picture.",
    "who still runs is named",
    "where no clock tells",
    "This is no host.",
    "of the rest it is said that nothing is known",
    "it is as if nobody had seen it",
    "Who is left waits for who died: %1.",
    "Of %n rank(s) nothing is known.",
    "Nobody is left whom a cancel would reach.",
    "The line of this sample is not told apart; it is near.",
    "its process is gone without a word in its log",
    "not JSON: expected UTF-8 text, found bytes that are none",
    "whose the files are follows from folders alone, which differ in a number that may count something else or from 1, or of which one was "
    "given: nothing shows the rank",
    "Whether any rank runs is not known: no process is seen to be one.",
    "A save is judged; another one follows; the third is skipped.",
    "The set is used, where it is the only one.",
    "The attempt begins anew.",
    "Meanwhile the others wait in vain.",
    "The plan moves them aside.",
    "The file lies in the folder beside it.",
    "The first line stands at the top.",
    "It ends by itself, as a rule.",
    "The newest set has its price.",
)
AFTER = (
    "Kept sets are part of the job state.",
    "the message names the ranks that still run",
    "if no file has a usable time",
    "Not a valid host name.",
    "the other ranks are shown as unknown",
    "may still contain a stop request",
    "the rank is treated as never seen",
    "optimizer state, one entry per shard",
    "Rankdeck never reads a byte twice.",
    "Rank 5 died at step 312",
    "3 of 8 ranks confirmed",
    "No rank process found. Cannot tell whether the job runs. Check the log path or start `discover`.",
    "Surviving ranks are waiting for dead ranks: %1.",
    "Status of %n rank(s) unknown · %1; no contact with ranks %2",
    "No rank is left to cancel.",
    "Too late to cancel.",
    "Exact log line unknown. Showing the nearest one.",
    "No event matches the filter.",
    "its process ended; its log shows no reason",
    "not JSON: the file is not valid UTF-8",
    "ranks were guessed from folder numbers; nothing in the files confirms them",
    "Per-rank liveness: process, exit line, last log event.",
    "rank process, 0 if unknown",
    "The operator who acknowledged the alarm is shown.",
    "There is no checkpoint yet, and there may be no log.",
    "The directory where the rank writes its log.",
    "Shows where the file is and who started the attempt.",
    "The set is no longer VALID.",
    "The answer is no, or the wait has timed out.",
    "What does UNKNOWN mean?",
    "Each rank is told to stop.",
    "A user who reads the log sees the reason.",
)
NAMES_BEFORE = ("WhoIsStoppedCanGoOn", "NobodySeenIsNobodyRunning", "Z03_PrunedByRetentionIsNoAlarm", "ADeathIsToldTwice",
                "WhereNothingMovedNothingWasMixed")
NAMES_AFTER = ("IgnoresChildrenOfAnotherJobsLauncher", "IgnoresJournalOfNewerVersion", "ParsesNonMindSporeLogs", "C06_ReportsTwoNewestEmptySets")


def is_seen(said):
    return any([*rules.faults(place)] for place in texts.places("ui", "x", 1, texts.plain(said)))


def is_seen_name(name):
    return bool([*rules.faults(texts.Place("tests", "x", 1, texts.words_of(name), True, "name"))])


def check_sources():
    source = ('// SPDX-License-Identifier: x\n// What a thing is.\n// Its end.\n#include "a.h"\nauto a = tr("Stop the "\n'
              '    "job");  // trailing note here\n'
              'auto b = QObject::tr("x");\nfail("the config cannot be read: \\n" + why);\nTEST(Unit, Z03_WhatIsNoSet)\n')
    found = [(place.kind, place.line, place.text) for place in texts.of_file("ui/a.cpp", source)]
    assert ("ui", 5, "Stop the job") in found and ("comments", 2, "What a thing is.") in found, found
    assert ("comments", 6, "trailing note here") in found and not any("SPDX" in text for _, _, text in found), found
    found = [(place.kind, place.line, place.text) for place in texts.of_file("tests/core/a.cpp", source)]
    assert ("tests", 9, "what is no set") in found, found
    found = [(place.kind, place.line) for place in texts.of_file("core/a.cpp", source) if place.kind == "messages"]
    assert ("messages", 8) in found, found
    page = ("# A\n\nOne thing. Another\nthing.\n\n```\nWhat is code.\n```\n\n"
            f"| a | b |\n|---|---|\n| What is this. | {'x' * 121} |\n")
    found = [(place.line, place.form, place.text) for place in texts.of_file("docs/a.md", page)]
    assert (3, "text", "Another thing.") in found and (12, "text", "What is this.") in found, found
    assert not any("code" in text for _, _, text in found), found
    assert sum(form == "cell" for _, form, _ in found) == 1, found


def check():
    check_sources()
    for said in BEFORE:
        assert is_seen(said), f"no rule sees: {said}"
    for said in AFTER:
        assert not is_seen(said), f"a rule sees: {said}: {[list(rules.faults(place)) for place in texts.places('ui', 'x', 1, texts.plain(said))]}"
    for name in NAMES_BEFORE:
        assert is_seen_name(name), f"no rule sees: {name}"
    for name in NAMES_AFTER:
        assert not is_seen_name(name), f"a rule sees: {name}"
