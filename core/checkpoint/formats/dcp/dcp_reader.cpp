// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/dcp/dcp_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/bytes.h"
#include "core/checkpoint/formats/dcp/dcp_numbers.h"
#include "core/checkpoint/formats/torch/torch_numbers.h"
#include "core/checkpoint/read/copy_times.h"
#include "core/checkpoint/read/layouts.h"
#include "core/checkpoint/thresholds.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr const char *markName = ".metadata";
constexpr std::uint32_t markBytes = 8u << 20;
constexpr std::size_t markPieces = 8;  // 64 MiB in all
constexpr std::size_t maxFiles = 100000;
constexpr std::uint32_t headBytes = 16;

}  // namespace

DcpReader::DcpReader(const FileEntry &whole, const std::vector<FileEntry> &files, EvidenceLevel wanted)
    : m_wanted(wanted)
{
    m_evidence.path = whole.path;
    m_evidence.stat = whole.stat;
    m_evidence.format = Format::dcp;
    for (const FileEntry &file : files)
        if (dirName(file.path) == whole.path) m_listed[baseName(file.path)] = file.stat;
}

void DcpReader::torn(ReasonCode code, Message text)
{
    m_evidence.complete = false;
    problem(code, std::move(text));
}

void DcpReader::problem(ReasonCode code, Message text)
{
    if (m_evidence.problems.size() < 100) m_evidence.problems.push_back({code, 0, std::move(text)});
}

ReadStep DcpReader::advance(const ReadReplies &replies)
{
    for (const RangeReply &reply : replies.ranges) m_evidence.bytesRead += reply.bytes.size();
    ReadStep step;
    switch (m_phase) {
    case Phase::begin:
        m_phase = listed(markName) ? Phase::mark : Phase::done;
        if (m_phase == Phase::mark)
            step = askMark();
        else
            withoutMark();
        break;
    case Phase::mark:
        m_phase = Phase::shards;
        step = withMark(replies);
        break;
    case Phase::shards:
        m_phase = Phase::values;
        step = withShards(replies);
        break;
    case Phase::values:
        m_phase = Phase::done;
        withValues(replies);
        break;
    case Phase::done: break;
    }
    if (!step.done()) ++m_evidence.roundTrips;
    return step;
}

// Without collectives, each rank writes its own .metadata, and nothing shows how many there should be.
void DcpReader::withoutMark()
{
    m_evidence.level = EvidenceLevel::L1;
    for (const auto &[name, stat] : m_listed)
        if (name.compare(0, 2, "__") == 0 && name.size() > 9 && name.compare(name.size() - 9, 9, markName) == 0) {
            problem("metadata_per_rank",
                    message("each rank wrote its own metadata file (first: %1), but there is no common one: not judged",
                            printable(name)));
            return;
        }
    torn("commit_missing", m_listed.count(".metadata.tmp") != 0
                               ? message("only .metadata.tmp and no .metadata: the save never finished")
                               : message("no .metadata: the save never finished"));
}

ReadStep DcpReader::askMark() const
{
    std::uint64_t pieces = markPieces;
    if (const auto mark = m_listed.find(markName); mark != m_listed.end())
        pieces = std::clamp<std::uint64_t>((mark->second.size + markBytes - 1) / markBytes, 1, markPieces);
    ReadStep step;
    for (std::uint64_t i = 0; i < pieces; ++i)
        step.ranges.push_back({joinPath(m_evidence.path, markName), i * markBytes, markBytes});
    return step;
}

ReadStep DcpReader::withMark(const ReadReplies &replies)
{
    if (replies.ranges.empty()) return {};
    const std::string &error = replies.ranges.front().error;
    m_evidence.level = EvidenceLevel::L1;
    if (error.find("No such file") != std::string::npos) {
        withoutMark();
        return {};
    }
    if (!error.empty()) {
        m_evidence.level = EvidenceLevel::L0;
        problem("unreadable", message(".metadata could not be read: %1", error));
        return {};
    }
    const std::string bytes = replies.joined();
    m_markTime = replies.ranges.front().stat.mtimeNs;
    if (bytes.size() < replies.ranges.front().stat.size) {
        problem("metadata_too_large",
                message(".metadata has %1, more than the limit of %2", bytesText(replies.ranges.front().stat.size),
                        bytesText(markPieces * markBytes)));
        return {};
    }
    if (!takeMark(bytes)) return {};
    compareListing();
    return askShards();
}

bool DcpReader::takeMark(const std::string &bytes)
{
    Result<DcpMark> parsed = readDcpMark(bytes);
    if (!parsed) {
        if (parsed.error().kind == ErrorKind::unsupported)
            problem("metadata_too_large", message(".metadata: %1", parsed.error().message));
        else
            torn(parsed.error().kind == ErrorKind::refused ? ReasonCode("path_refused") : ReasonCode("torn"),
                 message(".metadata: %1", parsed.error().message));
        return false;
    }
    m_metadata = parsed->metadata;
    for (const std::string &name : m_metadata->dangerous)
        problem("dangerous_pickle",
                message(".metadata contains %1, which torch.distributed.checkpoint would run", printable(name)));
    m_evidence.tensors = m_metadata->tensors;
    if (!parsed->saveId.empty()) m_evidence.meta["save_id"] = parsed->saveId;
    if (m_metadata->needsPython313) m_evidence.meta["needs_python"] = "3.13";
    if (!m_metadata->holdsOptimizer) m_evidence.meta["holds"] = "weights";
    return true;
}

// Shards that .metadata does not name were left by another save, usually of a larger world.
void DcpReader::compareListing()
{
    std::size_t leftovers = 0;
    std::string first;
    for (const auto &[name, stat] : m_listed) {
        const bool shard = name.size() > 7 && name.compare(name.size() - 7, 7, ".distcp") == 0;
        if (!shard || m_metadata->fileBytes.count(name) != 0) continue;
        if (leftovers++ == 0) first = name;
    }
    if (leftovers > 0)
        problem("leftover", leftovers > 1
                                ? message("%1 and %2 more shards are not listed in .metadata: left by another save",
                                          printable(first), grouped(std::int64_t(leftovers) - 1))
                                : message("%1 is not listed in .metadata: left by another save", printable(first)));
}

ReadStep DcpReader::askShards()
{
    ReadStep step;
    for (const auto &[file, size] : m_metadata->fileBytes) {
        if (!listed(file)) {
            torn("shard_missing", message("%1 is missing", printable(file)));
            continue;
        }
        if (m_files.size() >= maxFiles) break;
        m_files.push_back(file);
        step.ranges.push_back({joinPath(m_evidence.path, file), 22, 22, true});
    }
    DcpNumbers numbers = chooseNumbers(*m_metadata, [this](const std::string &file) { return listed(file); });
    if (numbers.commonState) m_evidence.meta["common_state"] = "yes";
    m_numbers = std::move(numbers.training);
    m_numbers.insert(m_numbers.end(), numbers.optimizer.begin(), numbers.optimizer.end());
    for (const DcpItem &item : m_numbers)
        step.ranges.push_back(
            {joinPath(m_evidence.path, item.file), item.offset, static_cast<std::uint32_t>(item.length)});
    for (const std::string &file : m_files) step.ranges.push_back({joinPath(m_evidence.path, file), 0, headBytes});
    if (m_metadata->fileBytes.empty()) torn("torn", message(".metadata lists no files"));
    if (m_wanted >= EvidenceLevel::L3 && m_metadata->transform.empty() && !m_metadata->together) takeSample();
    for (RangeRequest &frame : m_sample.frames()) step.ranges.push_back(std::move(frame));
    return step;
}

// Samples only the shards that exist.
void DcpReader::takeSample()
{
    const auto isAbsent = [this](const DcpItem &item) { return !listed(item.file); };
    if (std::none_of(m_metadata->items.begin(), m_metadata->items.end(), isAbsent)) {
        m_sample = DcpSample(*m_metadata, m_evidence.path);
        return;
    }
    DcpMetadata here = *m_metadata;
    std::erase_if(here.items, isAbsent);
    m_sample = DcpSample(here, m_evidence.path);
}

void DcpReader::takeShard(const std::string &name, const RangeReply &reply)
{
    const std::uint64_t wanted = m_metadata->fileBytes.at(name);
    if (reply.error.find("No such file") != std::string::npos)
        torn("shard_missing", message("%1 is missing", printable(name)));
    else if (!reply.error.empty() && m_unreadable.empty())
        m_unreadable = message("%1 could not be read: %2", printable(name), reply.error);
    else if (!reply.error.empty())
        return;
    else if (m_metadata->together ? reply.stat.size < wanted : reply.stat.size != wanted)
        torn("size_mismatch", message("%1 has %2 bytes, but .metadata says %3", printable(name),
                                      grouped(std::int64_t(reply.stat.size)), grouped(std::int64_t(wanted))));
    else if (m_metadata->transform.empty() && !m_metadata->together && reply.bytes.substr(0, 4) != "PK\x05\x06")
        torn("torn", message("%1 does not end like a complete item", printable(name)));
    else if (reply.stat.mtimeNs > m_markTime)
        m_newer = m_newer.empty() ? name : m_newer;
    else
        m_someOlder = true;
    if (reply.error.empty() && reply.stat.mtimeNs > threshold::noClock) m_times.emplace_back(reply.stat.mtimeNs, name);
}

// Torch can save the items as safetensors, with a header before the bytes that .metadata counts. It can also compress
// the items; then the shards are as long as .metadata says. Empty: the usual form, or an incomplete one.
Message DcpReader::foreignItems(const std::vector<RangeReply> &heads) const
{
    if (m_metadata->together) {
        for (std::size_t i = 0; i < heads.size(); ++i)
            if (!heads[i].error.empty() || heads[i].stat.size < m_metadata->fileBytes.at(m_files[i])) return {};
        return message("its tensors are stored in safetensors blocks");
    }
    bool safetensors = !heads.empty(), compressed = !m_metadata->transform.empty();
    for (std::size_t i = 0; i < heads.size(); ++i) {
        const std::uint64_t said = m_metadata->fileBytes.at(m_files[i]), size = heads[i].stat.size;
        const auto header = littleEndian(heads[i].bytes, 0, 8);
        safetensors = safetensors && heads[i].error.empty() && heads[i].bytes.size() > 8 && heads[i].bytes[8] == '{' &&
                      header && *header < size && 8 + *header + said == size;
        compressed = compressed && heads[i].error.empty() && said == size;
    }
    if (safetensors) return message("its shards are safetensors");
    return compressed ? message("its shards are compressed (%1)", m_metadata->transform) : Message();
}

// Copied files may have any times, but all of the same day. A shard of last week is from another save, usually of
// another run, even if its counts are the same.
void DcpReader::compareTimes()
{
    std::sort(m_times.begin(), m_times.end());
    for (std::size_t i = 1; i < m_times.size(); ++i) {
        const std::int64_t gap = m_times[i].first - m_times[i - 1].first;
        if (gap < threshold::noSave) continue;
        if (2 * i > m_times.size()) return;
        problem("times_apart",
                message("%1 was written %2 hours before the other shards: it belongs to another save or another run",
                        printable(m_times[i - 1].second), grouped(gap / 3'600'000'000'000)));
        return;
    }
}

void DcpReader::takeNumber(const DcpItem &item, const std::string &bytes)
{
    if (isCommonState(item.name)) {
        if (const auto pickle = pickleIn(bytes)) takeTorchNumbers(*pickle, m_evidence.meta);
        return;
    }
    const auto number = wholeNumberIn(bytes);
    if (!number) return;
    if (isOptimizerStep(item.name))
        m_steps[item.file].push_back(*number);
    else
        m_evidence.meta.emplace(isEpochName(item.name) ? "epoch" : "global_step", std::to_string(*number));
}

// Each shard has its own counts. The count of a frozen layer does not change, in any shard that holds a piece of that
// layer. A shard whose counts occur in no other shard is from another save. Times prove nothing, because a copy may
// have any times.
void DcpReader::compareSteps()
{
    std::int64_t furthest = -1;
    for (const auto &[file, steps] : m_steps)
        for (const std::int64_t step : steps) furthest = std::max(furthest, step);
    bool agreed = furthest >= 0;
    for (const auto &[file, steps] : m_steps) {
        const std::int64_t own = *std::max_element(steps.begin(), steps.end());
        if (own == furthest) continue;
        agreed = false;
        const Message text = message("the optimizer's counts in %1 show step %2, but those in other shards show %3",
                                     printable(file), grouped(own), grouped(furthest));
        const bool all = std::all_of(steps.begin(), steps.end(), [&](std::int64_t step) { return step == own; });
        const bool frozen = std::any_of(m_steps.begin(), m_steps.end(), [&](const auto &other) {
            const auto has = [&](std::int64_t step) {
                return std::find(other.second.begin(), other.second.end(), step) != other.second.end();
            };
            return has(own) && has(furthest);
        });
        if (all && steps.size() > 1 && !frozen)
            torn("commit_stale", message("%1: a shard from another save", text));
        else if (!frozen)
            problem("step_unproven", message("%1: a shard from another save, or a layer that was frozen", text));
    }
    if (furthest >= 0) m_evidence.meta.emplace("optimizer_step", std::to_string(furthest));
    if (furthest > 0) takeOptimizerStep(furthest);
    const bool everywhere =
        std::all_of(m_files.begin(), m_files.end(), [&](const std::string &file) { return m_steps.count(file) != 0; });
    // If the counts of all shards agree, the shards are from one save, or from a copy of one. A directory that is named
    // for a step receives only that step, so the order of file times proves nothing.
    ParsedName name = numberedName(baseName(m_evidence.path));
    if (!name.globalStep) name = numberedName(baseName(dirName(m_evidence.path)));  // step30/model_and_optim
    const bool named = name.globalStep && !name.stepIsGuess && m_evidence.number("global_step") == name.globalStep;
    std::vector<std::int64_t> times;
    for (const auto &[time, file] : m_times) times.push_back(time);
    const bool copied = named && looksCopied(std::move(times), m_markTime);
    if (!m_newer.empty() && m_someOlder && !copied && !(agreed && everywhere))
        problem("mark_older", message("%1 is newer than .metadata, which is written last: files copied without their "
                                      "times, or a later save that never finished",
                                      printable(m_newer)));
}

// Uses the optimizer's own count if no other count shows the step. If the name has another step, it is not used,
// because the name may count something else.
void DcpReader::takeOptimizerStep(std::int64_t step)
{
    for (const char *key : {"global_step", "global_steps", "iteration", "step"})
        if (m_evidence.meta.count(key) != 0) return;
    const ParsedName name = numberedName(baseName(m_evidence.path));
    if (!name.globalStep || name.stepIsGuess || *name.globalStep == step)
        m_evidence.meta.emplace("global_step", std::to_string(step));
}

ReadStep DcpReader::withShards(const ReadReplies &replies)
{
    const std::size_t before = m_files.size() + m_numbers.size(), own = before + m_files.size();
    if (replies.ranges.size() < own) return {};
    const auto begin = replies.ranges.begin();
    if (const Message form = foreignItems({begin + std::ptrdiff_t(before), begin + std::ptrdiff_t(own)});
        !form.empty() && m_evidence.complete != false) {
        m_evidence.complete = true;
        problem("content_unproven", message("%1: only the names and sizes of its shards were checked", form));
        return {};
    }
    for (std::size_t i = 0; i < m_files.size(); ++i) takeShard(m_files[i], replies.ranges[i]);
    m_sample.takeFrames({replies.ranges.begin() + std::ptrdiff_t(own), replies.ranges.end()});
    if (m_evidence.complete == false) return {};
    if (!m_unreadable.empty()) {
        problem("unreadable", m_unreadable);
        return {};
    }
    if (m_sample.broken()) {
        torn("torn", *m_sample.broken());
        return {};
    }
    m_evidence.complete = true;
    m_evidence.level = EvidenceLevel::L2;
    for (std::size_t i = 0; i < m_numbers.size(); ++i)
        takeNumber(m_numbers[i], replies.ranges[m_files.size() + i].bytes);
    compareSteps();
    if (m_evidence.complete == false) return {};
    compareTimes();
    if (m_metadata->needsPython313)
        problem("needs_python",
                message(".metadata was written by Python 3.13 or newer: an older interpreter cannot read it"));
    if (m_wanted < EvidenceLevel::L3) return {};
    ReadStep step;
    step.ranges = m_sample.windows();
    if (step.done()) m_evidence.level = EvidenceLevel::L3;
    return step;
}

void DcpReader::withValues(const ReadReplies &replies)
{
    m_sample.takeWindows(replies.ranges);
    m_evidence.level = EvidenceLevel::L3;
    if (m_sample.nonFinite()) {
        m_evidence.nonFiniteSeen = true;
        problem("nan_weights", *m_sample.nonFinite());
    }
    if (m_sample.zeros()) problem("zero_region", *m_sample.zeros());
    auto prints = m_sample.fingerprints();
    if (!prints.empty())
        m_evidence.partFingerprints = std::make_shared<const std::map<std::string, std::uint64_t>>(std::move(prints));
    if (auto signs = m_sample.signs(); !signs.empty())
        m_evidence.signs = std::make_shared<const std::map<std::string, WeightSigns>>(std::move(signs));
}

}  // namespace rankdeck
