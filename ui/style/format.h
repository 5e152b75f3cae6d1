// SPDX-License-Identifier: GPL-3.0-or-later
// Formatted texts and numbers of the window: grouped by locale, with units and ages, translated. Pure except for the
// locale and the installed translator; GUI thread.
#pragma once

#include "core/base/clock.h"
#include "core/engine.h"

#include <QString>

#include <optional>
#include <vector>

namespace rankdeck::ui {

QString fromNode(const std::string &bytes);        // printable text of bytes from a node
QString toolTipOf(const QString &plain);           // for all tooltips: Qt would interpret the text as markup
QString asSentence(const Message &message);        // of core, with capital letter and full stop
QString number(std::int64_t value);                // 41,207
QString lossText(double loss);                     // 2.402, NaN, Inf
QString durationWords(double seconds);             // 0.4 s, 7 min 52 s, 1 h 52 min
QString shortDuration(double seconds);             // 48 s, 7 min, 2 h
QString ago(double seconds);                       // 0.4 s ago
QString clockWords(WallTime time);                 // 03:12:07
QString exactTime(WallTime time);                  // with date and zone, for tooltips
QString byteWords(std::uint64_t bytes);            // 18.2 kB
QString deviceHours(double hours);                 // 4.1 device-hours, 12 device-minutes, 30 device-seconds
QString rankRange(const std::vector<int> &ranks);  // 0–3, 5
QString nOf(int part, int whole);                  // 5 of 8

QString verdictWord(Verdict verdict);
QString kindWord(CheckpointKind kind);  // "periodic", "graceful exit" …
QString certaintyWord(PlacedPart::Certainty certainty);
QString lawWord(ReasonCode code);  // "Whole"
QString memberWord(const MemberVerdict &member);
QString nodeWord(NodeState state);
QString metricWord(Metric metric);                // "Learning rate"
QString metricText(Metric metric, double value);  // 1.5e-05, 65,536, 250 ms
QString eventWord(const Event &event);            // "Rank died", "Checkpoint saved" …
QString setWords(const CheckpointSet &set);       // "41,207 TTP"
QString keptWords(const KeptSet &set);            // "41,200"
QString whyOf(const CheckpointSet &set);          // first reason, or the evidence that it is VALID

std::int64_t positionOf(const CheckpointSet &set);  // position on the step axis; -1: unknown
bool knowsTime(WallTime time);                      // false for the epoch, which means never
double secondsSince(WallTime then, WallTime now);   // never negative

}  // namespace rankdeck::ui
