// SPDX-License-Identifier: GPL-3.0-or-later
// Cost of an engine that follows a job of very many ranks, one line per rank and second, without links and without a
// window. Measures the CPU time of the engine as a share of one core, and the memory of the process. The CPU time for
// producing the lines is excluded. bench_following [RANKS = 8192] [RANKS OF A NODE = 8] [SECONDS = 20] [watched |
// minimised]
#include "core/engine.h"
#include "core/engine/engine_context.h"
#include "tests/testbed/temp_dir.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <time.h>

using namespace rankdeck;

namespace {

Job jobOf(int ranks, int perNode)
{
    Job job;
    job.name = "following";
    job.framework = Framework::mindspore;
    job.worldSize = ranks;
    for (int first = 0; first < ranks; first += perNode) {
        NodeSpec node{.name = "node" + std::to_string(first / perNode), .host = "local"};
        for (int rank = first; rank < first + perNode && rank < ranks; ++rank) node.ranks.push_back(rank);
        job.nodes.push_back(std::move(node));
    }
    job.logs.path = "/job/log/worker_{rank}.log";
    job.stepsPerEpoch = 1'000'000;
    job.index();
    return job;
}

double seconds(const timeval &time) { return double(time.tv_sec) + double(time.tv_usec) * 1e-6; }

double cpuOfProcess()
{
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

double cpuOfThread()
{
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return double(used.tv_sec) + double(used.tv_nsec) * 1e-9;
}

long megabytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.rfind("VmRSS:", 0) == 0) return std::atol(line.c_str() + 6) / 1024;
    return 0;
}

class Fed {
public:
    Fed(int ranks, int perNode, const std::string &state) : m_perNode(perNode), m_job(jobOf(ranks, perNode))
    {
        auto made = Engine::make(m_job, {.stateDirectory = state, .connectToNodes = false});
        if (!made) {
            std::fprintf(stderr, "%s\n", made.error().message.c_str());
            std::exit(1);
        }
        m_engine = std::move(*made);
        m_listener = dynamic_cast<NodeListener *>(&actionContextOf(*m_engine));
        m_offsets.resize(static_cast<std::size_t>(ranks));
        m_engine->start();
        for (const NodeSpec &node : m_job.nodes) {
            NodeStatus status;
            status.name = node.name;
            status.state = NodeState::live;
            m_listener->nodeStatus(node.name, status);
        }
    }
    // Sends one line of every rank, spread over the second that begins at this time.
    void second(int step, SteadyTime from)
    {
        const int ranks = static_cast<int>(m_offsets.size());
        for (int first = 0; first < ranks; first += m_perNode) {
            if (first % (64 * m_perNode) == 0)
                std::this_thread::sleep_until(from + std::chrono::milliseconds(1000LL * first / ranks));
            for (int rank = first; rank < first + m_perNode && rank < ranks; ++rank) line(rank, step);
        }
        std::this_thread::sleep_until(from + std::chrono::seconds(1));
    }
    Engine &engine() { return *m_engine; }

private:
    void line(int rank, int step)
    {
        std::uint64_t &offset = m_offsets[static_cast<std::size_t>(rank)];
        TailChunk chunk{.id = rank, .offset = offset, .bytes = "epoch: 1 step: ", .next = {}};
        chunk.bytes += std::to_string(step) + ", loss is " + std::to_string(2 + 1.0 / (step + rank)) + "\n";
        offset += chunk.bytes.size();
        chunk.next.inode = 1;
        chunk.next.offset = chunk.fileSize = offset;
        m_listener->tailChunk(m_job.nodes[static_cast<std::size_t>(rank / m_perNode)].name, std::move(chunk));
    }

    int m_perNode;
    Job m_job;
    std::vector<std::uint64_t> m_offsets;
    std::unique_ptr<Engine> m_engine;
    NodeListener *m_listener = nullptr;
};

}  // namespace

int main(int count, char **words)
{
    const auto number = [&](int at, int otherwise) { return count > at ? std::atoi(words[at]) : otherwise; };
    const int ranks = number(1, 8192), perNode = number(2, 8), lasts = number(3, 20);
    const bool minimised = count > 4 && std::string(words[4]) == "minimised";
    const TempDir state;
    Fed fed(ranks, perNode, state.path());
    fed.engine().setWatched(!minimised);
    SteadyTime at = std::chrono::steady_clock::now();
    int step = 1;
    for (; step <= 8; ++step, at += std::chrono::seconds(1)) fed.second(step, at);
    const double before = cpuOfProcess() - cpuOfThread();
    const std::uint64_t pictures = fed.engine().snapshot()->generation;
    const auto begun = std::chrono::steady_clock::now();
    for (const int end = step + lasts; step < end; ++step, at += std::chrono::seconds(1)) fed.second(step, at);
    const double taken = cpuOfProcess() - cpuOfThread() - before;
    const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    const auto newest = fed.engine().snapshot();
    std::printf(
        "%d ranks on %d nodes, %s: %.1f %% of a core, %.1f us a line, %.1f pictures a second, %ld MB, %llu of %llu "
        "lines read\n",
        ranks, static_cast<int>(newest->view.job.nodes.size()), minimised ? "minimised" : "watched",
        100 * taken / passed, 1e6 * taken / (double(lasts) * ranks), double(newest->generation - pictures) / passed,
        megabytes(), static_cast<unsigned long long>(newest->samples),
        static_cast<unsigned long long>((step - 1LL) * ranks));
    fed.engine().stop();
    return 0;
}
