// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/numpy/npz_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/bytes.h"
#include "core/checkpoint/read/optimizer_names.h"
#include "core/checkpoint/read/scalars.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <utility>

namespace rankdeck {
namespace {

constexpr std::uint64_t headerSlack = 1024;  // local header, name, extra fields and the array's own header
constexpr std::uint64_t maxArrays = 20'000;

// The inflated beginning of a deflated entry, as far as it can be inflated.
std::string inflated(std::string_view bytes)
{
    std::array<char, headerSlack> out{};
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return {};
    std::string in(bytes);
    stream.next_in = reinterpret_cast<Bytef *>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef *>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    inflate(&stream, Z_SYNC_FLUSH);
    const std::size_t length = out.size() - stream.avail_out;
    inflateEnd(&stream);
    return {out.data(), length};
}

// Counter that an array with this name holds: "step" of a TrainState is the number of all steps.
std::string counterOf(std::string_view name)
{
    if (name == "step" || name == "global_step") return "global_step";
    if (name == "epoch" || name == "iteration") return std::string(name);
    return {};
}

}  // namespace

bool looksLikeNpz(std::string_view head)
{
    const auto nameBytes = littleEndian(head, 26, 2);
    return head.substr(0, 4) == "PK\x03\x04" && head.size() >= 30 && nameBytes && *nameBytes <= head.size() - 30 &&
           head.substr(30, *nameBytes).ends_with(".npy");
}

NpzReader::NpzReader(const FileHead &opening) : FileReader(opening), m_wanted(opening.wanted), m_tail(opening.tail)
{
    m_evidence.format = Format::npz;
    m_evidence.level = EvidenceLevel::L1;
}

ReadStep NpzReader::next(const ReadReplies &replies)
{
    switch (std::exchange(m_phase, Phase::done)) {
    case Phase::begin: return begin();
    case Phase::directory: return withDirectory(replies.joined());
    case Phase::headers: return withHeaders(replies);
    case Phase::sample: takeSamples(replies); break;
    case Phase::done: break;
    }
    return {};
}

ReadStep NpzReader::begin()
{
    const auto end = parseZipEnd(m_tail, size());
    if (!end) {
        torn(size(), message("no end record at the end of the archive: the save was truncated, or data was appended"));
        return {};
    }
    m_end = *end;
    if (m_end.directoryBytes > maxZipDirectoryBytes || m_end.entries > maxArrays) {
        problem("directory_too_large", m_end.directory,
                message("the archive has %1 arrays, too many to read",
                        grouped(std::int64_t(std::min<std::uint64_t>(m_end.entries, INT64_MAX)))));
        return {};
    }
    m_phase = Phase::directory;
    return ReadStep::of(m_evidence.path, m_end.directory, m_end.directoryBytes);
}

ReadStep NpzReader::withDirectory(const std::string &bytes)
{
    if (bytes.size() != m_end.directoryBytes) {
        problem("still_growing", m_end.directory, message("the archive's directory could not be read completely"));
        return {};
    }
    Result<std::vector<ZipEntry>> entries = parseZipDirectory(bytes, m_end.entries);
    if (!entries) {
        torn(m_end.directory, entries.error().message);
        return {};
    }
    m_entries = std::move(entries).value();
    ReadStep step;
    for (const ZipEntry &entry : m_entries) {
        const bool inside =
            entry.local < m_end.directory && (!entry.stored || entry.bytes <= m_end.directory - entry.local);
        if (!inside || !entry.name.ends_with(".npy")) {
            torn(entry.local, inside ? message("the entry '%1' is not an array", printable(entry.name))
                                     : message("the entry '%1' is not inside the file", printable(entry.name)));
            return {};
        }
        const std::uint64_t wanted = std::min(headerSlack + entry.name.size(), m_end.directory - entry.local);
        step.ranges.push_back({m_evidence.path, entry.local, static_cast<std::uint32_t>(wanted)});
    }
    m_phase = Phase::headers;
    return step;
}

ReadStep NpzReader::withHeaders(const ReadReplies &replies)
{
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        if (i >= replies.ranges.size()) {
            problem("still_growing", m_entries[i].local,
                    message("the headers of the arrays could not be read completely"));
            return {};
        }
        if (!takeArray(m_entries[i], replies.ranges[i].bytes)) return {};
    }
    m_evidence.tensors = TensorList(std::move(m_tensors));
    if (m_evidence.tensors.empty()) {
        torn(0, message("contains no array"));
        return {};
    }
    m_evidence.checksums = std::make_shared<const std::vector<std::uint32_t>>(std::move(m_checksums));
    m_evidence.complete = true;
    m_evidence.level = EvidenceLevel::L2;
    const auto &all = m_evidence.tensors;
    const bool optimizer =
        std::any_of(all.begin(), all.end(), [](const TensorInfo &t) { return mentionsOptimizer(t.name); });
    if (!optimizer && m_evidence.meta.empty()) m_evidence.meta["holds"] = "weights";
    if (m_wanted < EvidenceLevel::L3) return {};
    m_sample = WeightSample(m_spans);
    ReadStep step;
    step.ranges = m_sample.ranges(m_evidence.path);
    if (step.done()) m_evidence.level = EvidenceLevel::L3;
    if (!step.done()) m_phase = Phase::sample;
    return step;
}

// false: the archive is torn, and this was reported.
bool NpzReader::takeArray(const ZipEntry &entry, std::string_view bytes)
{
    const std::string name = entry.name.substr(0, entry.name.size() - 4);
    const auto data = zipDataOffset(bytes, entry.local);
    if (!data || *data - entry.local > bytes.size()) {
        torn(entry.local, message("'%1' is not at the offset given in the directory", printable(name)));
        return false;
    }
    const std::string_view after = bytes.substr(static_cast<std::size_t>(*data - entry.local));
    const std::string array = entry.stored ? std::string(after) : inflated(after);
    const Result<NpyHeader> header = parseNpyHeader(array);
    if (!header) {
        torn(*data, message("the array '%1': %2", printable(name), header.error().message));
        return false;
    }
    if (header->pickled) {
        problem("dangerous_pickle", *data,
                message("'%1' contains Python objects, which numpy.load would unpickle", printable(name)));
    } else if (header->valueBytes > entry.bytes || header->headerBytes + header->valueBytes != entry.bytes) {
        torn(*data, message("'%1' has %2 bytes, but its shape %3 of %4 needs %5", printable(name),
                            grouped(std::int64_t(std::min<std::uint64_t>(entry.bytes, INT64_MAX))),
                            shapeText(header->shape), header->type,
                            grouped(std::int64_t(
                                std::min<std::uint64_t>(header->headerBytes + header->valueBytes, INT64_MAX)))));
        return false;
    }
    takeCounter(name, *header, array);
    const std::uint64_t offset = *data + header->headerBytes;
    m_tensors.push_back({name, header->type, header->shape, header->valueBytes, offset});
    m_checksums.push_back(entry.crc);
    if (entry.stored)
        m_spans.push_back(
            {name, header->type, offset, header->valueBytes, rowBytesOf(header->shape, header->valueBytes)});
    return true;
}

void NpzReader::takeCounter(const std::string &name, const NpyHeader &header, std::string_view array)
{
    const std::string counter = counterOf(name);
    if (counter.empty() || header.valueBytes == 0 || header.valueBytes > 8) return;
    const std::string text = scalarText(array.substr(header.headerBytes, header.valueBytes), header.type);
    if (!text.empty()) m_evidence.meta[counter] = text;
}

void NpzReader::takeSamples(const ReadReplies &replies)
{
    m_sample.look(replies.ranges);
    judgeSample(m_sample);
    m_evidence.fingerprint = m_sample.fingerprint();
    m_evidence.signs = m_sample.signs().ofFile();
}

}  // namespace rankdeck
