// SPDX-License-Identifier: GPL-3.0-or-later
// A host for actions over real nodes ("local": the real probe over a pipe) and real processes, with the picture of the
// job read from the files and /proc at each look. Judging is replaced by a plain rule: a set is VALID when every rank
// has a whole file of it. One test, one job directory.
#pragma once

#include "core/journal/journal.h"
#include "core/node/node.h"
#include "core/node/protocol/node_link.h"
#include "core/recover/actions.h"
#include "tests/testbed/temp_dir.h"
#include "tests/testbed/words.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rankdeck {

// Where the nodes are: this machine by default, else what ssh takes, one per node.
struct TestNodes {
    std::vector<std::string> hosts = {};
    std::string sshConfig = {};
    LinkTiming timing = {};
};

class TestHost final : public ActionContext, private NodeListener {
public:
    // ranks: of each node; recipe "command" or "msrun".
    TestHost(const std::vector<std::vector<int>> &ranks, const std::string &recipe, const TestNodes &where = {});
    ~TestHost() override;  // ends every process that has this job's directory in its environment

    // The first attempt, as the recipe would, with the first words of the command only; returns when it steps.
    void startFirst(std::size_t words = 2);
    void waitStep(std::int64_t step);
    bool waitFor(const std::function<bool()> &condition, double seconds = 60) const;
    void endAll();                           // SIGKILL to all ranks, waits until they are gone
    void stopNode(const std::string &name);  // the node's link ends, for good
    // The node's probe runs behind these words from now on: "setpriv …", a shell that limits it.
    void putBehind(const std::string &name, const std::vector<std::string> &words);
    [[nodiscard]] std::string directory() const { return m_dir.path(); }
    [[nodiscard]] std::string file(const std::string &name) const { return m_dir.file(name); }
    [[nodiscard]] std::string read(const std::string &name) const { return m_dir.read(name); }
    void write(const std::string &name, const std::string &bytes) const { m_dir.write(name, bytes); }
    [[nodiscard]] bool exists(const std::string &name) const;
    [[nodiscard]] std::vector<int> pids() const;  // of this job's ranks, scheduler and launchers
    [[nodiscard]] std::vector<std::string> journalStates(const std::string &kind) const;

    // ActionContext
    [[nodiscard]] JobState view() const override;
    void waitForChange(SteadyTime deadline) override;
    NodeClient *node(const std::string &name) override;
    Journal &journal() override { return *m_journal; }
    void attemptLaunched(WallTime at, std::optional<std::int64_t> resumedFrom) override;
    void refreshFlags() override {}
    [[nodiscard]] bool stopRequested() const override { return stop; }
    [[nodiscard]] std::vector<PlacedSample> lossesBefore(int rank, std::int64_t from, std::int64_t to) const override;

    Job job;
    std::atomic<bool> stop = false;
    double stepSeconds = 0.1;  // as the curve would say
    int launched = 0;

private:
    void nodeStatus(const std::string &, const NodeStatus &) override {}
    void tailChunk(const std::string &, TailChunk) override {}
    void tailEvent(const std::string &, TailEvent) override {}
    void directory(const std::string &, int, Listing) override {}
    void processes(const std::string &, ProcessList) override {}
    [[nodiscard]] RankState rankState(int rank) const;
    [[nodiscard]] std::vector<FlagState> flags() const;
    [[nodiscard]] CheckpointReport report(Inventory &inventory) const;

    TempDir m_dir;
    std::unique_ptr<Journal> m_journal;
    std::vector<std::pair<std::string, std::unique_ptr<Node>>> m_nodes;
    std::vector<std::vector<PlacedSample>> m_old;
};

}  // namespace rankdeck
