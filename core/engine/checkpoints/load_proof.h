// SPDX-License-Identifier: GPL-3.0-or-later
// Proof by loading: the framework itself loads the files of a set, on the node, with the job's interpreter and
// environment. It runs at the lowest priority, with a time limit, tensors only, one file after the other. The probe's
// launcher starts the process. Its output goes to a separate directory, which is removed afterwards. Blocks.
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
    std::string by = {};  // "mindspore 2.7.0"; empty: no framework was loaded so far
    std::int64_t tensors = 0, nonFinite = 0;
    std::optional<std::int64_t> step = {};
    double seconds = 0;
    std::string hash = {};                           // hash of all tensors; empty: unknown
    std::map<std::string, std::string> hashes = {};  // hash of each tensor by name, unless there are too many
    std::string error = {};                          // why it did not load
    std::optional<WallTime> loaded = {};             // time at which a cached proof was made; see proof_cache.h
    // The node does not have the framework, so nothing was loaded and the proof says nothing about the file.
    bool lacksFramework = false;
};

struct LoadOrder {
    std::vector<std::string> paths;  // files, directories of one checkpoint, prefixes
    std::string python = {};         // empty: python3
    std::map<std::string, std::string> env = {};
    std::string workdir = {};
    int seconds = 600;  // time limit
};

// One proof for each path, in order. If a path was not reached, its proof contains the reason. Errors: those of the
// node, cancelled.
Result<std::vector<LoadProof>> proveByLoading(NodeClient &node, const LoadOrder &order,
                                              const std::function<bool()> &stopped);
// Parses the output of the loading process. Pure.
std::vector<LoadProof> parseProofs(const std::vector<std::string> &paths, const std::string &printed,
                                   const std::string &otherwise);

}  // namespace rankdeck
