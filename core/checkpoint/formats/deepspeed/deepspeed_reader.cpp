// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/deepspeed/deepspeed_reader.h"

#include "core/base/text.h"

#include <algorithm>
#include <map>
#include <set>

namespace rankdeck {
namespace {

constexpr std::size_t maxUniversalRead = 2000;
constexpr std::int64_t maxDegree = 1 << 17;

std::int64_t sane(std::optional<std::int64_t> degree, std::int64_t otherwise)
{
    return degree && *degree > 0 && *degree <= maxDegree ? *degree : otherwise;
}

std::string keyOf(const DeepspeedName &name)
{
    DeepspeedName plain = name;
    if (plain.what == DeepspeedName::What::optim) {
        plain.flavour.clear();
        plain.underscore = true;
    }
    return deepspeedName(plain);
}

bool isUniversal(const std::string &name) { return name.compare(0, 5, "zero/") == 0; }

}  // namespace

DeepspeedReader::DeepspeedReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
    : CompositeReader(whole, parts, wanted, Format::deepspeed)
{
    m_universalFiles =
        std::size_t(std::count_if(m_parts.begin(), m_parts.end(), [](const Part &p) { return isUniversal(p.name); }));
}

CompositeReader::How DeepspeedReader::plan(const Part &part)
{
    if (parseDeepspeedName(part.name)) return How::byFormat;
    return isUniversal(part.name) && m_universalFiles <= maxUniversalRead ? How::byFormat : How::leave;
}

ReadStep DeepspeedReader::combine(const ReadReplies &)
{
    findFiles();
    takeDegrees();
    std::size_t leftovers = 0;
    for (const File &file : m_files) {
        if (beyond(file.name))
            ++leftovers;
        else
            takeOver(*file.part, rankOf(file.name));
    }
    expectModels();
    if (m_universalFiles > 0)
        checkUniversal();
    else
        expectOptimizer();
    expectLayersAndExperts();
    compareNumbers();
    std::vector<const Part *> ours;
    for (const File &file : m_files)
        if (!beyond(file.name)) ours.push_back(file.part);
    compareTimes(std::move(ours));
    if (leftovers > 0)
        problem("leftover",
                message("%1 files belong to ranks beyond the %2 × %3 ranks of this save: left by a larger run",
                        grouped(std::int64_t(leftovers)), grouped(m_dp), grouped(m_mp)));
    conclude();
    return {};
}

void DeepspeedReader::findFiles()
{
    for (const Part &part : m_parts)
        if (const auto name = parseDeepspeedName(part.name)) {
            m_files.push_back({*name, &part});
            m_names.insert(keyOf(*name));
        }
}

bool DeepspeedReader::has(What what) const
{
    return std::any_of(m_files.begin(), m_files.end(), [&](const File &file) { return file.name.what == what; });
}

// Every save writes rank 0's model file, so its number of parts is that of this save. If the file is missing, the
// majority decides.
void DeepspeedReader::takeDegrees()
{
    std::vector<Voice> models, optims;
    const Part *first = nullptr;
    int lastMp = 0, lastDp = 0;
    for (const File &file : m_files) {
        const bool model = file.name.what == What::model || file.name.what == What::zeroModel;
        if (!model && file.name.what != What::optim) continue;
        (model ? models : optims).push_back({file.part, -1});
        if (model && file.name.mp == 0 && file.name.dp <= 0 && file.part->evidence.complete == true) first = file.part;
        lastMp = std::max(lastMp, file.name.mp);
        lastDp = std::max(lastDp, file.name.dp);
    }
    if (first) models = {{first, -1}};
    m_dp = sane(majority(models, "dp_world_size"), sane(majority(optims, "partition_count"), lastDp + 1));
    m_mp = sane(majority(models, "mp_world_size"), lastMp + 1);
    if (m_dp * m_mp > maxDegree) {
        refuse("torn", message("the files claim %1 data-parallel and %2 model-parallel ranks, more than any run has",
                               grouped(m_dp), grouped(m_mp)));
        m_dp = lastDp + 1;
        m_mp = lastMp + 1;
    }
    auto stage = majority(optims, "zero_stage");
    if (!stage) stage = majority(models, "config_zero_stage");
    m_stage = stage.value_or(-1);
    auto &meta = m_evidence.meta;
    meta["framework"] = "deepspeed";
    meta["dp_world_size"] = std::to_string(m_dp);
    meta["mp_world_size"] = std::to_string(m_mp);
    meta["world_size"] = std::to_string(m_dp * m_mp);
    meta["reshardable"] = m_universalFiles > 0 ? "all" : "none";
    if (m_stage >= 0) meta["zero_stage"] = std::to_string(m_stage);
    for (const Voice &voice : models)
        for (const char *key : {"global_samples", "skipped_steps", "ds_version", "epoch"})
            if (const auto found = voice.part->evidence.meta.find(key); found != voice.part->evidence.meta.end())
                meta.emplace(key, found->second);
}

bool DeepspeedReader::beyond(const DeepspeedName &name) const
{
    if (name.what == What::layer) return false;
    const bool dataParallel = name.what == What::zeroModel || name.what == What::optim;
    return name.mp >= m_mp || (dataParallel && name.dp >= m_dp);
}

// With pipeline parallelism, the script chooses the order of the axes.
int DeepspeedReader::rankOf(const DeepspeedName &name) const
{
    if (has(What::layer) || name.mp < 0 || beyond(name)) return -1;
    if (name.what == What::model) return name.mp;
    if (name.what == What::zeroModel || name.what == What::optim) return int(name.dp * m_mp + name.mp);
    return -1;
}

void DeepspeedReader::expect(const DeepspeedName &name, const Message &why)
{
    if (m_names.count(keyOf(name)) != 0 || full()) return;
    const bool optimizer = name.what == What::optim || name.what == What::expertOptim;
    refuse(optimizer ? ReasonCode("optim_missing") : ReasonCode("shard_missing"),
           message("%1 is missing: %2", deepspeedName(name), why), rankOf(name));
}

void DeepspeedReader::expectModels()
{
    const bool perRank = has(What::zeroModel) || m_stage == 3;
    const Message why = perRank ? message("the files belong to %1 × %2 ranks", grouped(m_dp), grouped(m_mp))
                                : message("mp_world_size is %1", grouped(m_mp));
    DeepspeedName name;
    name.what = perRank ? What::zeroModel : What::model;
    for (name.mp = 0; name.mp < m_mp; ++name.mp)
        for (std::int64_t dp = 0; dp < (perRank ? m_dp : 1); ++dp) {
            name.dp = perRank ? int(dp) : -1;
            expect(name, why);
        }
}

void DeepspeedReader::expectOptimizer()
{
    if (!has(What::optim)) {
        const bool inside = std::any_of(m_files.begin(), m_files.end(), [](const File &file) {
            return file.part->evidence.meta.count("optimizer") != 0;
        });
        if (inside || m_evidence.complete == false) return;
        if (m_stage >= 1 || has(What::expertOptim))
            refuse("optim_missing", message("none of the %1 optimizer partitions exists", grouped(m_dp * m_mp)));
        else
            problem("weights_only", message("no optimizer state: training cannot continue from it unchanged"));
        return;
    }
    DeepspeedName name;
    name.what = What::optim;
    for (const File &file : m_files)
        if (file.name.what == What::optim) {
            name.flavour = file.name.flavour;
            name.underscore = file.name.underscore;
        }
    for (name.dp = 0; name.dp < m_dp; ++name.dp)
        for (name.mp = 0; name.mp < m_mp; ++name.mp)
            expect(name, m_mp > 1 ? message("partition_count is %1, mp_world_size %2", grouped(m_dp), grouped(m_mp))
                                  : message("partition_count is %1", grouped(m_dp)));
}

// No file contains the number of layers, so each existing layer must have all its model-parallel parts. Experts must be
// numbered without a gap, and every layer must have the same number of them.
void DeepspeedReader::expectLayersAndExperts()
{
    std::set<int> layers, expertLayers, expertRanks;
    std::set<std::string> flavours;
    int experts = 0;
    for (const File &file : m_files) {
        if (file.name.what == What::layer) {
            layers.insert(file.name.layer);
            flavours.insert(file.name.flavour);
        } else if (file.name.what == What::expert) {
            expertLayers.insert(file.name.layer);
            expertRanks.insert(file.name.mp);
            experts = std::max(experts, file.name.expert + 1);
        }
    }
    for (const int layer : layers) {
        if (full()) return;
        for (const std::string &flavour : flavours) {
            DeepspeedName name{What::layer, -1, -1, layer, -1, flavour};
            expect(name, message("other layers have this file"));
        }
    }
    if (expertLayers.empty()) return;
    if (const auto told = majority(voices(true), "num_experts"); told && *told > 0 && *told <= 4096)
        experts = std::max(experts, int(*told));
    for (const int layer : expertLayers)
        for (const int mp : expertRanks)
            for (int expert = 0; expert < experts; ++expert)
                expect({What::expert, mp, -1, layer, expert}, message("there are %1 experts", grouped(experts)));
}

// zero/<parameter>/fp32.pt, exp_avg.pt, exp_avg_sq.pt: every parameter must have the files that most parameters have.
void DeepspeedReader::checkUniversal()
{
    std::map<std::string, std::set<std::string>> parameters;
    for (const Part &part : m_parts) {
        if (!isUniversal(part.name)) continue;
        if (part.how != How::leave) takeOver(part);
        const std::size_t slash = part.name.rfind('/');
        if (slash > 4) parameters[part.name.substr(0, slash)].insert(part.name.substr(slash + 1));
    }
    for (const auto &[parameter, files] : parameters)
        for (const char *file : {"fp32.pt", "exp_avg.pt", "exp_avg_sq.pt"})
            if (!files.count(file)) refuse("shard_missing", message("%1/%2 is missing", printable(parameter), file));
    if (m_universalFiles > maxUniversalRead)
        problem("content_unproven", message("%1 files of single parameters: only their names and sizes were checked",
                                            grouped(std::int64_t(m_universalFiles))));
}

std::vector<CompositeReader::Voice> DeepspeedReader::voices(bool models) const
{
    std::vector<Voice> all;
    for (const File &file : m_files) {
        const bool model = file.name.what == What::model || file.name.what == What::zeroModel;
        if ((models ? model : file.name.what == What::optim) && !beyond(file.name) &&
            file.part->evidence.complete == true)
            all.push_back({file.part, rankOf(file.name)});
    }
    return all;
}

void DeepspeedReader::compareNumbers()
{
    const std::vector<Voice> models = voices(true), optims = voices(false);
    mustSay(models, "dp_world_size", m_dp, "degrees_mismatch");
    mustSay(models, "mp_world_size", m_mp, "degrees_mismatch");
    mustSay(optims, "partition_count", m_dp, "degrees_mismatch");
    if (m_stage >= 0) mustSay(optims, "zero_stage", m_stage, "degrees_mismatch");
    const auto steps = majority(models, "global_steps");
    if (!steps) return;
    m_evidence.meta["global_steps"] = std::to_string(*steps);
    mustSay(models, "global_steps", *steps, "step_mismatch");
    compareOptimizer(*steps);
}

void DeepspeedReader::compareOptimizer(std::int64_t steps)
{
    const std::vector<Voice> optims = voices(false);
    if (optims.empty()) return;
    const auto counted = majority(optims, "optimizer_step");
    if (!counted) {
        problem("step_unproven", message("the optimizer partitions do not record their step"));
        return;
    }
    mustSay(optims, "optimizer_step", *counted, "step_mismatch");
    m_evidence.meta["optimizer_step"] = std::to_string(*counted);
    const std::int64_t skipped = m_evidence.number("skipped_steps").value_or(0);
    if (*counted > steps)
        refuse("step_mismatch",
               message("the optimizer has counted %1 steps, but the model %2: they come from different saves",
                       grouped(*counted), grouped(steps)));
    else if (*counted < steps - skipped)
        problem("step_unproven", message("the optimizer has counted %1 steps, but the model %2 with %3 skipped: they "
                                         "come from different saves, or the optimizer was reset",
                                         grouped(*counted), grouped(steps), grouped(skipped)));
}

}  // namespace rankdeck
