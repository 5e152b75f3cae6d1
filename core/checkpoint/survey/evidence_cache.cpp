// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/survey/evidence_cache.h"

namespace rankdeck {
namespace {

constexpr std::size_t maxMetas = 4096;  // of formats that tell each rank's own things there is nothing to share

// Mode and owner change without the bytes changing (chmod 0400 after the rename).
bool sameBytes(const FileStat &a, const FileStat &b)
{
    return a.size == b.size && a.mtimeNs == b.mtimeNs && a.inode == b.inode && a.device == b.device;
}

}  // namespace

EvidencePtr EvidenceCache::find(const Member &member, SteadyTime now) const
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_entries.find(Place(member));
    if (found == m_entries.end() || !sameBytes(found->second.listed, member.file.stat)) return nullptr;
    if (found->second.until && *found->second.until < now) return nullptr;
    return found->second.evidence;
}

void EvidenceCache::put(const Member &member, Evidence evidence, SteadyTime now, double holdSeconds)
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
    Entry entry{std::make_shared<const Evidence>(std::move(evidence)), member.file.stat, {}};
    if (holdSeconds > 0)
        entry.until =
            now + std::chrono::duration_cast<SteadyTime::duration>(std::chrono::duration<double>(holdSeconds));
    m_entries.insert_or_assign(Key{member.node, member.file.path}, std::move(entry));
}

}  // namespace rankdeck
