// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/foreign/layout_foreign.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/foreign/foreign_reader.h"

#include <algorithm>
#include <map>

namespace rankdeck {
namespace {

constexpr std::size_t maxFound = 500;  // a directory of data may hold many files of such names

struct Look {
    std::string_view end;  // ending of a file's name
    Message (*what)();
};
constexpr Look fileLooks[] = {
    {".msgpack", [] { return message("a flax checkpoint (msgpack)"); }},
    {".weights.h5", [] { return message("Keras weights (HDF5)"); }},
    {".keras", [] { return message("a Keras model"); }},
    {".h5", [] { return message("a Keras or h5py file (HDF5)"); }},
    {".hdf5", [] { return message("a Keras or h5py file (HDF5)"); }},
    {".pdparams", [] { return message("a Paddle checkpoint"); }},
    {".pdopt", [] { return message("a Paddle checkpoint"); }},
    {".nemo", [] { return message("a NeMo archive"); }},
    {".eqx", [] { return message("an Equinox checkpoint"); }},
    {".caffemodel", [] { return message("a Caffe snapshot"); }},
    {".solverstate", [] { return message("a Caffe snapshot"); }},
    {".gguf", [] { return message("a model exported for llama.cpp (GGUF)"); }},
    {".onnx", [] { return message("an ONNX export"); }},
    {".mindir", [] { return message("a MindSpore export (MindIR)"); }},
};

// Files with these endings have many uses, so only those with the name of a checkpoint are taken.
constexpr Look namedLooks[] = {
    {".pkl", [] { return message("a pickled checkpoint"); }},
    {".pickle", [] { return message("a pickled checkpoint"); }},
    {".joblib", [] { return message("a pickled checkpoint"); }},
    {".gz", [] { return message("a checkpoint that is compressed (gzip)"); }},
    {".zst", [] { return message("a checkpoint that is compressed (zstd)"); }},
    {".xz", [] { return message("a checkpoint that is compressed (xz)"); }},
    {".bz2", [] { return message("a checkpoint that is compressed (bzip2)"); }},
    {".lz4", [] { return message("a checkpoint that is compressed (lz4)"); }},
    {".tar", [] { return message("a checkpoint in an archive"); }},
    {".tgz", [] { return message("a checkpoint in an archive"); }},
    {".zip", [] { return message("a checkpoint in an archive"); }},
    {".jld2", [] { return message("a Julia checkpoint"); }},
    {".bson", [] { return message("a Julia checkpoint (Flux)"); }},
    {".params", [] { return message("MXNet parameters"); }},
};

// "ckpt_300" of "ckpt_300.pt.gz" and of "ckpt_300.tar".
std::string_view bareStem(std::string_view stem)
{
    const std::size_t dot = stem.rfind('.');
    for (const std::string_view inner : {".pt", ".pth", ".ckpt", ".tar", ".safetensors", ".bin"})
        if (dot != std::string_view::npos && stem.substr(dot) == inner) return bareStem(stem.substr(0, dot));
    return stem;
}

bool isNamedAsCheckpoint(std::string_view stem)
{
    return stem.starts_with("checkpoint") || stem.starts_with("ckpt") || pointOfFolder(std::string(stem)).has_value();
}

const Look *lookOfFile(std::string_view name)
{
    for (const Look &look : namedLooks)
        if (name.ends_with(look.end) && isNamedAsCheckpoint(bareStem(name.substr(0, name.size() - look.end.size()))))
            return &look;
    for (const Look &look : fileLooks)
        if (name.size() > look.end.size() && name.ends_with(look.end)) return &look;
    return nullptr;
}

// "x.pdparams" and "x.pdopt" are halves of one checkpoint.
std::string stemOf(const std::string &path)
{
    const Look *look = lookOfFile(baseName(path));
    return look ? std::string(bareStem(std::string_view(path).substr(0, path.size() - look->end.size()))) : path;
}

// The kind of checkpoint that a file shows, and how many levels above the file the checkpoint begins.
struct Place {
    Message (*what)();
    int levels = 0;
};
std::optional<Place> placeOfMark(std::string_view name)
{
    if (name == ".snapshot_metadata") return Place{[] { return message("a torchsnapshot checkpoint"); }, 0};
    // A file of paddle.distributed.save_state_dict, beside 0_0.distcp. The names of torch's own files begin with "__".
    if (name == "0.metadata") return Place{[] { return message("a distributed Paddle checkpoint"); }, 0};
    if (name == ".zarray" || name == "zarr.json")
        return Place{[] { return message("zarr arrays (T5X, Megatron's older format)"); }, 1};
    return std::nullopt;
}

Composite make(const ListingTree &tree, const std::string &path, std::vector<FileEntry> parts)
{
    Composite found = makeComposite(tree, path, std::move(parts));
    const std::string stem = stemOf(baseName(path));
    if (stem != baseName(path)) {
        const ParsedName own = numberedName(stem);
        found.name.globalStep = own.globalStep;
        found.name.epoch = own.epoch;
        found.name.stepIsGuess = own.stepIsGuess;
        found.name.kind = own.kind;
        found.name.prefix = own.prefix;
    }
    return found;
}

std::vector<Composite> find(const ListingTree &tree)
{
    std::map<std::string, std::vector<FileEntry>> wholes;
    for (const auto &[directory, files] : tree.directories())
        for (const FileEntry *file : files) {
            const auto place = placeOfMark(baseName(file->path));
            if (!place) continue;
            std::string whole = directory;
            for (int i = 0; i < place->levels && whole.size() > tree.root().size(); ++i) whole = dirName(whole);
            if (wholes.count(whole) == 0) wholes[whole] = tree.below(whole);
        }
    const auto within = [&](const std::string &path) {
        for (std::string at = dirName(path); at.size() >= tree.root().size() && at.size() > 1; at = dirName(at))
            if (wholes.count(at) != 0) return true;
        return false;
    };
    std::map<std::string, std::vector<FileEntry>> files;
    for (const auto &[directory, own] : tree.directories())
        for (const FileEntry *file : own)
            if (lookOfFile(baseName(file->path)) && !within(file->path)) files[stemOf(file->path)].push_back(*file);
    std::vector<Composite> all;
    for (auto &[path, parts] : wholes) all.push_back(make(tree, path, std::move(parts)));
    for (auto &[stem, parts] : files) {
        if (all.size() >= maxFound) break;
        const std::string first = parts.front().path;
        all.push_back(make(tree, first, std::move(parts)));
    }
    return all;
}

std::unique_ptr<FormatReader> open(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel)
{
    for (const FileEntry &part : parts)
        if (const auto place = placeOfMark(baseName(part.path)))
            return std::make_unique<ForeignReader>(whole, place->what());
    const Look *look = lookOfFile(baseName(whole.path));
    const bool itself = parts.size() <= 2 && std::any_of(parts.begin(), parts.end(), [&](const FileEntry &part) {
                            return part.path == whole.path;
                        });
    return itself && look ? std::make_unique<ForeignReader>(whole, look->what()) : nullptr;
}

}  // namespace

const Layout foreignLayout{&find, &open};

}  // namespace rankdeck
