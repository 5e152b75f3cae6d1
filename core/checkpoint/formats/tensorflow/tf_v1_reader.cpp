// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/tensorflow/tf_v1_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/tensorflow/tf_bundle_reader.h"
#include "core/checkpoint/formats/tensorflow/tf_sample.h"
#include "core/checkpoint/formats/tensorflow/tf_slice_key.h"

#include <algorithm>
#include <numeric>

namespace rankdeck {
namespace {

constexpr std::uint64_t maxV1Index = 16u << 20;
constexpr std::uint64_t maxFirst = 16u << 20;  // the list of tensors is in the first block
constexpr std::uint64_t maxBlock = 1u << 20;   // limit of all other blocks
constexpr std::uint64_t blockBudget = 4u << 20;
constexpr std::size_t between = 6;

}  // namespace

TfV1Reader::TfV1Reader(const FileHead &opening) : FileReader(opening), m_wanted(opening.wanted), m_tail(opening.tail)
{
    m_evidence.format = Format::tfV1;
    m_evidence.level = EvidenceLevel::L1;
}

ReadStep TfV1Reader::refused(Message text, std::uint64_t offset)
{
    m_phase = Phase::done;
    torn(offset, std::move(text));
    return {};
}

ReadStep TfV1Reader::next(const ReadReplies &replies)
{
    switch (m_phase) {
    case Phase::footer: return withFooter();
    case Phase::index: return withIndex(replies);
    case Phase::blocks: withBlocks(replies); break;
    case Phase::done: break;
    }
    m_phase = Phase::done;
    return {};
}

ReadStep TfV1Reader::withFooter()
{
    const auto footer = parseTfFooter(m_tail, size());
    if (!footer) return refused(footer.error().message, size());
    m_footer = *footer;
    if (m_footer.index.size > maxV1Index) {
        m_phase = Phase::done;
        problem("metadata_too_large", m_footer.index.offset,
                message("the index has %1, too large to read (limit %2)", bytesText(m_footer.index.size),
                        bytesText(maxV1Index)));
        return {};
    }
    m_phase = Phase::index;
    ReadStep step;
    for (std::uint64_t at = m_footer.index.offset; at < m_footer.index.end(); at += indexPieceBytes)
        step.ranges.push_back(
            {m_evidence.path, at,
             static_cast<std::uint32_t>(std::min<std::uint64_t>(indexPieceBytes, m_footer.index.end() - at))});
    return step;
}

ReadStep TfV1Reader::withIndex(const ReadReplies &replies)
{
    const auto block = openTfBlock(replies.joined());
    if (!block) return refused(message("the index: %1", block.error().message), m_footer.index.offset);
    const auto entries = parseTfBlock(*block);
    if (!entries) return refused(message("the index: %1", entries.error().message), m_footer.index.offset);
    if (!tiles(*entries)) return {};
    choose(*entries);
    m_phase = Phase::blocks;
    ReadStep step;
    for (const std::size_t i : m_chosen)
        for (std::uint64_t at = m_blocks[i].offset; at < m_blocks[i].end(); at += indexPieceBytes)
            step.ranges.push_back(
                {m_evidence.path, at,
                 static_cast<std::uint32_t>(std::min<std::uint64_t>(indexPieceBytes, m_blocks[i].end() - at))});
    return step;
}

// Whether data blocks, metaindex and index follow each other without a gap or overlap.
bool TfV1Reader::tiles(const std::vector<TfEntry> &entries)
{
    std::uint64_t at = 0;
    for (const TfEntry &entry : entries) {
        const auto handle = parseTfHandle(entry.value, size());
        if (!handle || handle->offset != at) {
            refused(message("the index lists a block that does not begin where the previous one ends"), at);
            return false;
        }
        m_blocks.push_back(*handle);
        at = handle->end();
    }
    if (m_blocks.empty() || at != m_footer.metaindex.offset || m_footer.metaindex.end() != m_footer.index.offset) {
        refused(message("the blocks do not reach the index: a part is missing"), at);
        return false;
    }
    if (m_blocks.front().size > maxFirst) {
        m_phase = Phase::done;
        problem("metadata_too_large", 0,
                message("the list of tensors has %1, too large to read", bytesText(m_blocks.front().size)));
        return false;
    }
    return true;
}

// The key of an index entry is equal to or after the last key of its block. So the first index key that is not before a
// key names the block that may contain it.
void TfV1Reader::choose(const std::vector<TfEntry> &entries)
{
    m_chosen.push_back(0);
    std::uint64_t total = 0;
    const auto add = [&](std::size_t block) {
        if (m_blocks[block].size > maxBlock || total + m_blocks[block].size > blockBudget) return;
        if (std::find(m_chosen.begin(), m_chosen.end(), block) != m_chosen.end()) return;
        total += m_blocks[block].size;
        m_chosen.push_back(block);
    };
    const std::string start = tfSliceKeyStart("global_step");
    const auto holder =
        std::find_if(entries.begin(), entries.end(), [&](const TfEntry &entry) { return entry.key >= start; });
    if (holder != entries.end()) add(std::size_t(holder - entries.begin()));
    add(m_blocks.size() - 1);
    const std::uint64_t all = std::accumulate(m_blocks.begin(), m_blocks.end(), std::uint64_t(0),
                                              [](std::uint64_t sum, const TfBlockHandle &b) { return sum + b.size; });
    if (all <= blockBudget)
        for (std::size_t i = 1; i < m_blocks.size(); ++i) add(i);
    else
        for (std::size_t i = 1; i <= between; ++i) add(m_blocks.size() / (between + 1) * i % m_blocks.size());
}

void TfV1Reader::withBlocks(const ReadReplies &replies)
{
    std::size_t next = 0;
    for (const std::size_t i : m_chosen) {
        std::string raw;
        for (std::uint64_t at = m_blocks[i].offset; at < m_blocks[i].end() && next < replies.ranges.size();
             at += indexPieceBytes)
            raw += replies.ranges[next++].bytes;
        takeBlock(i, raw);
        if (m_evidence.complete == false) return;
    }
    const bool all = m_chosen.size() == m_blocks.size();
    if (all && m_seen != m_slices) {
        refused(message("contains the values of %1 tensors, but its list has %2", grouped(std::int64_t(m_seen)),
                        grouped(std::int64_t(m_slices))));
        return;
    }
    m_evidence.crc = all ? Evidence::Crc::ok : Evidence::Crc::unchecked;
    m_evidence.complete = true;
    m_evidence.level = std::max(EvidenceLevel::L1, std::min(m_wanted, EvidenceLevel::L3));
}

void TfV1Reader::takeBlock(std::size_t block, const std::string &raw)
{
    const std::uint64_t offset = m_blocks[block].offset;
    const auto opened = openTfBlock(raw);
    if (!opened) {
        if (opened.error().message.find("checksum") == std::string::npos) {
            refused(opened.error().message, offset);
            return;
        }
        m_evidence.crc = Evidence::Crc::bad;
        torn(offset, opened.error().message, "crc_bad");
        return;
    }
    const auto entries = parseTfBlock(*opened);
    if (!entries) {
        refused(entries.error().message, offset);
        return;
    }
    bool first = block == 0;
    for (const TfEntry &entry : *entries) {
        takeEntry(entry, first);
        first = false;
        if (m_evidence.complete == false) return;
    }
}

void TfV1Reader::takeEntry(const TfEntry &entry, bool first)
{
    if (first) {
        if (!entry.key.empty()) {
            refused(message("does not begin with its list of tensors"));
            return;
        }
        Result<TfV1Contents> contents = parseTfV1Contents(entry.value);
        if (!contents) {
            refused(contents.error().message);
            return;
        }
        m_slices = contents->slices;
        m_evidence.tensors = TensorList(std::move(contents->tensors));
        return;
    }
    ++m_seen;
    const auto name = tfSliceTensor(entry.key);
    const auto value = parseTfV1Value(entry.value);
    if (!name || !value) {
        refused(value ? message("a key does not name a tensor") : value.error().message);
        return;
    }
    const std::string meaning = tfMeaning(*name);
    if (!meaning.empty() && !value->scalar.empty()) m_evidence.meta.emplace(meaning, value->scalar);
    const WeightFinding found = lookAt(value->floats, "float32");
    if (m_evidence.nonFiniteSeen || (found.nan == 0 && (found.infinite == 0 || found.maskLike))) return;
    m_evidence.nonFiniteSeen = true;
    problem("nan_weights", 0,
            message("%1: %2 of %3 values are %4", printable(*name),
                    grouped(std::int64_t(found.nan ? found.nan : found.infinite)), grouped(std::int64_t(found.values)),
                    found.nan ? "NaN" : "Inf"));
}

std::unique_ptr<FormatReader> makeTfReader(const FileHead &opening)
{
    // The first entry has an empty key; a V2 header begins with a number (08), a V1 list with a message (0a).
    const bool index = opening.head.size() > 3 && opening.head[0] == 0 && opening.head[1] == 0 && opening.head[3] == 8;
    const std::string end = ".index";
    const std::string &path = opening.file.path;
    if (!index || path.size() <= end.size() || path.compare(path.size() - end.size(), end.size(), end) != 0)
        return std::make_unique<TfV1Reader>(opening);
    FileEntry whole = opening.file;
    whole.path.resize(path.size() - end.size());
    return std::make_unique<TfBundleReader>(whole, std::vector<FileEntry>{opening.file}, opening.wanted);
}

}  // namespace rankdeck
