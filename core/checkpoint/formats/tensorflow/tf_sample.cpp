// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/tensorflow/tf_sample.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/crc32c.h"
#include "core/checkpoint/read/scalars.h"

#include <algorithm>
#include <tuple>

namespace rankdeck {
namespace {

constexpr std::uint64_t sampleBudget = 512u << 10;
constexpr std::size_t maxSampled = 256;
constexpr std::uint64_t gap = 4096;  // smaller gaps are read too, instead of a second request
constexpr std::uint64_t maxRange = 1u << 20;
constexpr std::uint64_t scalarBytes = 8;

}  // namespace

std::string tfMeaning(std::string_view name)
{
    const bool object = takeEnd(name, "/.ATTRIBUTES/VARIABLE_VALUE");
    const std::string_view last = name.substr(name.rfind('/') + 1);
    if (last == "global_step" || (object && name == "step")) return "global_step";
    if (!object) return {};
    if (last == "save_counter") return "save_counter";
    if (last == "iter" || last == "_iterations" || last == "iterations") return "optimizer_iterations";
    if (name == "epoch") return "epoch";
    if (last == "ckpt_saved_epoch" || last == "_ckpt_saved_epoch") return "saved_epoch";
    return {};
}

TfSample::TfSample(const TfBundle &bundle) : m_shards(bundle.shardBytes.size())
{
    choose(bundle);
    join();
}

void TfSample::choose(const TfBundle &bundle)
{
    std::vector<const TfBundleTensor *> order;
    std::size_t comparable = 0;
    for (const TfBundleTensor &tensor : bundle.tensors) {
        comparable += tensor.crcOfItsBytes ? 1 : 0;
        if (tensor.crcOfItsBytes && tensor.info.bytes > 0 && tensor.info.bytes <= sampleBudget)
            order.push_back(&tensor);
    }
    const auto key = [](const TfBundleTensor *t) {
        return std::tuple(t->info.bytes > scalarBytes || tfMeaning(t->info.name).empty(), t->info.bytes, t->shard,
                          t->info.offset);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](const TfBundleTensor *a, const TfBundleTensor *b) { return key(a) < key(b); });
    std::uint64_t total = 0;
    for (const TfBundleTensor *tensor : order) {
        if (m_wants.size() >= maxSampled || total + tensor->info.bytes > sampleBudget) break;
        total += tensor->info.bytes;
        m_wants.push_back({tensor->info.name, tensor->info.type, tensor->shard, tensor->crc, tensor->info.offset,
                           tensor->info.bytes, 0, false});
    }
    m_all = m_wants.size() == comparable;
}

void TfSample::join()
{
    std::sort(m_wants.begin(), m_wants.end(),
              [](const Want &a, const Want &b) { return std::pair(a.shard, a.offset) < std::pair(b.shard, b.offset); });
    for (Want &want : m_wants) {
        const std::uint64_t end = want.offset + want.bytes;
        Range *last = m_ranges.empty() ? nullptr : &m_ranges.back();
        if (last && last->shard == want.shard && want.offset <= last->offset + last->length + gap &&
            end - last->offset <= maxRange)
            last->length = std::max(last->length, end - last->offset);
        else
            m_ranges.push_back({want.shard, want.offset, want.bytes});
        want.range = m_ranges.size() - 1;
    }
}

std::vector<RangeRequest> TfSample::ranges(const std::string &prefix) const
{
    std::vector<RangeRequest> wanted;
    for (const Range &range : m_ranges)
        wanted.push_back(
            {tfShardName(prefix, range.shard, m_shards), range.offset, static_cast<std::uint32_t>(range.length)});
    return wanted;
}

void TfSample::look(const std::vector<RangeReply> &replies)
{
    m_complete = replies.size() == m_ranges.size();
    for (Want &want : m_wants) {
        if (want.range >= replies.size()) continue;
        const std::uint64_t at = want.offset - m_ranges[want.range].offset;
        const std::string_view bytes = replies[want.range].bytes;
        if (at > bytes.size() || want.bytes > bytes.size() - at) {
            m_complete = false;
            continue;
        }
        const std::string_view own = bytes.substr(static_cast<std::size_t>(at), static_cast<std::size_t>(want.bytes));
        want.compared = true;
        if (crc32c(own) != want.crc)
            m_mismatches.push_back({want.name, want.shard, want.offset});
        else
            takeMeta(want, own);
    }
    const auto iterations = m_meta.find("optimizer_iterations");
    if (iterations != m_meta.end() && iterations->second != "0") m_meta.emplace("global_step", iterations->second);
}

void TfSample::takeMeta(const Want &want, std::string_view bytes)
{
    const std::string key = want.bytes <= scalarBytes ? tfMeaning(want.name) : std::string();
    const std::string text = key.empty() ? std::string() : scalarText(bytes, want.type);
    if (!text.empty()) m_meta.emplace(key, text);
}

bool TfSample::checked(std::uint32_t shard) const
{
    return std::any_of(m_wants.begin(), m_wants.end(),
                       [shard](const Want &want) { return want.shard == shard && want.compared; });
}

}  // namespace rankdeck
