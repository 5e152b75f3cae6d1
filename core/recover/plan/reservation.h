// SPDX-License-Identifier: GPL-3.0-or-later
// The job held on its nodes for an action that has not launched yet: while its file steps are made no other action can launch
// there, and none can make steps of its own. A node frees it by itself when the link of this console ends, so a console that
// was killed holds nothing; then, and when a link is cut, the steps of this action are refused. Blocks.
#pragma once

#include "core/base/known.h"
#include "core/base/result.h"
#include "core/recover/action_context.h"
#include "core/recover/plan.h"

#include <string>
#include <vector>

namespace rankdeck {

inline constexpr double stepAnswerSeconds = 30;  // so long a node may take to answer one request of a plan

class Reservation {
public:
    struct Place {
        std::string node;
        JobClaim claim;  // its text says who reserves
        std::string runDirectory;
        bool launches = true;     // else it has steps only, and is done without where its node can hold no job
        bool cannotHold = false;  // on the word of its node
    };

    explicit Reservation(ActionContext &host) : m_host(host) {}
    ~Reservation() { release(); }
    Reservation(const Reservation &) = delete;
    Reservation &operator=(const Reservation &) = delete;

    // The first place, of those that launch by the names of the nodes, before the others: of consoles that come at once one
    // gets it. Error
    // conflict with jobHeldDetail when another action has the job; after any error nothing is held.
    Status take(std::vector<Place> places);
    // Again where a link was cut meanwhile; a node that comes back within the time is waited for. No: another action has the
    // job by now. Unknown: a node has not said.
    Known takeAgain();
    // Lets go; a node that does not say so within seconds is not waited for. What was launched holds the job for itself.
    void release();
    // The step as it is sent (FileActionRequest, ReplaceRequest, AppendRequest): its node makes it only while the job is held
    // there for this action. Without that on nodes that can hold none, and on those without a place.
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
