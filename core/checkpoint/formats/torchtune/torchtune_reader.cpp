// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/torchtune/torchtune_reader.h"

#include "core/base/text.h"

namespace rankdeck {

std::optional<std::int64_t> torchtuneEpoch(std::string_view directory)
{
    return takeStart(directory, "epoch_") ? decimal(directory) : std::nullopt;
}

TorchtuneReader::TorchtuneReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
    : CompositeReader(whole, parts, wanted, Format::hfSharded)
{
    for (const Part &part : m_parts)
        if (!isRecipe(part)) m_weights.push_back(part.file);
}

bool TorchtuneReader::isRecipe(const Part &part) { return baseName(part.file.path) == torchtuneRecipe; }

CompositeReader::How TorchtuneReader::plan(const Part &part)
{
    const bool first = !m_weights.empty() && part.file.path == m_weights.front().path;
    return first || isRecipe(part) ? How::byFormat : How::leave;
}

std::unique_ptr<FormatReader> TorchtuneReader::readerOf(const Part &part)
{
    if (isRecipe(part)) return CompositeReader::readerOf(part);
    FileEntry directory;
    directory.path = m_evidence.path;
    directory.stat.kind = 'd';
    for (const FileEntry &file : m_weights) directory.stat.size += file.stat.size;
    return makeReader(directory, m_weights, m_wanted);
}

ReadStep TorchtuneReader::combine(const ReadReplies &)
{
    const Part *recipe = nullptr;
    for (const Part &part : m_parts) {
        if (part.how != How::byFormat) continue;
        takeOver(part);
        if (isRecipe(part)) recipe = &part;
    }
    if (recipe && recipe->evidence.complete == true) takeRecipe(*recipe);
    conclude();
    return {};
}

void TorchtuneReader::takeRecipe(const Part &recipe)
{
    const auto run = recipe.evidence.number("epoch");
    const std::int64_t epoch = torchtuneEpoch(baseName(m_evidence.path)).value_or(0);
    if (!run) {
        problem("step_unproven", message("recipe_state.pt has no epochs_run, so its epoch is unknown"));
        return;
    }
    m_evidence.meta["epoch"] = std::to_string(epoch);
    if (*run == epoch + 1) return;
    if (*run <= epoch)
        problem("weights_only", message("recipe_state.pt belongs to an earlier save (after %1 epochs): torchtune does "
                                        "not write it with the last weights of a training",
                                        grouped(*run)));
    else
        refuse("epoch_mismatch", message("recipe_state.pt belongs to a later save (after %1 epochs), but these weights "
                                         "were saved after %2 epochs",
                                         grouped(*run), grouped(epoch + 1)));
}

}  // namespace rankdeck
