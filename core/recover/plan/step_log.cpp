// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/plan/step_log.h"

#include "core/base/text.h"
#include "core/recover/wording.h"

#include <nlohmann/json.hpp>

#include <array>

namespace rankdeck {

namespace {

constexpr std::array<const char *, 4> kindNames{"copy", "edit", "file", "new_file"};
constexpr std::array<const char *, 3> fateNames{"not_done", "lost", "done"};

template <class Names>
std::size_t indexIn(const Names &names, const std::string &name)
{
    for (std::size_t i = 0; i < names.size(); ++i)
        if (name == names.at(i)) return i;
    return names.size();
}

// Steps in the order in which one node carries them out.
std::vector<std::pair<StepKind, std::size_t>> stepsOf(const NodePlan &node)
{
    std::vector<std::pair<StepKind, std::size_t>> steps;
    for (std::size_t i = 0; i < node.copies.size(); ++i) steps.emplace_back(StepKind::copy, i);
    for (std::size_t i = 0; i < node.edits.size(); ++i)
        if (!node.edits[i].expectedSha256.empty()) steps.emplace_back(StepKind::edit, i);
    for (std::size_t i = 0; i < node.files.size(); ++i) steps.emplace_back(StepKind::file, i);
    for (std::size_t i = 0; i < node.edits.size(); ++i)
        if (node.edits[i].expectedSha256.empty()) steps.emplace_back(StepKind::newFile, i);
    return steps;
}

struct Step {
    std::string node;
    StepKind kind;
    std::size_t index;
    StepState state;
};

struct Steps {
    std::vector<Step> steps = {};
    bool whole = true;  // false: some entries were unreadable, for example of another version
};

Steps stepsIn(const std::string &data)
{
    Steps found;
    try {
        for (const auto &entry : nlohmann::ordered_json::parse(data)) {
            const std::size_t kind = indexIn(kindNames, entry.at("kind").get<std::string>());
            const std::size_t fate = indexIn(fateNames, entry.at("fate").get<std::string>());
            if (kind == kindNames.size() || fate == fateNames.size()) {
                found.whole = false;
                continue;
            }
            found.steps.push_back(
                {.node = entry.at("node").get<std::string>(),
                 .kind = static_cast<StepKind>(kind),
                 .index = entry.at("index").get<std::size_t>(),
                 .state = {.fate = static_cast<StepFate>(fate), .inode = entry.value("inode", std::uint64_t{0})}});
        }
    } catch (const std::exception &) {
        found.whole = false;
    }
    return found;
}

std::string stepText(const NodePlan &node, StepKind kind, std::size_t index)
{
    switch (kind) {
    case StepKind::copy:
        if (index >= node.copies.size()) break;
        return "copy " + node.copies[index].from + " of node " + node.copies[index].fromNode + " to " +
               node.copies[index].path;
    case StepKind::edit:
    case StepKind::newFile:
        if (index >= node.edits.size()) break;
        return (kind == StepKind::edit ? "edit " : "write ") + node.edits[index].path;
    case StepKind::file:
        if (index < node.files.size()) return fileStepText(node.files[index]);
    }
    return "a step that the plan does not have";
}

}  // namespace

StepLog::StepLog(Keep keep) : m_keep(std::move(keep)) {}

StepLog::StepLog(const Plan &plan, const std::vector<JournalEntry> &entries, Keep keep) : m_keep(std::move(keep))
{
    bool begun = false, undoing = false;
    for (const JournalEntry &entry : entries) {
        begun = begun || entry.state == "preparing";
        undoing = undoing || entry.state == "prepared" || entry.state == "rolling_back";
        if (entry.state == stepEntry) take(entry.data);
    }
    if (!begun || undoing) return;  // not begun: nothing was sent; undoing: every step was answered
    for (const NodePlan &node : plan.nodes)
        for (const auto &[kind, index] : stepsOf(node)) {
            if (m_states.contains({validUtf8(node.node), kind, index})) continue;
            m_states[{validUtf8(node.node), kind, index}] = {.fate = StepFate::lost};
            break;
        }
}

void StepLog::put(const std::string &node, StepKind kind, std::size_t index, StepState state)
{
    Key key{validUtf8(node), kind, index};
    m_states[key] = state;
    m_unkept.push_back(std::move(key));
}

Status StepLog::flush()
{
    if (m_unkept.empty() || !m_keep) return Done{};
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Key &key : m_unkept) {
        const auto &[node, kind, index] = key;
        const StepState &state = m_states[key];
        nlohmann::ordered_json entry{{"node", node},
                                     {"kind", kindNames.at(static_cast<std::size_t>(kind))},
                                     {"index", index},
                                     {"fate", fateNames.at(static_cast<std::size_t>(state.fate))}};
        if (state.inode != 0) entry["inode"] = state.inode;
        list.push_back(std::move(entry));
    }
    m_unkept.clear();
    return m_keep(list.dump());
}

void StepLog::take(const std::string &data)
{
    const Steps told = stepsIn(data);
    for (const Step &step : told.steps) m_states[{step.node, step.kind, step.index}] = step.state;
    if (!told.whole) m_untold.fate = StepFate::lost;
}

StepState StepLog::of(const std::string &node, StepKind kind, std::size_t index) const
{
    const auto found = m_states.find({validUtf8(node), kind, index});
    return found == m_states.end() ? m_untold : found->second;
}

std::string stepsText(const Plan &plan, const std::string &data)
{
    constexpr std::size_t shown = 4;
    constexpr std::array<const char *, 3> words{"not done, or undone", "no answer, so it may have been done", "done"};
    const std::vector<Step> steps = stepsIn(data).steps;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, steps.size()); ++i)
        for (const NodePlan &node : plan.nodes)
            if (validUtf8(node.node) == steps[i].node)
                text += (text.empty() ? "" : "; ") + printable(node.node) + ": " +
                        printable(stepText(node, steps[i].kind, steps[i].index)) + ": " +
                        words.at(static_cast<std::size_t>(steps[i].state.fate));
    return steps.size() <= shown ? text : text + "; and " + std::to_string(steps.size() - shown) + " more";
}

StepFate StepLog::fateOf(const Error &error)
{
    switch (error.kind) {
    case ErrorKind::notFound:
    case ErrorKind::conflict:
    case ErrorKind::permission:
    case ErrorKind::invalid: return StepFate::notDone;
    default: return StepFate::lost;
    }
}

}  // namespace rankdeck
