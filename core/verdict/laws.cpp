// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/laws.h"

namespace rankdeck {
namespace {

// clang-format off
constexpr LawRow rows[] = {
    {Law::equal, "tensors of the ranks, and of a rank's earlier saves", &judgeStructure},
    {Law::equal, "steps, epochs and ranks in the files, and in their names", &judgeNumbers},
    {Law::equal, "marks of the run in the ranks' files, and values of replicas", &judgeRun},
    {Law::stated, "why a file should be of its rank and point", &judgeOrigin},
    {Law::stated, "names under which torch saved the ranks' files", &judgeRenames},
    {Law::unique, "ranks with one file by a link", &judgeLinks},
    {Law::equal, "files that each rank has, and their values", &judgeRankParts},

    {Law::stated, "files that differ in a number or in a folder", nullptr, &judgeSiblings},
    {Law::stated, "names under which torch saved the files of a run", nullptr, &judgeSavedNames},
    {Law::unique, "files with the same values at different points", nullptr, &judgeCopies},
    {Law::lawful, "signs of the weights along the saves", nullptr, &judgeCourses},
    {Law::lawful, "losses in a Trainer's state, and its weights", nullptr, &judgeHistories},
    {Law::whole, "tensors that the other saves have", nullptr, &judgeLostTensors},
    {Law::lawful, "numbers in names, and in the content", nullptr, &judgeCountedNames},
    {Law::whole, "files that the other saves have", nullptr, &judgeMissingParts},
    {Law::whole, "files of other names that the other saves have", nullptr, &judgeCompanions},
    {Law::lawful, "counts of registered objects", nullptr, &judgeCounts},
    {Law::lawful, "counts, rates, seeds and orders in state files", nullptr, &judgeStates},
    {Law::lawful, "samples per step and epochs of MindFormers", nullptr, &judgeCommonInfo},
    {Law::lawful, "times of large files, and of the save before", nullptr, &judgeOrder},
    {Law::lawful, "delays that are the same in all saves", nullptr, &judgeClocks},
    {Law::stated, "MindFormers' marks of complete and of healthy saves", nullptr, &judgeMarks},
};
// clang-format on

}  // namespace

std::span<const LawRow> laws() { return rows; }

}  // namespace rankdeck
