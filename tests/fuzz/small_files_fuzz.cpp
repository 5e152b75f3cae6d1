// SPDX-License-Identifier: GPL-3.0-or-later
// The parsers of small files and of parts of large ones, each tested separately. They are: trackers,
// trainer_state.json, weight indexes, the .metadata of a distributed checkpoint, OCDBT manifests, group files, table
// blocks, zip directories, headers. Accepted input never leads out of its directory and never claims more than there
// is.
#include "core/checkpoint/codec/pickle.h"
#include "core/checkpoint/codec/pickle_outline.h"
#include "core/checkpoint/codec/snappy.h"
#include "core/checkpoint/codec/zip_directory.h"
#include "core/checkpoint/formats/dcp/dcp_metadata.h"
#include "core/checkpoint/formats/huggingface/trainer_state.h"
#include "core/checkpoint/formats/huggingface/weight_index.h"
#include "core/checkpoint/formats/mindspore/group_info.h"
#include "core/checkpoint/formats/mindspore/proto_record.h"
#include "core/checkpoint/formats/orbax/orbax_reader.h"
#include "core/checkpoint/formats/safetensors/safetensors_header.h"
#include "core/checkpoint/formats/tensorflow/tf_bundle.h"
#include "core/checkpoint/formats/tensorflow/tf_table.h"
#include "core/checkpoint/formats/tensorflow/tf_v1.h"
#include "core/checkpoint/formats/torch/torch_state.h"
#include "core/checkpoint/tracker.h"

#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace rankdeck;

bool isInside(std::string_view name)
{
    return name.find('/') == std::string_view::npos && name != ".." && name != "." &&
           name.find('\0') == std::string_view::npos;
}

void tracker(TrackerKind kind, std::string_view bytes)
{
    const TrackerContent said = parseTracker(kind, bytes, "/c");
    if (!isInside(said.target)) std::abort();
    if (said.target.empty() == (said.defect == TrackerContent::Defect::none)) std::abort();
}

void json(std::string_view bytes)
{
    if (const auto state = parseTrainerState(bytes); state && state->globalStep < 0) std::abort();
    if (const auto index = parseWeightIndex(bytes))
        for (const auto &[file, tensors] : index->files)
            if (file.empty() || !isInside(file) || tensors.empty()) std::abort();
    if (const auto header = parseSafetensorsHeader(bytes))
        for (const TensorInfo &tensor : header->tensors)
            if (tensor.offset > header->fileBytes || tensor.bytes > header->fileBytes - tensor.offset) std::abort();
}

void pickles(std::string_view bytes)
{
    const auto metadata = parseDcpMetadata(bytes);
    if (metadata)
        for (const auto &[file, size] : metadata->fileBytes)
            if (file.empty() || !isInside(file)) std::abort();
    // The result for a .metadata is the same as when it is read alone, whatever was read before it.
    const auto mark = readDcpMark(bytes);
    if (mark.has_value() != metadata.has_value()) std::abort();
    if (mark && (mark->saveId != metadata->saveId || mark->metadata->fileBytes != metadata->fileBytes ||
                 mark->metadata->items.size() != metadata->items.size() ||
                 mark->metadata->tensors.size() != metadata->tensors.size() ||
                 mark->metadata->dangerous != metadata->dangerous))
        std::abort();
    if (const auto pickle = Pickle::parse(bytes)) {
        if (pickle->size() > bytes.size()) std::abort();
        const TorchState state = readTorchState(*pickle);
        if (state.tensors.size() != state.storageOf.size()) std::abort();
    }
}

// A pickle and a second one that differs from it in one byte: the first three bytes of the input give position and
// value. If the outline accepts the second pickle, it can be parsed and has the same number of texts after the same
// place.
void outlines(std::string_view input)
{
    if (input.size() < 4) return;
    const auto byteAt = [&](std::size_t at) { return std::size_t(static_cast<unsigned char>(input[at])); };
    const std::string_view bytes = input.substr(3);
    const auto read = Pickle::parse(bytes);
    if (!read) return;
    const auto outline = PickleOutline::of(bytes, "storage_meta");
    if (!outline) return;
    if (outline->bytes() > bytes.size()) std::abort();
    const auto own = outline->textsOf(bytes);
    if (!own) std::abort();
    std::string other(bytes);
    other[(byteAt(0) | byteAt(1) << 8) % other.size()] = input[2];
    const auto texts = outline->textsOf(other);
    if (!texts) return;
    if (texts->size() != own->size()) std::abort();
    for (const std::string_view text : *texts)
        if (text.data() < other.data() || text.data() + text.size() > other.data() + other.size()) std::abort();
    const auto again = Pickle::parse(other);
    if (!again || again->size() != read->size()) std::abort();
}

void groups(std::string_view bytes)
{
    if (const auto ranks = parseGroupInfo(bytes))
        for (const int rank : *ranks)
            if (rank < 0) std::abort();
    (void)parseRestoreRanks(std::string(bytes));
    (void)parseRestoreMap(std::string(bytes));
}

void tables(std::string_view bytes)
{
    if (const auto block = parseTfBlock(bytes))
        for (const TfEntry &entry : *block)
            if (entry.value.data() < bytes.data() || entry.value.size() > bytes.size()) std::abort();
    (void)openTfBlock(bytes);
    if (const auto footer = parseTfFooter(bytes, bytes.size()))
        if (footer->index.end() > bytes.size()) std::abort();
    (void)parseTfV1Contents(bytes);
    (void)parseTfV1Value(bytes);
}

void archives(std::string_view bytes)
{
    if (const auto end = parseZipEnd(bytes, bytes.size())) {
        if (end->directory > bytes.size() || end->directoryBytes > bytes.size() - end->directory) std::abort();
        (void)parseZipDirectory(bytes.substr(std::size_t(end->directory), std::size_t(end->directoryBytes)),
                                end->entries);
    }
    (void)parseZipDirectory(bytes, 1000);
    (void)zipDataOffset(bytes, 0);
    (void)parseProtoRecord(bytes, bytes.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char *>(data) + 1, size - 1);
    switch (data[0] % 12) {
    case 0:
    case 1:
    case 2: tracker(static_cast<TrackerKind>(data[0] % 12), bytes); break;
    case 3:
    case 4: json(bytes); break;
    case 5: pickles(bytes); break;
    case 6:
        (void)ocdbtManifestFault(bytes);
        (void)parseOrbaxStep(std::string(bytes));
        break;
    case 7:
    case 8: groups(bytes); break;
    case 9: tables(bytes); break;
    case 11: outlines(bytes); break;
    default: archives(bytes);
    }
    return 0;
}
