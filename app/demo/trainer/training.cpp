// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/trainer/training.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <limits>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace rankdeck::demo {
namespace {

// Global, because a signal handler has no access to anything else.
volatile std::sig_atomic_t terminateSeen = 0;

using Clock = std::chrono::steady_clock;

GracefulExit exitOf(const TrainerOptions &options)
{
    const std::string directory = joinPath(options.out, "rank_" + std::to_string(options.device));
    return {options.graceful, joinPath(directory, options.gracefulName + "_train.ckpt"), options.gracefulEnabled};
}

}  // namespace

void catchTerminate()
{
    std::signal(SIGTERM, [](int) { terminateSeen = 1; });
}

bool terminateRequested() { return terminateSeen != 0; }

Training::Training(TrainerOptions options, const MindSporeLog &log)
    : m_options(std::move(options)), m_log(log), m_network(m_options.seed),
      m_dataset(m_options.seed, m_options.rank, m_options.batch), m_exit(exitOf(m_options))
{
    m_optimizer.learningRate = m_options.learningRate;
    m_optimizer.moments.assign(m_network.weights().size(), 0.0F);
}

Status Training::run()
{
    if (auto ready = prepare(); !ready) return ready;
    beginEpoch();
    const std::int64_t last = m_options.epochs * m_options.steps;
    std::int64_t step = m_stepsDone;
    auto nextStep = Clock::now();
    while (step < last && !m_stopRequested) {
        ++step;
        nextStep += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(m_options.stepSeconds));
        if (auto done = trainStep(step); !done) return done;
        if (auto done = endStep(step); !done) return done;
        if (inEpoch(step) == m_options.steps || m_stopRequested) {
            m_log.epochTime(std::chrono::duration<double, std::milli>(Clock::now() - m_epochBegan).count(),
                            m_options.steps);
            beginEpoch();
        }
        if (m_stopRequested) break;
        // A late rank does not try to catch up.
        nextStep = std::max(nextStep, Clock::now());
        std::this_thread::sleep_until(nextStep);
    }
    return finish(step);
}

Status Training::prepare()
{
    if (m_exit.installed()) catchTerminate();
    m_options.collective.rank = m_options.rank;
    m_options.collective.world = m_options.world;
    m_options.collective.waiting = [this] { takeFaultsWhileWaiting(); };
    m_log.python(
        "WARNING", "mindspore/context.py:1412",
        "For 'context.set_context', the parameter 'device_target' will be deprecated and removed in a future version. "
        "Please use the api mindspore.set_device() instead.");
    auto joined = Collective::join(m_options.collective, m_log);
    if (!joined) return joined.error();
    m_collective = std::move(joined.value());
    const std::string rank = std::to_string(m_options.rank);
    if (m_options.world > 1) {
        const std::string where = "mindspore/ccsrc/distributed/cluster/cluster_context.cc:";
        m_log.native("WARNING", "DISTRIBUTED", where + "249", "BuildCluster", "Cluster is successfully initialized.");
        m_log.native("WARNING", "DISTRIBUTED", where + "355", "PostProcess", "This node " + rank + " rank id: " + rank);
    }
    m_log.line("rank " + rank + " of " + std::to_string(m_options.world));
    if (auto resumed = resume(); !resumed) return resumed;
    auto store = CheckpointStore::open(joinPath(m_options.out, "rank_" + rank), m_options.prefix, m_options.keep);
    if (!store) return fail(store.error().kind, store.error().message, "OSError");
    m_store = std::make_unique<CheckpointStore>(std::move(store.value()));
    if (!m_exit.installed()) return Done{};
    if (auto made = makeLocalDirectories(dirName(m_exit.savePath()), 0700); !made)
        return fail(made.error().kind, made.error().message, "OSError");
    return loadStaleExitSave();
}

Status Training::resume()
{
    if (m_options.resume.empty()) return Done{};
    const auto records = loadCheckpoint(m_options.resume);
    if (!records) return records.error();
    const auto *const epoch = findTensor(records.value(), "epoch_num");
    const auto *const step = findTensor(records.value(), "step_num");
    if (!epoch || !step) return fail(ErrorKind::invalid, "'epoch_num'", "KeyError");
    const auto epochNumber = integerOf(*epoch), stepNumber = integerOf(*step);
    if (!epochNumber || !stepNumber)
        return fail(ErrorKind::invalid, "epoch_num and step_num must be integers", "TypeError");
    if (auto loaded = restore(records.value(), false); !loaded) return loaded;
    m_stepsDone = m_optimizer.globalStep;
    m_lastSaved = m_stepsDone;
    m_log.line("resume from " + m_options.resume + ": epoch " + std::to_string(epochNumber.value()) + ", step " +
               std::to_string(stepNumber.value()) + ", global_step " + std::to_string(m_optimizer.globalStep));
    return Done{};
}

// on_train_begin of OnRequestExit: loads the file of an earlier graceful exit, if there is one, over everything else.
Status Training::loadStaleExitSave()
{
    struct stat found {};
    if (stat(m_exit.savePath().c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return Done{};
    const auto records = loadCheckpoint(m_exit.savePath());
    if (!records) return records.error();
    return restore(records.value(), true);
}

Status Training::trainStep(std::int64_t step)
{
    pollFaults(step - 1);
    if (auto due = applyDue(step - 1); !due) return due;
    if (auto begun = m_exit.stepBegin(m_options.world > 1, terminateRequested(), m_log); !begun) return begun;
    Batch batch = m_dataset.batch(step);
    if (std::exchange(m_poisoned, false)) batch.pictures[0] = std::numeric_limits<float>::quiet_NaN();
    const float loss = m_network.lossAndGradients(batch, m_gradients);
    const auto votes = m_collective->allReduce(m_gradients, m_exit.vote());
    if (!votes) return votes.error();
    m_exit.votes(votes.value(), m_options.world);
    m_optimizer.apply(m_network.weights(), m_gradients);
    if (m_options.lossMonitor && !std::isfinite(loss))
        return fail(ErrorKind::invalid,
                    "In epoch: " + std::to_string(epochOf(step)) + " step: " + std::to_string(inEpoch(step)) +
                        ", loss is NAN or INF, training process cannot continue, terminating training.",
                    "ValueError");
    m_log.loss(epochOf(step), inEpoch(step), loss);
    return Done{};
}

Status Training::endStep(std::int64_t step)
{
    if (step % m_options.saveSteps == 0)
        if (auto saved = savePeriodic(step); !saved) return saved;
    if (!m_exit.mustStop()) return Done{};
    m_log.python("WARNING", "mindspore/train/callback/_on_request_exit.py:240",
                 "Graceful exit is triggered, stop training.");
    m_stopRequested = true;
    return saveGracefulExit(step);
}

Status Training::finish(std::int64_t lastStep)
{
    if (lastStep > m_lastSaved)
        if (auto saved = savePeriodic(lastStep); !saved) return saved;
    // After a signal on_train_end saves once more. It overwrites the better file, without the extra records.
    if (m_exit.installed() && terminateRequested())
        if (auto saved = saveCheckpoint(m_exit.savePath(), networkRecords(), m_log, takeSaveFault()); !saved)
            return saved;
    m_log.line("done");
    return Done{};
}

void Training::beginEpoch() { m_epochBegan = Clock::now(); }

void Training::pollFaults(std::int64_t stepsDone)
{
    if (m_options.faults.empty()) return;
    for (auto &fault : takeFaults(m_options.faults, "rank_" + std::to_string(m_options.rank)))
        if (!fault.atStep || *fault.atStep >= stepsDone) m_pending.push_back(std::move(fault));
}

Status Training::applyDue(std::int64_t stepsDone)
{
    Status result = Done{};
    std::erase_if(m_pending, [&](const Fault &fault) {
        if (fault.atStep && *fault.atStep > stepsDone) return false;
        switch (fault.kind) {
        case FaultKind::kill: kill(getpid(), SIGKILL); break;
        case FaultKind::hang: hang();
        case FaultKind::raise:
            result = fail(ErrorKind::internal, "injected failure:\nsecond line of the message", "RuntimeError");
            break;
        case FaultKind::exit: _exit(3);
        case FaultKind::memory:
            result = fail(
                ErrorKind::internal,
                "Device(id:" + std::to_string(m_options.rank) +
                    ") memory isn't enough and alloc failed, kernel name: Default/Conv2D-op0, alloc size: 1048576B.",
                "RuntimeError");
            break;
        case FaultKind::nan: m_poisoned = true; break;
        case FaultKind::tear: m_tearNext = true; break;
        case FaultKind::full: m_noSpace = true; break;
        default: break;
        }
        return true;
    });
    return result;
}

// Needed so that a rank that waits for a hung peer can be killed or hang, too, before it gives up.
void Training::takeFaultsWhileWaiting()
{
    pollFaults(m_optimizer.globalStep);
    const auto due = [this](FaultKind kind) {
        return std::any_of(m_pending.begin(), m_pending.end(),
                           [&](const Fault &fault) { return fault.kind == kind && !fault.atStep; });
    };
    if (due(FaultKind::kill)) kill(getpid(), SIGKILL);
    if (due(FaultKind::hang)) hang();
}

void Training::hang()
{
    m_pending.clear();
    while (true) {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        takeFaultsWhileWaiting();
    }
}

SaveFault Training::takeSaveFault()
{
    if (std::exchange(m_noSpace, false)) return SaveFault::diskFull;
    return std::exchange(m_tearNext, false) ? SaveFault::torn : SaveFault::none;
}

}  // namespace rankdeck::demo
