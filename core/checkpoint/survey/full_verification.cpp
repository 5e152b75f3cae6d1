// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/survey/full_verification.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/bytes.h"
#include "core/checkpoint/codec/zip_directory.h"
#include "core/checkpoint/formats/mindspore/mindspore_reader.h"
#include "core/checkpoint/read/reader.h"

#include <algorithm>
#include <chrono>

namespace rankdeck {
namespace {

constexpr std::size_t headersAtOnce = 2048;  // with a path of 4 KiB each, half of the limit of one request
constexpr std::uint32_t headerBytes = 30;    // bytes of a local header, before its name
constexpr std::uint32_t endBytes = 98;
constexpr std::size_t maxHashesKept = 4096;

void noteBad(Evidence &evidence, std::uint64_t offset, Message text)
{
    evidence.crc = Evidence::Crc::bad;
    evidence.complete = false;
    if (!evidence.problems.empty() && evidence.problems.front().code == "crc_bad") return;
    evidence.problems.insert(evidence.problems.begin(), {"crc_bad", offset, std::move(text)});
}

bool knows(const Evidence &evidence, ReasonCode code)
{
    return std::any_of(evidence.problems.begin(), evidence.problems.end(),
                       [&](const Problem &problem) { return problem.code == code; });
}

}  // namespace

Result<std::vector<RangeReply>> EveryByte::ranges(std::vector<RangeRequest> wanted)
{
    const std::size_t count = wanted.size();
    const std::string path = wanted.empty() ? "" : wanted.front().path;
    auto reply = m_node.read(std::move(wanted)).get();
    if (!reply) return reply;
    if (reply->size() != count)
        return fail(ErrorKind::protocol,
                    message("expected %1 answers, one for each read; found %2", count, reply->size()));
    ++m_trips;
    for (const RangeReply &one : *reply) {
        m_bytes += one.bytes.size();
        if (!one.error.empty())
            return fail(ErrorKind::permission, message("%1 could not be read: %2", path, one.error));
    }
    return reply;
}

Result<HashReply> EveryByte::hash(HashRequest request)
{
    Reply<HashReply> reply = m_node.hash(std::move(request));
    while (reply.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready)
        if (m_stopped && m_stopped()) return fail(ErrorKind::cancelled, message("cancelled while it was read"));
    ++m_trips;
    return reply.get();
}

// A MindSpore file with a CRC trailer: one piece with all bytes before the trailer. No trailer: no piece.
Result<std::vector<EveryByte::Piece>> EveryByte::trailedPiece(const FileEntry &file)
{
    auto tail = ranges({{file.path, crcTrailerBytes, crcTrailerBytes, true}});
    if (!tail) return tail.error();
    std::vector<Piece> pieces;
    const auto trailer = crcTrailer(tail->front().bytes);
    if (trailer && file.stat.size >= crcTrailerBytes)
        pieces.push_back({"", {0, file.stat.size - crcTrailerBytes}, static_cast<std::uint32_t>(*trailer)});
    return pieces;
}

// The records of a zip, in file order. No piece: the file is not a zip, or its reader also refuses it.
Result<std::vector<EveryByte::Piece>> EveryByte::zipPieces(const FileEntry &file)
{
    std::vector<Piece> pieces;
    auto tail = ranges({{file.path, endBytes, endBytes, true}});
    if (!tail) return tail.error();
    const auto end = parseZipEnd(tail->front().bytes, file.stat.size);
    if (!end || end->directoryBytes > maxZipDirectoryBytes || end->entries > maxZipEntries) return pieces;
    auto directory = ranges(ReadStep::of(file.path, end->directory, end->directoryBytes).ranges);
    if (!directory) return directory.error();
    auto entries = parseZipDirectory(ReadReplies{.ranges = std::move(*directory)}.joined(), end->entries);
    if (!entries) return pieces;
    std::sort(entries->begin(), entries->end(), [](const ZipEntry &a, const ZipEntry &b) { return a.local < b.local; });
    std::uint64_t free = 0;  // end of the record before
    for (std::size_t begin = 0; begin < entries->size(); begin += headersAtOnce) {
        const std::size_t stop = std::min(entries->size(), begin + headersAtOnce);
        std::vector<RangeRequest> headers;
        for (std::size_t i = begin; i < stop; ++i) headers.push_back({file.path, (*entries)[i].local, headerBytes});
        auto found = ranges(std::move(headers));
        if (!found) return found.error();
        for (std::size_t i = begin; i < stop; ++i) {
            const ZipEntry &entry = (*entries)[i];
            const auto data = zipDataOffset((*found)[i - begin].bytes, entry.local);
            if (!data || !entry.stored || *data < free || *data > end->directory ||
                entry.bytes > end->directory - *data)
                return std::vector<Piece>{};
            free = *data + entry.bytes;
            // An empty record always has the sum 0, even from a writer without checksums: it proves nothing.
            if (entry.bytes > 0) pieces.push_back({entry.name, {*data, entry.bytes}, entry.crc});
        }
    }
    return pieces;
}

// The SHA-256 of the file, and the result of comparing its pieces' checksums.
Result<std::string> EveryByte::compare(const FileEntry &file, const std::vector<Piece> &pieces, Evidence &evidence)
{
    HashRequest request{.path = file.path};
    for (const Piece &piece : pieces) request.spans.push_back(piece.span);
    auto reply = hash(std::move(request));
    if (!reply) return reply.error();
    if (reply->stat.size != file.stat.size || reply->stat.mtimeNs != file.stat.mtimeNs)
        return fail(ErrorKind::conflict, message("%1 changed while it was read: list the directory again", file.path));
    std::vector<std::size_t> bad;
    for (std::size_t i = 0; i < pieces.size(); ++i)
        if (reply->crcs[i] != pieces[i].crc) bad.push_back(i);
    if (pieces.empty()) return reply->sha256;
    if (bad.empty()) {
        if (evidence.crc != Evidence::Crc::bad) evidence.crc = Evidence::Crc::ok;
    } else if (bad.size() == pieces.size() && pieces.size() > 1) {
        // torch.serialization.set_crc32_options(False) leaves numbers that match no record.
        if (!knows(evidence, "crc_off"))
            evidence.problems.push_back(
                {"crc_off", 0,
                 message("no checksum matches: its writer had checksums switched off, so damage would go unnoticed")});
    } else {
        const Piece &first = pieces[bad.front()];
        const Message what =
            first.name.empty() ? message("the file") : message("the record '%1'", printable(first.name));
        Message text = message("%1 records CRC-32 %2, but its content has %3", what, hex32(first.crc),
                               hex32(reply->crcs[bad.front()]));
        if (evidence.path != file.path) text = message("%1: %2", file.path, text);
        if (bad.size() > 1) text = message("%1; and %2 more records", text, bad.size() - 1);
        noteBad(evidence, first.name.empty() ? first.span.length : first.span.offset, text);
    }
    return reply->sha256;
}

Result<Evidence> EveryByte::read(const Member &member, Evidence evidence)
{
    const bool whole = member.parts.empty();
    const bool trailed = whole && evidence.format == Format::mindsporeCkpt && evidence.crc != Evidence::Crc::absent;
    for (const FileEntry &file : whole ? std::vector<FileEntry>{member.file} : member.parts) {
        const auto pieces = trailed ? trailedPiece(file) : zipPieces(file);
        if (!pieces) return pieces.error();
        const auto sha256 = compare(file, *pieces, evidence);
        if (!sha256) return sha256.error();
        if (evidence.meta.size() < maxHashesKept) evidence.meta[whole ? "sha256" : "sha256:" + file.path] = *sha256;
    }
    if (evidence.complete == true || evidence.crc == Evidence::Crc::bad) evidence.level = EvidenceLevel::L4;
    return evidence;
}

}  // namespace rankdeck
