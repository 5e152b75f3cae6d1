// SPDX-License-Identifier: GPL-3.0-or-later
// The secrets of a plan: those of the environments of its launches. Pure; never fails.
#pragma once

#include "core/job/secrets.h"
#include "core/recover/plan.h"

namespace rankdeck {

Secrets secretsOf(const Plan &plan, Secrets::Which which = Secrets::Which::any);

}  // namespace rankdeck
