// SPDX-License-Identifier: GPL-3.0-or-later
// The list of all frameworks, and the questions that all stages ask about it. Pure; a question without an answer is an
// empty text, nullptr or nullopt.
#pragma once

#include "core/framework/framework_info.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

using Environment = std::map<std::string, std::string>;

std::span<const FrameworkInfo *const> allFrameworks();
const FrameworkInfo *frameworkInfo(Framework framework);  // nullptr: automatic

// ---- job files
const char *frameworkName(Framework framework);  // "auto", "mindspore" …
std::optional<Framework> frameworkFromName(const std::string &name);
std::vector<std::string> frameworkNames();   // the names that a job file may have, "auto" first
std::vector<std::string> trainingScripts();  // values of launch.script

// ---- environments of processes
// Names of all frameworks' variables of one kind, each once: namesOf(&RankVariables::worldSize).
std::vector<std::string> namesOf(Words RankVariables::*kind);
// The framework whose launcher set this process's place: by the role, otherwise by the variable beside the rank.
const FrameworkInfo *frameworkOfProcess(const Environment &environment);
// The rank as the launcher set it. nullopt: a scheduler, or no trustworthy value.
std::optional<int> rankByLauncher(const Environment &environment);
// … as a hand-written launcher set it.
std::optional<int> rankByScript(const Environment &environment);
bool isScheduler(const Environment &environment);
// True if it has any variable of a place, true or not: a rank, or a child of one.
bool hasRankVariables(const Environment &environment);
// The variable that switches a graceful exit on here; empty: none.
std::string_view stopSwitchIn(const Environment &environment);
// True if a framework or its launcher defines it, or the search for programs needs it: then its value is public.
bool isKnownVariable(std::string_view variable);
// True for variables of one process, and (ownLauncher) those that the launcher sets again: they are not passed on to
// another launch.
bool isToldAnew(std::string_view variable, bool ownLauncher);

// ---- launchers
const Launcher *launcherNamed(std::string_view program);    // by the name of its process, without a directory
const Launcher *launcherOfModule(std::string_view module);  // of python -m …
const FrameworkInfo *frameworkOfLauncher(std::string_view program);
// The rank by the name of a log that a launcher made; nullopt: no such name.
std::optional<int> rankByLogName(std::string_view baseName);

// ---- checkpoints
const FrameworkInfo *frameworkOfFormat(std::string_view format);     // by formatName()
const FrameworkInfo *frameworkOfTracker(std::string_view baseName);  // whose tracker it is
const FrameworkInfo *frameworkOfProgram(std::string_view baseName);  // whose own script it is

}  // namespace rankdeck
