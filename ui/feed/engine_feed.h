// SPDX-License-Identifier: GPL-3.0-or-later
// The real JobFeed: owns an Engine and passes its updates to the GUI thread as queued calls. The newest snapshot comes
// at most once per turn of the event loop. Calls into the engine never wait for a node; the journal is read on a pool
// thread. Replies that arrive after the feed was destroyed are dropped. Its engine ends on a pool thread, because it
// may have to withdraw a stop request on a node that hangs. The window does not wait for that; the program does.
#pragma once

#include "ui/feed/job_feed.h"

#include <QTimer>

#include <atomic>
#include <memory>

namespace rankdeck::ui {

class EngineFeed final : public JobFeed {
    Q_OBJECT
public:
    // stateDirectory: contains the journal; empty: the default one. The constructor starts the engine. offline: the
    // engine was made without connections.
    EngineFeed(std::unique_ptr<Engine> engine, std::string stateDirectory, bool offline = false,
               QObject *parent = nullptr);
    ~EngineFeed() override;

    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const override;
    void withRun(const std::function<void(const Run &)> &use) const override;
    [[nodiscard]] bool offline() const override { return m_offline; }
    void end(std::function<void()> ended) override;
    void setPace(Pace pace) override;
    void answer(const QString &node, Answer answer) override;
    void retryNow(const QString &node) override;
    void setOnScreen(std::vector<int> ranks) override;
    void readLog(int rank, std::uint64_t offset, std::uint32_t bytes,
                 std::function<void(Result<RangeReply>)> done) override;
    void inspect(const QString &setId, int rank, std::function<void(Result<Inspection>)> done) override;
    void checkDeeper(const QString &setId, std::function<void(double)> progress,
                     std::function<void(bool)> done) override;
    void cancelDeeper() override;
    Status startExit(ExitOptions options) override;
    Status cancelExit() override;
    Status escalate(ConfirmedRung rung) override;
    Status startResume(ResumeOptions options) override;
    void keep(KeepOptions options, std::function<void(KeepReport)> done) override;
    void planResume(ResumeOptions options, std::function<void(Result<ResumeReport>)> done) override;
    void readStacks(std::function<void(std::vector<RankStack>)> done) override;
    void readJournal(std::function<void(std::vector<JournalEntry>)> done) override;

private:
    struct Door;  // access to the feed for other threads; closed when the feed is destroyed
    void takeSnapshot();
    [[nodiscard]] std::chrono::nanoseconds rest() const;

    std::shared_ptr<Door> m_door;
    std::string m_stateDirectory;
    std::shared_ptr<Engine> m_engine;
    std::shared_ptr<const Snapshot> m_snapshot;
    const bool m_offline;
    Pace m_pace = Pace::live;
    QTimer m_later;  // delayed change, if the last one was too recent for the pace
    std::optional<SteadyTime> m_reportedAt = {};
    std::chrono::nanoseconds m_workBefore{};  // CPU time of this thread at the last change
    int m_subscription = 0;
};

}  // namespace rankdeck::ui
