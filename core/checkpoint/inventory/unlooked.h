// SPDX-License-Identifier: GPL-3.0-or-later
// Files that no name grammar takes for checkpoints: lists which were not read, and why, with one line for each kind.
// Pure; cannot fail. Keeps only a few names, however many files there are.
#pragma once

#include "core/node/protocol/messages.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace rankdeck {

class Unlooked {
public:
    // Adds a file with an unknown name, in a listed directory of this node.
    void take(const std::string &node, const FileEntry &entry);
    // nothingFound: no checkpoint exists at all, so every kind of file is named; otherwise only packed checkpoints are
    // named.
    [[nodiscard]] std::vector<std::string> tell(bool nothingFound) const;

private:
    struct Kind {
        std::string first;  // path and node
        std::int64_t count = 0;
        std::uint64_t bytes = 0;
    };
    std::map<std::string, Kind> m_endings, m_packed;
};

// Description of files with this extension: "pickles, which Rankdeck never loads"; empty: unknown.
std::string_view whatEndsIn(std::string_view ending);

}  // namespace rankdeck
