// SPDX-License-Identifier: GPL-3.0-or-later
// One rank of a data-parallel training, from the first weights (or a checkpoint) to the last save. Behaves as
// Model.train with LossMonitor, TimeMonitor, ModelCheckpoint and OnRequestExit, but on our own network. One thread.
#pragma once

#include "app/demo/trainer/checkpoint_store.h"
#include "app/demo/trainer/collective.h"
#include "app/demo/trainer/dataset.h"
#include "app/demo/trainer/fault.h"
#include "app/demo/trainer/graceful_exit.h"
#include "app/demo/trainer/mindspore_log.h"
#include "app/demo/trainer/network.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace rankdeck::demo {

struct TrainerOptions {
    int rank = 0;
    int world = 1;
    int device = 0;         // part of the name of the directory for graceful-exit saves
    std::string out = ".";  // directory of checkpoints: {out}/rank_{rank}
    std::string prefix = "lenet";
    std::string resume = {};    // checkpoint to load
    std::string graceful = {};  // config file of OnRequestExit; empty: not installed
    std::string gracefulName = "LeNet5";
    bool gracefulEnabled = false;  // MS_ENABLE_GRACEFUL_EXIT=1
    std::int64_t epochs = 1000;    // final epoch, also for a resumed run
    std::int64_t steps = 100;      // per epoch
    double stepSeconds = 0.25;
    std::int64_t saveSteps = 20;
    int keep = 5;
    int batch = 16;
    float learningRate = 0.003F;
    std::uint64_t seed = 1;
    bool lossMonitor = true;  // false: NaN is printed and the training continues
    std::string faults = {};  // directory of the fault inbox
    std::string node = {};    // this node's name, for faults of a node
    CollectiveOptions collective = {};
};

class Training {
public:
    Training(TrainerOptions options, const MindSporeLog &log);
    // Returns when the training is over. The Error is the exception that ended it (detail: its Python class).
    Status run();

private:
    Status prepare();
    Status resume();
    Status loadStaleExitSave();
    Status trainStep(std::int64_t step);
    Status endStep(std::int64_t step);
    Status savePeriodic(std::int64_t step);
    Status saveGracefulExit(std::int64_t step);
    Status finish(std::int64_t lastStep);
    void beginEpoch();
    void pollFaults(std::int64_t stepsDone);
    Status applyDue(std::int64_t stepsDone);
    void takeFaultsWhileWaiting();
    [[noreturn]] void hang();
    [[nodiscard]] std::int64_t epochOf(std::int64_t step) const { return (step - 1) / m_options.steps + 1; }
    [[nodiscard]] std::int64_t inEpoch(std::int64_t step) const { return (step - 1) % m_options.steps + 1; }
    [[nodiscard]] std::vector<TensorRecord> networkRecords() const;
    Status restore(const std::vector<TensorRecord> &records, bool trainNetwork);
    SaveFault takeSaveFault();

    TrainerOptions m_options;
    const MindSporeLog &m_log;
    Network m_network;
    Optimizer m_optimizer;
    Dataset m_dataset;
    GracefulExit m_exit;
    std::unique_ptr<CheckpointStore> m_store;
    std::unique_ptr<Collective> m_collective;
    std::vector<float> m_gradients;
    std::vector<Fault> m_pending;
    std::int64_t m_stepsDone = 0;
    std::int64_t m_lastSaved = 0;
    bool m_stopRequested = false;
    bool m_poisoned = false;  // the next step gets NaN data
    bool m_tearNext = false;
    bool m_noSpace = false;
    std::chrono::steady_clock::time_point m_epochBegan;
};

// Turns SIGTERM into a request that the next step sees, as OnRequestExit's handler does.
void catchTerminate();
bool terminateRequested();

}  // namespace rankdeck::demo
