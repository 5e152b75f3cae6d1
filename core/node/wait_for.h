// SPDX-License-Identifier: GPL-3.0-or-later
// Wait for a node's answer, at most until the deadline; then Error timeout. Only for threads of actions.
#pragma once

#include "core/base/deadline.h"
#include "core/base/result.h"
#include "core/node/node.h"

#include <string>

namespace rankdeck {

template <class T>
Result<T> waitFor(Reply<T> &reply, SteadyTime deadline, const std::string &node)
{
    if (!reply.valid()) return fail(ErrorKind::unreachable, "node " + node + " was not asked");
    while (reply.wait_for(napUntil(deadline)) != std::future_status::ready)
        if (steadyNow() >= deadline)
            return fail(ErrorKind::timeout, "node " + node + " did not answer in time; check its state and try again");
    return reply.get();
}

}  // namespace rankdeck
