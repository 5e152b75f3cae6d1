// SPDX-License-Identifier: GPL-3.0-or-later
// Ways to ask a job to stop, according to its job file. One is the JSON file that MindSpore's OnRequestExit reads, or
// the ConfigMap that becomes this file in the pods. Scripts without such a file have three others: a signal to the
// ranks, a file whose presence stops them, or a signal through Slurm. Pure.
#pragma once

#include "core/base/result.h"
#include "core/job/job.h"
#include "core/node/protocol/messages.h"

#include <optional>
#include <string>

namespace rankdeck {

enum class StopMethod { none, config, configMap, signal, stopFile, scancel };
const char *stopMethodName(StopMethod way);  // as in the JSON: "stop_file"

StopMethod exitWayOf(const Job &job);
// True for methods that leave a file on the nodes, which must be withdrawn later.
inline bool leavesAFile(StopMethod way)
{
    return way == StopMethod::config || way == StopMethod::configMap || way == StopMethod::stopFile;
}
// True for MindSpore's method, which a log line confirms. The other methods are confirmed only by the save and the end
// of the process.
inline bool isConfirmed(StopMethod way) { return way == StopMethod::config || way == StopMethod::configMap; }
// "TERM" → Signal::term. nullopt: not a signal that can request a stop.
std::optional<Signal> signalOf(const std::string &name);
int signalNumber(Signal signal);        // as on Linux, on all architectures that MindSpore has wheels for
const char *signalName(Signal signal);  // "SIGTERM"
// Effect of this method, and what it cannot prove.
Message exitWayText(const Job &job);
Message unprovableText(StopMethod way);
// Texts about a stop request that is a file or is written in one.
struct RequestWords {
    Message mayStand;   // "GracefulExit may still be 1"
    Message standing;   // "GracefulExit still 1"
    Message nowhere;    // "No node has GracefulExit set to 1"
    Message putBack;    // "GracefulExit was put back to 0"
    Message takenBack;  // "GracefulExit is 0 again"
};
RequestWords requestWords(StopMethod way);

}  // namespace rankdeck
