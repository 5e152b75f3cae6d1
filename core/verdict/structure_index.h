// SPDX-License-Identifier: GPL-3.0-or-later
// Index of the tensors in the complete files of each rank, for the sets of one kind and prefix. Equal lists are stored
// once, so a comparison with many sets costs as little as one with a few. Pure. Private to verdict/.
#pragma once

#include "core/checkpoint/tensor_list.h"
#include "core/verdict/verdict.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace rankdeck {

struct SetAssessment;

struct KnownStructure {  // one structure that a rank has had
    const TensorList *tensors = nullptr;
    const SetAssessment *first = nullptr,
                        *second = nullptr;  // the first two sets that have it; second: nullptr, no other
};
using KnownStructures = std::vector<KnownStructure>;  // in the order of their first sets

class StructureIndex {
public:
    StructureIndex() = default;
    // The files of the assessments must have been judged separately. The assessments and their evidence must outlive
    // the index.
    explicit StructureIndex(const std::vector<SetAssessment> &assessments);

    // By rank, for all sets of the assessment's kind and prefix, including itself. Empty: none.
    [[nodiscard]] const std::vector<KnownStructures> &of(const SetAssessment &assessment) const;
    // True if sets of this kind, with any prefix, have complete files of the rank and none of these files has the given
    // tensors.
    [[nodiscard]] bool contradicts(CheckpointKind kind, std::size_t rank, const TensorList &tensors) const;

private:
    std::map<std::pair<CheckpointKind, std::string>, std::vector<KnownStructures>> m_lines;
};

}  // namespace rankdeck
