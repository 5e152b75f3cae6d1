// SPDX-License-Identifier: GPL-3.0-or-later
// Converter from directory listings of kept sets to KeptSets. Pure.
#pragma once

#include "core/base/result.h"
#include "core/state/job_state.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

// A directory that may hold kept sets, on a node.
struct KeptDirectory {
    std::string node;
    ListRequest request = {};
    std::shared_ptr<const Listing> listing = {};  // nullptr: not listed yet
};
// For a node: one request per checkpoint directory, in their order. For a job: in the order of its nodes.
std::vector<ListRequest> keptRoots(const Job &job, const NodeSpec &node);
std::vector<KeptDirectory> keptDirectories(const Job &job);

// One node's files of one set in one directory.
struct KeptPart {
    std::string node, root, id;
    std::vector<FileEntry> entries = {};  // includes directories, ascending
};
// Original path of a kept file or directory, used when it is restored.
std::string placeBefore(const KeptPart &part, const std::string &path);

// Error permission or refused if the listing is incomplete: no action handles a part of a set.
Status saysAll(const std::string &node, const std::string &root, const Listing &listing);
bool isAbsent(const Listing &listing);
// Sorted by set, node and directory. If several nodes see the same disk, only the first of them is included. Incomplete
// listings are skipped.
std::vector<KeptPart> keptParts(const JobState &view, const std::vector<KeptDirectory> &directories);
std::vector<KeptFiles> keptFiles(const std::vector<KeptPart> &parts, const std::string &id);

// expected: the expectation with which the run's checkpoints are judged.
KeptSets keptSetsOf(const JobState &view, const std::vector<KeptDirectory> &directories, const Expectation &expected);

}  // namespace rankdeck
