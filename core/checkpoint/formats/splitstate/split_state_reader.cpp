// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/splitstate/split_state_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/json_text.h"
#include "core/checkpoint/state_halves.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

namespace rankdeck {
namespace {

constexpr std::array counters{"global_step", "iteration", "step"};

// Each of several models may contain its own optimizer: actor.pt and critic.pt. Only torch archives show it.
bool holdsMoreThanWeights(const Evidence &evidence)
{
    const bool shown = evidence.format == Format::torchZip || evidence.format == Format::torchLegacy;
    return shown && evidence.complete.isYes() && !evidence.tensors.empty() && evidence.meta.count("holds") == 0;
}

}  // namespace

SplitStateReader::SplitStateReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
    : CompositeReader(whole, parts, wanted, Format::torchZip),
      m_numbered(numberedHalf(baseName(whole.path)).has_value())
{
    for (Part &part : m_parts) part.name = nameInAllSaves(whole.path, part.file.path);
}

CompositeReader::How SplitStateReader::plan(const Part &part)
{
    return part.name.ends_with(".json") ? How::whole : How::byFormat;
}

ReadStep SplitStateReader::combine(const ReadReplies &)
{
    bool weights = false, optimizer = false;
    std::vector<const Part *> files;
    for (Part &part : m_parts) {
        const auto half = halfOf(part);
        weights = weights || half == StateHalf::weights;
        optimizer = optimizer || half == StateHalf::optimizer ||
                    (half == StateHalf::weights && holdsMoreThanWeights(part.evidence));
        if (takeOver(part) && part.how == How::whole) takeText(part);
        if (half == StateHalf::weights) m_evidence.format = part.evidence.format;
        files.push_back(&part);
    }
    if (!weights) refuse("weights_missing", message("the weights file is missing beside the other files"));
    if (!optimizer && m_numbered)
        refuse("optim_missing", message("the optimizer file is missing beside the weights; other saves have it"));
    else if (!optimizer)
        m_evidence.meta["holds"] = "weights";
    expectRanks();
    takeSteps();
    compareTimes(std::move(files));
    conclude();
    takeChecksums();
    return {};
}

std::optional<StateHalf> SplitStateReader::halfOf(const Part &part) const
{
    const std::string name = baseName(part.file.path);
    if (!m_numbered) return splitStateHalf(name);
    const auto numbered = numberedHalf(name);
    return numbered ? std::optional(numbered->half) : std::nullopt;
}

// One model for all ranks, and a separate optimizer file for each.
void SplitStateReader::expectRanks()
{
    if (!m_numbered || numberedHalf(baseName(m_evidence.path))->rank) return;
    std::map<std::string, std::map<int, const Part *>> rows;
    for (const Part &part : m_parts)
        if (const auto name = numberedHalf(baseName(part.file.path)); name && name->rank)
            rows[name->ranked][*name->rank] = &part;
    for (const auto &[form, row] : rows) {
        const int last = row.rbegin()->first;
        for (int rank = 0; rank < last && !full(); ++rank)
            if (row.count(rank) == 0)
                refuse(form.starts_with("opt") ? ReasonCode("optim_missing") : ReasonCode("shard_missing"),
                       message("rank %1 has no %2, but rank %3 has one", rank, printable(form), last), rank);
        m_evidence.meta["world_size"] = std::to_string(last + 1);
        compareRanks(form, row);
    }
}

// Replicas have equal checksums.
void SplitStateReader::takeChecksums()
{
    std::vector<std::uint32_t> sums;
    for (const Part &part : m_parts) {
        if (part.how == How::whole || part.evidence.tensors.empty()) continue;
        if (!part.evidence.checksums) return;
        sums.insert(sums.end(), part.evidence.checksums->begin(), part.evidence.checksums->end());
    }
    if (sums.size() == m_evidence.tensors.size())
        m_evidence.checksums = std::make_shared<const std::vector<std::uint32_t>>(std::move(sums));
}

void SplitStateReader::takeText(Part &part)
{
    const auto text = parseJsonText(part.bytes);
    if (text.is_discarded()) {
        refuse("torn", message("%1 %2", printable(part.name), notJsonText(part.bytes)));
        return;
    }
    if (!text.is_object()) return;
    for (const char *key : {"global_step", "iteration", "step", "epoch"})
        if (const auto found = text.find(key); found != text.end() && found->is_number_integer())
            part.evidence.meta[key] = std::to_string(found->get<std::int64_t>());
    for (const char *key : {"samples_seen", "consumed_samples", "consumed_train_samples", "num_samples"})
        if (const auto found = text.find(key); found != text.end() && found->is_number_integer())
            part.evidence.meta["samples_seen"] = std::to_string(found->get<std::int64_t>());
}

void SplitStateReader::takeSteps()
{
    std::vector<Voice> voices;
    std::optional<std::int64_t> optimizer;
    for (const Part &part : m_parts) {
        voices.push_back({&part});
        optimizer = std::max(optimizer, part.evidence.number("optimizer_step"));
    }
    std::optional<std::int64_t> counted;
    for (const char *counter : counters) {
        const auto most = majority(voices, counter);
        if (!most) continue;
        mustSay(voices, counter, *most, "step_mismatch");
        if (!counted) counted = most;
    }
    if (const auto epoch = majority(voices, "epoch")) m_evidence.meta.emplace("epoch", std::to_string(*epoch));
    if (optimizer) m_evidence.meta.emplace("optimizer_step", std::to_string(*optimizer));
    if (!counted) counted = optimizer;
    if (counted) m_evidence.meta.emplace("global_step", std::to_string(*counted));
}

}  // namespace rankdeck
