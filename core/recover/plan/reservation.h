// SPDX-License-Identifier: GPL-3.0-or-later
// Reservation of the job on its nodes, for an action that has not launched yet. While it is held, no other action can
// launch there or make file steps. A node releases it automatically when the link of this console ends, so a killed
// console holds nothing. After a cut link, the node refuses the steps of this action, too. Blocks.
#pragma once

#include "core/base/known.h"
#include "core/base/result.h"
#include "core/recover/action_context.h"
#include "core/recover/plan.h"

#include <string>
#include <vector>

namespace rankdeck {

inline constexpr double stepAnswerSeconds = 30;  // limit for a node's answer to one request of a plan

class Reservation {
public:
    struct Place {
        std::string node;
        JobClaim claim;  // its text names the console that reserves
        std::string runDirectory;
        bool launches = true;     // false: only file steps; then a node that cannot hold a job is accepted
        bool cannotHold = false;  // its node reports this
    };

    explicit Reservation(ActionContext &host) : m_host(host) {}
    ~Reservation() { release(); }
    Reservation(const Reservation &) = delete;
    Reservation &operator=(const Reservation &) = delete;

    // Takes the first launching place (in the order of node names) before all others. If several consoles come at the
    // same time, only one of them gets it. Error conflict with jobHeldDetail if another action has the job. After any
    // error nothing is held.
    Status take(std::vector<Place> places);
    // Takes the reservation again after a cut link, and waits for a node whose link returns in time. No: another action
    // has the job now. Unknown: a node has not answered.
    Known takeAgain();
    // Releases the job; does not wait for a node that is silent for seconds. Launched processes hold the job
    // themselves.
    void release();
    // The step as it is sent (FileActionRequest, ReplaceRequest, AppendRequest). Its node carries it out only while
    // this action holds the job there. Unchanged for nodes that cannot hold a job, and for nodes without a place.
    template <class Step>
    [[nodiscard]] Step bound(const std::string &node, Step step) const
    {
        for (const Place &place : m_places) {
            if (place.node != node || place.cannotHold) continue;
            step.jobKey = place.claim.key;
            step.runDirectory = place.runDirectory;
            step.heldBy = place.claim.action;
        }
        return step;
    }

private:
    Status takeFrom(std::size_t first, std::size_t last);

    ActionContext &m_host;
    std::vector<Place> m_places;
};

}  // namespace rankdeck
