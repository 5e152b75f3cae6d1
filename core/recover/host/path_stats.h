// SPDX-License-Identifier: GPL-3.0-or-later
// Existence and stat of many paths on many nodes. Lists each parent directory once, all at the same time, and blocks
// until the deadline. Opens no file, so it also sees directories and unreadable files.
#pragma once

#include "core/base/known.h"
#include "core/base/result.h"
#include "core/recover/action_context.h"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace rankdeck {

struct SeenFrom {
    const std::string &node;
    const FileStat &stat;
};
// True if two nodes see the same file under one path, on a shared disk. Such a file must be moved, kept or removed only
// once.
bool sameThing(const JobState &view, SeenFrom a, SeenFrom b);

class PathStats {
public:
    void want(const std::string &node, const std::string &path);
    void read(ActionContext &host, SteadyTime deadline);
    // Stores one node's listing of one directory.
    void answer(const std::string &node, const std::string &root, const Result<Listing> &listing);

    [[nodiscard]] std::optional<FileStat> stat(const std::string &node, const std::string &path) const;
    // All entries in the directory of the path, as far as they are known.
    [[nodiscard]] std::map<std::string, FileStat> beside(const std::string &node, const std::string &path) const;
    [[nodiscard]] Known exists(const std::string &node, const std::string &path) const;
    // Target of a symbolic link; empty for anything else.
    [[nodiscard]] std::string linkTarget(const std::string &node, const std::string &path) const;
    // Reason why `exists` is unknown: the parent or the entry could not be read. Empty when it is known.
    [[nodiscard]] std::string problem(const std::string &node, const std::string &path) const;

private:
    struct Directory {
        std::map<std::string, FileStat> entries = {};
        std::map<std::string, std::string> links = {};
        std::map<std::string, std::string> closed = {};  // existing directories that cannot be read, with the reason
        std::string problem = {};
        bool missing = false;
    };
    [[nodiscard]] const Directory *directoryOf(const std::string &node, const std::string &path) const;

    std::map<std::string, std::map<std::string, Directory>> m_nodes;
};

}  // namespace rankdeck
