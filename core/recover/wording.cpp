// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/wording.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

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

std::string ranksText(std::vector<int> ranks)
{
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    if (ranks.empty()) return "no rank";
    return (ranks.size() == 1 ? "rank " : "ranks ") + rankList(ranks);
}

std::string namesText(const std::vector<std::string> &names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
        text += printable(names[i]);
    }
    return text;
}

std::string pidsText(const std::vector<ProcessInfo> &processes)
{
    std::string text;
    for (const ProcessInfo &process : processes)
        text +=
            (text.empty() ? "pid " : ", pid ") + std::to_string(process.id.pid) + " (" + printable(process.comm) + ")";
    return text;
}

std::string setText(const CheckpointSet &set)
{
    std::vector<std::string> parts;
    if (set.epoch) parts.push_back("epoch " + grouped(*set.epoch));
    if (set.step) parts.push_back("step " + grouped(*set.step));
    if (set.globalStep) parts.push_back("global step " + grouped(*set.globalStep));
    std::string text = "set " + printable(set.id);
    for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? " (" : ", ") + parts[i];
    return parts.empty() ? text : text + ")";
}

Finding okFinding(std::string code, std::string text)
{
    return Finding{.result = Finding::Result::ok, .code = std::move(code), .text = std::move(text)};
}

Finding warning(std::string code, std::string text, std::string fix)
{
    return Finding{
        .result = Finding::Result::warn, .code = std::move(code), .text = std::move(text), .fix = std::move(fix)};
}

Finding refusal(std::string code, std::string text, std::string fix)
{
    return Finding{
        .result = Finding::Result::refuse, .code = std::move(code), .text = std::move(text), .fix = std::move(fix)};
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

bool fixedOnRequest(const std::string &code)
{
    static const std::array<std::string, 6> codes{"survivors",      "launcher_alive", "port_in_use",
                                                  "member_missing", "auto_loaded",    "graceful_set"};
    return std::find(codes.begin(), codes.end(), code) != codes.end();
}

bool anyRefusal(const std::vector<Finding> &findings)
{
    return std::any_of(findings.begin(), findings.end(),
                       [](const Finding &finding) { return finding.result == Finding::Result::refuse; });
}

std::string refusalsText(const std::vector<Finding> &findings)
{
    std::string text;
    for (const Finding &finding : findings)
        if (finding.result == Finding::Result::refuse)
            text += (text.empty() ? "" : " ") + finding.text + (finding.fix.empty() ? "." : ": " + finding.fix + ".");
    return text;
}

}  // namespace rankdeck
