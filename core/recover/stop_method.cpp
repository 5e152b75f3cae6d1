// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/stop_method.h"

#include "core/base/text.h"

namespace rankdeck {

const char *stopMethodName(StopMethod way)
{
    switch (way) {
    case StopMethod::none: return "none";
    case StopMethod::config: return "config";
    case StopMethod::configMap: return "configmap";
    case StopMethod::signal: return "signal";
    case StopMethod::stopFile: return "stop_file";
    case StopMethod::scancel: return "scancel";
    }
    return "none";
}

StopMethod exitWayOf(const Job &job)
{
    const GracefulExitSpec &exit = job.gracefulExit;
    if (!exit.configMap.empty()) return StopMethod::configMap;
    if (!exit.config.empty()) return StopMethod::config;
    if (!exit.signal.empty()) return StopMethod::signal;
    if (!exit.stopFile.empty()) return StopMethod::stopFile;
    return exit.scancel.empty() ? StopMethod::none : StopMethod::scancel;
}

std::optional<Signal> signalOf(const std::string &name)
{
    if (name == "TERM") return Signal::term;
    if (name == "INT") return Signal::interrupt;
    if (name == "USR1") return Signal::user1;
    if (name == "USR2") return Signal::user2;
    return {};
}

int signalNumber(Signal signal)
{
    switch (signal) {
    case Signal::term: return 15;
    case Signal::kill: return 9;
    case Signal::interrupt: return 2;
    case Signal::stop: return 19;
    case Signal::cont: return 18;
    case Signal::user1: return 10;
    case Signal::user2: return 12;
    }
    return 0;
}

const char *signalName(Signal signal)
{
    switch (signal) {
    case Signal::term: return "SIGTERM";
    case Signal::kill: return "SIGKILL";
    case Signal::interrupt: return "SIGINT";
    case Signal::stop: return "SIGSTOP";
    case Signal::cont: return "SIGCONT";
    case Signal::user1: return "SIGUSR1";
    case Signal::user2: return "SIGUSR2";
    }
    return "signal";
}

std::string exitWayText(const Job &job)
{
    const GracefulExitSpec &exit = job.gracefulExit;
    switch (exitWayOf(job)) {
    case StopMethod::config: return "GracefulExit is set in the JSON file that OnRequestExit reads at each step";
    case StopMethod::configMap:
        return "GracefulExit is set in the ConfigMap " + printable(exit.configMap) +
               ", which the cluster copies into the file that OnRequestExit reads at each step";
    case StopMethod::signal: return "SIG" + exit.signal + " is sent to every rank's process, and to no other process";
    case StopMethod::stopFile: return "the file " + printable(exit.stopFile) + " is created; the script checks for it";
    case StopMethod::scancel: return "scancel sends SIG" + exit.scancel + " to every rank of the Slurm job";
    case StopMethod::none: break;
    }
    return "the job file has no way to request a stop";
}

Message unprovableText(StopMethod way)
{
    switch (way) {
    case StopMethod::signal:
    case StopMethod::scancel:
        return message("no log line confirms a signal. Only the save of every rank and the end of its process show "
                       "that it worked");
    case StopMethod::stopFile:
        return message("no log line confirms the file: only the save of every rank and the end of its process show "
                       "that it worked");
    case StopMethod::config:
    case StopMethod::configMap:
    case StopMethod::none: break;
    }
    return {};
}

const RequestWords &requestWords(StopMethod way)
{
    static constexpr RequestWords flag{"GracefulExit may still be 1", "GracefulExit at 1",
                                       "GracefulExit is 1 on no node", "GracefulExit was put back to 0",
                                       "The flag is 0 again"};
    static constexpr RequestWords file{"The stop file may still be there", "the stop file there",
                                       "The stop file is on no node", "the stop file was removed",
                                       "The stop file has been removed"};
    return way == StopMethod::stopFile ? file : flag;
}

}  // namespace rankdeck
