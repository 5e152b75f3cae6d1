// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of a checkpoint of one process with weights, optimizer and counters in separate files. It is complete if the
// weights exist and every file is complete. The step is the count in one of the files, otherwise that of the optimizer;
// all counts must agree. Only the folder shows the rank. Missing or contradicting files are problems in its evidence.
#pragma once

#include "core/checkpoint/read/composite_reader.h"
#include "core/checkpoint/state_halves.h"

#include <optional>

namespace rankdeck {

class SplitStateReader final : public CompositeReader {
public:
    SplitStateReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted);

protected:
    How plan(const Part &part) override;
    ReadStep combine(const ReadReplies &replies) override;

private:
    [[nodiscard]] std::optional<StateHalf> halfOf(const Part &part) const;
    void expectRanks();
    void takeText(Part &part);
    void takeSteps();
    void takeChecksums();
    const bool m_numbered;  // model_30.pt: the step is in the names
};

}  // namespace rankdeck
