// SPDX-License-Identifier: GPL-3.0-or-later
// An epoch folder of torchtune with the recipe's state beside it. The weights are read as the export that they are; the
// recipe says how many epochs were run when it was written, which tells whether the two belong together. Where they do
// not belong together, its evidence says so.
#pragma once

#include "core/checkpoint/read/composite_reader.h"

namespace rankdeck {

inline constexpr std::string_view torchtuneRecipe = "recipe_state.pt";

// "epoch_3": 3.
std::optional<std::int64_t> torchtuneEpoch(std::string_view directory);

class TorchtuneReader final : public CompositeReader {
public:
    TorchtuneReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted);

protected:
    How plan(const Part &part) override;
    std::unique_ptr<FormatReader> readerOf(const Part &part) override;
    ReadStep combine(const ReadReplies &replies) override;

private:
    [[nodiscard]] static bool isRecipe(const Part &part);
    void takeRecipe(const Part &recipe);
    std::vector<FileEntry> m_weights;  // the files of the folder, read as one by the first of them
};

}  // namespace rankdeck
