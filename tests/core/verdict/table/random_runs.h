// SPDX-License-Identifier: GPL-3.0-or-later
// Runs whose saves consist of several components, one file each, with random names, numbers and paths.
#pragma once

#include "tests/core/verdict/corpus.h"

#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace rankdeck::test {

using Naming = std::string (*)(const std::string &word, const std::string &number);  // path of a component in a save
std::span<const Naming> namings();

struct SavedRun {
    Corpus files;
    std::vector<std::vector<std::string>> saves;  // paths, by save and component
    std::string text;                             // paths of the newest save
    std::function<std::string(const std::string &word, const std::string &number)> naming = {};
    std::vector<std::string> words, numbers;  // of the components and of the saves; with ranks, "rank|word"
    std::string nextNumber;                   // of the save that would follow
};

// File with weights and an optimizer. Each component has its own tensors, or all have the same. Without counts, nothing
// in it shows its step.
std::string componentState(int component, std::int64_t step, bool alike, bool counts = true,
                           const std::string &root = "archive");
// counting: number of components that have a count of steps; the others have none.
SavedRun randomRun(std::mt19937 &random, Naming naming, std::size_t counting = 100);
// Two to four ranks with one to three components each. The ranks have the same tensors with different values.
SavedRun randomRankedRun(std::mt19937 &random, const std::string &form);
// In the forms, "{r}", "{w}" and "{n}" are rank, component and number of the save.
std::span<const char *const> rankedForms();
// Runs the check for one of the namings, given by its index, so that a slow test can be split.
void eachSeed(std::size_t naming, unsigned seeds, const std::function<void(std::mt19937 &, Naming)> &check);
// Runs the check for each naming, with this number of seeds.
void eachRun(unsigned seeds, const std::function<void(std::mt19937 &, Naming)> &check);

}  // namespace rankdeck::test
