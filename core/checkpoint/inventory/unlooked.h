// SPDX-License-Identifier: GPL-3.0-or-later
// Files that no grammar of names takes for checkpoints: what was not looked at, and why. A line for each kind. Pure;
// cannot fail; of any number of files a few names are kept.
#pragma once

#include "core/node/protocol/messages.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace rankdeck {

class Unlooked {
public:
    // A file of no known name; of the directory that was listed on this node.
    void take(const std::string &node, const FileEntry &entry);
    // nothingFound: there is no checkpoint at all, so every kind of file is named; else only packed checkpoints are.
    [[nodiscard]] std::vector<std::string> tell(bool nothingFound) const;

private:
    struct Kind {
        std::string first;  // path and node
        std::int64_t count = 0;
        std::uint64_t bytes = 0;
    };
    std::map<std::string, Kind> m_endings, m_packed;
};

// What a file of this ending is to Rankdeck: "pickles, which are never run"; empty: nothing is known of it.
std::string_view whatEndsIn(std::string_view ending);

}  // namespace rankdeck
