// SPDX-License-Identifier: GPL-3.0-or-later
// Stack traces of all ranks, grouped, to find the ranks that differ from the waiting ones.
#include "app/ctl/command.h"
#include "app/ctl/output/progress_line.h"

#include "core/base/text.h"

#include <iostream>
#include <optional>

namespace rankdeck::ctl {

int stacks(const Globals &globals)
{
    Opened opened = open(globals);
    if (!opened.engine) return opened.code;
    const int code = settle(*opened.engine, globals, true);
    if (code == interrupted) return code;
    std::optional<ProgressLine> waiting("reading what every rank does");
    const StackReport report = groupStacks(opened.engine->readStacks());
    waiting.reset();
    if (globals.json) {
        Json groups = Json::array();
        for (const StackGroup &group : report.groups) {
            Json evidence = Json::array();
            for (const std::string &line : group.evidence) evidence.push_back(validUtf8(line));
            groups.push_back({{"ranks", group.ranks},
                              {"state", group.state},
                              {"where", validUtf8(group.where)},
                              {"evidence", std::move(evidence)}});
        }
        print({{"rankdeckctl", 1}, {"groups", std::move(groups)}, {"suspects", report.suspects}});
        return code;
    }
    for (const StackGroup &group : report.groups) {
        std::cout << (group.ranks.size() == 1 ? "rank " : "ranks ") << rankList(group.ranks) << " " << group.state
                  << (group.where.empty() ? "" : " in " + printable(group.where)) << "\n";
        for (const std::string &line : group.evidence) std::cout << "  " << printable(line) << "\n";
    }
    if (!report.suspects.empty())
        std::cout << (report.suspects.size() == 1 ? "differs: rank " : "differ: ranks ") << rankList(report.suspects)
                  << "\n";
    return code;
}

}  // namespace rankdeck::ctl
