// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/protocol/watch_state.h"

#include "core/node/protocol/frame.h"
#include "core/node/protocol/wire.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr std::size_t maxImageEntries = 200000;

}  // namespace

bool WatchState::sendable(const std::string &path) { return !path.empty() && path.find('\0') == std::string::npos; }

void WatchState::set(const WatchSpec &spec)
{
    std::map<std::uint32_t, Tail> tails;
    for (const TailSpec &wanted : spec.tails) {
        if (!sendable(wanted.path)) continue;
        const auto same = std::find_if(m_tails.begin(), m_tails.end(), [&](const auto &entry) {
            return entry.second.spec.id == wanted.id && entry.second.spec.path == wanted.path;
        });
        if (same == m_tails.end()) {
            tails.emplace(m_nextWire++, Tail{wanted, wanted.from});
        } else {
            auto node = m_tails.extract(same);
            node.mapped().spec = wanted;
            tails.insert(std::move(node));
        }
    }
    m_tails = std::move(tails);
    std::map<std::uint32_t, Image> directories;
    for (const DirectorySpec &wanted : spec.directories) {
        if (!sendable(wanted.root)) continue;
        const auto same = std::find_if(m_directories.begin(), m_directories.end(),
                                       [&](const auto &entry) { return entry.second.spec == wanted; });
        if (same == m_directories.end())
            directories.emplace(m_nextWire++, Image{wanted, {}});
        else
            directories.insert(m_directories.extract(same));
    }
    m_directories = std::move(directories);
    m_spec = spec;
}

Result<std::string> WatchState::encode() const
{
    std::string out;
    WireWriter writer(out);
    writer.u32(static_cast<std::uint32_t>(m_tails.size()));
    for (const auto &[wire, tail] : m_tails) {
        writer.u32(wire);
        writer.blob(tail.spec.path);
        writer.u8(static_cast<unsigned>(tail.spec.pace));
        writer.u64(tail.spec.lastBytes);
        writer.u8(tail.point ? 1 : 0);
        if (!tail.point) continue;
        writer.u64(tail.point->device);
        writer.u64(tail.point->inode);
        writer.u64(tail.point->offset);
        writer.blob(tail.point->tailHash);
    }
    writer.u32(static_cast<std::uint32_t>(m_directories.size()));
    for (const auto &[wire, image] : m_directories) {
        writer.u32(wire);
        writer.blob(image.spec.root);
        writer.u32(static_cast<std::uint32_t>(std::max(1, image.spec.depth)));
    }
    writer.u8(m_spec.processes ? 1 : 0);
    writer.u32(static_cast<std::uint32_t>(m_spec.processEnv.size()));
    for (const std::string &name : m_spec.processEnv) writer.blob(name);
    const auto usable = std::count_if(m_spec.processPaths.begin(), m_spec.processPaths.end(), sendable);
    writer.u32(static_cast<std::uint32_t>(usable));
    for (const std::string &path : m_spec.processPaths)
        if (sendable(path)) writer.blob(path);
    writer.u32(static_cast<std::uint32_t>(m_spec.processPids.size()));
    for (const int pid : m_spec.processPids) writer.u32(static_cast<std::uint32_t>(pid));
    if (out.size() > maxRequestBytes)
        return fail(ErrorKind::invalid, message("The paths to follow on one node do not fit into 16 MiB."));
    return out;
}

void WatchState::linkLost()
{
    for (auto &[wire, image] : m_directories) image.entries.clear();
}

std::optional<TailChunk> WatchState::apply(std::uint32_t wire, TailChunk chunk)
{
    const auto found = m_tails.find(wire);
    if (found == m_tails.end()) return std::nullopt;
    chunk.id = found->second.spec.id;
    found->second.point = chunk.next;
    return chunk;
}

std::optional<TailEvent> WatchState::apply(std::uint32_t wire, TailEvent event)
{
    const auto found = m_tails.find(wire);
    if (found == m_tails.end()) return std::nullopt;
    Tail &tail = found->second;
    event.id = tail.spec.id;
    switch (event.change) {
    case TailChange::opened:
        // A confirmed point keeps its hash. A new point begins here and is not checked before the first bytes arrive.
        if (!tail.point || tail.point->offset != event.from || tail.point->inode != event.stat.inode)
            tail.point = ResumePoint{event.stat.device, event.stat.inode, event.from, {}};
        break;
    case TailChange::truncated:
    case TailChange::replaced: tail.point = ResumePoint{event.stat.device, event.stat.inode, 0, {}}; break;
    case TailChange::gap:
        if (tail.point) tail.point = ResumePoint{tail.point->device, tail.point->inode, event.to, {}};
        break;
    case TailChange::missing:
    case TailChange::unreadable: break;
    }
    return event;
}

Result<std::optional<WatchState::Directory>> WatchState::apply(std::uint32_t wire, DirectoryDelta delta)
{
    const auto found = m_directories.find(wire);
    if (found == m_directories.end()) return std::optional<Directory>();
    Image &image = found->second;
    if (delta.unchanged() && delta.truncated == image.truncated && delta.error == image.error) {
        Directory same{image.spec.id, {}, true};
        same.listing.asOfNs = delta.asOfNs;
        return std::optional<Directory>(std::move(same));
    }
    image.truncated = delta.truncated;
    image.error = delta.error;
    if (delta.full) image.entries.clear();
    for (const std::string &path : delta.removed) image.entries.erase(path);
    for (FileEntry &entry : delta.entries) {
        std::string path = entry.path;
        image.entries.insert_or_assign(std::move(path), std::move(entry));
    }
    if (image.entries.size() > maxImageEntries)
        return fail(ErrorKind::protocol, message("The probe reported more files in one directory than allowed."));
    Directory told{image.spec.id, {image.spec.root, {}, delta.truncated, std::move(delta.error), delta.asOfNs}};
    told.listing.entries.reserve(image.entries.size());
    for (const auto &[path, entry] : image.entries) told.listing.entries.push_back(entry);
    return std::optional<Directory>(std::move(told));
}

}  // namespace rankdeck
