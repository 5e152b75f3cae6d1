// SPDX-License-Identifier: GPL-3.0-or-later
// Cache of evidence by node, path and stat: an unchanged file is never read twice. Any thread. Equal tensor lists and
// equal metadata share memory.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace rankdeck {

class EvidenceCache {
public:
    // Evidence of the file as it is listed now; nullptr: none.
    [[nodiscard]] EvidencePtr find(const Member &member) const;
    void put(const Member &member, Evidence evidence);

private:
    struct Key {
        std::string node, path;
    };
    struct Place {  // lookup key that copies nothing
        std::string_view node, path;
        Place(const Key &key) : node(key.node), path(key.path) {}
        explicit Place(const Member &member) : node(member.node), path(member.file.path) {}
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(const Place &at) const
        {
            const std::hash<std::string_view> hash;
            return hash(at.path) * 31 + hash(at.node);
        }
    };
    struct Equal {
        using is_transparent = void;
        bool operator()(const Place &a, const Place &b) const { return a.path == b.path && a.node == b.node; }
    };
    struct Entry {
        EvidencePtr evidence;
        FileStat listed;
    };
    mutable std::mutex m_mutex;
    std::unordered_map<Key, Entry, Hash, Equal> m_entries;
    std::multimap<std::uint64_t, TensorList> m_structures;
    std::map<Meta::Map, Meta> m_metas;
};

}  // namespace rankdeck
