// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/tensorflow/tf_bundle_reader.h"

#include "core/base/text.h"

#include <algorithm>
#include <map>

namespace rankdeck {
namespace {

constexpr std::uint32_t tailBytes = 64u << 10;
constexpr std::uint64_t maxIndex = 32u << 20;  // 700,000 tensors
constexpr std::uint32_t probeBytes = 64;
constexpr std::uint64_t maxPadding = 4096;
constexpr std::size_t maxWeightShards = 4;
constexpr std::size_t maxProblems = 100;

std::string bytesOf(std::uint64_t bytes) { return grouped(static_cast<std::int64_t>(bytes)) + " bytes"; }

bool noSuchFile(const std::string &error) { return error.find("No such file") != std::string::npos; }

}  // namespace

TfBundleReader::TfBundleReader(const FileEntry &whole, std::vector<FileEntry> parts, EvidenceLevel wanted)
    : m_parts(std::move(parts)), m_wanted(wanted)
{
    m_evidence.path = whole.path;
    m_evidence.stat = whole.stat;
    m_evidence.format = Format::tfV2;
    std::sort(m_parts.begin(), m_parts.end(), [](const FileEntry &a, const FileEntry &b) { return a.path < b.path; });
}

void TfBundleReader::notKnown(ReasonCode code, Message text)
{
    if (m_evidence.complete != false) m_evidence.complete = std::nullopt;
    m_evidence.level = EvidenceLevel::L0;
    if (m_evidence.problems.size() < maxProblems) m_evidence.problems.push_back({code, 0, std::move(text)});
}

void TfBundleReader::torn(ReasonCode code, Message text, std::uint64_t offset)
{
    m_evidence.complete = false;
    if (m_evidence.problems.size() < maxProblems) m_evidence.problems.push_back({code, offset, std::move(text)});
}

const FileEntry *TfBundleReader::listed(const std::string &path) const
{
    const auto at = std::lower_bound(m_parts.begin(), m_parts.end(), path,
                                     [](const FileEntry &part, const std::string &key) { return part.path < key; });
    return at != m_parts.end() && at->path == path ? &*at : nullptr;
}

// False: the file cannot be used now, and the reason was reported.
bool TfBundleReader::usable(const RangeReply &reply, const std::string &path)
{
    const FileEntry *was = listed(path);
    const std::string name = printable(baseName(path));
    if (!reply.error.empty()) {
        notKnown("unreadable", message("%1 could not be read: %2", name, reply.error));
        return false;
    }
    if (!was || (was->stat.size == reply.stat.size && was->stat.mtimeNs == reply.stat.mtimeNs)) return true;
    notKnown("still_growing", message("%1 changed since it was listed: %2 then, %3 now", name, bytesOf(was->stat.size),
                                      bytesOf(reply.stat.size)));
    return false;
}

ReadStep TfBundleReader::advance(const ReadReplies &replies)
{
    for (const RangeReply &reply : replies.ranges) m_evidence.bytesRead += reply.bytes.size();
    ReadStep step;
    const Phase before = m_phase;
    m_phase = Phase::done;  // unless the next step changes it
    switch (before) {
    case Phase::begin:
        m_phase = Phase::tail;
        step.ranges.push_back({m_evidence.path + ".index", tailBytes, tailBytes, true});
        break;
    case Phase::tail: step = withTail(replies); break;
    case Phase::index: step = withIndex(replies); break;
    case Phase::shards: withShards(replies); break;
    case Phase::done: break;
    }
    if (!step.done()) ++m_evidence.roundTrips;
    return step;
}

ReadStep TfBundleReader::withTail(const ReadReplies &replies)
{
    if (replies.ranges.size() != 1) return {};
    const RangeReply &reply = replies.ranges.front();
    const std::string path = m_evidence.path + ".index";
    m_evidence.level = EvidenceLevel::L1;
    if (noSuchFile(reply.error)) {
        torn("commit_missing", message("no %1: the save never finished", printable(baseName(path))));
        return {};
    }
    if (!usable(reply, path)) return {};
    m_indexStat = reply.stat;
    m_index = reply.bytes;
    if (m_indexStat.size > maxIndex) {
        notKnown("metadata_too_large", message("the index has %1, too large to read (limit %2)",
                                               bytesText(m_indexStat.size), bytesText(maxIndex)));
        return {};
    }
    if (m_index.size() >= m_indexStat.size) return parse();
    m_phase = Phase::index;
    ReadStep step;
    const std::uint64_t rest = m_indexStat.size - m_index.size();
    for (std::uint64_t at = 0; at < rest; at += indexPieceBytes)
        step.ranges.push_back(
            {path, at, static_cast<std::uint32_t>(std::min<std::uint64_t>(indexPieceBytes, rest - at))});
    return step;
}

ReadStep TfBundleReader::withIndex(const ReadReplies &replies)
{
    std::string head;
    for (const RangeReply &reply : replies.ranges) {
        if (!usable(reply, m_evidence.path + ".index")) return {};
        if (reply.stat.size != m_indexStat.size || reply.stat.mtimeNs != m_indexStat.mtimeNs) {
            notKnown("still_growing", message("the index changed while it was read"));
            return {};
        }
        head += reply.bytes;
    }
    m_index.insert(0, head);
    if (m_index.size() == m_indexStat.size) return parse();
    notKnown("still_growing", message("the index could not be read completely"));
    return {};
}

ReadStep TfBundleReader::parse()
{
    const std::string name = printable(baseName(m_evidence.path)) + ".index";
    if (m_index.empty()) {
        torn("torn", message("%1 has 0 bytes", name));
        return {};
    }
    Result<TfBundle> parsed = parseTfBundle(m_index);
    m_index = {};
    if (!parsed) {
        if (parsed.error().kind == ErrorKind::unsupported)
            notKnown("metadata_too_large", message("%1: %2", name, parsed.error().message));
        else
            torn("torn", message("%1: %2", name, parsed.error().message));
        return {};
    }
    m_bundle = std::move(parsed).value();
    std::vector<TensorInfo> tensors;
    for (const TfBundleTensor &tensor : m_bundle.tensors) tensors.push_back(tensor.info);
    m_evidence.tensors = TensorList(std::move(tensors));
    if (m_wanted <= EvidenceLevel::L1) {
        m_evidence.complete = true;
        return {};
    }
    m_phase = Phase::shards;
    ReadStep step;
    for (std::size_t i = 0; i < m_bundle.shardBytes.size(); ++i)
        step.ranges.push_back(
            {tfShardName(m_evidence.path, i, m_bundle.shardBytes.size()), probeBytes, probeBytes, true});
    if (m_wanted >= EvidenceLevel::L3) {
        m_sample = TfSample(m_bundle);
        for (RangeRequest &range : m_sample.ranges(m_evidence.path)) step.ranges.push_back(std::move(range));
        askForWeights(step);
    }
    return step;
}

void TfBundleReader::askForWeights(ReadStep &step)
{
    std::map<std::uint32_t, std::vector<WeightSpan>> spans;
    for (const TfBundleTensor &tensor : m_bundle.tensors)
        if (spans.size() < maxWeightShards || spans.count(tensor.shard) != 0)
            spans[tensor.shard].push_back({tensor.info.name, tensor.info.type, tensor.info.offset, tensor.info.bytes,
                                           rowBytesOf(tensor.info.shape, tensor.info.bytes)});
    for (const auto &[shard, own] : spans) {
        Weights weights{tfShardName(m_evidence.path, shard, m_bundle.shardBytes.size()), WeightSample(own), 0};
        std::vector<RangeRequest> ranges = weights.sample.ranges(weights.path);
        weights.ranges = ranges.size();
        step.ranges.insert(step.ranges.end(), ranges.begin(), ranges.end());
        m_weights.push_back(std::move(weights));
    }
}

void TfBundleReader::withShards(const ReadReplies &replies)
{
    const std::size_t shards = m_bundle.shardBytes.size();
    const std::size_t values = m_sample.ranges({}).size();
    if (replies.ranges.size() < shards + values) return notKnown("unreadable", message("the node did not answer"));
    m_evidence.level = EvidenceLevel::L2;
    m_shardTimes.assign(shards, 0);
    for (std::size_t i = 0; i < shards; ++i) checkShard(i, replies.ranges[i]);
    if (m_evidence.complete == false || m_evidence.level == EvidenceLevel::L0) return;
    m_evidence.complete = true;
    if (m_wanted < EvidenceLevel::L3) return;
    const auto first = replies.ranges.begin() + static_cast<std::ptrdiff_t>(shards);
    auto next = first + static_cast<std::ptrdiff_t>(values);
    for (auto reply = first; reply != replies.ranges.end(); ++reply)
        if (!reply->error.empty()) return notKnown("unreadable", message("data could not be read: %1", reply->error));
    m_sample.look({first, next});
    checkSums();
    if (m_evidence.complete == false) return;
    m_evidence.level = EvidenceLevel::L3;
    m_evidence.meta = m_sample.meta();
    tellValues();
    std::map<std::string, WeightSigns> signs;
    for (Weights &weights : m_weights) {
        if (std::size_t(replies.ranges.end() - next) < weights.ranges) break;
        weights.sample.look({next, next + static_cast<std::ptrdiff_t>(weights.ranges)});
        next += static_cast<std::ptrdiff_t>(weights.ranges);
        weights.sample.signs().takeInto(signs, nameInAllSaves(weights.path));
        const auto found = weights.sample.nonFinite();
        if (!found || m_evidence.nonFiniteSeen) continue;
        m_evidence.nonFiniteSeen = true;
        m_evidence.problems.push_back({"nan_weights", 0, *found});
    }
    if (!signs.empty()) m_evidence.signs = std::make_shared<const std::map<std::string, WeightSigns>>(std::move(signs));
}

// Uses only the text after the prefix, because the prefix contains the step.
std::string TfBundleReader::nameInAllSaves(const std::string &shardPath) const
{
    return shardPath.substr(std::min(m_evidence.path.size(), shardPath.size()));
}

// The index has a checksum of every tensor. They identify the content of a data file without reading it.
void TfBundleReader::tellValues()
{
    std::map<std::uint32_t, Fingerprint> held;
    for (const TfBundleTensor &tensor : m_bundle.tensors) {
        if (!tensor.crcOfItsBytes || !isFloatType(tensor.info.type)) continue;
        held[tensor.shard].add(tensor.info.name + " " + std::to_string(tensor.crc), tensor.info.bytes);
    }
    std::map<std::string, std::uint64_t> prints;
    for (const auto &[shard, print] : held)
        if (print.value() != 0)
            prints.emplace(nameInAllSaves(tfShardName(m_evidence.path, shard, m_bundle.shardBytes.size())),
                           print.value());
    if (!prints.empty())
        m_evidence.partFingerprints = std::make_shared<const std::map<std::string, std::uint64_t>>(std::move(prints));
}

void TfBundleReader::checkShard(std::size_t shard, const RangeReply &reply)
{
    const std::string path = tfShardName(m_evidence.path, shard, m_bundle.shardBytes.size());
    const std::string name = printable(baseName(path));
    const std::uint64_t wanted = m_bundle.shardBytes[shard], has = reply.stat.size;
    if (noSuchFile(reply.error)) return torn("shard_missing", message("%1 is missing", name));
    if (!usable(reply, path)) return;
    m_shardTimes[shard] = reply.stat.mtimeNs;
    if (has < wanted)
        return torn("torn",
                    message("%1 has %2, but the index needs %3: %4 short", name, bytesOf(has), bytesOf(wanted),
                            bytesOf(wanted - has)),
                    has);
    if (has == wanted) return;
    // A writer that aligns its data may add padding. Any other bytes after the last tensor do not belong to this save.
    const std::uint64_t extra = has - wanted;
    const std::string_view end =
        std::string_view(reply.bytes)
            .substr(reply.bytes.size() - static_cast<std::size_t>(std::min<std::uint64_t>(extra, reply.bytes.size())));
    if (extra < maxPadding && end.find_first_not_of('\0') == std::string_view::npos) return;
    torn("size_mismatch", message("%1 has %2, but the index accounts for %3", name, bytesOf(has), bytesOf(wanted)),
         wanted);
}

// The index and the data of two saves have equal sizes, so only the checksums show a mixture.
void TfBundleReader::checkSums()
{
    const auto newer = [&](std::uint32_t shard) { return m_shardTimes[shard] > m_indexStat.mtimeNs; };
    for (const TfSample::Mismatch &bad : m_sample.mismatches()) {
        const std::string name =
            printable(baseName(tfShardName(m_evidence.path, bad.shard, m_bundle.shardBytes.size())));
        if (newer(bad.shard)) {
            torn("commit_stale",
                 message("%1 is newer than the index, whose checksum of %2 does not match: a later save under this "
                         "name never finished",
                         name, printable(bad.tensor)),
                 bad.offset);
            return;
        }
        m_evidence.crc = Evidence::Crc::bad;
        torn("crc_bad", message("%1 in %2 does not match its checksum in the index", printable(bad.tensor), name),
             bad.offset);
    }
    if (!m_sample.mismatches().empty()) return;
    m_evidence.crc = m_sample.checkedAll() ? Evidence::Crc::ok : Evidence::Crc::unchecked;
    for (std::uint32_t shard = 0; shard < m_shardTimes.size(); ++shard) {
        if (!newer(shard) || m_sample.checked(shard) || m_bundle.shardBytes[shard] == 0) continue;
        torn("commit_stale",
             message("data file %1 is newer than the index, and nothing in it could be compared with a checksum",
                     shard));
        return;
    }
}

}  // namespace rankdeck
