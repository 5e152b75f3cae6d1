// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/feed/engine_feed.h"

#include "core/base/files.h"
#include "core/base/work.h"

#include <QCoreApplication>
#include <QMetaObject>
#include <QThreadPool>

#include <algorithm>
#include <mutex>

namespace rankdeck::ui {

namespace {

// Drawing a large job takes at most 1/30 of a core. A small one is drawn at the normal pace.
constexpr int partsOfDrawing = 30;
constexpr std::chrono::milliseconds longestRest(1000);

}  // namespace

// Access to the feed for other threads. They never use the feed itself, because it could be deleted between a check and
// a post.
struct EngineFeed::Door {
    std::mutex mutex;
    EngineFeed *feed = nullptr;
    std::atomic<bool> snapshotPosted = false;

    void post(std::function<void(EngineFeed &)> use)
    {
        const std::scoped_lock lock(mutex);
        if (feed == nullptr) return;
        EngineFeed *target = feed;
        QMetaObject::invokeMethod(
            target, [target, use = std::move(use)] { use(*target); }, Qt::QueuedConnection);
    }
};

EngineFeed::EngineFeed(std::unique_ptr<Engine> engine, std::string stateDirectory, bool offline, QObject *parent)
    : JobFeed(parent), m_door(std::make_shared<Door>()),
      m_stateDirectory(stateDirectory.empty() ? defaultStateDirectory() : std::move(stateDirectory)),
      m_engine(std::move(engine)), m_snapshot(m_engine->snapshot()), m_offline(offline)
{
    if (m_snapshot == nullptr) m_snapshot = std::make_shared<const Snapshot>();
    m_door->feed = this;
    m_later.setSingleShot(true);
    connect(&m_later, &QTimer::timeout, this, &EngineFeed::takeSnapshot);
    m_subscription = m_engine->subscribe(
        [door = m_door] {
            if (!door->snapshotPosted.exchange(true)) door->post([](EngineFeed &feed) { feed.takeSnapshot(); });
        },
        [door = m_door](const Update &update) {
            door->post([copy = std::make_shared<const Update>(update)](EngineFeed &feed) {
                if (auto fresh = feed.m_engine->snapshot()) feed.m_snapshot = std::move(fresh);
                Q_EMIT feed.updated(*copy);
            });
        });
    m_engine->start();
}

EngineFeed::~EngineFeed()
{
    if (m_engine) end({});
}

void EngineFeed::end(std::function<void()> ended)
{
    {
        const std::scoped_lock lock(m_door->mutex);
        m_door->feed = nullptr;
    }
    m_later.stop();
    m_engine->unsubscribe(m_subscription);
    QThreadPool::globalInstance()->start([engine = std::move(m_engine), ended = std::move(ended)]() mutable {
        engine->stop();
        engine.reset();
        if (ended) QMetaObject::invokeMethod(qApp, std::move(ended), Qt::QueuedConnection);
    });
}

void EngineFeed::takeSnapshot()
{
    m_door->snapshotPosted = false;
    if (auto fresh = m_engine->snapshot()) m_snapshot = std::move(fresh);
    if (m_pace == Pace::paused || m_later.isActive()) return;
    const SteadyTime now = steadyNow();
    if (m_reportedAt && now < *m_reportedAt + rest())
        return m_later.start(std::chrono::ceil<std::chrono::milliseconds>(*m_reportedAt + rest() - now));
    m_reportedAt = now;
    m_workBefore = workOfThisThread();
    Q_EMIT changed();
}

// The pause until the next change may be shown. It limits the share of time that this thread spends on a change,
// including painting.
std::chrono::nanoseconds EngineFeed::rest() const
{
    const std::chrono::nanoseconds pace = std::chrono::milliseconds(m_pace == Pace::calm ? 500 : 100);
    return std::max(pace, restAfter(workOfThisThread() - m_workBefore, partsOfDrawing, longestRest));
}

void EngineFeed::setPace(Pace pace)
{
    if (pace == m_pace) return;
    m_pace = pace;
    m_later.stop();
    m_engine->setWatched(pace != Pace::paused);
    if (pace != Pace::paused) takeSnapshot();
}

std::shared_ptr<const Snapshot> EngineFeed::snapshot() const { return m_snapshot; }

void EngineFeed::withRun(const std::function<void(const Run &)> &use) const { m_engine->withRun(use); }

void EngineFeed::answer(const QString &node, Answer answer) { m_engine->answer(node.toStdString(), std::move(answer)); }

void EngineFeed::retryNow(const QString &node) { m_engine->retryNow(node.toStdString()); }

void EngineFeed::setOnScreen(std::vector<int> ranks) { m_engine->setOnScreen(std::move(ranks)); }

void EngineFeed::readLog(int rank, std::uint64_t offset, std::uint32_t bytes,
                         std::function<void(Result<RangeReply>)> done)
{
    m_engine->readLog(rank, offset, bytes, [door = m_door, done = std::move(done)](Result<RangeReply> reply) {
        door->post([done, reply = std::move(reply)](EngineFeed &) { done(reply); });
    });
}

void EngineFeed::inspect(const QString &setId, int rank, std::function<void(Result<Inspection>)> done)
{
    m_engine->inspect(setId.toStdString(), rank, [door = m_door, done = std::move(done)](Result<Inspection> read) {
        door->post([done, read = std::move(read)](EngineFeed &) { done(read); });
    });
}

void EngineFeed::checkDeeper(const QString &setId, std::function<void(double)> progress, std::function<void(bool)> done)
{
    m_engine->checkDeeper(
        setId.toStdString(),
        [door = m_door, progress = std::move(progress)](double share) {
            door->post([progress, share](EngineFeed &) { progress(share); });
        },
        [door = m_door, done = std::move(done)](bool whole) {
            door->post([done, whole](EngineFeed &) { done(whole); });
        });
}

void EngineFeed::cancelDeeper() { m_engine->cancelDeeper(); }

Status EngineFeed::startExit(ExitOptions options) { return m_engine->startExit(std::move(options)); }

Status EngineFeed::cancelExit() { return m_engine->cancelExit(); }

Status EngineFeed::escalate(ConfirmedRung rung) { return m_engine->escalate(std::move(rung)); }

Status EngineFeed::startResume(ResumeOptions options) { return m_engine->startResume(std::move(options)); }

void EngineFeed::planResume(ResumeOptions options, std::function<void(Result<ResumeReport>)> done)
{
    m_engine->requestPlanResume(std::move(options),
                                [door = m_door, done = std::move(done)](Result<ResumeReport> report) {
                                    door->post([done, report = std::move(report)](EngineFeed &) { done(report); });
                                });
}

void EngineFeed::keep(KeepOptions options, std::function<void(KeepReport)> done)
{
    m_engine->keep(std::move(options), [door = m_door, done = std::move(done)](KeepReport report) {
        door->post([done, report = std::move(report)](EngineFeed &) { done(report); });
    });
}

void EngineFeed::readStacks(std::function<void(std::vector<RankStack>)> done)
{
    QThreadPool::globalInstance()->start([door = m_door, engine = m_engine, done = std::move(done)] {
        door->post([done, stacks = engine->readStacks()](EngineFeed &) { done(stacks); });
    });
}

void EngineFeed::readJournal(std::function<void(std::vector<JournalEntry>)> done)
{
    const Job job = m_snapshot->view.job;
    QThreadPool::globalInstance()->start([door = m_door, directory = m_stateDirectory, job, done = std::move(done)] {
        std::vector<JournalEntry> entries;
        const auto unreadable = [&entries](const Error &error) {
            JournalEntry entry;
            entry.kind = "journal";
            entry.state = "unreadable";
            entry.text = error.message;
            entries.push_back(std::move(entry));
        };
        if (const auto journal = Journal::open(directory)) {
            if (auto read = journal.value()->read(job.name, job.file)) {
                entries = std::move(read).value();
            } else {
                unreadable(read.error());
            }
        } else {
            unreadable(journal.error());
        }
        door->post([done, entries = std::move(entries)](EngineFeed &) { done(entries); });
    });
}

}  // namespace rankdeck::ui
