// SPDX-License-Identifier: GPL-3.0-or-later
// From what nodes list of the directories in which sets are kept to these sets. Pure.
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
    std::shared_ptr<const Listing> listing = {};  // nullptr: not told yet
};
// All of a node, in the order of its checkpoint directories; all of a job, in the order of its nodes.
std::vector<ListRequest> keptRoots(const Job &job, const NodeSpec &node);
std::vector<KeptDirectory> keptDirectories(const Job &job);

// What one node keeps of one set in one directory.
struct KeptPart {
    std::string node, root, id;
    std::vector<FileEntry> entries = {};  // directories too, ascending
};
// Where a kept file or directory was, and belongs when it is put back.
std::string placeBefore(const KeptPart &part, const std::string &path);

// Error permission or refused: the listing does not say all that is kept there, and of a set in part nothing is done.
Status saysAll(const std::string &node, const std::string &root, const Listing &listing);
bool isAbsent(const Listing &listing);
// By set, node and directory. Of a disk that several nodes see the first one that tells of it; what is not listed whole is
// left out.
std::vector<KeptPart> keptParts(const JobState &view, const std::vector<KeptDirectory> &directories);
std::vector<KeptFiles> keptFiles(const std::vector<KeptPart> &parts, const std::string &id);

// expected: of the run, as its checkpoints are judged with.
KeptSets keptSetsOf(const JobState &view, const std::vector<KeptDirectory> &directories, const Expectation &expected);

}  // namespace rankdeck
