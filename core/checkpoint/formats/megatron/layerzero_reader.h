// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of MindSpeed's LayerZeRO: iter_N/model_R.pt, one file per global rank. Each file contains the rank's place and
// the degrees of all axes. A missing file, or one with another place, is a problem in its evidence.
#pragma once

#include "core/checkpoint/read/composite_reader.h"

namespace rankdeck {

class LayerZeroReader final : public CompositeReader {
public:
    LayerZeroReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted);

protected:
    How plan(const Part &part) override;
    ReadStep combine(const ReadReplies &replies) override;

private:
    [[nodiscard]] std::int64_t takeWorld(const std::vector<Voice> &voices, int last);
};

}  // namespace rankdeck
