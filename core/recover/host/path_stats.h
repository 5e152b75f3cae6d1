// SPDX-License-Identifier: GPL-3.0-or-later
// What is there, for many paths on many nodes: the parents are listed, all at once, once each. Blocks until the
// deadline. Nothing is opened, so a directory and an unreadable file are told too.
#pragma once

#include "core/base/result.h"
#include "core/recover/action_context.h"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace rankdeck {

class PathStats {
public:
    void want(const std::string &node, const std::string &path);
    void read(ActionContext &host, SteadyTime deadline);
    // What one node said of one directory.
    void answer(const std::string &node, const std::string &root, const Result<Listing> &listing);

    [[nodiscard]] std::optional<FileStat> stat(const std::string &node, const std::string &path) const;
    [[nodiscard]] bool exists(const std::string &node, const std::string &path) const
    {
        return stat(node, path).has_value();
    }
    // False when the parent could not be listed: then nothing is known of the path.
    [[nodiscard]] bool known(const std::string &node, const std::string &path) const;
    // Why the parent could not be listed; empty when it could.
    [[nodiscard]] std::string problem(const std::string &node, const std::string &path) const;

private:
    struct Directory {
        std::map<std::string, FileStat> entries = {};
        std::string problem = {};
        bool missing = false;
    };
    std::map<std::string, std::map<std::string, Directory>> m_nodes;
};

}  // namespace rankdeck
