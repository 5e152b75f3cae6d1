// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/orbax/orbax_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/bytes.h"
#include "core/checkpoint/codec/crc32c.h"
#include "core/checkpoint/codec/json_text.h"
#include "core/checkpoint/read/layouts.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace rankdeck {
namespace {

constexpr std::string_view manifestName = "manifest.ocdbt", staging = ".orbax-checkpoint-tmp";
constexpr std::uint64_t maxManifest = 16u << 20;

bool isJson(const std::string &base)
{
    return base == "_METADATA" || base == "_CHECKPOINT_METADATA" || base == "_sharding";
}

// 3 for "default/array_metadatas/process_3" and the start "default/array_metadatas/process_".
std::optional<int> numberBelow(const std::string &name, const std::string &start)
{
    if (name.compare(0, start.size(), start) != 0) return std::nullopt;
    const std::string rest = name.substr(start.size(), name.find('/', start.size()) - start.size());
    const auto number = decimal(rest);
    return number && *number < 1'000'000 ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

}  // namespace

Message ocdbtManifestFault(std::string_view bytes)
{
    if (bytes.size() < 16) return message("has %1 bytes, too few for a manifest", grouped(std::int64_t(bytes.size())));
    if (bytes.substr(0, 4) != "\x0c\xdb\x3a\x2a") return message("does not begin like an OCDBT manifest");
    const std::uint64_t length = littleEndian(bytes, 4, 8).value_or(0);
    if (length != bytes.size())
        return message("records a length of %1 bytes, but has %2",
                       grouped(std::int64_t(std::min<std::uint64_t>(length, INT64_MAX))),
                       grouped(std::int64_t(bytes.size())));
    const std::uint64_t told = littleEndian(bytes, bytes.size() - 4, 4).value_or(0);
    if (told != crc32c(bytes.substr(0, bytes.size() - 4))) return message("does not match its checksum");
    return {};
}

std::optional<ParsedName> parseOrbaxStep(const std::string &directory)
{
    ParsedName name;
    std::string stem = directory;
    if (const std::size_t at = stem.find(staging); at != std::string::npos && at > 0) {
        const std::string rest = stem.substr(at + staging.size());
        if (!rest.empty() && !(rest[0] == '-' && decimal(rest.substr(1)))) return std::nullopt;
        name.temporary = true;
        stem.resize(at);
    }
    const std::size_t digits = stem.find_last_not_of("0123456789") + 1;
    name.globalStep = decimal(stem.substr(digits));
    if (!name.globalStep || (digits > 0 && stem[digits - 1] != '_')) return std::nullopt;
    name.prefix = stem.substr(0, digits);
    // Orbax's own folders for each process are not steps.
    if (name.prefix == "process_" || name.prefix == "ocdbt.process_") return std::nullopt;
    return name;
}

OrbaxReader::OrbaxReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
    : CompositeReader(whole, parts, wanted, Format::orbax)
{}

CompositeReader::How OrbaxReader::plan(const Part &part)
{
    const std::string base = baseName(part.name);
    return (base == manifestName && part.file.stat.size <= maxManifest) || isJson(base) ? How::whole : How::leave;
}

ReadStep OrbaxReader::combine(const ReadReplies &)
{
    m_evidence.meta["framework"] = "jax";
    checkManifests();
    checkJson();
    checkDatabases();
    checkCommit();
    problem("content_unproven", message("only manifests, metadata and names were checked: no array was read"));
    conclude();
    if (m_evidence.complete == true) m_evidence.level = EvidenceLevel::L1;
    return {};
}

void OrbaxReader::checkManifests()
{
    for (const Part &part : m_parts) {
        if (baseName(part.name) != manifestName || full()) continue;
        if (part.how == How::leave) {
            refuse("torn", message("%1 has %2, too large for a manifest", printable(part.name),
                                   bytesText(part.file.stat.size)));
            continue;
        }
        if (!takeOver(part)) continue;
        if (const Message fault = ocdbtManifestFault(part.bytes); !fault.empty())
            refuse("torn", message("%1 %2", printable(part.name), fault));
    }
}

void OrbaxReader::checkJson()
{
    for (const Part &part : m_parts) {
        if (!isJson(baseName(part.name)) || full()) continue;
        if (takeOver(part) && !nlohmann::json::accept(part.bytes))
            refuse("torn", message("%1 %2", printable(part.name), notJsonText(part.bytes)));
    }
}

// If renames are atomic, the final name is the commit mark; otherwise commit_success.txt is. Later versions also write
// the time of the commit.
void OrbaxReader::checkCommit()
{
    const Part *own = find("_CHECKPOINT_METADATA");
    bool proven = find("commit_success.txt") != nullptr;
    if (own && own->evidence.complete == true) {
        const auto json = nlohmann::json::parse(own->bytes, nullptr, false);
        const auto time = json.is_object() ? json.find("commit_timestamp_nsecs") : json.end();
        proven = proven || (json.is_object() && time != json.end() && time->is_number_integer());
    }
    if (!proven)
        problem("commit_unproven", message("no commit_success.txt and no commit time in _CHECKPOINT_METADATA: complete "
                                           "only if the directory was renamed when the save finished"));
}

// For each item: the database of all processes, and the databases of the processes from which it was merged.
void OrbaxReader::checkDatabases()
{
    std::set<std::string> items, withData, withManifest;
    for (const Part &part : m_parts) {
        const std::string folder = dirName("/" + part.name).substr(1), base = baseName(part.name);
        if (base == manifestName) withManifest.insert(folder);
        if (baseName(folder) == "d") withData.insert(folder.size() > 2 ? folder.substr(0, folder.size() - 2) : "");
        if (base == "_METADATA") items.insert(folder);
    }
    for (const std::string &folder : withData)
        if (withManifest.count(folder) == 0)
            refuse("shard_missing", message("%1 is missing: without it, the data beside it cannot be found",
                                            printable(joinPath(folder, std::string(manifestName)))));
    for (const std::string &folder : withManifest) {
        const bool below = std::any_of(withData.begin(), withData.end(), [&](const std::string &data) {
            return data == folder || data.compare(0, folder.size() + 1, folder + "/") == 0 || folder.empty();
        });
        if (!below)
            refuse("shard_missing",
                   message("%1 is missing: it contains the data of the database", printable(joinPath(folder, "d"))));
    }
    for (const std::string &item : items) {
        checkProcesses(item, "array_metadatas/process_");
        checkProcesses(item, "ocdbt.process_");
    }
    if (withManifest.empty() && withData.empty() && items.empty())
        refuse("shard_missing", message("it contains no item: neither metadata nor a database"));
}

void OrbaxReader::checkProcesses(const std::string &item, const std::string &folder)
{
    std::set<int> seen;
    const std::string start = (item.empty() ? "" : item + "/") + folder;
    for (const Part &part : m_parts)
        if (const auto number = numberBelow(part.name, start)) seen.insert(*number);
    for (int process = 0; !seen.empty() && process < *seen.rbegin() && !full(); ++process)
        if (seen.count(process) == 0)
            refuse("shard_missing", message("%1 is missing, but there are files up to number %2",
                                            printable(start) + std::to_string(process), grouped(*seen.rbegin())));
}

}  // namespace rankdeck
