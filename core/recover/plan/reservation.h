// SPDX-License-Identifier: GPL-3.0-or-later
// Reservation of the job on its nodes, for an action that has not launched yet. While it is held, no other action can
// launch there or make file steps. A node frees it automatically when the link of this console ends, so that a killed
// console holds nothing. Steps of this action are refused after that, also after a cut link. Blocks.
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
        bool launches = true;     // false: only file steps; optional if its node cannot hold a job
        bool cannotHold = false;  // its node reports this
    };

    explicit Reservation(ActionContext &host) : m_host(host) {}
    ~Reservation() { release(); }
    Reservation(const Reservation &) = delete;
    Reservation &operator=(const Reservation &) = delete;

    // Takes the first launching place (by the nodes' names) before the others: if consoles come at once, only one gets
    // it. Error conflict with jobHeldDetail if another action has the job. After any error nothing is held.
    Status take(std::vector<Place> places);
    // Takes the reservation again after a cut link, and waits for a node that returns in time. No: another action has
    // the job now. Unknown: a node has not answered.
    Known takeAgain();
    // Releases the job; a node that does not answer within seconds is ignored. Launched processes hold the job
    // themselves.
    void release();
    // The step as it is sent (FileActionRequest, ReplaceRequest, AppendRequest): its node makes it only while the job
    // is held there for this action. Unchanged for nodes that cannot hold a job, and for nodes without a place.
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
