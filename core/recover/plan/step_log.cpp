// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/plan/step_log.h"

#include "core/base/text.h"

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

// In the order in which they are carried out on one node.
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
    if (!begun || undoing) return;  // then all that was sent has been answered
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
    try {
        for (const auto &entry : nlohmann::ordered_json::parse(data)) {
            const std::size_t kind = indexIn(kindNames, entry.at("kind").get<std::string>());
            const std::size_t fate = indexIn(fateNames, entry.at("fate").get<std::string>());
            if (kind == kindNames.size() || fate == fateNames.size()) continue;
            m_states[{entry.at("node").get<std::string>(), static_cast<StepKind>(kind),
                      entry.at("index").get<std::size_t>()}] = {.fate = static_cast<StepFate>(fate),
                                                                .inode = entry.value("inode", std::uint64_t{0})};
        }
    } catch (const std::exception &) {
        return;  // an entry of another version: what it told of is not known to be done
    }
}

StepState StepLog::of(const std::string &node, StepKind kind, std::size_t index) const
{
    const auto found = m_states.find({validUtf8(node), kind, index});
    return found == m_states.end() ? StepState{} : found->second;
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
