// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/mindspore/strategy_file.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/proto_fields.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace rankdeck {
namespace {

constexpr std::uint32_t maxBytes = 4u << 20;
constexpr std::size_t maxMapDims = 64, maxLayouts = 200'000, maxDistinct = 1000;
constexpr std::uint64_t maxStageRanks = 65536, maxStages = 4096;

struct TensorLayout {
    std::vector<std::uint64_t> devices = {};  // the matrix of the stage's ranks, the last dimension fastest
    std::set<std::size_t> cut = {};           // its dimensions that cut the parameter
    bool shardedAgain = false;                // sharded again by the optimizer
    bool operator<(const TensorLayout &other) const
    {
        return std::tie(devices, cut, shardedAgain) < std::tie(other.devices, other.cut, other.shardedAgain);
    }
};

Error damaged(const Message &what) { return fail(ErrorKind::invalid, message("a damaged strategy file: %1", what)); }

// DevMatrix and TensorMap: repeated dim = 1.
bool takeDims(std::string_view bytes, std::vector<std::uint64_t> &out)
{
    ProtoFields fields(bytes);
    while (const auto field = fields.next())
        if (field->number == 1 && !appendIntegers(*field, out, maxMapDims)) return false;
    return !fields.bad();
}

Result<TensorLayout> layoutOf(std::string_view bytes)
{
    TensorLayout out;
    std::vector<std::uint64_t> map;
    ProtoFields fields(bytes);
    while (const auto field = fields.next()) {
        bool good = true;
        if (field->number == 1 && field->wire == 2) good = takeDims(field->bytes, out.devices);
        if (field->number == 2 && field->wire == 2) good = takeDims(field->bytes, map);
        if (!good) return damaged(message("one of its layouts cannot be read"));
        if (field->number == 7 && field->value != 0) out.shardedAgain = true;
    }
    if (fields.bad() || out.devices.empty()) return damaged(message("one of its layouts lists no devices"));
    for (const std::uint64_t dim : map) {
        // Counted from the last dimension; −1, a varint of ten bytes, cuts nothing.
        if (static_cast<std::int64_t>(dim) < 0 || dim == 0xffffffffu) continue;
        if (dim >= out.devices.size())
            return damaged(message("a tensor is split along a device dimension that does not exist"));
        out.cut.insert(out.devices.size() - 1 - std::size_t(dim));
    }
    return out;
}

std::uint64_t ranksOf(const TensorLayout &layout)
{
    std::uint64_t product = 1;
    for (const std::uint64_t size : layout.devices) {
        if (size == 0 || size > maxStageRanks || product > maxStageRanks / size) return 0;
        product *= size;
    }
    return product;
}

// Position of a rank along the cutting dimensions.
std::vector<std::uint64_t> placeOf(const TensorLayout &layout, std::uint64_t rank)
{
    std::vector<std::uint64_t> place;
    for (std::size_t i = layout.devices.size(); i-- > 0;) {
        if (layout.shardedAgain || layout.cut.count(i) != 0) place.push_back(rank % layout.devices[i]);
        rank /= layout.devices[i];
    }
    return place;
}

struct Strategy {
    std::uint64_t stage = 0;
    std::set<TensorLayout> layouts = {};
};

// Inputs and accumulated gradients are not saved.
bool isSaved(std::string_view name) { return name.substr(0, 10) != "accu_grads" && name.substr(0, 6) != "inputs"; }

Result<Strategy> parseStrategy(std::string_view bytes)
{
    Strategy out;
    std::size_t count = 0;
    ProtoFields fields(bytes);
    while (const auto field = fields.next()) {
        if (field->number == 1 && field->wire == 0) out.stage = field->value;
        if (field->number != 3 || field->wire != 2) continue;
        std::string_view name, layouts;
        ProtoFields item(field->bytes);
        while (const auto part = item.next()) {
            if (part->number == 1 && part->wire == 2) name = part->bytes;
            if (part->number == 2 && part->wire == 2) layouts = part->bytes;
        }
        if (item.bad() || ++count > maxLayouts) return damaged(message("its list of layouts is damaged or too long"));
        if (!isSaved(name)) continue;
        auto layout = layoutOf(layouts);
        if (!layout) return layout.error();
        out.layouts.insert(std::move(*layout));
        if (out.layouts.size() > maxDistinct) return damaged(message("it has more kinds of layouts than any model"));
    }
    if (fields.bad() || out.stage > maxStages) return damaged(message("it is truncated or not a strategy"));
    return out;
}

class StrategyReader final : public FileReader {
public:
    explicit StrategyReader(const FileHead &opening) : FileReader(opening)
    {
        m_evidence.format = Format::mindsporeStrategy;
        m_evidence.level = EvidenceLevel::L1;
        problem(
            "not_a_checkpoint", 0,
            message("a parallel strategy file, which has the same extension as a checkpoint but contains no weights"));
    }

protected:
    ReadStep next(const ReadReplies &replies) override
    {
        ReadStep step;
        if (!m_asked && size() <= maxBytes) step.ranges.push_back({m_evidence.path, 0, maxBytes});
        m_asked = true;
        if (replies.ranges.size() == 1) take(replies.ranges.front().bytes);
        return step;
    }

private:
    void take(const std::string &bytes)
    {
        const auto ranks = parseStrategyRanks(bytes);
        if (!ranks) {
            problem("torn", 0, ranks.error().message);
            return;
        }
        std::string text;
        for (const std::vector<int> &group : ranks->replicas) {
            text += text.empty() ? "" : ";";
            for (std::size_t i = 0; i < group.size(); ++i) text += (i > 0 ? "," : "") + std::to_string(group[i]);
        }
        m_evidence.meta["replica_groups"] = text;
        if (ranks->end > 0) m_evidence.meta["stage_end"] = std::to_string(ranks->end);
    }

    bool m_asked = false;
};

}  // namespace

bool looksLikeStrategy(std::string_view head)
{
    // ParallelStrategyMap: current_stage (field 1, varint), then items of length-delimited fields.
    return head.size() > 2 && head[0] == 0x08 && static_cast<unsigned char>(head[1]) < 0x80 && (head[2] & 0x07) == 2;
}

Result<StrategyRanks> parseStrategyRanks(std::string_view bytes)
{
    const auto strategy = parseStrategy(bytes);
    if (!strategy) return strategy.error();
    StrategyRanks out;
    auto &groups = out.replicas;
    if (strategy->layouts.empty()) return out;
    const std::uint64_t ranks = ranksOf(*strategy->layouts.begin());
    if (ranks == 0) return damaged(message("it has an impossible number of devices"));
    out.end = static_cast<int>((strategy->stage + 1) * ranks);
    std::vector<int> part(ranks, 0);  // rank → part; refined by each layout
    for (const TensorLayout &layout : strategy->layouts) {
        if (ranksOf(layout) != ranks) return damaged(message("its layouts are for different numbers of devices"));
        std::map<std::pair<int, std::vector<std::uint64_t>>, int> finer;
        for (std::uint64_t rank = 0; rank < ranks; ++rank)
            part[rank] =
                finer.try_emplace({part[rank], placeOf(layout, rank)}, static_cast<int>(finer.size())).first->second;
    }
    std::map<int, std::vector<int>> byPart;
    for (std::uint64_t rank = 0; rank < ranks; ++rank)
        byPart[part[rank]].push_back(static_cast<int>(strategy->stage * ranks + rank));
    for (auto &[number, group] : byPart)
        if (group.size() > 1) groups.push_back(std::move(group));
    std::sort(groups.begin(), groups.end());
    return out;
}

std::unique_ptr<FormatReader> makeStrategyReader(const FileHead &opening)
{
    return std::make_unique<StrategyReader>(opening);
}

}  // namespace rankdeck
