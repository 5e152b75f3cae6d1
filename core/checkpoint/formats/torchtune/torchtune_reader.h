// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of a torchtune epoch folder with the recipe's state beside it. The weights are read as an export. The recipe's
// number of finished epochs shows whether the two belong together; if not, the evidence says so.
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
    std::vector<FileEntry> m_weights;  // the files of the folder, read together through the first of them
};

}  // namespace rankdeck
