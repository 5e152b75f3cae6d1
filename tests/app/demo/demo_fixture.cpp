// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/demo/demo_fixture.h"
#include "tests/testbed/paths.h"
#include "tests/testbed/process_count.h"

#include "app/demo/link.h"
#include "core/base/text.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace rankdeck::demo {

void DemoTest::SetUp()
{
    auto port = HeldPort::take();
    ASSERT_TRUE(port.has_value());
    m_held = std::move(port.value());
    m_port = m_held->number();
}

void DemoTest::TearDown()
{
    for (auto &rank : m_ranks) {
        if (rank.status) continue;
        kill(rank.pid, SIGKILL);
        waitpid(rank.pid, nullptr, 0);
    }
}

std::string DemoTest::trainer() { return binaryDirectory() + "/rankdeck-demo-trainer"; }

DemoTest::RankRun &DemoTest::startRank(int rank, int world, std::vector<std::string> arguments,
                                       std::map<std::string, std::string> env, const std::string &suffix)
{
    const std::string number = std::to_string(rank);
    for (auto &argument : arguments) argument = replaceAll(argument, "{rank}", number);
    arguments.insert(arguments.begin(), trainer());
    env.insert({{"RANK_ID", number},
                {"RANK_SIZE", std::to_string(world)},
                {"DEVICE_ID", number},
                {"MS_SCHED_HOST", "127.0.0.1"}});
    env["MS_SCHED_PORT"] = std::to_string(m_port);
    for (auto &[name, value] : env) value = replaceAll(value, "{rank}", number);
    const std::string log = at("log_" + number + suffix);
    const auto pid = startChild({std::move(arguments), std::move(env), m_directory, log});
    EXPECT_TRUE(pid.has_value()) << pid.error().message;
    m_ranks.push_back({pid.has_value() ? pid.value() : 0, log});
    return m_ranks.back();
}

void DemoTest::startRanks(int world, const std::vector<std::string> &arguments, std::map<std::string, std::string> env,
                          const std::string &suffix)
{
    for (int rank = 0; rank < world; ++rank) startRank(rank, world, arguments, env, suffix);
}

bool DemoTest::waitUntil(const std::function<bool()> &condition, double seconds)
{
    return eventually(condition, std::chrono::milliseconds(static_cast<long long>(seconds * 1000)));
}

std::optional<int> DemoTest::waitRank(std::size_t index, double seconds)
{
    auto &rank = m_ranks.at(index);
    const bool ended = waitUntil(
        [&] {
            int status = 0;
            if (!rank.status && waitpid(rank.pid, &status, WNOHANG) == rank.pid) rank.status = status;
            return rank.status.has_value();
        },
        seconds);
    if (!ended) return std::nullopt;
    return WIFEXITED(*rank.status) ? WEXITSTATUS(*rank.status) : -WTERMSIG(*rank.status);
}

void DemoTest::expectAllExit(int code, double seconds)
{
    for (std::size_t i = 0; i < m_ranks.size(); ++i)
        EXPECT_EQ(waitRank(i, seconds), code) << "process " << i << ":\n" << logOf(i);
}

std::string DemoTest::logOf(std::size_t index) const { return readFile(m_ranks.at(index).log); }

bool DemoTest::waitForLine(std::size_t index, const std::string &text, double seconds) const
{
    return waitUntil([&] { return logOf(index).find(text) != std::string::npos; }, seconds);
}

std::string DemoTest::readFile(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void DemoTest::writeFile(const std::string &path, const std::string &bytes)
{
    // Replaces the file by rename, as the console does, so that a reader sees the old or the new text.
    std::ofstream(path + ".new", std::ios::binary) << bytes;
    std::filesystem::rename(path + ".new", path);
}

bool DemoTest::exists(const std::string &path) { return std::filesystem::exists(path); }

std::vector<std::string> DemoTest::namesIn(const std::string &directory)
{
    std::vector<std::string> names;
    if (!exists(directory)) return names;
    for (const auto &entry : std::filesystem::directory_iterator(directory))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<double> DemoTest::lossesIn(const std::string &log)
{
    std::vector<double> losses;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);)
        if (const auto found = line.find(", loss is "); found != std::string::npos)
            losses.push_back(std::atof(line.c_str() + found + 10));
    return losses;
}

std::vector<TensorRecord> DemoTest::recordsOf(const std::string &path)
{
    auto records = decodeTensors(readFile(path), path);
    EXPECT_TRUE(records.has_value()) << records.error().message;
    return records.has_value() ? records.value() : std::vector<TensorRecord>{};
}

std::int64_t DemoTest::numberIn(const std::vector<TensorRecord> &records, const std::string &name)
{
    const auto *const found = findTensor(records, name);
    if (!found) return -1;
    const auto value = integerOf(*found);
    return value ? value.value() : -2;
}

}  // namespace rankdeck::demo
