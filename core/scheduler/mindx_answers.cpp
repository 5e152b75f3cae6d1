// SPDX-License-Identifier: GPL-3.0-or-later
// MindX DL's records in ConfigMaps, and Kubernetes' own data about the machines and their devices.
#include "core/scheduler/kubernetes_answers.h"
#include "core/scheduler/objects.h"

#include "core/base/json_at.h"
#include "core/base/text.h"

#include <algorithm>

namespace rankdeck {

namespace {

using nlohmann::ordered_json;

std::string nodeOn(const std::string &machine, const NodesOfMachine &nodes)
{
    const auto found = nodes.find(machine);
    return found == nodes.end() ? std::string() : found->second;
}

SchedulerFact ofMachine(SchedulerFactCode code, const std::string &machine, const std::string &text,
                        const NodesOfMachine &nodes)
{
    return {.code = code, .text = printable("machine " + machine + " " + text), .node = nodeOn(machine, nodes)};
}

// "huawei.com/Ascend910-Unhealthy": "Ascend910-1,Ascend910-4"
void readHealth(std::vector<SchedulerFact> &facts, const ordered_json &values, const std::string &machine,
                const NodesOfMachine &nodes)
{
    if (!values.is_object()) return;
    for (const auto &[key, value] : values.items()) {
        if (!key.starts_with("huawei.com/") || !value.is_string() || value.get_ref<const std::string &>().empty())
            continue;
        const bool network = key.ends_with("-NetworkUnhealthy");
        if (!network && !key.ends_with("-Unhealthy")) continue;
        facts.push_back(ofMachine(SchedulerFactCode::deviceUnhealthy, machine,
                                  std::string(network ? "has no healthy network on " : "has unhealthy devices: ") +
                                      replaceAll(value.get<std::string>(), ",", ", "),
                                  nodes));
    }
}

void readConditions(std::vector<SchedulerFact> &facts, const ordered_json &machine, const std::string &name,
                    const NodesOfMachine &nodes)
{
    for (const ordered_json &condition : listAt(machine, {"status", "conditions"})) {
        const std::string type = textAt(condition, {"type"}), status = textAt(condition, {"status"});
        const bool good = type == "Ready" ? status == "True" : status == "False" || !type.ends_with("Pressure");
        if (good) continue;
        const std::string message = textAt(condition, {"message"});
        facts.push_back(ofMachine(
            SchedulerFactCode::nodeTrouble, name,
            (type == "Ready" ? status == "Unknown" ? "has not answered its cluster" : std::string("is not Ready")
                             : "has " + type) +
                (message.empty() ? "" : ": " + message),
            nodes));
    }
    if (at(machine, {"spec", "unschedulable"}) == true)
        facts.push_back(ofMachine(SchedulerFactCode::nodeTrouble, name, "is closed to new pods (cordoned)", nodes));
}

// Devices of a plugin that pods cannot have: a plugin takes the unhealthy ones out.
void readAllocatable(std::vector<SchedulerFact> &facts, const ordered_json &machine, const std::string &name,
                     const NodesOfMachine &nodes)
{
    const ordered_json &capacity = at(machine, {"status", "capacity"});
    if (!capacity.is_object()) return;
    for (const auto &[resource, value] : capacity.items()) {
        if (resource.find('/') == std::string::npos || !value.is_string()) continue;
        const auto all = decimal(value.get_ref<const std::string &>());
        const auto left = decimal(textAt(machine, {"status", "allocatable", resource}));
        if (!all || !left || *left >= *all) continue;
        facts.push_back(ofMachine(SchedulerFactCode::deviceUnhealthy, name,
                                  "has " + std::to_string(*all) + " of " + resource +
                                      ", of which its plugin offers pods " + std::to_string(*left),
                                  nodes));
    }
}

// "[{"npu_name": "Ascend910-4", "fault_handling": "SeparateNPU", "fault_code": "A8028801"}]"
// Empty text or null, as Go marshals a list of none: no faults.
Status readFaults(std::vector<SchedulerFact> &facts, const std::string &text, const std::string &machine,
                  const NodesOfMachine &nodes)
{
    if (text.find_first_not_of(" \n\t") == std::string::npos) return Done{};
    const ordered_json faults = ordered_json::parse(text, nullptr, false);
    if (faults.is_null()) return Done{};
    if (!faults.is_array())
        return fail(ErrorKind::invalid,
                    message("expected a list of faults as JSON, found \"%1\"", printable(text.substr(0, 60))));
    for (const ordered_json &fault : faults) {
        const std::string device = textAt(fault, {"npu_name"});
        std::string level = textAt(fault, {"fault_handling"});
        if (level.empty()) level = textAt(fault, {"fault_level"});
        if (level == "NotHandleFault") continue;  // recorded, but without consequences
        facts.push_back(ofMachine(SchedulerFactCode::deviceUnhealthy, machine,
                                  "has a fault" + (device.empty() ? std::string(" of its own") : " of " + device) +
                                      ": " + textAt(fault, {"fault_type"}) + ", " + level + ", codes " +
                                      textAt(fault, {"fault_code"}),
                                  nodes));
    }
    return Done{};
}

}  // namespace

Result<std::vector<SchedulerFact>> readFaultRanks(const std::string &text)
{
    std::vector<SchedulerFact> facts;
    if (text.find_first_not_of(" \n\t") == std::string::npos) return facts;
    ordered_json said = ordered_json::parse(text, nullptr, false);
    if (said.is_discarded()) said = ordered_json::parse(replaceAll(text, "'", "\""), nullptr, false);
    if (!said.is_object())
        return fail(ErrorKind::invalid,
                    message("expected JSON under the key fault-npus, found \"%1\"", printable(text.substr(0, 60))));
    std::string ranks;
    for (const char *key : {"FaultRankIds", "FaultRank"})
        for (const ordered_json &rank : listAt(said, {key}))
            ranks += (ranks.empty() ? "" : ", ") + (rank.is_string() ? rank.get<std::string>() : rank.dump());
    if (ranks.empty()) return facts;
    SchedulerFact fact{.code = SchedulerFactCode::faultRanks,
                       .text = "recorded as failed (fault-npus): ranks " + printable(ranks)};
    for (const char *key : {"CreatTime", "UpdateTime"})
        if (const ordered_json &time = at(said, {key}); time.is_number_integer() && time > 0)
            fact.time = std::chrono::system_clock::from_time_t(time.get<std::time_t>());
    facts.push_back(std::move(fact));
    return facts;
}

Result<std::vector<SchedulerFact>> readReschedules(const std::string &text, const std::string &nameSpace,
                                                   const std::string &job, const NodeOfPod &nodes)
{
    constexpr std::size_t uidLength = 36;
    std::vector<SchedulerFact> facts;
    if (text.find_first_not_of(" \n\t") == std::string::npos) return facts;
    const ordered_json said = ordered_json::parse(text, nullptr, false);
    if (!said.is_object())
        return fail(ErrorKind::invalid, message("expected JSON under the key recent-reschedule-records, found \"%1\"",
                                                printable(text.substr(0, 60))));
    const std::string own = nameSpace + "/" + job + "-";
    for (const auto &[key, records] : said.items()) {
        if (!key.starts_with(own) || key.size() != own.size() + uidLength) continue;
        for (const ordered_json &record : listAt(records, {"RescheduleRecords"})) {
            SchedulerFact fact{.code = SchedulerFactCode::rescheduled, .text = "rescheduled"};
            if (const ordered_json &time = at(record, {"RescheduleTimeStamp"}); time.is_number_integer())
                fact.time = std::chrono::system_clock::from_time_t(time.get<std::time_t>());
            std::string reasons;
            for (const ordered_json &task : listAt(record, {"ReasonOfTask"})) {
                const std::string pod = textAt(task, {"PodName"}), machine = textAt(task, {"NodeName"});
                reasons += (reasons.empty() ? ": " : "; ") + pod + (machine.empty() ? "" : " on " + machine) + ": " +
                           textAt(task, {"RescheduleReason"});
                if (const auto node = nodes.find(pod); fact.node.empty() && node != nodes.end())
                    fact.node = node->second;
            }
            fact.text += printable(reasons);
            facts.push_back(std::move(fact));
        }
    }
    return facts;
}

Result<std::vector<SchedulerFact>> readMachines(const std::string &text, const NodesOfMachine &nodes)
{
    return factsOf(text, "nodes", [&nodes](Facts &facts, const ordered_json &machine) {
        const std::string name = textAt(machine, {"metadata", "name"});
        readConditions(facts, machine, name, nodes);
        readHealth(facts, at(machine, {"metadata", "annotations"}), name, nodes);
        readHealth(facts, at(machine, {"metadata", "labels"}), name, nodes);
        readAllocatable(facts, machine, name, nodes);
    });
}

Result<std::vector<SchedulerFact>> readDevices(const std::string &text, const NodesOfMachine &nodes)
{
    const auto maps = objectsIn(text, "ConfigMaps");
    if (!maps) return maps.error();
    std::vector<SchedulerFact> facts;
    for (const ordered_json &map : *maps) {
        const std::string name = textAt(map, {"metadata", "name"});
        if (!name.starts_with(deviceInfoPrefix)) continue;
        const std::string machine = name.substr(deviceInfoPrefix.size());
        const std::string config = textAt(map, {"data", "DeviceInfoCfg"});
        const ordered_json said = ordered_json::parse(config, nullptr, false);
        if (!said.is_object())
            return fail(ErrorKind::invalid, message("ConfigMap %1: expected JSON under DeviceInfoCfg, found \"%2\"",
                                                    printable(name), printable(config.substr(0, 60))));
        const ordered_json &list = at(said, {"DeviceInfo", "DeviceList"});
        readHealth(facts, list, machine, nodes);
        if (list.is_object())
            for (const auto &[key, value] : list.items())
                if (key.ends_with("-Fault") && value.is_string())
                    if (const Status read = readFaults(facts, value.get<std::string>(), machine, nodes); !read)
                        return fail(read.error().kind, "ConfigMap " + printable(name) + ": " + printable(key) + ": " +
                                                           read.error().message);
        if (const std::string apart = textAt(map, {"data", "ManuallySeparateNPU"}); !apart.empty())
            facts.push_back(ofMachine(SchedulerFactCode::deviceUnhealthy, machine,
                                      "has devices excluded by hand: " + apart, nodes));
    }
    return facts;
}

}  // namespace rankdeck
