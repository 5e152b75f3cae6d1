// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/plan/plan_json.h"

#include "core/base/text.h"

#include <nlohmann/json.hpp>

#include <array>

namespace rankdeck {

using nlohmann::ordered_json;

namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64(std::string_view bytes)
{
    std::string text;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char byte : bytes) {
        bits = (bits << 8) | static_cast<unsigned char>(byte);
        for (count += 8; count >= 6; count -= 6) text += digits[(bits >> (count - 6)) & 63];
    }
    if (count > 0) text += digits[(bits << (6 - count)) & 63];
    return text;
}

std::string fromBase64(std::string_view text)
{
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        const std::size_t value = digits.find(c);
        if (value == std::string_view::npos) continue;
        bits = (bits << 6) | static_cast<std::uint32_t>(value);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>((bits >> count) & 0xff);
    }
    return bytes;
}

void put(ordered_json &into, const std::string &key, const std::string &bytes)
{
    if (validUtf8(bytes) == bytes)
        into[key] = bytes;
    else
        into[key + "64"] = base64(bytes);
}

std::string get(const ordered_json &from, const std::string &key)
{
    if (const auto found = from.find(key); found != from.end()) return found->get<std::string>();
    if (const auto found = from.find(key + "64"); found != from.end()) return fromBase64(found->get<std::string>());
    return {};
}

constexpr std::array<const char *, 7> actionNames{
    "move", "make_directory", "make_link", "remove", "remove_empty_directory", "make_hard_link", "copy_file"};

ordered_json fileJson(const FileActionRequest &request)
{
    ordered_json object{{"action", actionNames.at(static_cast<std::size_t>(request.action))}};
    put(object, "path", request.path);
    if (!request.target.empty()) put(object, "target", request.target);
    for (const BytePatch &patch : request.patches) {
        ordered_json one{{"offset", patch.offset}};
        put(one, "before", patch.before);
        put(one, "after", patch.after);
        object["patches"].push_back(std::move(one));
    }
    return object;
}

FileActionRequest fileFrom(const ordered_json &object)
{
    const auto name = object.at("action").get<std::string>();
    for (std::size_t i = 0; i < actionNames.size(); ++i)
        if (name == actionNames.at(i)) {
            FileActionRequest request{
                .action = static_cast<FileAction>(i), .path = get(object, "path"), .target = get(object, "target")};
            if (const auto patches = object.find("patches"); patches != object.end())
                for (const ordered_json &one : *patches)
                    request.patches.push_back({.offset = one.at("offset").get<std::uint64_t>(),
                                               .before = get(one, "before"),
                                               .after = get(one, "after")});
            return request;
        }
    throw std::runtime_error("unknown file action " + name);  // becomes Error invalid in planFromJson
}

ordered_json editJson(const FileEdit &edit)
{
    ordered_json object;
    put(object, "path", edit.path);
    put(object, "diff", edit.diff);
    put(object, "before", edit.before);
    put(object, "after", edit.after);
    object["expected_sha256"] = edit.expectedSha256;
    if (edit.takesBack) object["takes_back"] = true;
    return object;
}

ordered_json claimJson(const JobClaim &claim)
{
    ordered_json object{{"key", claim.key}, {"action", claim.action}, {"text", validUtf8(claim.text)}};
    for (const std::string &place : claim.places) {
        ordered_json one = ordered_json::object();
        put(one, "path", place);
        object["places"].push_back(std::move(one));
    }
    return object;
}

ordered_json launchJson(const LaunchRequest &launch)
{
    ordered_json object{{"id", launch.id}, {"argv", ordered_json::array()}, {"env", ordered_json::object()}};
    for (const std::string &argument : launch.argv) object["argv"].push_back(validUtf8(argument));
    for (const auto &[name, value] : launch.env) object["env"][validUtf8(name)] = validUtf8(value);
    put(object, "workdir", launch.workdir);
    put(object, "output", launch.output);
    put(object, "run_directory", launch.runDirectory);
    if (!launch.job.key.empty()) object["claim"] = claimJson(launch.job);
    return object;
}

JobClaim claimFrom(const ordered_json &launch)
{
    const auto claim = launch.find("claim");
    if (claim == launch.end()) return {};
    JobClaim job{.key = claim->at("key").get<std::string>(),
                 .action = claim->at("action").get<std::string>(),
                 .text = claim->at("text").get<std::string>()};
    if (const auto places = claim->find("places"); places != claim->end())
        for (const ordered_json &place : *places) job.places.push_back(get(place, "path"));
    return job;
}

LaunchRequest launchFrom(const ordered_json &object)
{
    return {.id = object.at("id").get<std::string>(),
            .runDirectory = get(object, "run_directory"),
            .argv = object.at("argv").get<std::vector<std::string>>(),
            .env = object.at("env").get<std::map<std::string, std::string>>(),
            .workdir = get(object, "workdir"),
            .output = get(object, "output"),
            .job = claimFrom(object)};
}

constexpr std::array<const char *, 5> signalNames{"term", "kill", "interrupt", "stop", "cont"};

ordered_json endJson(const ProcessEnd &end)
{
    return {{"pid", end.process.pid},
            {"start_ticks", end.process.startTicks},
            {"boot_id", end.process.bootId},
            {"signal", signalNames.at(static_cast<std::size_t>(end.signal))},
            {"text", validUtf8(end.text)}};
}

ProcessEnd endFrom(const ordered_json &object)
{
    ProcessEnd end{.process = {.pid = object.at("pid").get<int>(),
                               .startTicks = object.at("start_ticks").get<std::uint64_t>(),
                               .bootId = object.at("boot_id").get<std::string>()},
                   .text = object.at("text").get<std::string>()};
    const auto name = object.at("signal").get<std::string>();
    for (std::size_t i = 0; i < signalNames.size(); ++i)
        if (name == signalNames.at(i)) end.signal = static_cast<Signal>(i);
    return end;
}

NodePlan nodeFrom(const ordered_json &object)
{
    NodePlan node{.node = object.at("node").get<std::string>()};
    if (const auto copies = object.find("copies"); copies != object.end())
        for (const auto &copy : *copies)
            node.copies.push_back({.fromNode = copy.at("from_node").get<std::string>(),
                                   .from = get(copy, "from"),
                                   .path = get(copy, "path"),
                                   .bytes = copy.at("bytes").get<std::uint64_t>()});
    if (const auto ends = object.find("ends"); ends != object.end())  // older journals have none
        for (const auto &end : *ends) node.ends.push_back(endFrom(end));
    for (const auto &file : object.at("files")) {
        node.files.push_back(fileFrom(file));
        if (const auto inode = file.find("inode"); inode != file.end())
            node.inodes[node.files.back().path] = inode->get<std::uint64_t>();
    }
    for (const auto &edit : object.at("edits"))
        node.edits.push_back({.path = get(edit, "path"),
                              .before = get(edit, "before"),
                              .after = get(edit, "after"),
                              .diff = get(edit, "diff"),
                              .expectedSha256 = edit.at("expected_sha256").get<std::string>(),
                              .takesBack = edit.value("takes_back", false)});
    for (const auto &launch : object.at("launches")) node.launches.push_back(launchFrom(launch));
    return node;
}

}  // namespace

std::string planToJson(const Plan &plan)
{
    ordered_json object{{"id", plan.id}, {"summary", validUtf8(plan.summary)}, {"nodes", ordered_json::array()}};
    for (const NodePlan &node : plan.nodes) {
        ordered_json entry{{"node", validUtf8(node.node)},
                           {"files", ordered_json::array()},
                           {"edits", ordered_json::array()},
                           {"launches", ordered_json::array()}};
        for (const FileCopy &copy : node.copies) {
            ordered_json one{{"from_node", validUtf8(copy.fromNode)}, {"bytes", copy.bytes}};
            put(one, "from", copy.from);
            put(one, "path", copy.path);
            entry["copies"].push_back(std::move(one));
        }
        for (const ProcessEnd &end : node.ends) entry["ends"].push_back(endJson(end));
        for (const FileActionRequest &file : node.files) {
            entry["files"].push_back(fileJson(file));
            if (const auto inode = node.inodes.find(file.path); inode != node.inodes.end())
                entry["files"].back()["inode"] = inode->second;
        }
        for (const FileEdit &edit : node.edits) entry["edits"].push_back(editJson(edit));
        for (const LaunchRequest &launch : node.launches) entry["launches"].push_back(launchJson(launch));
        object["nodes"].push_back(std::move(entry));
    }
    return object.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

Result<Plan> planFromJson(const std::string &json)
{
    try {
        const ordered_json object = ordered_json::parse(json);
        Plan plan{.id = object.at("id").get<std::string>(), .summary = object.at("summary").get<std::string>()};
        for (const auto &node : object.at("nodes")) plan.nodes.push_back(nodeFrom(node));
        return plan;
    } catch (const std::exception &problem) {
        return fail(ErrorKind::invalid, message("expected the plan of an action in the journal, found different data"),
                    problem.what());
    }
}

std::string startedToJson(const std::vector<Started> &started)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Started &one : started) {
        nlohmann::ordered_json entry{{"node", validUtf8(one.node)},
                                     {"id", validUtf8(one.request.id)},
                                     {"run_directory", validUtf8(one.request.runDirectory)}};
        if (one.reply) {
            entry["pid"] = one.reply->process.pid;
            entry["start_ticks"] = one.reply->process.startTicks;
            entry["boot_id"] = validUtf8(one.reply->bootId);
            entry["started_now"] = one.reply->startedNow;
            if (one.reply->exitCode) entry["exit_code"] = *one.reply->exitCode;
        }
        if (one.problem) entry["problem"] = validUtf8(one.problem->message);
        list.push_back(std::move(entry));
    }
    return list.dump();
}

}  // namespace rankdeck
