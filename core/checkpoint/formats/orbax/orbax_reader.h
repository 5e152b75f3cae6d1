// SPDX-License-Identifier: GPL-3.0-or-later
// A step directory of Orbax (JAX): items of arrays in OCDBT databases, JSON beside them. What a listing and the small
// files show: commit marks, whole manifests, nothing named that is missing. The arrays themselves are not read, so that
// the best there is to say of one is that nothing is wrong.
#pragma once

#include "core/checkpoint/read/composite_reader.h"

#include <string_view>

namespace rankdeck {

// Of the file's own framing: magic, length, crc32c. Empty: whole; else what is wrong.
std::string ocdbtManifestFault(std::string_view bytes);
// "5", "step_00005", "5.orbax-checkpoint-tmp-1699": as Orbax names a step; temporary until it is renamed.
std::optional<ParsedName> parseOrbaxStep(const std::string &directory);

class OrbaxReader final : public CompositeReader {
public:
    OrbaxReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted);

protected:
    How plan(const Part &part) override;
    ReadStep combine(const ReadReplies &replies) override;

private:
    void checkManifests();
    void checkJson();
    void checkCommit();
    void checkDatabases();
    void checkProcesses(const std::string &item, const std::string &folder);
};

}  // namespace rankdeck
