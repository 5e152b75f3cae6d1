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

Message exitWayText(const Job &job)
{
    const GracefulExitSpec &exit = job.gracefulExit;
    switch (exitWayOf(job)) {
    case StopMethod::config:
        return message("GracefulExit is set in the JSON file that OnRequestExit reads at each step");
    case StopMethod::configMap:
        return message(
            "GracefulExit is set in the ConfigMap %1, which the cluster copies into the file that OnRequestExit "
            "reads at each step",
            printable(exit.configMap));
    case StopMethod::signal:
        return message("SIG%1 is sent to every rank's process, and to no other process", exit.signal);
    case StopMethod::stopFile:
        return message("the file %1 is created; the script checks for it", printable(exit.stopFile));
    case StopMethod::scancel: return message("scancel sends SIG%1 to every rank of the Slurm job", exit.scancel);
    case StopMethod::none: break;
    }
    return message("the job file defines no way to request a stop");
}

Message unprovableText(StopMethod way)
{
    switch (way) {
    case StopMethod::signal:
    case StopMethod::scancel:
        return message("no log line confirms the signal: only the save of every rank and the end of its process show "
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

RequestWords requestWords(StopMethod way)
{
    if (way == StopMethod::stopFile)
        return {message("the stop file may still exist"), message("the stop file still present"),
                message("No node has the stop file"), message("the stop file was removed"),
                message("The stop file has been removed")};
    return {message("GracefulExit may still be 1"), message("GracefulExit still 1"),
            message("No node has GracefulExit set to 1"), message("GracefulExit was put back to 0"),
            message("GracefulExit is 0 again")};
}

}  // namespace rankdeck
