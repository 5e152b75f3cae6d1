// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/megatron/layerzero_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/megatron/megatron_names.h"
#include "core/checkpoint/formats/megatron/megatron_reader.h"

#include <algorithm>
#include <map>

namespace rankdeck {

LayerZeroReader::LayerZeroReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
    : CompositeReader(whole, parts, wanted, Format::megatron)
{}

CompositeReader::How LayerZeroReader::plan(const Part &part)
{
    return parseLayerZeroFile(part.name) ? How::byFormat : How::leave;
}

std::int64_t LayerZeroReader::takeWorld(const std::vector<Voice> &voices, int last)
{
    std::int64_t world = 1;
    for (const char *key : {"tp_degree", "pp_degree", "dp_degree"}) {
        const auto degree = majority(voices, key);
        if (!degree || *degree < 1 || *degree > 65536) return last + 1;
        m_evidence.meta[key] = std::to_string(*degree);
        world *= *degree;
        if (world > std::int64_t(maxParts)) return last + 1;
    }
    return world;
}

ReadStep LayerZeroReader::combine(const ReadReplies &)
{
    std::map<int, const Part *> files;
    std::vector<Voice> voices;
    for (const Part &part : m_parts)
        if (const auto rank = parseLayerZeroFile(part.name)) {
            files[*rank] = &part;
            voices.push_back({&part, *rank});
        }
    const std::int64_t world = takeWorld(voices, files.empty() ? 0 : files.rbegin()->first);
    m_evidence.meta["framework"] = "megatron";
    m_evidence.meta["layout"] = "layerzero";
    m_evidence.meta["world_size"] = std::to_string(world);
    m_evidence.meta["reshardable"] = "none";
    for (int rank = 0; rank < world && !full(); ++rank)
        if (!files.count(rank))
            refuse("shard_missing",
                   message("model_%1.pt is missing: the files belong to %2 ranks", rank, grouped(world)), rank);
    std::vector<Voice> ours;
    std::size_t leftovers = 0;
    for (const Voice &voice : voices) {
        if (voice.rank >= world)
            ++leftovers;
        else if (takeOver(*voice.part, voice.rank))
            ours.push_back(voice);
    }
    if (leftovers > 0)
        problem("leftover", message("%1 files belong to ranks beyond the world size of %2",
                                    grouped(std::int64_t(leftovers)), grouped(world)));
    for (const Voice &voice : ours) mustSay({voice}, "global_rank", voice.rank, "rank_mismatch");
    for (const char *key : {"tp_degree", "pp_degree", "dp_degree"})
        if (const auto value = majority(ours, key)) mustSay(ours, key, *value, "degrees_mismatch");
    for (const std::string &key : megatronArguments)
        if (const auto value = majority(ours, key)) mustSay(ours, key, *value, "attempt_mixed");
    if (const auto iteration = majority(ours, "iteration")) {
        m_evidence.meta["iteration"] = std::to_string(*iteration);
        mustSay(ours, "iteration", *iteration, "step_mismatch");
    }
    const bool optimizer = std::any_of(ours.begin(), ours.end(),
                                       [](const Voice &v) { return v.part->evidence.meta.count("optimizer") != 0; });
    if (!optimizer && !ours.empty())
        problem("weights_only", message("no optimizer state: training cannot continue from it unchanged"));
    std::vector<const Part *> parts;
    for (const Voice &voice : ours) parts.push_back(voice.part);
    compareTimes(parts);
    conclude();
    return {};
}

}  // namespace rankdeck
