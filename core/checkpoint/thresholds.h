// SPDX-License-Identifier: GPL-3.0-or-later
// All thresholds on which a verdict depends, each with its reason. Limits of what is read or kept are not among them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rankdeck::threshold {

inline constexpr std::int64_t second = 1'000'000'000;  // in nanoseconds, as the times of files
inline constexpr double seconds(std::int64_t ns) { return double(ns) / double(second); }

// Clocks
inline constexpr std::int64_t skew = 1 * second;               // accuracy of synchronised clocks
inline constexpr std::int64_t inFuture = 300 * second;         // no drifting clock is so far ahead
inline constexpr std::int64_t noClock = 631'152'000 * second;  // 1990: earlier times are not real
inline constexpr std::int64_t wrongClock = 600 * second;       // least error of a wrong clock, equal in all saves
inline constexpr std::int64_t sameDelay = 30 * second;         // delays of one wrong clock differ by less

// One save, or two
inline constexpr std::int64_t stagger = 15 * second;       // ranks usually save within this time of each other
inline constexpr std::int64_t stillSaving = 120 * second;  // a file that was touched since then may still be written
inline constexpr std::int64_t componentsOfASave = 120 * second;  // its components are written within minutes
inline constexpr std::int64_t oneSave = 600 * second;            // the files of a save that is written piece by piece
inline constexpr std::int64_t noSave = 12 * (3600 * second);     // no save of one point takes so long
inline constexpr std::int64_t sameMinute = 60 * second;  // saves of parallel runs and ranks: their order proves nothing
inline constexpr std::int64_t generations = 30 * second;  // two saves of one folder lie further apart
inline constexpr std::int64_t pauseOfSaves = 3;           // times the pause between two files of one save
inline constexpr std::int64_t overtaking = 60 * second;   // files of a copy in several streams are out of order by less

// Copies
inline constexpr std::int64_t pauseOfCopies = 5 * second;  // between two files that one copy writes
inline constexpr std::int64_t copyOfByte = 20;             // nanoseconds at 50 MB/s, the slowest usual copy
inline constexpr std::int64_t evenPace = 3;                // times the longest pause before the mark: also copied
inline constexpr int muchFurther = 4;                      // this many times the other gaps: clearly further apart
inline constexpr int timesCloser = 20;                     // files in several folders: a save, and not two runs

// Sizes
inline constexpr std::uint64_t shareOfLargest = 8;  // files below an eighth of the largest prove no order
inline constexpr std::uint64_t smallFile = 512;     // bytes; small files of a copy overtake large ones
inline constexpr std::uint64_t hole = 128;          // bytes; so many zeros in weights are not an accident

// Values
inline constexpr int fewestSigns = 40;             // fewer weights agree by chance too often
inline constexpr double unlikeSigns = 0.62;        // unrelated weights agree in half; 0.62 of 40 is 1.5 sigma off
inline constexpr double alikeSigns = 0.9;          // training keeps nearly all signs from save to save
inline constexpr std::size_t neighbours = 2;       // saves on either side with which a save is compared
inline constexpr std::size_t fewestOfVector = 32;  // shorter tensors have too few signs
inline constexpr std::size_t hintShare = 10;       // ranks that differ in more than a tenth are not replicas
inline constexpr double lossJump = 5;              // times the usual loss of the steps before
inline constexpr std::size_t lossesBefore = 20, fewestLosses = 4;  // losses to compare the last one with

}  // namespace rankdeck::threshold
