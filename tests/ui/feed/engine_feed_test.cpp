// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/feed/engine_feed.h"

#include "core/node/transport/session_factory.h"
#include "tests/ui/settle.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QThread>
#include <QThreadPool>
#include <QtTest/QTest>

#include <gtest/gtest.h>

#include <future>
#include <mutex>

namespace rankdeck::ui::engine_feed_test {
namespace {

class RealEngine : public testing::Test {
protected:
    std::unique_ptr<EngineFeed> open(std::shared_ptr<SessionFactory> sessions = {})
    {
        Job job;
        job.name = "alone";
        job.worldSize = 1;
        NodeSpec node;
        node.name = "here";
        node.host = "local";
        node.transport = TransportKind::local;
        node.ranks = {0};
        job.nodes = {node};
        EngineOptions options;
        options.stateDirectory = m_state.path().toStdString();
        options.keepHistory = false;
        options.sessions = std::move(sessions);
        auto engine = Engine::make(job, options);
        if (!engine) {
            ADD_FAILURE() << engine.error().message;
            return nullptr;
        }
        return std::make_unique<EngineFeed>(std::move(engine).value(), m_state.path().toStdString());
    }
    QTemporaryDir m_state;
};

// A node whose connect hangs. The engine cannot end before the connect does, but the feed can.
class HangingSessions final : public SessionFactory {
public:
    Result<std::unique_ptr<Transport>> open(const NodeSpec &, const ConnectOptions &, const std::string &,
                                            const Questions &) override
    {
        std::call_once(m_once, [this] { began.set_value(); });
        released.wait();
        return fail(ErrorKind::unreachable, "it hung");
    }
    std::promise<void> began, release;
    std::shared_future<void> released = release.get_future().share();

private:
    std::once_flag m_once;
};

TEST_F(RealEngine, ClosingTheFeedDoesNotWaitForAHangingNode)
{
    auto sessions = std::make_shared<HangingSessions>();
    auto feed = open(sessions);
    ASSERT_NE(feed, nullptr);
    sessions->began.get_future().wait();
    feed.reset();  // on this thread, the only one that can release the node
    sessions->release.set_value();
    QThreadPool::globalInstance()->waitForDone();
}

TEST_F(RealEngine, ReportsChangesOnTheGuiThread)
{
    const auto feed = open();
    ASSERT_NE(feed, nullptr);
    ASSERT_NE(feed->snapshot(), nullptr);
    int told = 0;
    QObject::connect(
        feed.get(), &JobFeed::changed, feed.get(),
        [&] {
            ++told;
            EXPECT_EQ(QThread::currentThread(), QCoreApplication::instance()->thread());
        },
        Qt::DirectConnection);
    EXPECT_TRUE(becomes([&] { return told > 0 && !feed->snapshot()->view.nodes.empty(); }));
    EXPECT_EQ(feed->snapshot()->view.job.name, "alone");
}

TEST_F(RealEngine, AnswersOnTheGuiThreadAndDropsAnswersAfterClosing)
{
    auto feed = open();
    ASSERT_NE(feed, nullptr);
    bool answered = false;
    feed->readJournal([&](const std::vector<JournalEntry> &) {
        answered = true;
        EXPECT_EQ(QThread::currentThread(), QCoreApplication::instance()->thread());
    });
    EXPECT_TRUE(becomes([&] { return answered; }));
    bool late = false;
    feed->inspect(QStringLiteral("0:1"), 0, [&](const Result<Inspection> &) { late = true; });
    feed->planResume({}, [&](const Result<ResumeReport> &) { late = true; });
    feed.reset();
    EXPECT_TRUE(QThreadPool::globalInstance()->waitForDone(neverMs));  // the engine has ended
    settle();
    EXPECT_FALSE(late);
}

TEST_F(RealEngine, EventsAreReportedWhilePausedWithTheCurrentJobState)
{
    const auto feed = open();
    ASSERT_NE(feed, nullptr);
    feed->setPace(JobFeed::Pace::paused);
    int changes = 0;
    QObject::connect(feed.get(), &JobFeed::changed, feed.get(), [&] { ++changes; });
    bool live = false;
    QObject::connect(feed.get(), &JobFeed::updated, feed.get(), [&](const Update &update) {
        for (const NodeStatus &node : update.nodes)
            live = live || (node.state == NodeState::live && feed->snapshot()->view.nodes.front().state == node.state);
    });
    EXPECT_TRUE(becomes([&] { return live; }));
    EXPECT_EQ(changes, 0) << "a paused feed is silent";
    feed->setPace(JobFeed::Pace::live);
    EXPECT_TRUE(becomes([&] { return changes > 0; }));
}

}  // namespace
}  // namespace rankdeck::ui::engine_feed_test
