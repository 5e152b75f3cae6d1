// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/launch/job_claims.h"

#include "core/node/wait_for.h"
#include "core/recover/host/rank_processes.h"
#include "core/recover/launch/recipe.h"

#include <map>
#include <set>

namespace rankdeck {

std::vector<ClaimFact> readClaims(ActionContext &host, const JobState &view, const std::string &own,
                                  SteadyTime deadline)
{
    std::set<std::string> names;
    for (const NodeSpec *node : nodesByRank(view.job)) names.insert(node->name);
    if (const NodeSpec *node = submitNode(view.job)) names.insert(node->name);
    std::map<std::string, Reply<JobHolder>> replies;
    for (const std::string &name : names) {
        const int index = view.job.nodeIndex(name);
        const NodeSpec *spec = index < 0 ? nullptr : &view.job.nodes[std::size_t(index)];
        NodeClient *node = host.node(name);
        replies[name] =
            node ? node->jobHolder(jobClaim(view, spec, own), runDirectory(view.job, spec)) : Reply<JobHolder>();
    }
    std::vector<ClaimFact> claims;
    for (auto &[name, reply] : replies) {
        const auto holder = waitFor(reply, deadline, name);
        if (!holder && unanswered(view, name, holder.error()).kind == ErrorKind::unreachable)
            continue;  // the node has its own finding
        ClaimFact fact{.node = name};
        if (holder) {
            const bool ours = holder->held.isYes() && !own.empty() && holder->action == own;
            fact.held = ours ? Known(false) : holder->held;
            fact.holder = holder.value();
            fact.problem = holder->reason;
        } else {
            fact.problem = holder.error().message;
        }
        claims.push_back(std::move(fact));
    }
    return claims;
}

}  // namespace rankdeck
