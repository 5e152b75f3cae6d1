// SPDX-License-Identifier: GPL-3.0-or-later
// Refusals in the report of an exit or a resume.
#pragma once

#include "core/recover/findings.h"

#include <gtest/gtest.h>

#include <vector>

namespace rankdeck {

// part: a part of its text, needed if several findings have the code.
inline const Finding *find(const std::vector<Finding> &findings, FindingCode code, std::string_view part = {})
{
    for (const Finding &finding : findings)
        if (finding.code == code && finding.text.find(part) != std::string::npos) return &finding;
    return nullptr;
}

// True if it was refused with this code (among others), and the text says what was found and what to do.
template <class Report>
testing::AssertionResult refusedWith(const Report &report, FindingCode code)
{
    const Finding *finding = find(report.preflight, code);
    if (report.outcome != "refused")
        return testing::AssertionFailure() << "outcome " << report.outcome << ": " << report.text;
    if (!finding || finding->result != Finding::Result::refuse)
        return testing::AssertionFailure() << "no refusal " << code << ": " << report.text;
    if (finding->text.empty() || finding->fix.empty())
        return testing::AssertionFailure() << code << " does not say what to do";
    return testing::AssertionSuccess();
}

}  // namespace rankdeck
