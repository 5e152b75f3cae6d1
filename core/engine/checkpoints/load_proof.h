// SPDX-License-Identifier: GPL-3.0-or-later
// Proof by loading: on the node the framework itself loads the files of a set, with the job's interpreter and environment,
// at the lowest priority, with a time limit, tensors only and one file after the other. A process of the probe's launcher
// does it; what it prints is kept in a directory of its own, which is removed afterwards. Blocks.
#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/node/node.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct LoadProof {
    std::string path;
    std::string by = {};  // "mindspore 2.7.0"; empty: no framework came so far
    std::int64_t tensors = 0, nonFinite = 0;
    std::optional<std::int64_t> step = {};
    double seconds = 0;
    std::string hash = {};                           // of all tensors; empty: not known
    std::map<std::string, std::string> hashes = {};  // of each by its name, where they are not too many
    std::string error = {};                          // why it did not load
    std::optional<WallTime> loaded = {};             // when, of one that was kept from then; see proof_cache.h
    bool lacksFramework = false;  // it did not load because the node has not got the framework: nothing is known
};

struct LoadOrder {
    std::vector<std::string> paths;  // files, directories of one checkpoint, prefixes
    std::string python = {};         // empty: python3
    std::map<std::string, std::string> env = {};
    std::string workdir = {};
    int seconds = 600;  // then it is ended
};

// One proof for each path, in order; a path that was not come to says why. Errors: what the node says, cancelled.
Result<std::vector<LoadProof>> proveByLoading(NodeClient &node, const LoadOrder &order,
                                              const std::function<bool()> &stopped);
// Of what the loading process printed. Pure.
std::vector<LoadProof> parseProofs(const std::vector<std::string> &paths, const std::string &printed,
                                   const std::string &otherwise);

}  // namespace rankdeck
