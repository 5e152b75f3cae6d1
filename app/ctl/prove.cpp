// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/prove.h"

#include "app/ctl/place.h"

#include "core/base/deadline.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/engine/checkpoints/offline_check.h"
#include "core/engine/checkpoints/proof_cache.h"
#include "core/job/job_file.h"
#include "core/job/path_template.h"
#include "core/recover/launch/recipe.h"

#include <algorithm>
#include <optional>
#include <set>

namespace rankdeck::ctl {
namespace {

constexpr double listSeconds = 30;  // after this time the identity of the files is unknown, and no result is cached

// Distinct files by node: a file that all ranks share is loaded once.
std::map<std::string, std::vector<std::string>> filesByNode(const CheckpointSet &set)
{
    std::map<std::string, std::vector<std::string>> files;
    std::set<std::pair<std::string, std::string>> seen;
    for (const MemberVerdict &member : set.members)
        if (!member.path.empty() && seen.emplace(member.node, member.path).second)
            files[member.node].push_back(member.path);
    return files;
}

struct ProvingNode {
    NodeClient &client;
    std::string name, host;
};

// Loads only the files that have changed since they were last loaded. Caches a result only if the file did not change
// during loading.
Status proveOn(const ProvingNode &node, LoadOrder order, ProofCache &cache, Proofs &into)
{
    std::map<std::string, ProofCache::Key> keys;
    std::vector<std::string> changed;
    for (const std::string &path : order.paths) {
        const ProofCache::Key key{node.host, path, order.python,
                                  filesIdentity(node.client, path, inSeconds(listSeconds))};
        if (const std::optional<LoadProof> kept = cache.find(key))
            into.byFile.insert_or_assign({node.name, path}, *kept);
        else
            changed.push_back(path);
        keys.emplace(path, key);
    }
    if (changed.empty()) return Done{};
    order.paths = std::move(changed);
    Result<std::vector<LoadProof>> proofs = proveByLoading(node.client, order, [] { return interruptRequested(); });
    if (!proofs) return proofs.error();
    for (LoadProof &proof : *proofs) {
        const std::string path = proof.path;
        if (const ProofCache::Key &key = keys.at(path);
            filesIdentity(node.client, path, inSeconds(listSeconds)) == key.identity)
            cache.keep(key, proof, wallNow());
        into.byFile.insert_or_assign({node.name, path}, std::move(proof));
    }
    if (Status saved = cache.save(); !saved) warn("the proof could not be stored: " + saved.error().message);
    return Done{};
}

ProofCache cacheOf(const Globals &globals)
{
    return ProofCache(globals.stateDirectory.empty() ? defaultStateDirectory() : globals.stateDirectory);
}

LoadOrder orderOf(const Job &job, const NodeSpec &node, std::vector<std::string> paths)
{
    LoadOrder order{.paths = std::move(paths), .python = node.python, .env = launchEnvironment(job, node)};
    order.workdir = textOnNode(job.launch.workdir, job, node);
    if (const auto &command = job.launch.command; !command.empty() && baseName(command.front()).starts_with("python"))
        order.python = textOnNode(command.front(), job, node);
    return order;
}

std::string sentence(const LoadProof &proof)
{
    if (!proof.error.empty()) return "NOT loaded: " + printable(proof.error);
    std::string text = "loaded by " + printable(proof.by) + ": " + grouped(proof.tensors) + " tensors";
    if (proof.step) text += ", step " + grouped(*proof.step);
    text += proof.nonFinite == 0 ? ", all finite" : ", " + grouped(proof.nonFinite) + " values NaN or Inf";
    return proof.loaded ? text + "; that was at " + isoTime(*proof.loaded) + ", and no file has changed since" : text;
}

// Compares files that contain tensors of the same names, as replicas do: says which tensors differ.
std::string comparison(const LoadProof &proof, const LoadProof &first)
{
    if (&proof == &first || proof.hash.empty() || first.hash.empty()) return {};
    if (proof.hash == first.hash) return "; the same values as " + printable(first.path);
    const auto sameName = [](const auto &a, const auto &b) { return a.first == b.first; };
    if (proof.hashes.empty() ||
        !std::equal(proof.hashes.begin(), proof.hashes.end(), first.hashes.begin(), first.hashes.end(), sameName))
        return {};
    std::int64_t differ = 0;
    std::string name;
    for (auto own = proof.hashes.begin(), other = first.hashes.begin(); own != proof.hashes.end(); ++own, ++other)
        if (own->second != other->second && ++differ == 1) name = own->first;
    return "; values differ from " + printable(first.path) + " in " + grouped(differ) + " of " +
           grouped(std::int64_t(proof.hashes.size())) + " tensors, " + printable(name) + " first";
}

}  // namespace

bool Proofs::good() const
{
    return !byFile.empty() && std::all_of(byFile.begin(), byFile.end(), [](const auto &one) {
        return one.second.error.empty() && one.second.nonFinite == 0;
    });
}

bool Proofs::notTried() const
{
    const auto lacks = [](const auto &one) { return one.second.lacksFramework; };
    return std::any_of(byFile.begin(), byFile.end(), lacks) &&
           std::all_of(byFile.begin(), byFile.end(), [&](const auto &one) {
               return lacks(one) || (one.second.error.empty() && one.second.nonFinite == 0);
           });
}

Result<Proofs> proveSet(const CheckpointSet &set, NodeClient &node, const std::string &host, const Globals &globals)
{
    ProofCache cache = cacheOf(globals);
    Proofs proofs;
    for (auto &[name, paths] : filesByNode(set))
        if (Status proven = proveOn({node, name, host}, LoadOrder{.paths = paths}, cache, proofs); !proven)
            return proven.error();
    return proofs;
}

Result<Proofs> proveSet(const CheckpointSet &set, const Globals &globals)
{
    Result<JobFile> file = readJobFile(globals.job);
    if (!file) return file.error();
    const Job &job = file->job;
    ProofCache cache = cacheOf(globals);
    Proofs proofs;
    for (auto &[name, paths] : filesByNode(set)) {
        const int index = job.nodeIndex(name);
        if (index < 0) return fail(ErrorKind::notFound, "The job has no node " + printable(name));
        const NodeSpec &spec = job.nodes[std::size_t(index)];
        Result<std::unique_ptr<SingleNode>> node = SingleNode::connect(spec, connectOptions(globals), globals.timeout);
        if (!node) return node.error();
        if (Status proven = proveOn({(*node)->client(), name, spec.host}, orderOf(job, spec, paths), cache, proofs);
            !proven)
            return proven.error();
    }
    return proofs;
}

void addProofs(Json &report, const std::string &set, const Proofs &proofs)
{
    for (Json &one : report["sets"]) {
        if (one["id"] != set) continue;
        for (Json &member : one["members"]) {
            if (!member["path"].is_string()) continue;
            const auto found = proofs.byFile.find({member.value("node", ""), member["path"].get<std::string>()});
            if (found == proofs.byFile.end()) continue;
            const LoadProof &proof = found->second;
            if (proof.error.empty()) member["level"] = "L5";
            member["proof"] = {{"by", proof.by},
                               {"tensors", proof.tensors},
                               {"non_finite", proof.nonFinite},
                               {"step", orNull(proof.step)},
                               {"seconds", proof.seconds},
                               {"loaded", proof.loaded ? Json(isoTime(*proof.loaded)) : Json(nullptr)},
                               {"hash", proof.hash.empty() ? Json(nullptr) : Json(proof.hash)},
                               {"hashes", proof.hashes},
                               {"error", proof.error.empty() ? Json(nullptr) : Json(proof.error)}};
        }
    }
}

std::string proofLines(const CheckpointSet &set, const Proofs &proofs)
{
    std::string out;
    for (const auto &[file, proof] : proofs.byFile)
        out += "prove " + set.id + ": " + printable(file.second) + " on " + printable(file.first) + " " +
               sentence(proof) + comparison(proof, proofs.byFile.begin()->second) + "\n";
    return out;
}

}  // namespace rankdeck::ctl
