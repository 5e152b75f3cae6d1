// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/colossalai/colossal_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/json_text.h"

#include <nlohmann/json.hpp>

#include <set>

namespace rankdeck {
namespace {

using Json = nlohmann::json;

constexpr std::string_view states = "running_states.json", scheduler = "lr_scheduler";

bool isIndex(std::string_view name) { return name.ends_with(".index.json"); }
bool isOptimizers(std::string_view name) { return name.substr(name.rfind('/') + 1).starts_with("pytorch_optim"); }

std::optional<std::int64_t> numberIn(const Json &json, const char *key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_number_integer() ? std::optional(found->get<std::int64_t>()) : std::nullopt;
}

}  // namespace

std::optional<ColossalPoint> colossalPoint(std::string_view directory)
{
    if (!takeStart(directory, "epoch")) return std::nullopt;
    const std::size_t at = directory.find("-step");
    if (at == std::string_view::npos) return std::nullopt;
    const auto epoch = decimal(directory.substr(0, at)), step = decimal(directory.substr(at + 5));
    return epoch && step ? std::optional(ColossalPoint{*epoch, *step}) : std::nullopt;
}

CompositeReader::How ColossalReader::plan(const Part &part)
{
    if (part.name == states || isIndex(part.name)) return How::whole;
    if (part.name == scheduler) return How::byFormat;
    const bool shard = part.name.ends_with(".bin") || part.name.ends_with(".safetensors");
    return shard && part.name.find('/') != std::string::npos ? How::byFormat : How::leave;
}

ReadStep ColossalReader::combine(const ReadReplies &)
{
    bool weights = false;
    for (const Part &part : m_parts) {
        if (!isIndex(part.name)) continue;
        weights = weights || !isOptimizers(part.name);
        takeIndex(part, isOptimizers(part.name));
    }
    if (!weights) refuse("weights_missing", message("there is no index of the model's shards"));
    // torch.save of its state_dict (booster.save_lr_scheduler); torch.load fails on a cut one.
    if (const Part *schedule = find(scheduler))
        takeOver(*schedule);
    else
        problem("no_scheduler",
                message("resumable with loss: no lr_scheduler, so the learning rate schedule restarts"));
    takePoint();
    conclude();
    return {};
}

void ColossalReader::takeIndex(const Part &index, bool optimizer)
{
    if (!takeOver(index)) return;
    const Json json = parseJsonText(index.bytes);
    const auto map = json.is_object() ? json.find("weight_map") : json.end();
    if (!json.is_object() || map == json.end() || !map->is_object() || map->empty()) {
        refuse("torn", message("%1 is truncated, or lists no shards", printable(index.name)));
        return;
    }
    const std::string folder = index.name.substr(0, index.name.rfind('/') + 1);
    std::set<std::string> files;
    for (const Json &file : *map)
        if (file.is_string()) files.insert(file.get<std::string>());
    if (const auto meta = json.find("metadata"); optimizer && meta != json.end() && meta->is_object())
        if (const auto groups = meta->find("param_groups"); groups != meta->end() && groups->is_string())
            files.insert(groups->get<std::string>());
    for (const std::string &file : files) {
        if (full()) return;
        if (file.empty() || file.find('/') != std::string::npos) {
            refuse("path_refused", message("%1 names %2, which is not the name of a file in its directory",
                                           printable(index.name), printable(file)));
            continue;
        }
        const Part *shard = find(folder + file);
        if (shard)
            takeOver(*shard);
        else
            refuse(optimizer ? ReasonCode("optim_missing") : ReasonCode("shard_missing"),
                   message("%1 is missing: %2 lists it", printable(folder + file), printable(index.name)));
    }
}

void ColossalReader::takePoint()
{
    const Part *told = find(states);
    if (!told) {
        problem("commit_unproven", message("no running_states.json, which is written last: the step is unknown"));
        return;
    }
    if (!takeOver(*told)) return;
    const Json json = parseJsonText(told->bytes);
    const auto epoch = json.is_object() ? numberIn(json, "epoch") : std::nullopt;
    const auto step = json.is_object() ? numberIn(json, "step") : std::nullopt;
    if (!epoch || !step) {
        refuse("torn", message("running_states.json is truncated, or has no epoch and step"));
        return;
    }
    m_evidence.meta["epoch"] = std::to_string(*epoch);
    m_evidence.meta["step"] = std::to_string(*step);
    const auto name = colossalPoint(baseName(m_evidence.path));
    if (name && (name->epoch != *epoch || name->step != *step))
        refuse("step_mismatch",
               message("running_states.json has epoch %1, step %2, but the directory name has different numbers",
                       grouped(*epoch), grouped(*step)));
}

}  // namespace rankdeck
