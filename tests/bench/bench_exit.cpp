// SPDX-License-Identifier: GPL-3.0-or-later
// Time from the click until the request is on the disk of every node, over links with a delay. Uses the demo cluster
// with real sshds, an engine that watches as for a window, and the config files themselves. There is only one clock,
// because all nodes are on this machine. bench_exit [MILLISECONDS OF A ROUND TRIP = 40] [NODES = 4] [TIMES = 5]
#include "app/demo/cluster.h"
#include "core/engine.h"
#include "core/job/job_file.h"
#include "core/recover/host/job_places.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sys/stat.h>
#include <vector>

using namespace rankdeck;

namespace {

// Time of the latest write to any of the files, in seconds of the wall clock.
double newestWrite(const std::set<std::string> &files)
{
    double newest = 0;
    for (const std::string &file : files) {
        struct stat stat {};
        if (::stat(file.c_str(), &stat) == 0)
            newest = std::max(newest, double(stat.st_mtim.tv_sec) + double(stat.st_mtim.tv_nsec) * 1e-9);
    }
    return newest;
}

double wallSeconds()
{
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Seconds from the click to the last write; negative if there was an error, which is printed.
double once(int trip, int nodes)
{
    auto cluster = demo::DemoCluster::start({.ranks = 2 * nodes, .nodes = nodes});
    if (!cluster) return std::fprintf(stderr, "%s\n", cluster.error().message.c_str()), -1;
    const auto file = readJobFile((*cluster)->jobFile());
    if (!file) return std::fprintf(stderr, "%s\n", file.error().message.c_str()), -1;
    std::set<std::string> configs;
    for (const NodeSpec &node : file->job.nodes)
        if (const auto path = expand(file->job.gracefulExit.config, {{"node", node.name}})) configs.insert(*path);
    EngineOptions options{.stateDirectory = (*cluster)->directory() + "/bench-state", .freshPreflight = true};
    options.connect.sshConfig = (*cluster)->sshConfig();
    auto engine = Engine::make(file->job, options);
    if (!engine) return std::fprintf(stderr, "%s\n", engine.error().message.c_str()), -1;
    (*engine)->start();
    for (int waited = 0; waited < 60 && !(*engine)->snapshot()->view.checkpoints.recommended; ++waited)
        (*engine)->waitChange((*engine)->snapshot()->generation, 1);
    for (const std::string &node : (*cluster)->nodes())
        if (const Status slow = (*cluster)->applyFault("slow:" + node + "=" + std::to_string(trip / 2)); !slow)
            return std::fprintf(stderr, "%s\n", slow.error().message.c_str()), -1;
    for (int waited = 0; waited < 12; ++waited) (*engine)->waitChange((*engine)->snapshot()->generation, 1);
    const double click = wallSeconds();
    if (const Status begun = (*engine)->startExit({.waitSeconds = 60}); !begun)
        return std::fprintf(stderr, "%s\n", begun.error().message.c_str()), -1;
    const auto armed = [&] {
        const auto exit = (*engine)->snapshot()->exit;
        return exit && !exit->phase.empty() && exit->phase != "preflight" && exit->phase != "arming";
    };
    while (!armed()) (*engine)->waitChange((*engine)->snapshot()->generation, 0.05);
    if (const auto exit = (*engine)->snapshot()->exit; exit->outcome == "refused")
        return std::fprintf(stderr, "%s\n", exit->text.c_str()), -1;
    const double written = newestWrite(configs);
    (*engine)->stop();
    return written - click;
}

}  // namespace

int main(int count, char **words)
{
    const auto number = [&](int at, int otherwise) { return count > at ? std::atoi(words[at]) : otherwise; };
    const int trip = number(1, 40), nodes = number(2, 4), times = number(3, 5);
    std::vector<double> delays;
    for (int i = 0; i < times; ++i)
        if (const double delay = once(trip, nodes); delay >= 0) delays.push_back(delay);
    if (delays.empty()) return 1;
    std::sort(delays.begin(), delays.end());
    std::printf("%d nodes, round trip of %d ms: the request is on every disk %.2f s (median), %.2f s (worst of %zu) "
                "after the click\n",
                nodes, trip, delays[delays.size() / 2], delays.back(), delays.size());
    return 0;
}
