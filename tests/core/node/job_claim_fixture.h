// SPDX-License-Identifier: GPL-3.0-or-later
// Consoles that launch on this machine and claim a job. The processes that they started are killed at the end of a
// test.
#pragma once

#include "tests/core/node/node_fixture.h"
#include "tests/testbed/process_count.h"

#include <csignal>
#include <filesystem>
#include <memory>

namespace rankdeck {

class NodeJobClaim : public NodeFixture {
protected:
    ~NodeJobClaim() override
    {
        for (const int pid : toKill)
            if (pid > 1) ::kill(pid, SIGKILL);
    }
    [[nodiscard]] LaunchRequest claiming(const std::string &action, const std::string &part,
                                         const std::string &script = "exec sleep 60") const
    {
        return {.id = action + "-" + part,
                .runDirectory = path("run"),
                .argv = {"/bin/sh", "-c", script},
                .job = {.key = "llama", .action = action, .text = "attempt of " + action + " by me@desk"}};
    }
    LaunchReply started(const LaunchRequest &request)
    {
        auto reply = node->launch(request).get();
        EXPECT_TRUE(reply.has_value()) << reply.error().message;
        if (!reply) return {};
        EXPECT_TRUE(reply->startedNow);
        toKill.push_back(reply->process.pid);
        return *reply;
    }
    JobHolder holder(const std::string &key = "llama")
    {
        auto now = node->jobHolder({.key = key}, path("run")).get();
        EXPECT_TRUE(now.has_value()) << now.error().message;
        return now ? *now : JobHolder{};
    }
    JobHolder holderOnce(Known held)
    {
        JobHolder now;
        const bool reached = eventually([&] {
            now = holder();
            return now.held == held;
        });
        EXPECT_TRUE(reached) << "the job is never " << (held.isUnknown() ? "unknown" : held.isYes() ? "held" : "free");
        return now;
    }
    int supervisorOf(const LaunchReply &launch)
    {
        auto processes = node->processes({"RANKDECK_LAUNCH_ID"}).get();
        if (processes)
            for (const ProcessInfo &process : *processes)
                if (process.id == launch.process) return process.parent;
        ADD_FAILURE() << "the launched program is not seen";
        return 0;
    }
    std::vector<int> toKill;
};

// A separate console, with its own link and its own probe.
class OtherConsole {
public:
    OtherConsole()
        : m_node(std::make_unique<Node>(NodeSpec{"n", "local"}, ConnectOptions{}, std::make_shared<LocalSessions>(),
                                        m_listener))
    {
        m_node->start();
        EXPECT_TRUE(m_listener.waitFor([&] { return m_listener.last.state == NodeState::live; }));
    }
    Node *operator->() { return m_node.get(); }
    void close() { m_node.reset(); }

private:
    Recorder m_listener;
    std::unique_ptr<Node> m_node;
};

}  // namespace rankdeck
