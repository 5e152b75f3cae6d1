// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/safetensors/safetensors_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/bytes.h"
#include "core/checkpoint/read/optimizer_names.h"
#include "core/checkpoint/read/scalars.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr std::uint64_t formatLimit = 100'000'000;  // limit of the library
constexpr std::uint64_t ourLimit = 32u << 20;       // 270,000 tensors
constexpr std::uint32_t rangeBytes = 4u << 20;
constexpr std::size_t maxScalars = 64;
constexpr std::uint64_t probeBytes = 4096;

// True for a file with the whole state of a rank. False for Hugging Face files, whose optimizer is in a separate file,
// and for shards.
bool isWhole(const Meta &meta)
{
    const auto format = meta.find("format"), share = meta.find("remove_redundancy");
    return (format == meta.end() || format->second == "ms") && (share == meta.end() || share->second != "True");
}

}  // namespace

bool looksLikeSafetensors(std::string_view head, std::uint64_t fileBytes)
{
    const auto length = littleEndian(head, 0, 8);
    return length && head.size() > 8 && head[8] == '{' && *length >= 2 && fileBytes >= 10;
}

SafetensorsReader::SafetensorsReader(const FileHead &opening)
    : FileReader(opening), m_wanted(opening.wanted), m_header(opening.head)
{
    m_evidence.format = Format::safetensors;
    m_evidence.level = EvidenceLevel::L1;
    m_headerBytes = littleEndian(m_header, 0, 8).value_or(0);
}

ReadStep SafetensorsReader::next(const ReadReplies &replies)
{
    if (m_phase == Phase::done) return {};
    if (m_phase == Phase::values) {
        takeValues(replies);
        m_phase = Phase::done;
        return {};
    }
    if (m_headerBytes > formatLimit) {
        torn(0, message("the header claims %1 bytes, more than the format's 100,000,000",
                        grouped(std::int64_t(std::min<std::uint64_t>(m_headerBytes, INT64_MAX)))));
        m_phase = Phase::done;
        return {};
    }
    if (m_headerBytes + 8 > size()) {
        torn(0, message("the header claims %1 bytes, but the file has %2", grouped(std::int64_t(m_headerBytes)),
                        grouped(std::int64_t(size()))));
        m_phase = Phase::done;
        return {};
    }
    if (m_headerBytes > ourLimit) {
        problem(
            "header_too_large", 0,
            message("the header has %1, too large to read (limit %2)", bytesText(m_headerBytes), bytesText(ourLimit)));
        m_phase = Phase::done;
        return {};
    }
    for (const RangeReply &reply : replies.ranges)
        if (reply.offset == m_header.size()) m_header += reply.bytes;
    if (m_header.size() >= m_headerBytes + 8) return withHeader();
    if (!replies.ranges.empty()) {
        problem("still_growing", m_header.size(), message("the header could not be read completely"));
        m_phase = Phase::done;
        return {};
    }
    ReadStep step;
    for (std::uint64_t at = m_header.size(); at < m_headerBytes + 8; at += rangeBytes)
        step.ranges.push_back(
            {m_evidence.path, at,
             static_cast<std::uint32_t>(std::min<std::uint64_t>(rangeBytes, m_headerBytes + 8 - at))});
    return step;
}

ReadStep SafetensorsReader::withHeader()
{
    m_phase = Phase::done;
    Result<SafetensorsHeader> parsed = parseSafetensorsHeader(std::string_view(m_header).substr(8, m_headerBytes));
    m_header.clear();
    if (!parsed) {
        torn(8, parsed.error().message);
        return {};
    }
    m_parsed = std::move(parsed).value();
    m_evidence.tensors = TensorList(m_parsed.tensors);
    for (const char *key : {"format", "remove_redundancy"})
        if (const auto found = m_parsed.metadata.find(key); found != m_parsed.metadata.end())
            m_evidence.meta[key] = printable(found->second.substr(0, 100));
    if (const auto info = m_parsed.metadata.find("DCP_SHARDING_INFO"); info != m_parsed.metadata.end())
        m_evidence.sharding = std::make_shared<const std::string>(std::move(info->second));
    if (m_parsed.metadata.count("crc_num")) m_evidence.crc = Evidence::Crc::unchecked;
    if (m_parsed.fileBytes != size()) {
        const bool isShort = size() < m_parsed.fileBytes;
        torn(size(), isShort
                         ? message("%1 short: the header describes %2 bytes", bytesText(m_parsed.fileBytes - size()),
                                   grouped(std::int64_t(m_parsed.fileBytes)))
                         : message("%1 longer than its header describes", bytesText(size() - m_parsed.fileBytes)));
        return {};
    }
    if (m_parsed.tensors.empty()) {
        torn(0, message("contains no tensor"));
        return {};
    }
    m_evidence.complete = true;
    m_evidence.level = EvidenceLevel::L2;
    if (isWhole(m_evidence.meta) && hasOnlyWeights(m_evidence.tensors)) m_evidence.meta["holds"] = "weights";
    ReadStep step;
    std::vector<WeightSpan> spans;
    for (std::size_t i = 0; i < m_parsed.tensors.size(); ++i) {
        const TensorInfo &tensor = m_parsed.tensors[i];
        if (isKnownScalar(tensor.name) && tensor.bytes <= 8 && tensor.bytes > 0 && m_scalars.size() < maxScalars) {
            m_scalars.push_back(i);
            step.ranges.push_back({m_evidence.path, tensor.offset, static_cast<std::uint32_t>(tensor.bytes)});
            if (tensor.name == "global_step" && tensor.shape.empty()) m_evidence.meta["global_step_shape"] = "[]";
        }
        if (tensor.name == "graceful_exit" || tensor.name == "graceful_init") m_evidence.graceful = true;
        spans.push_back(
            {tensor.name, tensor.type, tensor.offset, tensor.bytes, rowBytesOf(tensor.shape, tensor.bytes)});
    }
    if (m_wanted >= EvidenceLevel::L3) {
        for (std::size_t i = m_parsed.tensors.size(); i-- > 0 && m_tailProbes.size() < 4;) {
            const TensorInfo &tensor = m_parsed.tensors[i];
            if (!isFloatType(tensor.type) || tensor.bytes < 256 || mayHoldZeros(tensor.name)) continue;
            const auto length = static_cast<std::uint32_t>(std::min(probeBytes, tensor.bytes));
            m_tailProbes.emplace_back(tensor.name, length);
            step.ranges.push_back({m_evidence.path, tensor.offset + tensor.bytes - length, length});
        }
        m_sample = WeightSample(spans);
        for (RangeRequest &range : m_sample.ranges(m_evidence.path)) step.ranges.push_back(std::move(range));
    }
    if (step.done()) {
        if (m_wanted >= EvidenceLevel::L3) m_evidence.level = EvidenceLevel::L3;
        return {};
    }
    m_phase = Phase::values;
    return step;
}

void SafetensorsReader::takeValues(const ReadReplies &replies)
{
    std::size_t next = 0;
    for (const std::size_t i : m_scalars) {
        if (next >= replies.ranges.size()) break;
        const std::string text = scalarText(replies.ranges[next++].bytes, m_parsed.tensors[i].type);
        if (!text.empty()) m_evidence.meta[m_parsed.tensors[i].name] = text;
    }
    for (const auto &[name, length] : m_tailProbes) {
        if (next >= replies.ranges.size()) break;
        const std::string &bytes = replies.ranges[next++].bytes;
        const bool zeros = bytes.size() == length && bytes.find_first_not_of('\0') == std::string::npos;
        if (zeros && m_evidence.complete == true)
            torn(0,
                 message(
                     "the last %1 of '%2' are zeros: the file was allocated at full length and not completely written",
                     bytesText(length), printable(name)),
                 "zero_tail");
    }
    if (m_wanted < EvidenceLevel::L3) return;
    const auto first = replies.ranges.begin() + std::ptrdiff_t(std::min(next, replies.ranges.size()));
    m_sample.look(std::vector<RangeReply>(first, replies.ranges.end()));
    if (m_sample.nonFinite()) {
        m_evidence.nonFiniteSeen = true;
        problem("nan_weights", 0, *m_sample.nonFinite());
    }
    if (m_sample.zeros() && m_evidence.complete == true) problem("zero_region", 0, *m_sample.zeros());
    if (m_sample.zeroWeights() && m_evidence.complete == true) problem("zero_weights", 0, *m_sample.zeroWeights());
    m_evidence.fingerprint = m_sample.fingerprint();
    m_evidence.signs = m_sample.signs().ofFile();
    if (m_sample.complete()) m_evidence.level = EvidenceLevel::L3;
}

}  // namespace rankdeck
