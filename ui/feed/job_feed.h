// SPDX-License-Identifier: GPL-3.0-or-later
// What the panels know of a job: the newest snapshot, the run for queries, and the acts. EngineFeed is the real one;
// tests make their own with fixed values. GUI thread only; nothing here blocks.
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
    // Under a shared lock: query and return.
    virtual void withRun(const std::function<void(const Run &)> &use) const = 0;

    // From the history alone: nothing is asked of a node, nothing can be done to one.
    [[nodiscard]] virtual bool offline() const { return false; }

    // How often changed() may come: ten times a second, twice, or not at all while nobody looks. A job that takes more than a
    // few per cent of a core to draw is drawn less often, but at least once a second.
    enum class Pace { live, calm, paused };
    virtual void setPace(Pace) {}
    // Nothing may be asked of it any more. `ended` is called on the GUI thread when the job can be opened anew: nobody acts on
    // it, follows it or writes its history.
    virtual void end(std::function<void()> ended) { ended(); }

    virtual void answer(const QString &node, Answer answer) = 0;
    virtual void retryNow(const QString &node) = 0;
    virtual void setOnScreen(std::vector<int> ranks) = 0;
    virtual void readLog(int rank, std::uint64_t offset, std::uint32_t bytes,
                         std::function<void(Result<RangeReply>)> done) = 0;  // done: on the GUI thread
    virtual void inspect(const QString &setId, int rank, std::function<void(Result<Evidence>)> done) = 0;
    // Every byte of all files of the set; progress 0 to 1, then done once: whole is false when it was cancelled.
    virtual void checkDeeper(const QString &setId, std::function<void(double)> progress,
                             std::function<void(bool whole)> done) = 0;
    virtual void cancelDeeper() = 0;
    virtual Status startExit(ExitOptions options) = 0;
    virtual Status cancelExit() = 0;
    virtual Status escalate(ConfirmedRung rung) = 0;  // exactly the processes that were shown
    virtual Status startResume(ResumeOptions options) = 0;
    virtual void planResume(ResumeOptions options, std::function<void(Result<ResumeReport>)> done) = 0;
    // A set out of rotation's reach, back, or away again; done on the GUI thread.
    virtual void keep(KeepOptions options, std::function<void(KeepReport)> done) = 0;
    // What every rank does now, read on its node within about a second; done on the GUI thread.
    virtual void readStacks(std::function<void(std::vector<RankStack>)> done) = 0;
    // The journal of this job, oldest first; done on the GUI thread.
    virtual void readJournal(std::function<void(std::vector<JournalEntry>)> done) = 0;

Q_SIGNALS:
    void changed();                                // a new snapshot; at most ten times a second
    void updated(const rankdeck::Update &update);  // what happened since the last one
};

}  // namespace rankdeck::ui
