// SPDX-License-Identifier: GPL-3.0-or-later
// One rank of the demo's training or, with `--keeper FILE`, the keeper process that runs a demo cluster and ends it.
#include "app/demo/keeper.h"
#include "app/demo/trainer/training.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <unistd.h>

using namespace rankdeck;
using namespace rankdeck::demo;

namespace {

void addOptions(CLI::App &app, TrainerOptions &o, bool &printNan)
{
    app.add_option("--rank", o.rank, "rank of this process")->envname("RANK_ID")->check(CLI::NonNegativeNumber);
    app.add_option("--world", o.world, "number of ranks")->envname("RANK_SIZE")->check(CLI::Range(1, 4096));
    app.add_option("--device", o.device, "device id; part of the directory name of the graceful exit's save")
        ->envname("DEVICE_ID")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--out", o.out, "checkpoints go to {out}/rank_{rank}");
    app.add_option("--prefix", o.prefix, "prefix of checkpoint names");
    app.add_option("--resume", o.resume, "checkpoint to load and to continue from");
    app.add_option("--graceful", o.graceful,
                   "JSON file that requests the graceful exit (needs MS_ENABLE_GRACEFUL_EXIT=1)");
    app.add_option("--graceful-name", o.gracefulName, "file name of the graceful exit's save");
    app.add_option("--epochs", o.epochs, "final epoch, also of a resumed run")->check(CLI::Range(1LL, 1'000'000LL));
    app.add_option("--steps", o.steps, "steps per epoch")->check(CLI::Range(1LL, 1'000'000LL));
    app.add_option("--step-seconds", o.stepSeconds, "time of one step")->check(CLI::Range(0.0, 3600.0));
    app.add_option("--save-steps", o.saveSteps, "steps between checkpoints")->check(CLI::Range(1LL, 1'000'000LL));
    app.add_option("--keep", o.keep, "checkpoints that are kept")->check(CLI::Range(1, 100000));
    app.add_option("--batch", o.batch, "images per step and rank")->check(CLI::Range(1, 4096));
    app.add_option("--lr", o.learningRate, "learning rate");
    app.add_option("--seed", o.seed, "seed for the weights and the data");
    app.add_flag("--no-loss-monitor", printNan, "print a NaN loss and continue, although LossMonitor would raise");
    app.add_option("--faults", o.faults, "directory from which faults are read");
    app.add_option("--node", o.node, "name of this node");
    app.add_option("--host", o.collective.host, "address of rank 0")->envname("MS_SCHED_HOST");
    app.add_option("--port", o.collective.port, "port of rank 0")
        ->envname("MS_SCHED_PORT")
        ->check(CLI::Range(0, 65535));
    app.add_option("--build-seconds", o.collective.buildSeconds, "time until all ranks have started")
        ->check(CLI::Range(0.1, 3600.0));
    app.add_option("--collective-seconds", o.collective.timeoutSeconds, "timeout of an all-reduce")
        ->check(CLI::Range(0.1, 3600.0));
}

int train(int argc, char **argv)
{
    TrainerOptions options;
    bool printNan = false;
    CLI::App app{"One rank of a small data-parallel training that logs and saves as MindSpore does"};
    addOptions(app, options, printNan);
    CLI11_PARSE(app, argc, argv);
    if (options.rank >= options.world || (options.world > 1 && options.collective.port == 0)) {
        std::cerr << "rank " << options.rank << " of " << options.world << ", port " << options.collective.port
                  << ": expected a rank below the world size, and a port (--port or MS_SCHED_PORT) for several ranks\n";
        return 2;
    }
    options.lossMonitor = !printNan;
    const char *const enabled = std::getenv("MS_ENABLE_GRACEFUL_EXIT");
    options.gracefulEnabled = enabled && std::string_view(enabled) == "1";
    const MindSporeLog log(STDOUT_FILENO);
    Training training(std::move(options), log);
    const auto outcome = training.run();
    if (outcome) return 0;
    log.traceback(outcome.error());
    return 1;
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc == 3 && std::string_view(argv[1]) == "--keeper") return runKeeper(argv[2]);
    return train(argc, argv);
}
