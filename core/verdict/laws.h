// SPDX-License-Identifier: GPL-3.0-or-later
// Table of the laws that every save must satisfy. To add a law, write a function and add its row in laws.cpp. Laws only
// add blame. Blame is applied twice: after the laws about one save, and after the laws about several saves. Within each
// of these two stages the order of the laws does not matter. Private to verdict/.
#pragma once

#include "core/verdict/set_assessment.h"

#include <span>
#include <vector>

namespace rankdeck {

struct LawRow {
    Law law;
    const char *fact;                                                                               // what is compared
    void (*ofSave)(const SetAssessment &save, const JudgeContext &context) = nullptr;               // one save
    void (*ofRun)(const std::vector<SetAssessment> &saves, const JudgeContext &context) = nullptr;  // all saves
};

// Laws about one save come first. If two laws blame one place with the same code, the text of the first one is shown.
std::span<const LawRow> laws();

void judgeStructure(const SetAssessment &save, const JudgeContext &context);
void judgeNumbers(const SetAssessment &save, const JudgeContext &context);
void judgeRun(const SetAssessment &save, const JudgeContext &context);
void judgeOrigin(const SetAssessment &save, const JudgeContext &context);
void judgeRenames(const SetAssessment &save, const JudgeContext &context);
void judgeLinks(const SetAssessment &save, const JudgeContext &context);
void judgeRankParts(const SetAssessment &save, const JudgeContext &context);

void judgeSiblings(const std::vector<SetAssessment> &saves, const JudgeContext &context);
void judgeSavedNames(const std::vector<SetAssessment> &saves, const JudgeContext &context);
void judgeCopies(const std::vector<SetAssessment> &saves, const JudgeContext &context);
void judgeCourses(const std::vector<SetAssessment> &saves, const JudgeContext &context);
void judgeHistories(const std::vector<SetAssessment> &saves, const JudgeContext &context);
void judgeLostTensors(const std::vector<SetAssessment> &saves, const JudgeContext &context);
void judgeCountedNames(const std::vector<SetAssessment> &saves, const JudgeContext &context);
void judgeCompanions(const std::vector<SetAssessment> &saves, const JudgeContext &context);
void judgeMissingParts(const std::vector<SetAssessment> &saves, const JudgeContext &context);
void judgeCounts(const std::vector<SetAssessment> &saves, const JudgeContext &context);
void judgeStates(const std::vector<SetAssessment> &saves, const JudgeContext &context);
void judgeCommonInfo(const std::vector<SetAssessment> &saves, const JudgeContext &context);
void judgeOrder(const std::vector<SetAssessment> &saves, const JudgeContext &context);
void judgeClocks(const std::vector<SetAssessment> &saves, const JudgeContext &context);
void judgeMarks(const std::vector<SetAssessment> &saves, const JudgeContext &context);

}  // namespace rankdeck
