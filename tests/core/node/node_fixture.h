// SPDX-License-Identifier: GPL-3.0-or-later
// A separate directory, and a node that is this machine, with the real probe.
#pragma once

#include "tests/core/node/local_sessions.h"
#include "tests/testbed/temp_dir.h"

#include "core/node/protocol/node_link.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace rankdeck {

class NodeFixture : public testing::Test {
protected:
    ~NodeFixture() override { node.reset(); }

    void connect(std::shared_ptr<LocalSessions> through = std::make_shared<LocalSessions>(), LinkTiming timing = {},
                 ConnectOptions options = {})
    {
        sessions = std::move(through);
        node = std::make_unique<Node>(NodeSpec{"n0", "local"}, std::move(options), sessions, recorder);
        node->start(timing);
        ASSERT_TRUE(recorder.waitFor([&] { return recorder.last.state == NodeState::live; })) << node->status().reason;
    }
    [[nodiscard]] std::string path(const std::string &name) const { return folder + "/" + name; }
    static void write(const std::string &file, const std::string &bytes, std::ios::openmode mode = std::ios::trunc)
    {
        std::ofstream out(file, std::ios::binary | mode);
        out << bytes << std::flush;
        ASSERT_TRUE(out.good()) << file;
    }
    static void append(const std::string &file, const std::string &bytes) { write(file, bytes, std::ios::app); }
    static std::string contents(const std::string &file)
    {
        std::ifstream in(file, std::ios::binary);
        std::stringstream all;
        all << in.rdbuf();
        return all.str();
    }
    // Arguments that run the probe as the user "nobody"; empty if the tests do not run as root.
    static std::vector<std::string> asNobody()
    {
        if (::geteuid() != 0) return {};
        return {"setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"};
    }

private:
    TempDir m_directory;

protected:
    const std::string folder = m_directory.path();
    Recorder recorder;
    std::shared_ptr<LocalSessions> sessions;
    std::unique_ptr<Node> node;
};

}  // namespace rankdeck
