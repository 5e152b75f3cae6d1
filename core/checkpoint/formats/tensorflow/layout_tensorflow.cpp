// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/tensorflow/layout_tensorflow.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/tensorflow/tf_bundle_reader.h"
#include "core/checkpoint/formats/tensorflow/tf_names.h"
#include "core/checkpoint/formats/tensorflow/tf_shards_reader.h"

#include <algorithm>
#include <map>

namespace rankdeck {
namespace {

using Files = std::vector<const FileEntry *>;

// The files of one directory, by their checkpoint.
struct Found {
    std::map<std::string, std::vector<FileEntry>> bundles = {};     // V2: by prefix
    std::map<std::string, std::vector<FileEntry>> shards = {};      // V1 in shards: by "prefix-?????-of-00002"
    std::map<std::string, std::vector<FileEntry>> singles = {};     // V1: by path
    std::vector<std::pair<std::string, FileEntry>> temporary = {};  // prefix, file
};

bool has(const Files &files, const std::string &path)  // files: in path order
{
    const auto at =
        std::lower_bound(files.begin(), files.end(), path,
                         [](const FileEntry *file, const std::string &wanted) { return file->path < wanted; });
    return at != files.end() && (*at)->path == path;
}

Found sort(const Files &files)
{
    Found out;
    for (const FileEntry *file : files) {
        const TfFileName name = parseTfFileName(baseName(file->path));
        if (name.role == TfFileName::Role::none) continue;
        const std::string prefix = joinPath(dirName(file->path), name.prefix);
        switch (name.role) {
        case TfFileName::Role::index:
        case TfFileName::Role::data: out.bundles[prefix].push_back(*file); break;
        case TfFileName::Role::shard:
            if (name.plain || has(files, prefix + ".meta"))
                out.shards[tfShardsName(prefix, name.count)].push_back(*file);
            break;
        case TfFileName::Role::temporary: out.temporary.emplace_back(prefix, *file); break;
        case TfFileName::Role::single:
            if (name.plain || has(files, prefix + ".meta")) out.singles[prefix].push_back(*file);
            break;
        case TfFileName::Role::none: break;
        }
    }
    return out;
}

Composite composite(const ListingTree &tree, const std::string &path, const std::string &prefix,
                    std::vector<FileEntry> parts)
{
    Composite out = makeComposite(tree, path, std::move(parts));
    out.name = tfPrefixName(baseName(prefix));
    out.series = dirName(prefix);
    out.directory = false;
    return out;
}

// A SavedModel is an export: its variables are a bundle in their own folder.
bool isOfSavedModel(const ListingTree &tree, const std::string &directory)
{
    return baseName(directory) == "variables" && tree.find(joinPath(dirName(directory), "saved_model.pb")) != nullptr;
}

std::vector<Composite> find(const ListingTree &tree)
{
    std::vector<Composite> all;
    for (const auto &[directory, files] : tree.directories()) {
        if (isOfSavedModel(tree, directory)) continue;
        const auto isPart = [](const FileEntry *file) { return baseName(file->path).compare(0, 5, "part-") == 0; };
        // A sharded save merges its parts from this directory.
        if (directory.ends_with("_temp") && std::any_of(files.begin(), files.end(), isPart)) {
            std::vector<FileEntry> parts;
            for (const FileEntry *file : files) parts.push_back(*file);
            Composite temporary =
                composite(tree, directory, directory.substr(0, directory.size() - 5), std::move(parts));
            temporary.name.temporary = true;
            all.push_back(std::move(temporary));
            continue;
        }
        Found found = sort(files);
        for (auto &[prefix, parts] : found.bundles) {
            const bool alone = parts.size() == 1 && parts.front().path.ends_with(".index");
            if (alone && baseName(prefix).find("ckpt") == std::string::npos) continue;  // any other kind of index
            all.push_back(composite(tree, prefix, prefix, std::move(parts)));
        }
        for (auto &[path, parts] : found.shards)
            all.push_back(composite(tree, path, path.substr(0, path.rfind("-?")), parts));
        for (auto &[path, parts] : found.singles)
            if (found.bundles.count(path) == 0) all.push_back(composite(tree, path, path, parts));
        for (auto &[prefix, file] : found.temporary) {
            Composite temporary = composite(tree, file.path, prefix, {file});
            temporary.name.temporary = true;
            all.push_back(std::move(temporary));
        }
    }
    return all;
}

std::unique_ptr<FormatReader> open(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
{
    if (parts.empty()) return nullptr;
    const std::string directory = dirName(whole.path);
    const TfFileName name = parseTfFileName(baseName(parts.front().path));
    const bool beside = dirName(parts.front().path) == directory;
    const bool bundle = name.role == TfFileName::Role::index || name.role == TfFileName::Role::data;
    const bool unmerged = dirName(parts.front().path) == whole.path && whole.path.ends_with("_temp");
    const bool temporary = beside && name.role == TfFileName::Role::temporary;
    if ((bundle && beside && joinPath(directory, name.prefix) == whole.path) || unmerged || temporary)
        return std::make_unique<TfBundleReader>(whole, parts, wanted);
    if (parts.size() == 1 && parts.front().path == whole.path) return makeReader(parts.front(), wanted);
    if (beside && name.role == TfFileName::Role::shard &&
        tfShardsName(joinPath(directory, name.prefix), name.count) == whole.path)
        return std::make_unique<TfShardsReader>(whole, parts, wanted);
    return nullptr;
}

}  // namespace

const Layout tensorflowLayout{&find, &open};

}  // namespace rankdeck
