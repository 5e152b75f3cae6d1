// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/mindspore/mindspore_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/bytes.h"
#include "core/checkpoint/read/optimizer_names.h"
#include "core/checkpoint/read/scalars.h"

#include <algorithm>
#include <zlib.h>

namespace rankdeck {
namespace {

constexpr std::uint64_t maxRecords = 200000;
constexpr std::size_t maxPending = 256;
constexpr std::uint32_t longHead = 4608;
constexpr std::uint64_t smallFile = 1u << 20;
// In serialization.py, larger tensors are cut into several records of the same tag.
constexpr std::uint64_t sliceBytes = 512u << 20;

constexpr int maxOwnValues = 32;

// A text is stored as numpy does it: four bytes per character. Empty: too long, or not a text.
std::string textOfString(std::string_view content)
{
    constexpr std::size_t longest = 800;
    if (content.size() % 4 != 0 || content.size() > longest) return {};
    std::string text;
    for (std::size_t at = 0; at < content.size(); at += 4) {
        const std::uint64_t sign = littleEndian(content, at, 4).value_or(0);
        if (sign > 0x10ffff) return {};
        if (sign == 0) continue;
        const auto put = [&](std::uint64_t byte) { text += static_cast<char>(byte); };
        if (sign < 0x80) {
            put(sign);
            continue;
        }
        const int more = sign < 0x800 ? 1 : sign < 0x10000 ? 2 : 3;
        put((more == 1 ? 0xc0u : more == 2 ? 0xe0u : 0xf0u) | (sign >> (6 * more)));
        for (int i = more - 1; i >= 0; --i) put(0x80u | ((sign >> (6 * i)) & 0x3f));
    }
    return validUtf8(text);
}

std::optional<std::uint64_t> elements(const std::vector<std::int64_t> &dims)
{
    std::uint64_t product = 1;
    for (const std::int64_t dim : dims) {
        if (dim < 0) return std::nullopt;
        if (dim != 0 && product > (std::uint64_t(1) << 60) / std::uint64_t(dim)) return std::nullopt;
        product *= std::uint64_t(dim);
    }
    return product;
}

}  // namespace

bool looksEncrypted(std::string_view head)
{
    return head.size() >= 4 && head.substr(1, 3) == std::string_view("\x5e\x3a\x7f", 3) &&
           static_cast<unsigned char>(head[0]) >= 0xd8 && static_cast<unsigned char>(head[0]) <= 0xda;
}

std::optional<std::uint64_t> crcTrailer(std::string_view lastBytes)
{
    if (lastBytes.size() < crcTrailerBytes) return std::nullopt;
    const std::string_view trailer = lastBytes.substr(lastBytes.size() - crcTrailerBytes);
    if (trailer.substr(0, 7) != "crc_num" || trailer.substr(7, 6) != std::string_view("\0\0\0\0\0\0", 6))
        return std::nullopt;
    return bigEndian(trailer, 13, 4);
}

MindsporeReader::MindsporeReader(const FileHead &opening)
    : FileReader(opening), m_wanted(opening.wanted), m_tail(opening.tail), m_head(opening.skim)
{
    m_evidence.format = Format::mindsporeCkpt;
    m_expectedEnd = size();
    if (crcTrailer(m_tail)) {
        m_evidence.crc = Evidence::Crc::unchecked;
        m_expectedEnd -= crcTrailerBytes;
    }
}

ReadStep MindsporeReader::next(const ReadReplies &replies)
{
    switch (m_phase) {
    case Phase::walk:
        if (m_head) {
            const ScanReply first = std::move(*m_head);
            m_head.reset();
            return walkOn(first);
        }
        if (replies.scans.empty()) {
            ReadStep step;
            step.scans.push_back({m_evidence.path, m_end, 0x0a, 256, recordsPerScan});
            return step;
        }
        return walkOn(replies.scans.front());
    case Phase::details:
        for (std::size_t i = 0; i < m_pending.size() && i < replies.ranges.size(); ++i)
            m_records[m_pending[i].slot].record = parseProtoRecord(replies.ranges[i].bytes, m_pending[i].length);
        if (replies.ranges.size() > m_pending.size()) explainEnd(replies.ranges.back().bytes);
        return finish();
    case Phase::sample:
        takeSample(replies.ranges);
        m_phase = Phase::done;
        return {};
    case Phase::done: break;
    }
    return {};
}

void MindsporeReader::takeSample(std::vector<RangeReply> replies)
{
    if (m_readsAll && !replies.empty()) {
        compareCrc(replies.back().bytes);
        replies.pop_back();
    }
    m_sample.look(replies);
    judgeSample(m_sample);
    m_evidence.signs = m_sample.signs().ofFile();
}

// A small file is read to its end, so its checksum costs no more than the sample.
void MindsporeReader::compareCrc(const std::string &bytes)
{
    const auto told = crcTrailer(m_tail);
    if (!told || bytes.size() != m_expectedEnd) return;
    const auto sum = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const unsigned char *>(bytes.data()), static_cast<unsigned>(bytes.size())));
    if (sum == *told) {
        m_evidence.crc = Evidence::Crc::ok;
        m_evidence.level = EvidenceLevel::L4;
        return;
    }
    m_evidence.crc = Evidence::Crc::bad;
    torn(m_expectedEnd,
         message("the file records CRC-32 %1, but its content has %2", hex32(static_cast<std::uint32_t>(*told)),
                 hex32(static_cast<std::uint32_t>(sum))),
         "crc_bad");
}

ReadStep MindsporeReader::walkOn(const ScanReply &reply)
{
    for (const ScannedRecord &record : reply.records) {
        if (record.offset != m_end || record.length == 0 || record.length > size() - m_end) break;  // not a chain
        m_end += record.length;
        m_records.push_back({parseProtoRecord(record.head, record.length), record.offset});
        const ProtoRecord::State state = m_records.back().record.state;
        if (state == ProtoRecord::State::needsMore && m_pending.size() < maxPending)
            m_pending.push_back({record.offset, record.length, m_records.size() - 1});
        if (state == ProtoRecord::State::bad) break;
    }
    const bool good = m_records.empty() || m_records.back().record.state != ProtoRecord::State::bad;
    if (good && reply.records.size() >= recordsPerScan && m_end < m_expectedEnd) {
        m_tooMany = m_records.size() >= maxRecords;
        if (!m_tooMany) {
            ReadStep step;
            step.scans.push_back({m_evidence.path, m_end, 0x0a, 256, recordsPerScan});
            return step;
        }
    }
    return afterWalk();
}

ReadStep MindsporeReader::afterWalk()
{
    m_phase = Phase::details;
    ReadStep step;
    for (const Pending &p : m_pending)
        step.ranges.push_back(
            {m_evidence.path, p.offset, static_cast<std::uint32_t>(std::min<std::uint64_t>(p.length, longHead))});
    if (!m_tooMany && m_end < m_expectedEnd) step.ranges.push_back({m_evidence.path, m_end, 300});
    return step.done() ? finish() : step;
}

ReadStep MindsporeReader::finish()
{
    m_phase = Phase::done;
    m_evidence.level = EvidenceLevel::L1;
    for (const Slot &slot : m_records) {
        if (slot.record.state == ProtoRecord::State::good) {
            takeRecord(slot.record, slot.offset);
            continue;
        }
        const Message why =
            slot.record.state == ProtoRecord::State::bad ? slot.record.error : message("its header is too long");
        torn(slot.offset, message("the record at byte %1 is damaged: %2", grouped(std::int64_t(slot.offset)), why));
        break;
    }
    checkSums();
    m_evidence.tensors = TensorList(std::move(m_tensors));
    m_records.clear();
    if (m_tooMany) {
        problem("too_many_records", m_end,
                message("more than %1 records: not read completely", grouped(std::int64_t(maxRecords))));
        return {};
    }
    if (m_evidence.complete == false) return {};
    if (m_evidence.tensors.empty()) {
        torn(0, message("contains no tensor"));
        return {};
    }
    m_evidence.complete = true;
    m_evidence.level = EvidenceLevel::L2;
    if (hasOnlyWeights(m_evidence.tensors)) m_evidence.meta["holds"] = "weights";
    if (m_wanted < EvidenceLevel::L3) return {};
    m_sample = WeightSample(m_spans);
    ReadStep step;
    step.ranges = m_sample.ranges(m_evidence.path);
    m_readsAll = m_evidence.crc == Evidence::Crc::unchecked && size() <= smallFile;
    if (m_readsAll) step.ranges.push_back({m_evidence.path, 0, static_cast<std::uint32_t>(m_expectedEnd)});
    if (step.done()) {
        m_evidence.level = EvidenceLevel::L3;
        return {};
    }
    m_phase = Phase::sample;
    return step;
}

void MindsporeReader::takeRecord(const ProtoRecord &record, std::uint64_t offset)
{
    const std::uint64_t at = offset + record.contentOffset;
    if (!m_tensors.empty() && m_tensors.back().name == record.tag && m_tensors.back().type == record.type &&
        m_tensors.back().shape == record.dims && m_tensors.back().bytes % sliceBytes == 0 &&
        m_tensors.back().bytes != 0) {
        m_tensors.back().bytes += record.contentBytes;
        return;
    }
    m_tensors.push_back({record.tag, record.type, record.dims, record.contentBytes, at});
    m_spans.push_back({record.tag, record.type, at, record.contentBytes, rowBytesOf(record.dims, record.contentBytes)});
    takeScalar(record);
}

void MindsporeReader::takeScalar(const ProtoRecord &record)
{
    if (record.tag == "graceful_exit" || record.tag == "graceful_init") m_evidence.graceful = true;
    if (record.tag.find("tft_g_one_flag") != std::string::npos) m_evidence.meta["tft"] = "1";
    const bool oldScalar = record.dims.size() == 1 && record.dims[0] == 0;
    const auto count = elements(record.dims);
    if (record.map || !count || (*count > 1 && !oldScalar) || record.content.size() < record.contentBytes) return;
    const std::string text =
        record.type == "str" ? textOfString(record.content) : scalarText(record.content, record.type);
    if (!text.empty() && !isKnownScalar(record.tag) && (record.dims.empty() || oldScalar)) {
        // Values that a user added with append_info; a network parameter has a dot in its name, or a dimension.
        if (m_ownValues < maxOwnValues && record.tag.find('.') == std::string::npos && record.tag.size() <= 64) {
            m_evidence.meta["info." + record.tag] = text;
            ++m_ownValues;
        }
        return;
    }
    if (text.empty() || !isKnownScalar(record.tag)) return;
    m_evidence.meta[record.tag] = text;
    if (oldScalar) m_evidence.meta["scalar_dims"] = "[0]";
    if (record.tag == "global_step" && record.dims.empty()) m_evidence.meta["global_step_shape"] = "[]";
}

// The total bytes of a tag must match its shape: after a cut inside a sliced tensor, all remaining records are
// complete.
void MindsporeReader::checkSums()
{
    std::set<std::string> seen;
    for (const TensorInfo &tensor : m_tensors) {
        if (!seen.insert(tensor.name).second)
            torn(tensor.offset, message("'%1' exists twice, as if two files had been joined", printable(tensor.name)),
                 "structure_mismatch");
        const unsigned bits = mindsporeTypeBits(tensor.type);
        if (bits == 0) continue;
        const auto count = elements(tensor.shape);
        const bool oldScalar = tensor.shape.size() == 1 && tensor.shape[0] == 0;
        const std::uint64_t needed = oldScalar ? bits / 8 : count.value_or(0) * (bits / 8);
        if (count && needed == tensor.bytes) continue;
        torn(tensor.offset,
             message("'%1' holds %2 bytes, but its shape %3 of %4 %5", printable(tensor.name),
                     grouped(std::int64_t(tensor.bytes)), shapeText(tensor.shape), printable(tensor.type),
                     count ? message("needs %1", grouped(std::int64_t(needed))) : message("is impossible")));
    }
}

// Describes the bytes after the last whole record: the beginning of a cut record, or something else.
void MindsporeReader::explainEnd(const std::string &bytesThere)
{
    const std::uint64_t left = m_expectedEnd - m_end;
    std::size_t at = 1;
    const auto payload = bytesThere.empty() || bytesThere[0] != 0x0a ? std::nullopt : varint(bytesThere, at);
    if (!bytesThere.empty() && bytesThere[0] == 0x0a && (!payload || *payload + at > left)) {
        Message text = message("the file ends inside a record");
        if (payload) {
            const ProtoRecord record = parseProtoRecord(bytesThere, *payload + at);
            if (!record.tag.empty()) text = message("the file ends inside '%1'", printable(record.tag));
            if (*payload < (std::uint64_t(1) << 62))
                text = message("%1: at least %2 are missing", text, bytesText(*payload + at - left));
        }
        torn(size(), text);
        return;
    }
    const bool zeros = std::all_of(bytesThere.begin(), bytesThere.end(), [](char c) { return c == 0; });
    torn(m_end, zeros ? message("%1 of zeros follow the last complete record, from byte %2", bytesText(left),
                                grouped(std::int64_t(m_end)))
                      : message("%1 of unknown data follow the last complete record, from byte %2", bytesText(left),
                                grouped(std::int64_t(m_end))));
}

std::unique_ptr<FormatReader> makeEncryptedReader(const FileHead &opening)
{
    const auto magic = static_cast<unsigned char>(opening.head[0]);
    const char *mode = magic == 0xd8 ? "AES-GCM" : magic == 0xd9 ? "AES-CBC" : "SM4-CBC";
    // One block: magic, (GCM only) 16-byte tag and its length, iv, cipher. The length fields of the first block are not
    // encrypted, so a file with a single block shows whether it is complete.
    class Encrypted final : public FileReader {
    public:
        Encrypted(const FileHead &o, const char *how) : FileReader(o)
        {
            m_evidence.format = Format::mindsporeCkpt;
            m_evidence.encrypted = true;
            m_evidence.level = EvidenceLevel::L1;
            m_evidence.meta["encryption"] = how;
            problem("encrypted", 0,
                    message("encrypted with %1: only its name and size can be judged without the key", how));
        }

    protected:
        ReadStep next(const ReadReplies &) override { return {}; }
    };
    return std::make_unique<Encrypted>(opening, mode);
}

}  // namespace rankdeck
