// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/mindspore/mindformers_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/json_text.h"
#include "core/checkpoint/read/optimizer_names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace rankdeck {
namespace {

using Json = nlohmann::json;

constexpr const char *commonName = "common.json", *metadataName = "metadata.json";
constexpr int maxWorld = 100'000;

// Parses JSON that is nested no deeper than these files are.
Json parsed(const std::string &bytes)
{
    std::size_t depth = 0;
    for (const char c : bytes) {
        if (c == '{' || c == '[') ++depth;
        if ((c == '}' || c == ']') && depth > 0) --depth;
        if (depth > 32) return Json(Json::value_t::discarded);
    }
    return parseJsonText(bytes);
}

// Tensor name in "('decoder.w', (0, 0))", which is metadata.json's form of a tensor and the place of its piece.
std::string tensorOf(const std::string &piece)
{
    if (!piece.starts_with("('")) return piece;
    const std::size_t end = piece.find('\'', 2);
    return end == std::string::npos ? piece : piece.substr(2, end - 2);
}

bool holdsOptimizer(const Evidence &evidence)
{
    return std::any_of(evidence.tensors.begin(), evidence.tensors.end(),
                       [](const TensorInfo &tensor) { return mentionsOptimizer(tensor.name); });
}

}  // namespace

std::optional<std::int64_t> parseMindformersFolder(std::string_view name)
{
    if (!takeStart(name, "iteration_") && !takeStart(name, "iter_")) return std::nullopt;
    return name.size() == 8 ? decimal(name) : std::nullopt;
}

std::optional<MindformersFile> parseMindformersFile(std::string_view name)
{
    if (!takeEnd(name, ".safetensors") || name.size() < 20) return std::nullopt;
    const std::string_view numbers = name.substr(name.size() - 16);  // "-0000001-0000004"
    if (numbers[0] != '-' || numbers[8] != '-') return std::nullopt;
    const auto rank = decimal(numbers.substr(1, 7)), world = decimal(numbers.substr(9));
    name.remove_suffix(16);
    MindformersFile file;
    file.optimizer = name == "opt" || name.ends_with("-opt");
    if (!file.optimizer && name != "model" && !name.ends_with("-model")) return std::nullopt;
    if (!rank || !world || *world < 1 || *world > maxWorld || *rank >= *world) return std::nullopt;
    const std::size_t word = file.optimizer ? 3 : 5;
    file.prefix = std::string(name.substr(0, name.size() > word ? name.size() - word - 1 : 0));
    file.rank = static_cast<int>(*rank);
    file.world = static_cast<int>(*world);
    return file;
}

MindformersReader::MindformersReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
    : CompositeReader(whole, parts, wanted, Format::safetensors)
{}

CompositeReader::How MindformersReader::plan(const Part &part)
{
    if (part.name == commonName || part.name == metadataName) return How::whole;
    return parseMindformersFile(part.name) ? How::byFormat : How::leave;
}

ReadStep MindformersReader::combine(const ReadReplies &)
{
    m_evidence.meta["framework"] = "mindformers";
    takeFiles();
    expect(m_models, "model", "shard_missing");
    if (!m_optimizers.empty()) expect(m_optimizers, "opt", "optim_missing");
    takeCommon();
    takeMetadata();
    compareSteps();
    const bool optimizer =
        !m_optimizers.empty() || std::any_of(m_models.begin(), m_models.end(),
                                             [](const auto &model) { return holdsOptimizer(model.second->evidence); });
    if (!optimizer && m_evidence.complete != false) m_evidence.meta["holds"] = "weights";
    std::vector<const Part *> files;
    for (const Row *row : {&m_models, &m_optimizers})
        for (const auto &[rank, part] : *row) files.push_back(part);
    compareTimes(std::move(files));
    compareRanks("the optimizer's file", m_optimizers);
    if (m_leftovers > 0)
        problem("leftover", message("%1 files belong to a different number of ranks than %2: left by another save",
                                    grouped(std::int64_t(m_leftovers)), grouped(m_world)));
    conclude();
    return {};
}

// The names contain the number of ranks; the number in most names counts.
void MindformersReader::takeFiles()
{
    std::map<std::pair<std::string, int>, int> votes;
    for (const Part &part : m_parts)
        if (const auto file = parseMindformersFile(part.name)) ++votes[{file->prefix, file->world}];
    const auto most =
        std::max_element(votes.begin(), votes.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
    if (most == votes.end()) return;
    m_world = most->first.second;
    m_evidence.meta["world_size"] = std::to_string(m_world);
    for (const Part &part : m_parts) {
        const auto file = parseMindformersFile(part.name);
        if (!file) continue;
        if (file->world != m_world || file->prefix != most->first.first) {
            ++m_leftovers;
            continue;
        }
        (file->optimizer ? m_optimizers : m_models)[file->rank] = &part;
        takeOver(part, file->rank);
    }
}

void MindformersReader::expect(const Row &row, const std::string &what, ReasonCode code)
{
    if (m_world == 0) refuse("shard_missing", message("there is no weights file"));
    for (int rank = 0; rank < m_world && !full(); ++rank)
        if (row.count(rank) == 0)
            refuse(code,
                   message("rank %1 has no %2 file, but the file names show %3 ranks", rank, what, grouped(m_world)),
                   rank);
}

void MindformersReader::takeCommon()
{
    const Part *common = find(commonName);
    if (!common) {
        refuse("commit_missing",
               message("no common.json, which is written after the weights: the save never finished"));
        return;
    }
    if (!takeOver(*common)) return;
    const Json json = parsed(common->bytes);
    if (!json.is_object()) {
        refuse("torn", message("common.json %1", notJsonText(common->bytes)));
        return;
    }
    const auto take = [&](const char *key, const char *as) {
        const auto value = json.find(key);
        if (value != json.end() && value->is_number()) m_evidence.meta[as] = value->dump();
    };
    take("step_num", "iteration");
    take("global_step", "optimizer_step");
    take("loss_scale", "loss_scale");
    take("global_batch_size", "global_batch_size");
    take("epoch_num", "trained_epochs");
}

// A run with one rank does not write this file.
void MindformersReader::takeMetadata()
{
    const Part *metadata = find(metadataName);
    if (!metadata) {
        if (m_world > 1 && baseName(m_evidence.path).starts_with("iteration_"))
            refuse("commit_missing",
                   message("no metadata.json, which is written after the weights: the save never finished"));
        return;
    }
    if (!takeOver(*metadata)) return;
    const Json json = parsed(metadata->bytes);
    const auto data = json.is_object() ? json.find("storage_data") : json.end();
    if (!json.is_object() || data == json.end() || !data->is_object()) {
        refuse("torn", message("metadata.json is truncated, or lists no file with parameters"));
        return;
    }
    std::set<std::string> missing;
    std::map<std::string, std::set<std::string>> named;  // file → tensors in it
    for (const auto &[piece, holders] : data->items()) {
        if (!holders.is_array()) continue;
        for (const Json &holder : holders) {
            const auto name = holder.is_object() ? holder.find("file_name") : holder.end();
            if (!holder.is_object() || name == holder.end() || !name->is_string()) continue;
            const std::string file = name->get<std::string>();
            if (!find(file) && missing.size() < 50) missing.insert(file.substr(0, 200));
            named[file].insert(tensorOf(piece));
        }
    }
    for (const std::string &file : missing) {
        // The check of the rank's own file reports it.
        if (const auto own = parseMindformersFile(file); own && own->world == m_world) continue;
        refuse("shard_missing", message("%1 is missing: metadata.json puts parameters into it", printable(file)));
    }
    compareTensors(named);
}

// A file of another rank or save has none of the tensors that metadata.json assigns to it, while other files have all
// of theirs.
void MindformersReader::compareTensors(const std::map<std::string, std::set<std::string>> &named)
{
    std::vector<std::pair<int, const Part *>> strangers;
    bool fits = false;
    for (const Row *row : {&m_models, &m_optimizers})
        for (const auto &[rank, part] : *row) {
            const auto own = named.find(part->name);
            if (own == named.end() || part->evidence.complete != true) continue;
            std::size_t held = 0;
            for (const TensorInfo &tensor : part->evidence.tensors) held += own->second.count(tensor.name);
            fits = fits || held == own->second.size();
            if (held == 0) strangers.emplace_back(rank, part);
        }
    for (const auto &[rank, part] : strangers)
        if (fits)
            refuse("index_mismatch",
                   message("%1 contains none of the tensors that metadata.json puts there: it belongs to another rank "
                           "or another save",
                           printable(part->name)),
                   rank);
}

// The optimizer's count in the ranks' own files must match common.json.
void MindformersReader::compareSteps()
{
    std::vector<Voice> voices;
    for (const Row *row : {&m_models, &m_optimizers})
        for (const auto &[rank, part] : *row) voices.push_back({part, rank});
    const auto counted = m_evidence.number("optimizer_step");
    if (const auto said = counted ? counted : majority(voices, "global_step"); said && *said > 0)
        mustSay(voices, "global_step", *said, "step_mismatch");
}

}  // namespace rankdeck
