// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of a step directory of Orbax (JAX): items of arrays in OCDBT databases, and JSON files beside them. Checks
// that commit marks, manifests and all named files are complete, from a listing and the small files. The arrays
// themselves are not read, so the best result is that no fault was found.
#pragma once

#include "core/checkpoint/read/composite_reader.h"

#include <string_view>

namespace rankdeck {

// Checks the file's own framing: magic, length, crc32c. Returns the fault; empty: none.
Message ocdbtManifestFault(std::string_view bytes);
// "5", "step_00005", "5.orbax-checkpoint-tmp-1699": Orbax's names of a step; temporary until it is renamed.
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
