// SPDX-License-Identifier: GPL-3.0-or-later
// From a ticked host to the deck, over one login: a real sshd, real processes, the real engine.
#include "ui/feed/session_search.h"

#include "tests/testbed/engine/engine_fixture.h"
#include "tests/testbed/sshd.h"
#include "tests/ui/settle.h"
#include "ui/feed/engine_feed.h"

#include <QCoreApplication>
#include <QThread>
#include <QThreadPool>
#include <QtTest/QTest>

#include <gtest/gtest.h>

namespace rankdeck::ui::session_search_test {
namespace {

TEST(SessionSearchTest, JobIsFoundAndWatchedWithOneLogin)
{
    EngineHost host({{0, 1}}, "command");
    host.startFirst();
    const Sshd server({.alias = "ascend-01"});
    const TempDir state;
    DiscoverySetup setup;
    setup.connect.sshConfig = server.sshConfigPath();
    auto search = std::make_unique<SessionSearch>(
        setup, [&](Job job, SessionSearch::Connections connections) -> Result<std::unique_ptr<JobFeed>> {
            EngineOptions options;
            options.stateDirectory = state.path();
            options.connected = std::move(connections.nodes);
            options.sessions = std::move(connections.sessions);
            auto engine = Engine::make(std::move(job), std::move(options));
            if (!engine) return engine.error();
            return std::unique_ptr<JobFeed>(std::make_unique<EngineFeed>(std::move(*engine), state.path()));
        });
    QObject::connect(search.get(), &HostSearch::changed, search.get(),
                     [] { EXPECT_EQ(QThread::currentThread(), QCoreApplication::instance()->thread()); });
    search->add(QStringLiteral("ascend-01"));
    std::optional<Job> job;
    ASSERT_TRUE(becomes([&] {
        const auto picture = search->picture();
        for (const JobScan &found : picture->jobs)
            if (found.looked && found.found.job.launch.workdir == host.file("job")) job = found.found.job;
        return job.has_value();
    }));
    auto feed = search->watch(*job);
    ASSERT_TRUE(feed.has_value());
    search.reset();
    EXPECT_TRUE(becomes([&] { return (*feed)->snapshot()->samples > 0; }));
    const auto nodes = (*feed)->snapshot()->view.nodes;
    ASSERT_EQ(nodes.size(), 1u);
    EXPECT_EQ(nodes.front().state, NodeState::live);
    EXPECT_EQ(server.logins(), 1);
    feed->reset();
    QThreadPool::globalInstance()->waitForDone();
    EXPECT_TRUE(host.waitFor([&] { return server.processes().empty(); }));
}

}  // namespace
}  // namespace rankdeck::ui::session_search_test
