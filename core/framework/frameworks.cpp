// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/framework/frameworks.h"

#include "core/framework/deepspeed.h"
#include "core/framework/jax.h"
#include "core/framework/megatron.h"
#include "core/framework/mindformers.h"
#include "core/framework/mindspore.h"
#include "core/framework/openmpi.h"
#include "core/framework/pytorch.h"
#include "core/framework/safetensors.h"
#include "core/framework/tensorflow.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace rankdeck {
namespace {

// A framework that is based on another comes after it: its variables and its launcher are found there first.
constexpr std::array<const FrameworkInfo *, 9> all{
    &frameworks::mindspore,   &frameworks::mindformers, &frameworks::pytorch,
    &frameworks::tensorflow,  &frameworks::deepspeed,   &frameworks::megatron,
    &frameworks::safetensors, &frameworks::jax,         &frameworks::openmpi};

template <typename Predicate>
const FrameworkInfo *firstWhere(const Predicate &predicate)
{
    const auto at = std::find_if(all.begin(), all.end(), [&](const FrameworkInfo *info) { return predicate(*info); });
    return at == all.end() ? nullptr : *at;
}

std::string_view valueOf(const Environment &environment, std::string_view name)
{
    const auto found = environment.find(std::string(name));
    return found == environment.end() ? std::string_view() : std::string_view(found->second);
}

bool isSet(const Environment &environment, std::string_view name)
{
    return !name.empty() && !valueOf(environment, name).empty();
}

std::optional<int> numberOf(std::string_view text)
{
    int number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || problem != std::errc{} || end != text.data() + text.size()) return {};
    return number;
}

bool hasPattern(const Words &words, std::string_view name)  // some of these words end in '*'
{
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
        return word.ends_with('*') ? name.starts_with(word.substr(0, word.size() - 1)) : name == word;
    });
}

}  // namespace

std::span<const FrameworkInfo *const> allFrameworks() { return all; }

const FrameworkInfo *frameworkInfo(Framework framework)
{
    return firstWhere([&](const FrameworkInfo &info) { return info.id == framework; });
}

const char *frameworkName(Framework framework)
{
    const FrameworkInfo *info = frameworkInfo(framework);
    return info ? info->name.data() : "auto";  // literals: they end in a zero
}

std::optional<Framework> frameworkFromName(const std::string &name)
{
    if (name == "auto") return Framework::automatic;
    const FrameworkInfo *info = firstWhere([&](const FrameworkInfo &one) { return one.id && one.name == name; });
    return info ? info->id : std::nullopt;
}

std::vector<std::string> frameworkNames()
{
    std::vector<std::string> names{"auto"};
    for (const FrameworkInfo *info : all)
        if (info->id) names.emplace_back(info->name);
    return names;
}

std::vector<std::string> trainingScripts()
{
    std::vector<std::string> names;
    for (const FrameworkInfo *info : all)
        for (const std::string_view script : info->scripts) names.emplace_back(script);
    return names;
}

std::vector<std::string> namesOf(Words RankVariables::*kind)
{
    std::vector<std::string> names;
    for (const FrameworkInfo *info : all)
        for (const std::string_view name : info->variables.*kind)
            if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
    return names;
}

const FrameworkInfo *frameworkOfProcess(const Environment &environment)
{
    const FrameworkInfo *byRole =
        firstWhere([&](const FrameworkInfo &info) { return isSet(environment, info.variables.role); });
    if (byRole) return byRole;
    return firstWhere([&](const FrameworkInfo &info) {
        return info.variables.role.empty() && isSet(environment, info.variables.byLauncher.beside);
    });
}

std::optional<int> rankByLauncher(const Environment &environment)
{
    const FrameworkInfo *info = frameworkOfProcess(environment);
    if (!info) return {};
    const RankVariables &variables = info->variables;
    if (!variables.role.empty() && valueOf(environment, variables.role) != variables.worker) return {};
    if (!isSet(environment, variables.byLauncher.beside)) return {};
    return numberOf(valueOf(environment, variables.byLauncher.rank));
}

std::optional<int> rankByScript(const Environment &environment)
{
    const FrameworkInfo *info =
        firstWhere([&](const FrameworkInfo &one) { return isSet(environment, one.variables.byScript.beside); });
    return info ? numberOf(valueOf(environment, info->variables.byScript.rank)) : std::nullopt;
}

bool isScheduler(const Environment &environment)
{
    return firstWhere([&](const FrameworkInfo &info) {
        return !info.variables.scheduler.empty() &&
               valueOf(environment, info.variables.role) == info.variables.scheduler;
    });
}

bool hasRankVariables(const Environment &environment)
{
    return firstWhere([&](const FrameworkInfo &info) {
        const RankVariables &variables = info.variables;
        return isSet(environment, variables.role) || isSet(environment, variables.byScript.rank) ||
               (variables.role.empty() && isSet(environment, variables.byLauncher.beside));
    });
}

std::string_view stopSwitchIn(const Environment &environment)
{
    const FrameworkInfo *info =
        firstWhere([&](const FrameworkInfo &one) { return valueOf(environment, one.stopSwitch) == "1"; });
    return info ? info->stopSwitch : std::string_view();
}

bool isToldAnew(std::string_view variable, bool ownLauncher)
{
    return firstWhere([&](const FrameworkInfo &info) {
        return hasPattern(info.variables.ofRank, variable) || (ownLauncher && info.variables.ofJob.contains(variable));
    });
}

bool isKnownVariable(std::string_view variable)
{
    static constexpr Words everywhere{"PATH",       "PYTHONPATH", "LD_LIBRARY_PATH", "PYTHONUNBUFFERED",
                                      "SLURM_CONF", "TZ",         "RANKDECK_*"};
    return hasPattern(everywhere, variable) || firstWhere([&](const FrameworkInfo &info) {
               const RankVariables &own = info.variables;
               for (const Words *words : {&info.settings, &own.ofRank, &own.ofJob, &own.worldSize, &own.masterHost,
                                          &own.masterPort, &own.nodeRank, &own.telling, &own.watched})
                   if (hasPattern(*words, variable)) return true;
               return variable == info.stopSwitch;
           });
}

const FrameworkInfo *frameworkOfLauncher(std::string_view program)
{
    return firstWhere([&](const FrameworkInfo &info) { return !program.empty() && info.launcher.program == program; });
}

const Launcher *launcherNamed(std::string_view program)
{
    const FrameworkInfo *info = frameworkOfLauncher(program);
    return info ? &info->launcher : nullptr;
}

const Launcher *launcherOfModule(std::string_view module)
{
    const FrameworkInfo *info =
        firstWhere([&](const FrameworkInfo &one) { return one.launcher.modules.contains(module); });
    return info ? &info->launcher : nullptr;
}

std::optional<int> rankByLogName(std::string_view baseName)
{
    for (const FrameworkInfo *info : all) {
        const std::string_view pattern = info->launcher.rankLog;
        const std::size_t at = pattern.find("{rank}");
        if (at == std::string_view::npos) continue;
        const std::string_view before = pattern.substr(0, at);
        const std::string_view after = pattern.substr(at + 6);
        if (baseName.size() <= before.size() + after.size() || !baseName.starts_with(before) ||
            !baseName.ends_with(after))
            continue;
        const auto rank = numberOf(baseName.substr(before.size(), baseName.size() - before.size() - after.size()));
        if (rank && *rank >= 0) return rank;
    }
    return {};
}

const FrameworkInfo *frameworkOfFormat(std::string_view format)
{
    return firstWhere([&](const FrameworkInfo &info) { return info.formats.contains(format); });
}

const FrameworkInfo *frameworkOfTracker(std::string_view baseName)
{
    return firstWhere([&](const FrameworkInfo &info) { return info.tracker.contains(baseName); });
}

const FrameworkInfo *frameworkOfProgram(std::string_view baseName)
{
    return firstWhere([&](const FrameworkInfo &info) {
        return std::any_of(info.programs.begin(), info.programs.end(),
                           [&](std::string_view program) { return baseName.find(program) != std::string_view::npos; });
    });
}

}  // namespace rankdeck
