// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/checkpoints/proof_cache.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/engine/checkpoints/two_looks.h"
#include "core/node/wait_for.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace rankdeck {
namespace {

using Json = nlohmann::json;

constexpr std::size_t maxIdentity = 64u << 10, maxKept = 500, maxFile = 32u << 20;

bool sameFiles(const ProofCache::Key &a, const ProofCache::Key &b)
{
    return a.host == b.host && a.path == b.path && a.python == b.python;
}

Json jsonOf(const ProofCache::Key &key, const LoadProof &proof)
{
    return {{"host", key.host},
            {"path", key.path},
            {"python", key.python},
            {"identity", key.identity},
            {"loaded", proof.loaded ? isoTime(*proof.loaded) : std::string()},
            {"by", proof.by},
            {"tensors", proof.tensors},
            {"non_finite", proof.nonFinite},
            {"step", proof.step ? Json(*proof.step) : Json(nullptr)},
            {"seconds", proof.seconds},
            {"hash", proof.hash},
            {"hashes", proof.hashes}};
}

// Throws the exceptions of the JSON library if the text does not have the form that jsonOf makes.
std::pair<ProofCache::Key, LoadProof> entryOf(const Json &json)
{
    ProofCache::Key key{json.at("host"), json.at("path"), json.at("python"), json.at("identity")};
    LoadProof proof{key.path, json.at("by"), json.at("tensors"), json.at("non_finite")};
    if (!json.at("step").is_null()) proof.step = json.at("step").get<std::int64_t>();
    proof.seconds = json.at("seconds");
    proof.hash = json.at("hash");
    json.at("hashes").get_to(proof.hashes);
    proof.loaded = parseIsoTime(json.at("loaded").get<std::string>());
    return {std::move(key), std::move(proof)};
}

std::string lineOf(const FileEntry &entry)
{
    return entry.path + " " + std::to_string(entry.stat.size) + " " + std::to_string(entry.stat.mtimeNs) + " " +
           std::to_string(entry.stat.device) + ":" + std::to_string(entry.stat.inode) + "\n";
}

}  // namespace

std::string filesIdentity(NodeClient &node, const std::string &path, SteadyTime deadline)
{
    std::string out;
    for (const bool whole : {true, false}) {  // a directory; otherwise a file, or the files of a prefix
        auto asked = node.list(whole ? ListRequest{path, partDepth} : ListRequest{dirName(path), 1});
        const Result<Listing> listing = waitFor(asked, deadline, node.status().name);
        if (!listing && listing.error().kind == ErrorKind::timeout) return {};
        if (!listing || listing->truncated || !listing->error.empty()) continue;
        for (const FileEntry &entry : listing->entries) {
            if (!whole && entry.path != path && !entry.path.starts_with(path + ".")) continue;
            if (!entry.error.empty() || entry.stat.kind == 'l') return {};
            if (entry.stat.kind == 'f') out += lineOf(entry);
        }
        if (!out.empty()) break;
    }
    return out.size() > maxIdentity ? std::string() : out;
}

ProofCache::ProofCache(const std::string &stateDirectory)
{
    if (stateDirectory.empty() || !makeLocalDirectories(stateDirectory) || !checkOwnPlace(stateDirectory)) return;
    m_path = joinPath(stateDirectory, "proofs.json");
    const Result<std::string> text = readLocalFile(m_path, maxFile);
    const Json json = text ? Json::parse(*text, nullptr, false) : Json();
    if (!json.is_array()) return;
    for (const Json &one : json) {
        try {
            auto [key, proof] = entryOf(one);
            m_kept.push_back({std::move(key), std::move(proof)});
        } catch (const Json::exception &) {
            continue;  // an entry of another version is ignored
        }
    }
}

std::optional<LoadProof> ProofCache::find(const Key &key) const
{
    const auto found =
        std::find_if(m_kept.begin(), m_kept.end(), [&](const Kept &kept) { return sameFiles(kept.key, key); });
    if (key.identity.empty() || found == m_kept.end() || found->key.identity != key.identity) return std::nullopt;
    return found->proof;
}

void ProofCache::keep(const Key &key, const LoadProof &proof, WallTime now)
{
    if (m_path.empty() || key.identity.empty() || !proof.error.empty()) return;
    m_kept.erase(
        std::remove_if(m_kept.begin(), m_kept.end(), [&](const Kept &kept) { return sameFiles(kept.key, key); }),
        m_kept.end());
    m_kept.push_back({key, proof});
    m_kept.back().proof.loaded = now;
    if (m_kept.size() > maxKept) m_kept.erase(m_kept.begin());
}

Status ProofCache::save() const
{
    if (m_path.empty()) return Done{};
    Json json = Json::array();
    for (const Kept &kept : m_kept) json.push_back(jsonOf(kept.key, kept.proof));
    return writeLocalFileAtomically(m_path, json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace rankdeck
