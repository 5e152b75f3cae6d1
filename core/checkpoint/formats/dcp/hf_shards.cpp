// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/dcp/hf_shards.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace rankdeck {
namespace {

using Place = std::vector<std::int64_t>;

// A whole tensor as its pieces describe it: their offsets, and the resulting extent in each dimension.
struct Whole {
    std::set<Place> begins = {};
    Place reach = {};
    std::int64_t elements = 0;
    bool agree = true;  // all pieces have an offset, with the same number of dimensions
};

std::optional<int> numberAt(std::string_view &text, std::string_view before)
{
    if (!takeStart(text, before)) return std::nullopt;
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto number = decimal(text.substr(0, end));
    text.remove_prefix(end);
    if (!number || *number > 1'000'000) return std::nullopt;
    return static_cast<int>(*number);
}

std::map<std::string, Place> placesIn(const Evidence &evidence)
{
    std::map<std::string, Place> places;
    if (!evidence.sharding) return places;
    const nlohmann::json all = parseJsonText(*evidence.sharding);
    if (!all.is_object()) return places;
    for (const auto &[name, info] : all.items()) {
        const auto offsets = info.is_object() ? info.find("saved_offsets") : info.end();
        if (!info.is_object() || offsets == info.end() || !offsets->is_array()) continue;
        Place begin;
        for (const auto &one : *offsets) begin.push_back(one.is_number_integer() ? one.get<std::int64_t>() : -1);
        places.emplace(name, std::move(begin));
    }
    return places;
}

// nullopt: a negative size, or more elements than any tensor has. The numbers come from a node and are not trusted.
std::optional<std::int64_t> elementsOf(const Place &shape)
{
    constexpr std::int64_t most = std::int64_t(1) << 48;
    std::int64_t elements = 1;
    for (const std::int64_t size : shape) {
        if (size < 0 || size > most || (size > 0 && elements > most / size)) return std::nullopt;
        elements *= size;
    }
    return elements;
}

void addPiece(Whole &whole, const Place &begin, const Place &shape)
{
    constexpr std::int64_t furthest = std::int64_t(1) << 48;
    if (whole.begins.empty()) whole.reach.assign(shape.size(), 0);
    const auto elements = elementsOf(shape);
    const bool fits = elements && begin.size() == shape.size() && whole.reach.size() == shape.size() &&
                      std::all_of(begin.begin(), begin.end(), [](auto at) { return at >= 0 && at <= furthest; });
    whole.agree = whole.agree && fits;
    if (!fits || !whole.begins.insert(begin).second) return;
    for (std::size_t i = 0; i < shape.size(); ++i) whole.reach[i] = std::max(whole.reach[i], begin[i] + shape[i]);
    whole.elements = whole.elements > furthest ? whole.elements : whole.elements + *elements;
}

std::vector<Composite> findShards(const ListingTree &tree)
{
    std::vector<Composite> all;
    for (const auto &[directory, files] : tree.directories()) {
        std::vector<FileEntry> parts;
        for (const FileEntry *file : files)
            if (parseHfShardName(baseName(file->path))) parts.push_back(*file);
        if (parts.empty()) continue;
        // After a consolidation, sharded/ is still beside the complete files, and the complete files are the save.
        const bool isSource = baseName(directory) == "sharded";
        Composite one = makeComposite(tree, isSource ? dirName(directory) : directory, std::move(parts));
        one.name.weightsOnly = true;
        all.push_back(std::move(one));
    }
    return all;
}

std::unique_ptr<FormatReader> openShards(const FileEntry &whole, const std::vector<FileEntry> &parts,
                                         EvidenceLevel wanted)
{
    const bool ours = !parts.empty() && std::all_of(parts.begin(), parts.end(), [](const FileEntry &part) {
        return parseHfShardName(baseName(part.path)).has_value();
    });
    return ours ? std::make_unique<HfShardsReader>(whole, parts, wanted) : nullptr;
}

}  // namespace

std::optional<HfShardName> parseHfShardName(std::string_view baseName)
{
    if (!takeEnd(baseName, ".safetensors")) return std::nullopt;
    const auto shard = numberAt(baseName, "shard-"), file = numberAt(baseName, "-model-"),
               files = numberAt(baseName, "-of-");
    if (!shard || !file || !files || !baseName.empty()) return std::nullopt;
    return HfShardName{*shard, *file, *files};
}

CompositeReader::How HfShardsReader::plan(const Part &) { return How::byFormat; }

ReadStep HfShardsReader::combine(const ReadReplies &)
{
    std::vector<const Part *> files;
    for (const Part &part : m_parts) {
        takeOver(part);
        files.push_back(&part);
    }
    m_evidence.meta["holds"] = "weights";
    expectNumbers();
    expectCover();
    compareTimes(std::move(files));
    conclude();
    return {};
}

// The files of the model must be numbered without a gap, and so must the shards.
void HfShardsReader::expectNumbers()
{
    std::set<int> shards, files;
    int last = 0;
    for (const Part &part : m_parts)
        if (const auto name = parseHfShardName(baseName(part.name))) {
            shards.insert(name->shard);
            files.insert(name->file);
            last = std::max(last, name->files);
        }
    for (int file = 1; file <= last && !full(); ++file)
        if (!files.contains(file))
            refuse("shard_missing", message("file %1 of %2 has no shards", grouped(file), grouped(last)));
    for (int shard = *shards.begin(); shard <= *shards.rbegin() && !full(); ++shard)
        if (!shards.contains(shard))
            refuse("shard_missing",
                   message("shard %1 is missing, but shard %2 exists", grouped(shard), grouped(*shards.rbegin())));
}

void HfShardsReader::expectCover()
{
    std::map<std::string, Whole> tensors;
    for (const Part &part : m_parts) {
        const auto places = placesIn(part.evidence);
        for (const TensorInfo &tensor : part.evidence.tensors) {
            const auto place = places.find(tensor.name);
            addPiece(tensors[tensor.name], place == places.end() ? Place() : place->second, tensor.shape);
        }
    }
    for (const auto &[name, whole] : tensors) {
        const auto all = elementsOf(whole.reach);
        if (full() || (whole.agree && whole.elements == all)) continue;
        if (!whole.agree || !all)
            problem("content_unproven", message("no file contains the offsets of the pieces of '%1'", printable(name)));
        else
            refuse("shard_missing", message("the shards have %1 of the %2 elements of '%3'", grouped(whole.elements),
                                            grouped(*all), printable(name)));
    }
}

const Layout hfShardsLayout{&findShards, &openShards, [](const std::string &) { return false; }};

}  // namespace rankdeck
