// SPDX-License-Identifier: GPL-3.0-or-later
// A separate directory for each test, and ranks that are started as by a launcher. Processes that still run at the end
// of the test are killed.
#pragma once

#include "app/demo/child.h"
#include "app/demo/held_port.h"
#include "app/demo/trainer/tensor_file.h"
#include "tests/testbed/temp_dir.h"

#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace rankdeck::demo {

class DemoTest : public testing::Test {
protected:
    void SetUp() override;
    void TearDown() override;

    struct RankRun {
        pid_t pid = 0;
        std::string log;
        std::optional<int> status = {};  // exit status from waitpid
    };

    [[nodiscard]] std::string at(const std::string &name) const { return m_directory + "/" + name; }
    static std::string trainer();
    // One rank; {rank} in arguments and environment is replaced. Output goes to log_{rank}[suffix].
    RankRun &startRank(int rank, int world, std::vector<std::string> arguments,
                       std::map<std::string, std::string> env = {}, const std::string &suffix = {});
    void startRanks(int world, const std::vector<std::string> &arguments, std::map<std::string, std::string> env = {},
                    const std::string &suffix = {});
    // Exit code. Negative: ended by that signal; nullopt: still running after this time.
    std::optional<int> waitRank(std::size_t index, double seconds = 60);
    void expectAllExit(int code, double seconds = 60);
    std::string logOf(std::size_t index) const;
    static bool waitUntil(const std::function<bool()> &condition, double seconds = 30);
    [[nodiscard]] bool waitForLine(std::size_t index, const std::string &text, double seconds = 30) const;

    static std::string readFile(const std::string &path);
    static void writeFile(const std::string &path, const std::string &bytes);
    static bool exists(const std::string &path);
    static std::vector<std::string> namesIn(const std::string &directory);
    static std::vector<double> lossesIn(const std::string &log);
    static std::vector<TensorRecord> recordsOf(const std::string &path);
    static std::int64_t numberIn(const std::vector<TensorRecord> &records, const std::string &name);

    const TempDir m_temporary;
    const std::string m_directory = m_temporary.path();
    std::vector<RankRun> m_ranks;
    std::optional<HeldPort> m_held;
    int m_port = 0;
};

}  // namespace rankdeck::demo
