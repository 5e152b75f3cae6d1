// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/act_json.h"

#include "app/ctl/output/columns.h"
#include "core/base/text.h"
#include "core/recover/wording.h"

#include <iostream>

namespace rankdeck::ctl {
namespace {

std::string commandText(const std::vector<std::string> &argv)
{
    std::string text;
    for (const std::string &argument : argv) text += (text.empty() ? "" : " ") + shellQuoted(validUtf8(argument));
    return text;
}

}  // namespace

Json findingsJson(const std::vector<Finding> &findings)
{
    Json out = Json::array();
    for (const Finding &finding : findings) {
        Json entry{{"code", finding.code.word()},
                   {"result", findingResultName(finding.result)},
                   {"text", printable(finding.text)},
                   {"fix", printable(finding.fix)},
                   {"fixable", finding.fixable}};
        if (const std::string message = finding.text.encoded(); !message.empty())
            entry["message"] = Json::parse(message);
        if (!finding.node.empty()) entry["node"] = finding.node;
        if (finding.rank >= 0) entry["rank"] = finding.rank;
        out.push_back(std::move(entry));
    }
    return out;
}

Json planJson(const Plan &whole)
{
    const Plan plan = withoutSecrets(whole);
    Json out{{"id", plan.id}, {"summary", plan.summary}, {"nodes", Json::array()}};
    for (const NodePlan &node : plan.nodes) {
        Json entry{{"node", node.node},      {"commands", Json::array()}, {"env", Json::object()},
                   {"files", Json::array()}, {"edits", Json::array()},    {"launches", Json::array()}};
        for (const LaunchRequest &launch : node.launches) {
            entry["commands"].push_back(commandText(launch.argv));
            for (const auto &[name, value] : launch.env) entry["env"][validUtf8(name)] = validUtf8(value);
            Json argv = Json::array();
            for (const std::string &argument : launch.argv) argv.push_back(validUtf8(argument));
            entry["launches"].push_back({{"argv", argv},
                                         {"env", launch.env},
                                         {"workdir", validUtf8(launch.workdir)},
                                         {"output", validUtf8(launch.output)}});
        }
        for (const FileCopy &copy : node.copies)
            entry["copies"].push_back({{"from_node", copy.fromNode},
                                       {"from", validUtf8(copy.from)},
                                       {"path", validUtf8(copy.path)},
                                       {"bytes", copy.bytes}});
        for (const ProcessEnd &end : node.ends)
            entry["ends"].push_back({{"pid", end.process.pid}, {"text", printable(end.text)}});
        for (const FileActionRequest &step : node.files) entry["files"].push_back(validUtf8(fileStepText(step)));
        for (const FileEdit &edit : node.edits)
            entry["edits"].push_back({{"path", validUtf8(edit.path)}, {"diff", validUtf8(edit.diff)}});
        out["nodes"].push_back(std::move(entry));
    }
    return out;
}

Json lostWorkJson(const LostWork &price)
{
    if (!price.known) return nullptr;
    const bool timed = price.steps == 0 || price.seconds > 0;  // else the duration of a step is unknown
    return {{"steps", price.steps},
            {"seconds", timed ? Json(price.seconds) : Json(nullptr)},
            {"device_hours", timed ? Json(price.deviceHours) : Json(nullptr)}};
}

namespace {

Json ladderJson(const std::vector<ExitRung> &ladder)
{
    Json out = Json::array();
    for (const ExitRung &rung : ladder) {
        Json targets = Json::array();
        for (const ProcessTarget &target : rung.targets)
            targets.push_back(
                {{"node", target.node},
                 {"rank", target.rank < 0 ? Json(nullptr) : Json(target.rank)},
                 {"pid", target.process.pid},
                 {"start_ticks", target.process.startTicks},
                 {"group", target.group},
                 {"command", printable(target.comm)},
                 {"started", target.started == WallTime{} ? Json(nullptr) : Json(isoTime(target.started))},
                 {"user", printable(target.user)},
                 {"command_line", printable(target.command)},
                 {"log", target.log.empty() ? Json(nullptr) : Json(printable(target.log))}});
        out.push_back({{"rung", rung.name},
                       {"available", rung.available},
                       {"text", printable(rung.text)},
                       {"price", lostWorkJson(rung.price)},
                       {"warnings", findingsJson(rung.findings)},
                       {"processes", targets}});
    }
    return out;
}

Json seenJson(bool done, const std::optional<WallTime> &at, const std::string &by)
{
    return {{"done", done}, {"time", at ? Json(isoTime(*at)) : Json(nullptr)}, {"by", printable(by)}};
}

}  // namespace

Json elsewhereJson(const std::vector<ExitElsewhere> &others)
{
    Json out = Json::array();
    for (const ExitElsewhere &other : others)
        out.push_back({{"kind", other.kind},
                       {"action", other.action},
                       {"user", other.user},
                       {"host", other.host},
                       {"state", other.state},
                       {"since", isoTime(other.since)},
                       {"live", other.live}});
    return out;
}

Json exitJson(const ExitReport &report)
{
    Json out{{"rankdeckctl", 1},
             {"outcome", report.outcome.word()},
             {"text", report.text},
             {"way", stopMethodName(report.way)},
             {"preflight", findingsJson(report.preflight)},
             {"plan", planJson(report.plan)},
             {"price",
              {{"graceful", {{"steps", 0}, {"seconds", 0}, {"device_hours", 0}}},
               {"kill", lostWorkJson(report.price)},
               {"answer_seconds", orNull(report.answerSeconds)}}},
             {"ladder", ladderJson(report.ladder)},
             {"other_consoles", elsewhereJson(report.elsewhere)},
             {"ranks", Json::array()}};
    for (const RankExit &rank : report.ranks) {
        Json entry{{"rank", rank.rank}, {"armed", rank.armed}, {"confirmed", rank.confirmed}};
        entry["saved"] =
            rank.savedPath.empty()
                ? Json(nullptr)
                : Json{{"path", validUtf8(rank.savedPath)},
                       {"verdict", rank.savedVerdict ? Json(verdictName(*rank.savedVerdict)) : Json(nullptr)}};
        entry["exited"] = rank.exited;
        if (rank.exitCode) entry["exit_code"] = *rank.exitCode;
        if (rank.confirmedAt) entry["confirmed_at"] = isoTime(*rank.confirmedAt);
        entry["seen"] = rank.seen;
        entry["late_seconds"] = rank.lateSeconds;
        entry["evidence"] = {{"seen", seenJson(rank.seen, rank.seenAt, rank.seenBy)},
                             {"confirmed", seenJson(rank.confirmed, rank.confirmedAt, rank.confirmedBy)},
                             {"saved", seenJson(!rank.savedPath.empty(), rank.savedAt, rank.savedBy)},
                             {"exited", seenJson(rank.exited, rank.exitedAt, rank.exitedBy)}};
        if (!rank.note.empty()) entry["note"] = rank.note;
        out["ranks"].push_back(std::move(entry));
    }
    out["flag_reset"] = report.flagReset;
    out["left"] = Json::array();
    for (const FlagLeft &flag : report.left)
        out["left"].push_back({{"node", flag.node},
                               {"path", validUtf8(flag.path)},
                               {"value", flag.value ? Json(*flag.value) : Json("unknown")}});
    out["set"] = orNull(report.set);
    out["journal"] = report.journal;
    return out;
}

Json resumeJson(const ResumeReport &report)
{
    Json ranks = Json::array();
    for (const RankProof &rank : report.ranks) {
        Json entry{{"rank", rank.rank},
                   {"loaded_global_step", orNull(rank.loadedGlobalStep)},
                   {"first_step", orNull(rank.firstStep)},
                   {"first_loss", rank.firstLoss ? lossJson(*rank.firstLoss) : Json(nullptr)},
                   {"old_loss", rank.oldLoss ? lossJson(*rank.oldLoss) : Json(nullptr)},
                   {"proven", rank.proven},
                   {"witness", rank.witness},
                   {"loaded_path", rank.loadedPath.empty() ? Json(nullptr) : Json(validUtf8(rank.loadedPath))},
                   {"skipped_steps", orNull(rank.skippedSteps)},
                   {"repeated_steps", orNull(rank.repeatedSteps)}};
        if (!rank.note.empty()) entry["note"] = rank.note;
        ranks.push_back(std::move(entry));
    }
    Json left = Json::array();
    for (const auto &one : report.left)
        left.push_back({{"node", validUtf8(one.node)}, {"path", validUtf8(one.path)}, {"text", printable(one.text)}});
    return {{"rankdeckctl", 1},
            {"outcome", report.outcome.word()},
            {"text", report.text},
            {"set", report.set.empty() ? Json(nullptr) : Json(report.set)},
            {"preflight", findingsJson(report.preflight)},
            {"plan", planJson(report.plan)},
            {"proof", {{"ranks", ranks}, {"continues", orNull(report.continues)}, {"text", report.text}}},
            {"stopped", report.stopped},
            {"left", left},
            {"journal", report.journal}};
}

void findingsText(const std::vector<Finding> &findings)
{
    for (const Finding &finding : findings) {
        if (finding.result == Finding::Result::ok) continue;
        printToFit(std::string("  ") + findingResultName(finding.result) + "  " + finding.code.word() + ": " +
                   printable(finding.text));
        if (!finding.fix.empty()) printToFit("        " + printable(finding.fix));
    }
}

void planText(const Plan &whole, const std::string &said)
{
    const Plan plan = withoutSecrets(whole);
    if (said.find(plan.summary) == std::string::npos) std::cout << printable(plan.summary) << "\n";
    for (const NodePlan &node : plan.nodes) {
        std::cout << "on " << node.node << "\n";
        for (const FileCopy &copy : node.copies)
            std::cout << "  copy " << printable(copy.from) << " of node " << printable(copy.fromNode) << " to "
                      << printable(copy.path) << " (" << bytesText(copy.bytes) << ")\n";
        for (const ProcessEnd &end : node.ends) std::cout << "  end " << printable(end.text) << "\n";
        for (const FileActionRequest &step : node.files) std::cout << "  " << printable(fileStepText(step)) << "\n";
        for (const FileEdit &edit : node.edits)
            std::cout << "  edit " << printable(edit.path) << "\n" << printableLines(edit.diff) << "\n";
        for (const LaunchRequest &launch : node.launches) {
            std::cout << "  run in " << printable(launch.workdir) << ", output to " << printable(launch.output)
                      << "\n    ";
            for (const auto &[name, value] : launch.env)
                std::cout << printable(name) << "=" << shellQuoted(printable(value)) << " ";
            std::cout << commandText(launch.argv) << "\n";
        }
    }
}

}  // namespace rankdeck::ctl
