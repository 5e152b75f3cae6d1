// SPDX-License-Identifier: GPL-3.0-or-later
// Explains how log lines are read, for local files or for the logs of all ranks of a job.
#include "app/ctl/command.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/follow/line_follower.h"
#include "core/parse/log_explanation.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>

namespace rankdeck::ctl {
namespace {

constexpr std::size_t chunkBytes = 1u << 18;

struct Explained {
    std::string path;
    LogExplanation log;
    std::uint64_t offset = 0, size = 0;  // start of the part that was read, and size of the log
};

void feed(LogExplainer &explainer, LineFollower &follower, std::string bytes, std::uint64_t offset)
{
    TailChunk chunk;
    chunk.offset = offset;
    chunk.bytes = std::move(bytes);
    follower.chunk(chunk, [&](std::string_view line, std::uint64_t) { explainer.line(line); });
}

Result<Explained> explainFile(const std::string &path, const LogSpec &spec)
{
    Result<LogExplainer> explainer = LogExplainer::make(spec);
    if (!explainer) return explainer.error();
    std::error_code ignored;
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path, ignored))
        return fail(ErrorKind::notFound,
                    "cannot read " + printable(path) + ": expected a log file that this user may read");
    LineFollower follower;
    std::string bytes(chunkBytes, '\0');
    for (std::uint64_t offset = 0; file; offset += bytes.size()) {
        bytes.resize(chunkBytes);
        file.read(bytes.data(), static_cast<std::streamsize>(chunkBytes));
        bytes.resize(static_cast<std::size_t>(file.gcount()));
        feed(*explainer, follower, bytes, offset);
    }
    if (!follower.partial().empty()) explainer->line(follower.partial());
    return Explained{path, explainer->finish(), 0, follower.nextOffset()};
}

Json fieldsJson(const LineKind &kind)
{
    Json fields = Json::array();
    for (const ExplainedField &field : kind.fields)
        fields.push_back({{"label", validUtf8(field.label)},
                          {"role", fieldRoleName(field.role)},
                          {"value", validUtf8(field.value)}});
    return fields;
}

Json explainedJson(const Explained &one)
{
    Json out{{"path", validUtf8(one.path)}, {"lines", one.log.lines}, {"matched", one.log.matched},
             {"offset", one.offset},        {"size", one.size},       {"kinds", Json::array()},
             {"unknown", Json::array()}};
    for (const LineKind &kind : one.log.kinds)
        out["kinds"].push_back({{"sample", kind.sample}, {"fields", fieldsJson(kind)}, {"count", kind.count}});
    for (const LineKind &kind : one.log.unknown)
        out["unknown"].push_back({{"sample", kind.sample}, {"count", kind.count}});
    return out;
}

void write(const Explained &one)
{
    const LogExplanation &log = one.log;
    const auto percent = log.lines == 0 ? 0 : log.matched * 100 / log.lines;
    std::cout << printable(one.path) << "\n  " << percent << " % of " << grouped(static_cast<std::int64_t>(log.lines))
              << " lines"
              << (one.offset > 0 ? " in the newest " + bytesText(one.size - one.offset) + " of " + bytesText(one.size)
                                 : "")
              << " are read, " << log.kinds.size() << (log.kinds.size() == 1 ? " kind of line" : " kinds of lines")
              << "\n";
    if (!log.hasLoss)
        std::cout << "  no loss was found" << (log.hasStep ? "; steps were found" : "; no step was found either")
                  << "\n";
    if (log.mayHideLoss())
        std::cout << "  some lines that are not read contain a number that looks like a loss: set logs.fields or "
                     "logs.sample in the job file\n";
    for (const LineKind &kind : log.kinds) {
        std::cout << "\n  " << grouped(static_cast<std::int64_t>(kind.count)) << " x  " << kind.sample << "\n";
        for (const ExplainedField &field : kind.fields)
            if (field.role != FieldRole::none)
                std::cout << "      " << fieldRoleName(field.role) << " = " << printable(field.value) << "  ("
                          << (field.label.empty() ? "no label" : printable(field.label)) << ")\n";
    }
    if (!log.unknown.empty()) std::cout << "\n  not read:\n";
    for (const LineKind &kind : log.unknown)
        std::cout << "  " << grouped(static_cast<std::int64_t>(kind.count)) << " x  " << kind.sample << "\n";
}

int conclude(const Globals &globals, const std::vector<Explained> &all)
{
    bool found = !all.empty();
    Json out{{"files", Json::array()}};
    for (const Explained &one : all) {
        found = found && (one.log.hasLoss || one.log.hasStep);
        if (globals.json)
            out["files"].push_back(explainedJson(one));
        else
            write(one);
    }
    if (globals.json) print(out);
    return found ? done : answerIsNo;
}

// Error timeout: no answer within --timeout. Error cancelled: Ctrl-C.
Result<RangeReply> readRank(Engine &engine, const Globals &globals, const RankState &rank, std::uint64_t offset,
                            std::uint32_t bytes)
{
    const auto answer = std::make_shared<std::promise<Result<RangeReply>>>();
    std::future<Result<RangeReply>> future = answer->get_future();
    engine.readLog(rank.rank, offset, bytes,
                   [answer](Result<RangeReply> reply) { answer->set_value(std::move(reply)); });
    const SteadyTime deadline = steadyNow() + std::chrono::milliseconds(static_cast<long long>(globals.timeout * 1000));
    while (future.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
        if (interruptRequested()) return fail(ErrorKind::cancelled, "stopped before all logs were read");
        if (steadyNow() >= deadline)
            return fail(ErrorKind::timeout, "cannot read " + rank.logPath + ": node " + rank.node +
                                                " did not answer within " + durationText(globals.timeout) +
                                                "; raise --timeout");
    }
    Result<RangeReply> reply = future.get();
    if (reply && !reply->error.empty())
        return fail(ErrorKind::notFound, "cannot read " + rank.logPath + ": " + reply->error);
    return reply;
}

Result<Explained> explainRank(Engine &engine, const Globals &globals, const LogSpec &spec, const RankState &rank)
{
    Result<LogExplainer> explainer = LogExplainer::make(spec);
    if (!explainer) return explainer.error();
    const Result<RangeReply> first = readRank(engine, globals, rank, 0, 1);
    if (!first) return first.error();
    const std::uint64_t size = first->stat.size;
    const std::uint64_t offset = size - std::min<std::uint64_t>(size, LogExplainer::partBytes);
    const Result<RangeReply> part = readRank(engine, globals, rank, offset, LogExplainer::partBytes);
    if (!part) return part.error();
    explainer->part(part->bytes, part->offset);
    return Explained{rank.logPath, explainer->finish(), part->offset, part->offset + part->bytes.size()};
}

int explainJob(const Globals &globals)
{
    Opened opened = open(globals);
    if (!opened.engine) return opened.code;
    if (const int code = settle(*opened.engine, globals, false); code == interrupted) return code;
    const auto snapshot = opened.engine->snapshot();
    std::vector<Explained> all;
    int code = done;
    std::size_t without = 0;
    for (const RankState &rank : snapshot->view.ranks) {
        if (rank.logPath.empty()) {
            ++without;
            continue;
        }
        Result<Explained> one = explainRank(*opened.engine, globals, snapshot->view.job.logs, rank);
        if (one) {
            all.push_back(std::move(one).value());
            continue;
        }
        code = say(one.error());
        // the engine reads one log at a time: after a log without an answer the rest would not be read either
        if (one.error().kind == ErrorKind::timeout || one.error().kind == ErrorKind::cancelled) break;
    }
    if (without > 0 && !all.empty())
        warn(grouped(static_cast<std::int64_t>(without)) + (without == 1 ? " rank has" : " ranks have") +
             " no log lines: the curve shows only the ranks that write a log");
    const int answer = conclude(globals, all);
    return code != done ? code : answer;
}

}  // namespace

int logs(const Globals &globals, const LogsOptions &options)
{
    if (options.files.empty()) return explainJob(globals);
    std::vector<Explained> all;
    for (const std::string &path : options.files) {
        Result<Explained> one = explainFile(path, {});
        if (!one) return say(one.error());
        all.push_back(std::move(one).value());
    }
    return conclude(globals, all);
}

}  // namespace rankdeck::ctl
