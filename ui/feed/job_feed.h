// SPDX-License-Identifier: GPL-3.0-or-later
// The panels' access to a job: the newest snapshot, the run for queries, and the actions. EngineFeed is the real one;
// tests use their own with fixed values. GUI thread only; no function blocks.
#pragma once

#include "core/engine.h"
#include "core/journal/journal.h"

#include <QObject>

#include <functional>
#include <memory>

namespace rankdeck::ui {

class JobFeed : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    [[nodiscard]] virtual std::shared_ptr<const Snapshot> snapshot() const = 0;  // never null
    // Runs under a shared lock: query and return.
    virtual void withRun(const std::function<void(const Run &)> &use) const = 0;

    // True if the job comes from its history only: nodes are not contacted and actions are impossible.
    [[nodiscard]] virtual bool offline() const { return false; }

    // How often changed() may come: ten times a second, twice a second, or never (if the window is not visible). A job
    // whose drawing takes more than a few per cent of a core is drawn less often, but at least once a second.
    enum class Pace { live, calm, paused };
    virtual void setPace(Pace) {}
    // Ends the feed; no other function may be called afterwards. `ended` is called on the GUI thread when the job can
    // be opened again: all its actions, readers and history writers have ended.
    virtual void end(std::function<void()> ended) { ended(); }

    virtual void answer(const QString &node, Answer answer) = 0;
    virtual void retryNow(const QString &node) = 0;
    virtual void setOnScreen(std::vector<int> ranks) = 0;
    virtual void readLog(int rank, std::uint64_t offset, std::uint32_t bytes,
                         std::function<void(Result<RangeReply>)> done) = 0;  // done: on the GUI thread
    virtual void inspect(const QString &setId, int rank, std::function<void(Result<Inspection>)> done) = 0;
    // Reads all bytes of the set's files. progress: 0 to 1. done is called once; whole is false after a cancel.
    virtual void checkDeeper(const QString &setId, std::function<void(double)> progress,
                             std::function<void(bool whole)> done) = 0;
    virtual void cancelDeeper() = 0;
    virtual Status startExit(ExitOptions options) = 0;
    virtual Status cancelExit() = 0;
    virtual Status escalate(ConfirmedRung rung) = 0;  // signals exactly the processes that were shown
    virtual Status startResume(ResumeOptions options) = 0;
    virtual void planResume(ResumeOptions options, std::function<void(Result<ResumeReport>)> done) = 0;
    // Keeps a set out of reach of rotation, restores it, or removes it from the kept ones; done is called on the GUI
    // thread.
    virtual void keep(KeepOptions options, std::function<void(KeepReport)> done) = 0;
    // Reads the stack traces of all ranks on their nodes, within about a second; done is called on the GUI thread.
    virtual void readStacks(std::function<void(std::vector<RankStack>)> done) = 0;
    // The journal of this job, oldest first; done is called on the GUI thread.
    virtual void readJournal(std::function<void(std::vector<JournalEntry>)> done) = 0;

Q_SIGNALS:
    void changed();                                // a new snapshot; at most ten times a second
    void updated(const rankdeck::Update &update);  // changes since the last update
};

}  // namespace rankdeck::ui
