// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/dcp/layout_dcp.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/dcp/dcp_reader.h"

#include <algorithm>

namespace rankdeck {
namespace {

// .metadata, .metadata.tmp, __0_0.distcp
bool isDcpFile(const std::string &name)
{
    return name == ".metadata" || name == ".metadata.tmp" ||
           (name.size() > 9 && name.compare(0, 2, "__") == 0 && name.compare(name.size() - 7, 7, ".distcp") == 0);
}

std::vector<Composite> find(const ListingTree &tree)
{
    std::vector<Composite> all;
    for (const auto &[directory, files] : tree.directories()) {
        if (std::none_of(files.begin(), files.end(), [](const FileEntry *f) { return isDcpFile(baseName(f->path)); }))
            continue;
        std::vector<FileEntry> parts;
        for (const FileEntry *file : files) parts.push_back(*file);
        all.push_back(makeComposite(tree, directory, std::move(parts)));
    }
    return all;
}

std::unique_ptr<FormatReader> open(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
{
    const bool own = parts.empty() || std::any_of(parts.begin(), parts.end(), [&](const FileEntry &part) {
                         return dirName(part.path) == whole.path && isDcpFile(baseName(part.path));
                     });
    return own ? std::make_unique<DcpReader>(whole, parts, wanted) : nullptr;
}

}  // namespace

const Layout dcpLayout{&find, &open};

}  // namespace rankdeck
