// SPDX-License-Identifier: GPL-3.0-or-later
// How a job is asked to stop, by its job file: the JSON file that MindSpore's OnRequestExit reads, the ConfigMap that
// becomes that file in the pods, or, for scripts that have no such file, a signal to the ranks, a file whose presence stops
// them, or a signal through Slurm. Pure.
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
// Ways that leave something on the nodes which has to be taken back.
inline bool leavesAFile(StopMethod way)
{
    return way == StopMethod::config || way == StopMethod::configMap || way == StopMethod::stopFile;
}
// MindSpore's way is confirmed by a log line; the others by nothing but the save and the end of the process.
inline bool isConfirmed(StopMethod way) { return way == StopMethod::config || way == StopMethod::configMap; }
// "TERM" → Signal::term. nullopt: not one of those that may ask for a stop.
std::optional<Signal> signalOf(const std::string &name);
int signalNumber(Signal signal);        // on Linux, all architectures that MindSpore has wheels for
const char *signalName(Signal signal);  // "SIGTERM"
// What this way does, and what it cannot prove.
std::string exitWayText(const Job &job);
std::string unprovableText(StopMethod way);
// How a request that is a file, or stands in one, is spoken of.
struct RequestWords {
    const char *mayStand;   // "GracefulExit may still be 1"
    const char *standing;   // "GracefulExit at 1"
    const char *nowhere;    // "GracefulExit is 1 on no node"
    const char *putBack;    // "GracefulExit was put back to 0"
    const char *takenBack;  // "The flag is 0 again"
};
const RequestWords &requestWords(StopMethod way);

}  // namespace rankdeck
