// SPDX-License-Identifier: GPL-3.0-or-later
// What is there, for many paths on many nodes: the parents are listed, all at once, once each. Blocks until the
// deadline. Nothing is opened, so a directory and an unreadable file are told too.
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
// Whether what two nodes see under one path is one thing on a disk that they share: it can be moved, kept or removed once.
bool sameThing(const JobState &view, SeenFrom a, SeenFrom b);

class PathStats {
public:
    void want(const std::string &node, const std::string &path);
    void read(ActionContext &host, SteadyTime deadline);
    // What one node said of one directory.
    void answer(const std::string &node, const std::string &root, const Result<Listing> &listing);

    [[nodiscard]] std::optional<FileStat> stat(const std::string &node, const std::string &path) const;
    // All that lies in the path's directory, as far as it is known.
    [[nodiscard]] std::map<std::string, FileStat> beside(const std::string &node, const std::string &path) const;
    [[nodiscard]] Known exists(const std::string &node, const std::string &path) const;
    // Where a symbolic link leads; empty for anything else.
    [[nodiscard]] std::string linkTarget(const std::string &node, const std::string &path) const;
    // Why `exists` is unknown: the parent could not be listed, or the entry in it not be looked at. Empty when it is known.
    [[nodiscard]] std::string problem(const std::string &node, const std::string &path) const;

private:
    struct Directory {
        std::map<std::string, FileStat> entries = {};
        std::map<std::string, std::string> links = {};
        std::map<std::string, std::string> closed = {};  // that are there, and why nothing is known of them
        std::string problem = {};
        bool missing = false;
    };
    [[nodiscard]] const Directory *directoryOf(const std::string &node, const std::string &path) const;

    std::map<std::string, std::map<std::string, Directory>> m_nodes;
};

}  // namespace rankdeck
