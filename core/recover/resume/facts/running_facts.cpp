// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/facts/running_facts.h"

#include "core/journal/journal.h"
#include "core/node/wait_for.h"
#include "core/recover/host/rank_processes.h"
#include "core/recover/launch/recipe.h"

#include <set>

namespace rankdeck {

RunningFacts readRunning(ActionContext &host, const JobState &view, SteadyTime deadline)
{
    RunningFacts facts{.now = std::chrono::system_clock::now()};
    std::set<std::string> names;
    for (const NodeSpec *node : nodesByRank(view.job)) names.insert(node->name);
    if (const NodeSpec *node = submitNode(view.job)) names.insert(node->name);
    std::map<std::string, Reply<JobHolder>> replies;
    for (const std::string &name : names) {
        const int index = view.job.nodeIndex(name);
        const NodeSpec *spec = index < 0 ? nullptr : &view.job.nodes[std::size_t(index)];
        NodeClient *node = host.node(name);
        replies[name] =
            node ? node->jobHolder(jobClaim(view, spec, {}), runDirectory(view.job, spec)) : Reply<JobHolder>();
    }
    for (auto &[name, reply] : replies) {
        const auto holder = waitFor(reply, deadline, name);
        if (!holder && unanswered(view, name, holder.error()).kind == ErrorKind::unreachable)
            continue;  // the node is a finding of its own
        ClaimFact fact{.node = name};
        if (holder) {
            fact.held = holder->held;
            fact.holder = holder.value();
            fact.problem = holder->reason;
        } else {
            fact.problem = holder.error().message;
        }
        facts.claims.push_back(std::move(fact));
    }
    if (const auto open = host.journal().unfinished(view.job.name, view.job.file); !open) facts.journal = open.error();
    const auto entries = host.journal().read(view.job.name, view.job.file);
    if (!entries) return facts;
    for (const JournalEntry &entry : entries.value())
        if (entry.kind == "exit" && entry.state == "stopped") facts.stopped = entry.time;
    return facts;
}

}  // namespace rankdeck
