// SPDX-License-Identifier: GPL-3.0-or-later
// The plan of one node as readable lines: files to write, files to remove, commands to run. The text is exactly what is
// executed and recorded in the journal. Pure.
#pragma once

#include "core/recover/actions.h"

#include <QString>

#include <vector>

namespace rankdeck::ui {

struct PlanLine {
    enum class Kind { remark, added, removed, same, command } kind = Kind::remark;
    QString text;
    bool operator==(const PlanLine &) const = default;
};
// most: after this many files of one kind, the rest is only counted; 0: all.
std::vector<PlanLine> planLines(const NodePlan &plan, int most);

}  // namespace rankdeck::ui
