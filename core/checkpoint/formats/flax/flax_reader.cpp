// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/flax/flax_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/torch/torch_names.h"
#include "core/checkpoint/read/optimizer_names.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr std::uint32_t windowBytes = 256u << 10;
constexpr int maxWindows = 4096;  // an array larger than a window needs one window

bool isStateOfOptimizer(const TensorInfo &tensor) { return mentionsOptimizer(tensor.name); }

}  // namespace

bool looksLikeFlax(std::string_view head)
{
    if (head.size() < 3) return false;
    const auto first = static_cast<unsigned char>(head[0]);
    const std::size_t key = first == 0xde ? 3 : 1;
    if (!(first > 0x80 && first <= 0x8f) && first != 0xde) return false;
    if (key >= head.size()) return false;
    const auto length = static_cast<unsigned char>(head[key]);
    if (length <= 0xa0 || length > 0xbf) return false;
    const std::string_view name = head.substr(key + 1, length & 0x1fu);
    return std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c <= '~'; });
}

std::optional<ParsedName> parseFlaxName(std::string_view baseName, const std::string &prefix)
{
    constexpr std::string_view extension = ".msgpack", start = "checkpoint_";
    std::string_view rest = baseName;
    if (takeStart(rest, start)) {
        ParsedName name;
        name.prefix = start;
        name.globalStep = decimal(rest);
        name.sharedByRanks = true;
        if (name.globalStep && rest.size() <= 12) return name;
    }
    if (baseName.size() <= extension.size() || !baseName.ends_with(extension)) return std::nullopt;
    baseName.remove_suffix(extension.size());
    auto name = parseTorchName(std::string(baseName) + ".pt", prefix);
    if (name) name->extension = extension.substr(1);
    return name;
}

FlaxReader::FlaxReader(const FileHead &opening)
    : FileReader(opening), m_wanted(opening.wanted), m_head(opening.head), m_walk(opening.stat.size)
{
    m_evidence.format = Format::flax;
    m_evidence.level = EvidenceLevel::L1;
    m_evidence.meta["framework"] = "jax";
}

ReadStep FlaxReader::next(const ReadReplies &replies)
{
    if (m_sampling) {
        takeSamples(replies);
        return {};
    }
    if (m_walk.over()) return {};
    const std::uint64_t before = m_walk.wanted();
    if (m_windows == 0)
        m_walk.feed(m_head, 0);
    else if (!replies.ranges.empty())
        m_walk.feed(replies.ranges.front().bytes, replies.ranges.front().offset);
    if (m_walk.over()) return walked();
    if (m_windows > 0 && m_walk.wanted() == before) {
        problem("still_growing", before, message("could not be read completely"));
        return {};
    }
    if (++m_windows > maxWindows) {
        problem("too_many_records", m_walk.wanted(), message("more than 4,096 large arrays: not read completely"));
        return {};
    }
    const std::uint64_t at = m_walk.wanted();
    ReadStep step;
    step.ranges.push_back(
        {m_evidence.path, at, static_cast<std::uint32_t>(std::min<std::uint64_t>(windowBytes, size() - at))});
    return step;
}

ReadStep FlaxReader::walked()
{
    if (m_walk.tooMuch()) {
        problem("too_many_records", m_walk.wanted(), message("more than 1,000,000 values: not read completely"));
        return {};
    }
    if (!m_walk.fault().empty()) {
        torn(m_walk.wanted(), m_walk.fault());
        return {};
    }
    if (m_walk.wanted() != size()) {
        torn(m_walk.wanted(),
             message("%1 of extra data after the end of the checkpoint", bytesText(size() - m_walk.wanted())));
        return {};
    }
    if (m_walk.tensors.empty()) {
        torn(0, message("contains no array"));
        return {};
    }
    takeNumbers();
    const auto &tensors = m_walk.tensors;
    if (std::none_of(tensors.begin(), tensors.end(), &isStateOfOptimizer)) m_evidence.meta["holds"] = "weights";
    std::vector<WeightSpan> spans;
    for (const TensorInfo &tensor : tensors)
        spans.push_back(
            {tensor.name, tensor.type, tensor.offset, tensor.bytes, rowBytesOf(tensor.shape, tensor.bytes)});
    m_evidence.tensors = TensorList(std::move(m_walk.tensors));
    m_evidence.complete = true;
    m_evidence.level = EvidenceLevel::L2;
    if (m_wanted < EvidenceLevel::L3) return {};
    m_sampling = true;
    m_sample = WeightSample(spans);
    ReadStep step;
    step.ranges = m_sample.ranges(m_evidence.path);
    if (step.done()) m_evidence.level = EvidenceLevel::L3;
    return step;
}

// Takes "step" of a TrainState. optax keeps its own count somewhere in its state.
void FlaxReader::takeNumbers()
{
    for (const char *key : {"step", "global_step"})
        if (const auto found = m_walk.numbers.find(key); found != m_walk.numbers.end())
            m_evidence.meta["global_step"] = std::to_string(found->second);
    if (const auto found = m_walk.numbers.find("epoch"); found != m_walk.numbers.end())
        m_evidence.meta["epoch"] = std::to_string(found->second);
    std::int64_t counted = 0;
    for (const auto &[path, value] : m_walk.numbers)
        if (path.ends_with("/count") && mentionsOptimizer(path)) counted = std::max(counted, value);
    if (counted > 0) m_evidence.meta["optimizer_step"] = std::to_string(counted);
}

void FlaxReader::takeSamples(const ReadReplies &replies)
{
    if (replies.ranges.empty()) return;
    m_sample.look(replies.ranges);
    judgeSample(m_sample);
    m_evidence.fingerprint = m_sample.fingerprint();
    m_evidence.signs = m_sample.signs().ofFile();
}

}  // namespace rankdeck
