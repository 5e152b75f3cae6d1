// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/checkpoints/load_proof.h"

#include "core/base/text.h"
#include "core/engine/checkpoints/load_script.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

namespace rankdeck {
namespace {

using Json = nlohmann::json;

constexpr std::uint32_t maxPrinted = 16u << 20;
constexpr std::size_t maxLine = 128u << 10, maxHashes = 400;
constexpr auto betweenQuestions = std::chrono::milliseconds(200);

LaunchRequest requestOf(const LoadOrder &order)
{
    LaunchRequest request;
    std::random_device device;
    request.id = "prove-" + std::to_string(device()) + std::to_string(device());
    request.runDirectory = "/tmp/rankdeck-" + request.id;
    request.output = joinPath(request.runDirectory, "printed");
    request.argv = {order.python.empty() ? "python3" : order.python, "-c", loadScript(), std::to_string(order.seconds)};
    request.argv.insert(request.argv.end(), order.paths.begin(), order.paths.end());
    request.env = order.env;
    request.workdir = order.workdir;
    return request;
}

std::string textOf(const Json &json, const char *key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? printable(found->get<std::string>().substr(0, 500))
                                                     : std::string();
}

std::int64_t countOf(const Json &json, const char *key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

LoadProof proofOf(const std::string &path, const Json &json)
{
    LoadProof proof{path, textOf(json, "by"), countOf(json, "tensors"), countOf(json, "non_finite")};
    proof.error = textOf(json, "error");
    const auto lacks = json.find("lacks_framework");
    proof.lacksFramework = lacks != json.end() && lacks->is_boolean() && lacks->get<bool>() && !proof.error.empty();
    proof.hash = textOf(json, "hash");
    if (const auto hashes = json.find("hashes"); hashes != json.end() && hashes->is_object())
        for (const auto &[name, hash] : hashes->items())
            if (hash.is_string() && proof.hashes.size() < maxHashes)
                proof.hashes.emplace(printable(name), printable(hash.get<std::string>().substr(0, 32)));
    if (const auto step = json.find("step"); step != json.end() && step->is_number_integer())
        proof.step = step->get<std::int64_t>();
    if (const auto seconds = json.find("seconds"); seconds != json.end() && seconds->is_number())
        proof.seconds = seconds->get<double>();
    return proof;
}

// Removes the files that the launcher and the process have created.
void removeTraces(NodeClient &node, const LaunchRequest &request)
{
    const Result<Listing> listing = node.list({request.runDirectory, 1}).get();
    if (!listing) return;
    for (const FileEntry &entry : listing->entries)
        if (entry.stat.kind != 'd') (void)node.applyFileStep({FileAction::remove, entry.path}).get();
    (void)node.applyFileStep({FileAction::removeEmptyDirectory, request.runDirectory}).get();
}

std::string endText(const LaunchReply &ended, int seconds)
{
    if (*ended.exitCode == 0) return "the process ended without mentioning the file";
    if (*ended.exitCode == -14) return "was not loaded within " + std::to_string(seconds) + " s";
    return "the loading process ended with " + std::to_string(*ended.exitCode);
}

}  // namespace

std::vector<LoadProof> parseProofs(const std::vector<std::string> &paths, const std::string &printed,
                                   const std::string &otherwise)
{
    std::vector<LoadProof> proofs;
    std::size_t next = 0;
    for (const std::string &line : split(printed, '\n')) {
        if (line.empty() || line.front() != '{' || line.size() > maxLine || next >= paths.size()) continue;
        const Json json = Json::parse(line, nullptr, false);
        if (!json.is_object() || json.find("path") == json.end()) continue;
        proofs.push_back(proofOf(paths[next++], json));
    }
    for (; next < paths.size(); ++next) {
        LoadProof proof{paths[next]};
        proof.error = otherwise;
        proofs.push_back(std::move(proof));
    }
    return proofs;
}

Result<std::vector<LoadProof>> proveByLoading(NodeClient &node, const LoadOrder &order,
                                              const std::function<bool()> &stopped)
{
    const LaunchRequest request = requestOf(order);
    Result<LaunchReply> state = node.launch(request).get();
    if (!state) return state.error();
    while (state && !state->exitCode && !stopped()) {
        std::this_thread::sleep_for(betweenQuestions);
        state = node.launchStatus(request.id, request.runDirectory).get();
    }
    if (!state) return state.error();
    if (!state->exitCode) {
        (void)node.signal({state->process, Signal::kill}).get();
        return fail(ErrorKind::cancelled, message("Cancelled; the loading process was ended"));
    }
    const Result<FileContent> printed = node.readFile(request.output, maxPrinted).get();
    const std::string otherwise = endText(*state, order.seconds);
    removeTraces(node, request);
    if (!printed) return printed.error();
    std::vector<LoadProof> proofs = parseProofs(order.paths, printed->bytes, otherwise);
    return proofs;
}

}  // namespace rankdeck
