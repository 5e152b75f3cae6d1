// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/protocol/request_codec.h"

#include "core/node/protocol/wire.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr std::size_t replyBase = 1u << 16;
constexpr std::size_t maxListingBytes = 256u << 20;  // 200,000 entries with paths of 1,200 bytes

Status checkPath(const std::string &path, const char *what)
{
    if (path.empty() || path.find('\0') != std::string::npos)
        return fail(ErrorKind::invalid, message("The %1 is empty or contains a zero byte.", what));
    return Done{};
}

bool hasZero(const std::string &text) { return text.find('\0') != std::string::npos; }

template <class Request>
void writeHold(WireWriter &writer, const Request &request)
{
    writer.blob(request.jobKey);
    writer.blob(request.runDirectory);
    writer.blob(request.heldBy);
}

Result<EncodedRequest> checked(EncodedRequest request)
{
    if (request.payload.size() > maxRequestBytes)
        return fail(ErrorKind::invalid, message("The request is longer than 16 MiB; request less at once."));
    return request;
}

}  // namespace

Result<EncodedRequest> encodeRequest(const ListRequest &request)
{
    if (auto path = checkPath(request.root, "directory to list"); !path) return path.error();
    EncodedRequest out{
        FrameType::list, {}, replyBase + std::min(maxListingBytes, std::size_t{request.maxEntries} * 12400)};
    WireWriter writer(out.payload);
    writer.blob(request.root);
    writer.u32(static_cast<std::uint32_t>(request.depth < 1 ? 1 : request.depth));
    writer.u32(request.maxEntries);
    return checked(std::move(out));
}

Result<EncodedRequest> encodeRequest(const std::vector<RangeRequest> &ranges)
{
    EncodedRequest out{FrameType::read, {}, replyBase};
    WireWriter writer(out.payload);
    writer.u32(static_cast<std::uint32_t>(ranges.size()));
    const std::string *before = nullptr;
    for (const RangeRequest &range : ranges) {
        if (auto path = checkPath(range.path, "file to read"); !path) return path.error();
        if (range.length > maxRangeBytes)
            return fail(ErrorKind::invalid, message("A range of %1 is longer than 8 MiB.", range.path));
        // An empty path means the file of the previous range.
        writer.blob(before != nullptr && *before == range.path ? std::string() : range.path);
        before = &range.path;
        writer.u64(range.offset);
        writer.u32(range.length);
        writer.u8(range.fromEnd ? 1 : 0);
        out.replyLimit += std::size_t{range.length} + 4096;
    }
    return checked(std::move(out));
}

Result<EncodedRequest> encodeRequest(const std::vector<ScanRequest> &files)
{
    EncodedRequest out{FrameType::skim, {}, replyBase};
    WireWriter writer(out.payload);
    writer.u32(static_cast<std::uint32_t>(files.size()));
    for (const ScanRequest &file : files) {
        if (auto path = checkPath(file.path, "file to read"); !path) return path.error();
        writer.blob(file.path);
        writer.u64(file.offset);
        writer.u8(file.lead);
        writer.u32(file.headBytes);
        writer.u32(file.maxRecords);
        out.replyLimit += std::size_t{file.maxRecords} * (file.headBytes + 32u) + 4096;
    }
    return checked(std::move(out));
}

Result<EncodedRequest> encodeReadFile(const std::string &path, std::uint32_t maxBytes)
{
    if (auto good = checkPath(path, "file to read"); !good) return good.error();
    EncodedRequest out{FrameType::readFile, {}, replyBase + maxBytes};
    WireWriter writer(out.payload);
    writer.blob(path);
    writer.u32(maxBytes);
    return checked(std::move(out));
}

Result<EncodedRequest> encodeRequest(const ReplaceRequest &request)
{
    if (auto path = checkPath(request.path, "file to replace"); !path) return path.error();
    EncodedRequest out{FrameType::replace, {}, replyBase + (64u << 20)};
    WireWriter writer(out.payload);
    writer.blob(request.path);
    writer.blob(request.expectedSha256);
    writer.blob(request.bytes);
    writer.u8(request.ownerOnly ? 1 : 0);
    writeHold(writer, request);
    return checked(std::move(out));
}

Result<EncodedRequest> encodeRequest(const FileActionRequest &request)
{
    if (auto path = checkPath(request.path, "path"); !path) return path.error();
    const bool one = request.action == FileAction::makeDirectory || request.action == FileAction::remove ||
                     request.action == FileAction::removeEmptyDirectory;
    if (!one)
        if (auto target = checkPath(request.target, "target"); !target) return target.error();
    for (const BytePatch &patch : request.patches)
        if (request.action != FileAction::copyFile || patch.before.size() != patch.after.size())
            return fail(ErrorKind::invalid,
                        message("Bytes of %1 can only be changed in a copy, byte for byte.", request.path));
    EncodedRequest out{FrameType::act, {}, replyBase};
    WireWriter writer(out.payload);
    writer.u8(static_cast<unsigned>(request.action));
    writer.blob(request.path);
    writer.blob(request.target);
    writeHold(writer, request);
    writer.u32(static_cast<std::uint32_t>(request.patches.size()));
    for (const BytePatch &patch : request.patches) {
        writer.u64(patch.offset);
        writer.blob(patch.before);
        writer.blob(patch.after);
    }
    return checked(std::move(out));
}

Result<EncodedRequest> encodeRequest(const AppendRequest &request)
{
    if (auto path = checkPath(request.path, "file to write"); !path) return path.error();
    if (request.bytes.size() > maxRangeBytes)
        return fail(ErrorKind::invalid, message("A piece of %1 is longer than 8 MiB.", request.path));
    EncodedRequest out{FrameType::append, {}, replyBase};
    WireWriter writer(out.payload);
    writer.blob(request.path);
    writer.u64(request.offset);
    writer.u8(request.last ? 1 : 0);
    writer.blob(request.bytes);
    writeHold(writer, request);
    return checked(std::move(out));
}

Result<EncodedRequest> encodeRequest(const HashRequest &request)
{
    if (auto path = checkPath(request.path, "file to hash"); !path) return path.error();
    if (request.spans.size() > 500'000)
        return fail(ErrorKind::invalid, message("%1: more than 500,000 checksums in one request.", request.path));
    EncodedRequest out{FrameType::hash, {}, replyBase + request.spans.size() * 4};
    WireWriter writer(out.payload);
    writer.blob(request.path);
    writer.u32(static_cast<std::uint32_t>(request.spans.size()));
    for (const FileSpan &span : request.spans) {
        writer.u64(span.offset);
        writer.u64(span.length);
    }
    return checked(std::move(out));
}

Result<EncodedRequest> encodeRoom(const std::vector<std::string> &directories)
{
    EncodedRequest out{FrameType::room, {}, replyBase + directories.size() * 8300};
    WireWriter writer(out.payload);
    writer.u32(static_cast<std::uint32_t>(directories.size()));
    for (const std::string &directory : directories) {
        if (auto path = checkPath(directory, "directory"); !path) return path.error();
        writer.blob(directory);
    }
    return checked(std::move(out));
}

Result<EncodedRequest> encodeRequest(const ProcessQuery &query)
{
    EncodedRequest out{FrameType::processes, {}, 256u << 20};
    WireWriter writer(out.payload);
    writer.u32(static_cast<std::uint32_t>(query.envNames.size()));
    for (const std::string &name : query.envNames) writer.blob(name);
    writer.u32(static_cast<std::uint32_t>(query.paths.size()));
    for (const std::string &path : query.paths) {
        if (auto good = checkPath(path, "file that a process may have open"); !good) return good.error();
        writer.blob(path);
    }
    writer.u8(query.everyDescriptor ? 1 : 0);
    writer.u8(query.all ? 1 : 0);
    writer.u32(static_cast<std::uint32_t>(query.pids.size()));
    for (const int pid : query.pids) writer.u32(static_cast<std::uint32_t>(pid));
    return checked(std::move(out));
}

Result<EncodedRequest> encodeRequest(const SignalRequest &request)
{
    if (request.process.pid <= 1)
        return fail(ErrorKind::invalid, message("Process %1 may not be signalled.", request.process.pid));
    EncodedRequest out{FrameType::signal, {}, replyBase};
    WireWriter writer(out.payload);
    writer.u32(static_cast<std::uint32_t>(request.process.pid));
    writer.u64(request.process.startTicks);
    writer.blob(request.process.bootId);
    writer.u8(static_cast<unsigned>(request.signal));
    writer.u8(request.wholeGroup ? 1 : 0);
    return checked(std::move(out));
}

namespace {

void writePlaces(WireWriter &writer, const JobClaim &job)
{
    writer.u32(static_cast<std::uint32_t>(job.places.size()));
    for (const std::string &place : job.places) writer.blob(place);
}

}  // namespace

Result<EncodedRequest> encodeRequest(const LaunchRequest &request)
{
    if (auto path = checkPath(request.runDirectory, "run directory"); !path) return path.error();
    bool zero = hasZero(request.workdir) || hasZero(request.output);
    EncodedRequest out{FrameType::launch, {}, replyBase};
    WireWriter writer(out.payload);
    writer.blob(request.id);
    writer.blob(request.runDirectory);
    writer.u32(static_cast<std::uint32_t>(request.argv.size()));
    for (const std::string &argument : request.argv) {
        zero = zero || hasZero(argument);
        writer.blob(argument);
    }
    writer.u32(static_cast<std::uint32_t>(request.env.size()));
    for (const auto &[name, value] : request.env) {
        zero = zero || hasZero(name) || hasZero(value);
        writer.blob(name);
        writer.blob(value);
    }
    writer.blob(request.workdir);
    writer.blob(request.output);
    writer.blob(request.job.key);
    writer.blob(request.job.action);
    writer.blob(request.job.text);
    writePlaces(writer, request.job);
    if (!request.job.key.empty() && request.job.action.empty())
        return fail(ErrorKind::invalid, message("A launch that claims a job must name its action."));
    if (zero || request.argv.empty() || request.argv.front().empty())
        return fail(ErrorKind::invalid,
                    message("A launch needs a program, and no part of it may contain a zero byte."));
    return checked(std::move(out));
}

Result<EncodedRequest> encodeLaunched(const std::string &id, const std::string &runDirectory, bool callOff)
{
    if (auto path = checkPath(runDirectory, "run directory"); !path) return path.error();
    EncodedRequest out{FrameType::launched, {}, replyBase};
    WireWriter writer(out.payload);
    writer.blob(id);
    writer.blob(runDirectory);
    writer.u8(callOff ? 1 : 0);
    return checked(std::move(out));
}

Result<EncodedRequest> encodeJobHolder(const JobClaim &job, const std::string &runDirectory)
{
    if (auto path = checkPath(runDirectory, "run directory"); !path) return path.error();
    EncodedRequest out{FrameType::jobHolder, {}, replyBase};
    WireWriter writer(out.payload);
    writer.blob(job.key);
    writer.blob(runDirectory);
    writer.blob(job.action);
    writePlaces(writer, job);
    return checked(std::move(out));
}

Result<EncodedRequest> encodeReserve(const JobClaim &job, const std::string &runDirectory, bool hold)
{
    if (auto path = checkPath(runDirectory, "run directory"); !path) return path.error();
    if (job.action.empty()) return fail(ErrorKind::invalid, message("A reservation must name its action."));
    EncodedRequest out{FrameType::reserve, {}, replyBase};
    WireWriter writer(out.payload);
    writer.blob(job.key);
    writer.blob(runDirectory);
    writer.blob(job.action);
    writer.blob(job.text);
    writer.u8(hold ? 1 : 0);
    writePlaces(writer, job);
    return checked(std::move(out));
}

Result<EncodedRequest> encodeLogoutRule() { return EncodedRequest{FrameType::logout, {}, replyBase}; }

}  // namespace rankdeck
