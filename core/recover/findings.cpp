// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/findings.h"

#include "core/base/text.h"

#include <algorithm>

namespace rankdeck {

const char *findingResultName(Finding::Result result)
{
    switch (result) {
    case Finding::Result::ok: return "ok";
    case Finding::Result::warn: return "warn";
    case Finding::Result::refuse: return "refuse";
    }
    return "refuse";
}

Finding okFinding(FindingCode code, Message text)
{
    return Finding{.result = Finding::Result::ok, .code = code, .text = std::move(text)};
}

Finding warning(FindingCode code, Message text, Message fix)
{
    return Finding{.result = Finding::Result::warn, .code = code, .text = std::move(text), .fix = std::move(fix)};
}

Finding refusal(FindingCode code, Message text, Message fix)
{
    return Finding{.result = Finding::Result::refuse, .code = code, .text = std::move(text), .fix = std::move(fix)};
}

Finding onNode(Finding finding, std::string node)
{
    finding.node = std::move(node);
    return finding;
}

Finding onRank(Finding finding, int rank)
{
    finding.rank = rank;
    return finding;
}

Message overrideHint(FindingCode code) { return terminalWords("say --fix %1", code.word()); }

bool anyRefusal(const std::vector<Finding> &findings)
{
    return std::any_of(findings.begin(), findings.end(),
                       [](const Finding &finding) { return finding.result == Finding::Result::refuse; });
}

Message refusalsText(const std::vector<Finding> &findings)
{
    std::vector<Message> sentences;
    for (const Finding &finding : findings)
        if (finding.result == Finding::Result::refuse)
            sentences.push_back(finding.fix.empty()
                                    ? message("%1.", withoutStop(finding.text))
                                    : message("%1: %2.", withoutStop(finding.text), withoutStop(finding.fix)));
    return joined(sentences);
}

}  // namespace rankdeck
