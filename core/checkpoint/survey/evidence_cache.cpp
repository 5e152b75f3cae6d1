// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/survey/evidence_cache.h"

namespace rankdeck {
namespace {

constexpr std::size_t maxMetas = 4096;  // formats with different metadata per rank have nothing to share

// Mode and owner may change without a change of the bytes (chmod 0400 after the rename).
bool sameBytes(const FileStat &a, const FileStat &b)
{
    return a.size == b.size && a.mtimeNs == b.mtimeNs && a.inode == b.inode && a.device == b.device;
}

}  // namespace

EvidencePtr EvidenceCache::find(const Member &member) const
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_entries.find(Place(member));
    if (found == m_entries.end() || !sameBytes(found->second.listed, member.file.stat)) return nullptr;
    return found->second.evidence;
}

void EvidenceCache::put(const Member &member, Evidence evidence)
{
    const std::lock_guard lock(m_mutex);
    const auto [first, last] = m_structures.equal_range(evidence.tensors.structure());
    bool shared = evidence.tensors.empty();
    for (auto it = first; it != last && !shared; ++it) {
        if (it->second.all() != evidence.tensors.all()) continue;
        evidence.tensors = it->second;
        shared = true;
    }
    if (!shared && m_structures.size() < 4096) m_structures.emplace(evidence.tensors.structure(), evidence.tensors);
    if (!evidence.meta.empty()) {
        if (m_metas.size() >= maxMetas) m_metas.clear();
        evidence.meta = m_metas.try_emplace(evidence.meta.all(), evidence.meta).first->second;
    }
    m_entries.insert_or_assign(Key{member.node, member.file.path},
                               Entry{std::make_shared<const Evidence>(std::move(evidence)), member.file.stat});
}

}  // namespace rankdeck
