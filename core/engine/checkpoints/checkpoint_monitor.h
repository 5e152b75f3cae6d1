// SPDX-License-Identifier: GPL-3.0-or-later
// Keeper of the current checkpoint report. Listings come in, and a survey thread reads the files that a verdict needs,
// newest sets first. Every new report goes to the sink, which is called on the survey thread. Unchanged files are not
// read again. Any thread may call.
#pragma once

#include "core/base/known.h"
#include "core/checkpoint/inventory/inventory.h"
#include "core/checkpoint/survey/survey.h"
#include "core/engine/checkpoints/deep_check.h"
#include "core/engine/checkpoints/judge_loop.h"
#include "core/engine/checkpoints/whole_sets.h"
#include "core/job/job.h"
#include "core/verdict/verdict.h"

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rankdeck {

class CheckpointMonitor {
public:
    struct Found {
        std::shared_ptr<const Inventory> inventory;
        CheckpointReport report;
        std::set<std::string> nodes = {};  // nodes whose directories are all listed
        Known gracefulReady = {};          // whether the newest set that was read carries the tags
    };
    using Sink = std::function<void(Found)>;
    CheckpointMonitor(const Job &job, Survey::Nodes nodes, Sink sink);
    ~CheckpointMonitor();
    void stop();  // ends its threads, so that it asks no node any more; later calls do nothing

    void listing(const std::string &node, int id, Listing listing);
    // The directory was checked again and has not changed since the last listing.
    void unchanged(const std::string &node, int id, std::int64_t asOfNs);
    // While a plan moves files, sets that were complete and now lack files count as unknown. They are judged again when
    // the plan has ended.
    void filesMove(bool moving);
    void expect(Expectation expected);  // if it has changed, the sets are judged again
    // Done on the survey thread as soon as it is free.
    void inspect(Member member, EvidenceLevel level, std::function<void(Result<Evidence>)> done);
    DeepCheck &deep() { return m_deep; }
    [[nodiscard]] std::uint64_t bytesRead() const;

private:
    void work();
    [[nodiscard]] bool stopping() const;
    void askAgain();
    void judgeOnce();
    std::optional<JudgeRound> look(std::set<std::string> &nodes);  // adds the completely listed nodes to `nodes`
    void judgeAgain();
    void markGrowing(Inventory &inventory);
    [[nodiscard]] NodeListing aged(const std::string &node, const std::shared_ptr<const Listing> &listing,
                                   std::int64_t asOfNs) const;

    const Job &m_job;
    std::map<std::string, std::size_t> m_roots;  // node → number of directories that it lists
    Sink m_sink;
    Survey::Nodes m_nodes;
    Survey m_survey;
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    struct Watched {
        std::shared_ptr<const Listing> listing;
        std::int64_t asOfNs = 0;  // by the node's clock
    };
    std::map<std::pair<std::string, int>, Watched> m_listings;
    bool m_filesMove = false;
    bool m_awaited = false;  // a verdict needs a newer listing
    Expectation m_expected;
    std::vector<std::function<void()>> m_errands;
    bool m_dirty = false;
    bool m_stopping = false;
    // Used on the survey thread only: the last stat of each file and the time of its last change; also sets that once
    // were complete.
    struct Seen {
        std::uint64_t size = 0;
        std::int64_t mtimeNs = 0;
        std::optional<SteadyTime> changed = {};
    };
    std::unordered_map<std::string, Seen> m_seen;  // key: node, zero byte, path
    WholeSets m_whole;
    std::vector<Member> m_silent;  // members whose read got no answer
    bool m_unfinished = false;     // a set is being saved, or is still unknown
    SteadyTime m_askAgainAt = {};
    DeepCheck m_deep;
    std::thread m_thread;
};

}  // namespace rankdeck
