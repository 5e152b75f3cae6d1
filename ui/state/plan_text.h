// SPDX-License-Identifier: GPL-3.0-or-later
// The plan of one node as lines to read: what is written, what is removed, what is run. The text is what is executed and
// journalled. Pure.
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
// most: after so many files of one kind the rest is counted; 0: all.
std::vector<PlanLine> planLines(const NodePlan &plan, int most);

}  // namespace rankdeck::ui
