// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/unlooked.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/formats.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr std::size_t maxEndings = 200, maxTold = 8;
constexpr const char *noEnding = "no file name extension";

struct Look {
    std::string_view ending, what;
    bool packed = false;  // may contain a checkpoint
};
constexpr Look looks[] = {
    {".gz", "compressed (gzip)", true},
    {".zst", "compressed (zstd)", true},
    {".xz", "compressed (xz)", true},
    {".bz2", "compressed (bzip2)", true},
    {".lz4", "compressed (lz4)", true},
    {".tar", "an archive", true},
    {".tgz", "an archive", true},
    {".zip", "an archive", true},
    {".7z", "an archive", true},
    {".gpg", "encrypted", true},
    {".age", "encrypted", true},
    {".enc", "encrypted", true},
    {".dvc", "a DVC pointer, not the file", true},
    {".joblib", "joblib pickles, which Rankdeck never loads"},
    {".pkl", "pickles, which Rankdeck never loads"},
    {".pickle", "pickles, which Rankdeck never loads"},
    {".npy", "single NumPy arrays"},
    {".jld2", "Julia files"},
    {".bson", "Julia files (Flux)"},
    {".cbm", "CatBoost models"},
    {".ubj", "XGBoost models"},
    {".pb", "TensorFlow graphs, an export"},
    {".tflite", "TensorFlow Lite models, an export"},
    {".engine", "TensorRT engines, an export"},
    {".mar", "TorchServe archives, an export"},
    {".distcp", "shards of a distributed checkpoint without its directory"},
    {".safetensors", "safetensors whose names have neither a step nor a rank"},
    {".log", "logs"},
    {".txt", "text"},
    {".json", "JSON"},
    {".yaml", "YAML"},
    {".yml", "YAML"},
    {".py", "Python"},
};

std::string endingOf(const std::string &base)
{
    const std::size_t dot = base.rfind('.');
    const bool ends = dot != std::string::npos && dot > 0 && dot + 1 < base.size() && base.size() - dot <= 16;
    return ends ? base.substr(dot) : noEnding;
}

// True for ckpt_30.pt.gz or step_30.tar, which would be read without the last extension.
bool isPackedCheckpoint(const std::string &base, const std::string &ending)
{
    const auto look =
        std::find_if(std::begin(looks), std::end(looks), [&](const Look &l) { return l.ending == ending; });
    if (look == std::end(looks) || !look->packed) return false;
    std::string inner = base.substr(0, base.size() - ending.size());
    if (inner.ends_with(".tar")) inner.resize(inner.size() - 4);
    return parseCheckpointName(inner, {}).has_value() || pointOfFolder(inner).has_value();
}

template <class Kinds>
void add(Kinds &kinds, const std::string &ending, const std::string &node, const FileEntry &entry)
{
    if (kinds.size() >= maxEndings && kinds.count(ending) == 0) return;
    auto &kind = kinds[ending];
    if (kind.count++ == 0) kind.first = printable(entry.path) + " on " + node;
    kind.bytes += entry.stat.size;
}

std::string manyOf(std::int64_t count) { return count == 1 ? "" : " and " + grouped(count - 1) + " more like it"; }

}  // namespace

std::string_view whatEndsIn(std::string_view ending)
{
    for (const Look &look : looks)
        if (look.ending == ending) return look.what;
    return {};
}

void Unlooked::take(const std::string &node, const FileEntry &entry)
{
    if (entry.stat.kind != 'f') return;
    const std::string base = baseName(entry.path), ending = endingOf(base);
    add(isPackedCheckpoint(base, ending) ? m_packed : m_endings, ending, node, entry);
}

std::vector<std::string> Unlooked::tell(bool nothingFound) const
{
    std::vector<std::string> out;
    for (const auto &[ending, kind] : m_packed)
        out.push_back(kind.first + manyOf(kind.count) + ": " + std::string(whatEndsIn(ending)) +
                      ", not searched; its content is unknown");
    if (!nothingFound) return out;
    std::vector<std::pair<std::string, Kind>> kinds(m_endings.begin(), m_endings.end());
    std::stable_sort(kinds.begin(), kinds.end(),
                     [](const auto &a, const auto &b) { return a.second.bytes > b.second.bytes; });
    for (const auto &[ending, kind] : kinds) {
        if (out.size() >= maxTold) break;
        const std::string_view what = whatEndsIn(ending);
        out.push_back(kind.first + manyOf(kind.count) + " (" + printable(ending) + ", " + bytesText(kind.bytes) +
                      "): " + (what.empty() ? std::string("unknown kind") : std::string(what)) +
                      ", not read: the name is not that of a checkpoint");
    }
    if (kinds.empty() && out.empty()) out.emplace_back("it has no file");
    return out;
}

}  // namespace rankdeck
