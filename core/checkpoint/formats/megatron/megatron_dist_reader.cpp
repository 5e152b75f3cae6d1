// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/megatron/megatron_dist_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/json_text.h"
#include "core/checkpoint/formats/dcp/dcp_reader.h"
#include "core/checkpoint/formats/megatron/megatron_names.h"
#include "core/checkpoint/formats/megatron/megatron_reader.h"
#include "core/checkpoint/listing_tree.h"

#include <nlohmann/json.hpp>

namespace rankdeck {

MegatronDistReader::MegatronDistReader(const FileEntry &whole, const std::vector<FileEntry> &parts,
                                       const std::string &shards, EvidenceLevel wanted)
    : CompositeReader(whole, parts, wanted, Format::megatron), m_below(pathBelow(shards, whole.path))
{
    if (!m_below.empty()) m_below += "/";
    Part all;  // the shards as one part
    all.file = whole;
    all.file.path = shards;
    m_parts.push_back(std::move(all));
}

CompositeReader::How MegatronDistReader::plan(const Part &part)
{
    if (part.name.empty() || part.name == m_below + "common.pt") return How::byFormat;
    return part.name == m_below + "metadata.json" ? How::whole : How::leave;
}

std::unique_ptr<FormatReader> MegatronDistReader::readerOf(const Part &part)
{
    if (part.name.empty()) {
        std::vector<FileEntry> files;
        for (const Part &other : m_parts)
            if (!other.name.empty()) files.push_back(other.file);
        return std::make_unique<DcpReader>(part.file, files, m_wanted);
    }
    return CompositeReader::readerOf(part);
}

ReadStep MegatronDistReader::combine(const ReadReplies &)
{
    if (isOfZarr()) return {};
    const Part &shards = m_parts.back();
    takeOver(shards);
    if (isOfTorchAlone()) {
        m_evidence.format = Format::dcp;
        m_evidence.meta = shards.evidence.meta;
        conclude();
        return {};
    }
    for (const auto &[key, value] : shards.evidence.meta)
        m_evidence.meta.emplace(key == "global_step" ? "iteration" : key, value);
    bool weights = m_evidence.meta.count("holds") != 0;
    if (const Part *common = find(m_below + "common.pt")) {
        takeOver(*common);
        weights = weights && common->evidence.meta.count("optimizer") == 0;
        for (const auto &[key, value] : common->evidence.meta) m_evidence.meta[key] = value;
    }
    checkMark();
    takeFacts();
    if (weights) m_evidence.meta["holds"] = "weights";
    const std::string own = baseName(m_evidence.path);
    if (own.compare(0, 5, "iter_") == 0 && !isIterationFolder(own))
        problem("unmatched_name",
                message("%1 is not named like a Megatron iteration (iter_0000100): Megatron will not find it",
                        printable(own)));
    conclude();
    return {};
}

void MegatronDistReader::checkMark()
{
    const Part *mark = find(m_below + "metadata.json");
    if (!mark) {
        // A torch_dcp checkpoint has neither common.pt nor common_state, and needs no mark.
        if (find(m_below + "common.pt") || m_evidence.meta.count("common_state") != 0)
            refuse("commit_missing", message("no metadata.json: the save never finished, and Megatron would treat the "
                                             "directory as torch_dcp and load it wrongly"));
        return;
    }
    if (!takeOver(*mark)) return;
    const auto json = parseJsonText(mark->bytes);
    if (!json.is_object()) {
        refuse("commit_missing",
               message("metadata.json %1: nothing marks the save as complete", notJsonText(mark->bytes)));
        return;
    }
    const auto backend = json.find("sharded_backend");
    if (backend == json.end() || !backend->is_string()) {
        refuse("torn", message("metadata.json has no sharded_backend"));
        return;
    }
    m_evidence.meta["sharded_backend"] = printable(backend->get<std::string>().substr(0, 100));
    const auto common = json.find("common_backend");
    if (common != json.end() && *common == "torch" && !find(m_below + "common.pt") &&
        m_evidence.meta.count("common_state") == 0)
        refuse("shard_missing",
               message("common.pt is missing, although metadata.json lists it: Megatron fails to load the set"));
}

// True if the metadata.json beside the shards belongs to a script, not to Megatron. Megatron's file names a backend.
// Megatron also writes common.pt or its item, or saves into a folder with its own name form.
bool MegatronDistReader::isOfTorchAlone() const
{
    const Part *mark = find(m_below + "metadata.json");
    if (!mark || find(m_below + "common.pt") || m_evidence.meta.count("common_state") != 0 ||
        m_parts.back().evidence.meta.count("common_state") != 0 || isIterationFolder(baseName(m_evidence.path)))
        return false;
    const auto json = parseJsonText(mark->bytes);
    return !json.is_object() || !json.contains("sharded_backend");
}

// Megatron's older form: one array per tensor, each in its own directory.
bool MegatronDistReader::isOfZarr()
{
    const Part *mark = find(m_below + "metadata.json");
    if (!mark) return false;
    const auto json = parseJsonText(mark->bytes);
    const auto backend = json.is_object() ? json.find("sharded_backend") : json.end();
    if (!json.is_object() || backend == json.end() || !backend->is_string() || *backend != "zarr") return false;
    m_evidence.meta["framework"] = "megatron";
    m_evidence.meta["sharded_backend"] = "zarr";
    problem(
        "unknown_format",
        message("metadata.json names the zarr backend, whose arrays Rankdeck does not read: their state is unknown"));
    return true;
}

void MegatronDistReader::takeFacts()
{
    auto &meta = m_evidence.meta;
    meta["framework"] = "megatron";
    for (const char *ofOneFile : {"archive_root", "holds", "serialization_id"}) meta.erase(ofOneFile);
    meta.erase("common_state");
    const auto sharding = meta.find("distrib_optim_sharding_type");
    // Only an optimizer with a "fully…" sharding type can be loaded with other degrees of the model's axes.
    const bool all = sharding != meta.end() && sharding->second.rfind("fully", 0) == 0;
    meta["reshardable"] = all ? "all" : "data";
}

}  // namespace rankdeck
