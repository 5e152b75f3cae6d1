// SPDX-License-Identifier: GPL-3.0-or-later
// Findings of a preflight: the item that was checked, the expected and the found value, and what to do. Their codes are
// rows of finding_codes.h. Pure.
#pragma once

#include "core/base/message.h"
#include "core/recover/finding_codes.h"

#include <string>
#include <vector>

namespace rankdeck {

struct Finding {
    enum class Result { ok, warn, refuse } result = Result::ok;
    FindingCode code = {};
    Message text = {};     // expected, found
    Message fix = {};      // what to do, as a sentence
    bool fixable = false;  // the plan can fix it (resume: with its file steps)
    std::string node = {};
    int rank = -1;
};
const char *findingResultName(Finding::Result result);

Finding okFinding(FindingCode code, Message text);
Finding warning(FindingCode code, Message text, Message fix);
Finding refusal(FindingCode code, Message text, Message fix);
Finding onNode(Finding finding, std::string node);
Finding onRank(Finding finding, int rank);
Message overrideHint(FindingCode code);  // how the operator can override the refusal
bool anyRefusal(const std::vector<Finding> &findings);
Message refusalsText(const std::vector<Finding> &findings);  // the sentences of all refusals, one after another

}  // namespace rankdeck
