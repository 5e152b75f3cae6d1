// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/formats.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/colossalai/layout_colossalai.h"
#include "core/checkpoint/formats/components/layout_components.h"
#include "core/checkpoint/formats/dcp/hf_shards.h"
#include "core/checkpoint/formats/dcp/layout_dcp.h"
#include "core/checkpoint/formats/deepspeed/layout_deepspeed.h"
#include "core/checkpoint/formats/flax/flax_reader.h"
#include "core/checkpoint/formats/foreign/layout_foreign.h"
#include "core/checkpoint/formats/huggingface/layout_huggingface.h"
#include "core/checkpoint/formats/megatron/layout_megatron.h"
#include "core/checkpoint/formats/megatron/megatron_names.h"
#include "core/checkpoint/formats/mindspore/layout_mindspore.h"
#include "core/checkpoint/formats/mindspore/mindspore_names.h"
#include "core/checkpoint/formats/mindspore/mindspore_reader.h"
#include "core/checkpoint/formats/mindspore/strategy_file.h"
#include "core/checkpoint/formats/numpy/npz_names.h"
#include "core/checkpoint/formats/numpy/npz_reader.h"
#include "core/checkpoint/formats/orbax/layout_orbax.h"
#include "core/checkpoint/formats/safetensors/safetensors_reader.h"
#include "core/checkpoint/formats/sidecar_reader.h"
#include "core/checkpoint/formats/splitstate/layout_split_state.h"
#include "core/checkpoint/formats/tensorflow/layout_tensorflow.h"
#include "core/checkpoint/formats/tensorflow/tf_v1_reader.h"
#include "core/checkpoint/formats/torch/layout_torch.h"
#include "core/checkpoint/formats/torch/lightning_names.h"
#include "core/checkpoint/formats/torch/mindio_reader.h"
#include "core/checkpoint/formats/torch/torch_names.h"
#include "core/checkpoint/formats/torch/torch_reader.h"
#include "core/checkpoint/formats/torchtune/layout_torchtune.h"
#include "core/checkpoint/read/sniffing_reader.h"
#include "core/checkpoint/tracker.h"

#include <algorithm>
#include <array>

namespace rankdeck {
namespace {

// In order of use: stricter grammars come first, and the first grammar that accepts the name decides.
using Grammar = std::optional<ParsedName> (*)(std::string_view baseName, const std::string &prefix);
constexpr std::array<Grammar, 6> grammars{&parseLocalCheckpointName, &parseLightningName, &parseMindsporeName,
                                          &parseTorchName,           &parseNpzName,       &parseFlaxName};

// If none of these finds anything, foreignLayout names the likely kind. Outer layouts come before inner ones: a
// Trainer's directory may contain a DeepSpeed directory, and a Megatron directory one of torch.distributed.
constexpr std::array layouts{&colossalLayout,  &torchtuneLayout,  &huggingFaceLayout, &mindformersLayout,
                             &megatronLayout,  &deepspeedLayout,  &rankFilesLayout,   &hfShardsLayout,
                             &dcpLayout,       &splitStateLayout, &tensorflowLayout,  &orbaxLayout,
                             &componentsLayout};

// Chosen by the content, whatever the name suggests.
std::unique_ptr<FormatReader> readerFor(const FileHead &opening)
{
    const std::string_view head = opening.head;
    if (opening.stat.size == 0) return makeNoReader(opening, Format::unknown, "torn", "0 bytes", false);
    if (head.size() < std::min<std::uint64_t>(opening.stat.size, 16))
        return makeNoReader(opening, Format::unknown, "unreadable", "its first bytes could not be read", std::nullopt);
    if (looksEncrypted(head)) return makeEncryptedReader(opening);
    if (looksLikeSafetensors(head, opening.stat.size)) return std::make_unique<SafetensorsReader>(opening);
    if (looksLikeNpz(head)) return std::make_unique<NpzReader>(opening);
    if (head.substr(0, 4) == "PK\x03\x04") return std::make_unique<TorchZipReader>(opening);
    if (looksLikeMindio(opening.tail)) return std::make_unique<MindioReader>(opening);
    if (looksLikeTorchLegacy(head)) return std::make_unique<TorchLegacyReader>(opening);
    if (hasTfMagic(opening.tail)) return makeTfReader(opening);
    if (head.size() > 262 && head.substr(257, 5) == "ustar")
        return makeNoReader(opening, Format::unknown, "unknown_format", "a checkpoint in an archive (tar)",
                            std::nullopt);
    if (head[0] == 0x0a) return std::make_unique<MindsporeReader>(opening);
    if (looksLikeStrategy(head)) return makeStrategyReader(opening);
    if (looksLikeFlax(head)) return std::make_unique<FlaxReader>(opening);
    if (head.substr(0, 2) == "\x80\x02")
        return makeNoReader(
            opening, Format::unknown, "torn",
            "begins as a bare pickle, as in MindIO's container, but has no tail: the save was truncated", false);
    const bool zeros = head.find_first_not_of('\0') == std::string_view::npos;
    return makeNoReader(opening, Format::unknown, "not_a_checkpoint",
                        zeros ? "begins with zeros: no known format" : "the content has no known format", false);
}

}  // namespace

std::optional<ParsedName> parseCheckpointName(const std::string &baseName, const std::string &prefix)
{
    if (baseName.empty() || baseName.size() > 255) return std::nullopt;
    for (const Grammar grammar : grammars)
        if (auto name = grammar(baseName, prefix)) return name;
    return std::nullopt;
}

std::vector<Composite> findComposites(const ListingTree &tree)
{
    std::vector<Composite> all = findComposites(tree, layouts, [](const std::string &base) {
        const auto name = parseCheckpointName(base, {});
        return name && name->kind == CheckpointKind::other && !name->worldSize && !name->sharedByRanks;
    });
    if (!all.empty()) return all;
    for (const auto &[directory, files] : tree.directories())
        for (const FileEntry *file : files)
            if (parseCheckpointName(baseName(file->path), {})) return all;
    return foreignLayout.find(tree);
}

std::unique_ptr<FormatReader> openComposite(const FileEntry &whole, const std::vector<FileEntry> &parts,
                                            EvidenceLevel wanted)
{
    const bool oneFile = parts.size() == 1 && parts.front().path == whole.path;  // TensorFlow also has such
    if (oneFile)
        if (auto reader = foreignLayout.open(whole, parts, wanted)) return reader;
    for (const Layout *layout : layouts)
        if (auto reader = layout->open(whole, parts, wanted)) return reader;
    return foreignLayout.open(whole, parts, wanted);
}

std::unique_ptr<FormatReader> makeReader(const FileEntry &file, EvidenceLevel wanted)
{
    return makeReader(file, {}, wanted);
}

std::unique_ptr<FormatReader> makeReader(const FileEntry &file, const std::vector<FileEntry> &parts,
                                         EvidenceLevel wanted)
{
    if (file.stat.kind == 'd' && file.error.empty())
        if (auto reader = openComposite(file, parts, wanted)) return reader;
    if (file.stat.kind == 'f' && file.error.empty() && trackerKind(baseName(file.path))) return makeTrackerReader(file);
    if (file.stat.kind == 'f' && file.error.empty() && baseName(file.path) == groupInfoName)
        return makeGroupInfoReader(file);
    return makeSniffingReader(file, wanted, {&readerFor, MindsporeReader::recordsPerScan});
}

}  // namespace rankdeck
