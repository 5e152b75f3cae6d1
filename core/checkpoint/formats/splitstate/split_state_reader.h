// SPDX-License-Identifier: GPL-3.0-or-later
// A checkpoint of one process whose weights, optimizer and counters lie in files of their own. It is whole when weights are
// there and every file is; the step is what a file counts, else the optimizer; all that count must say the same. Whose
// the files are says the folder alone. What is missing or contradicts is a problem of its evidence.
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
    const bool m_numbered;  // model_30.pt: the point is in the names
};

}  // namespace rankdeck
