// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/exit_way.h"

#include "core/base/text.h"

namespace rankdeck {

const char *exitWayName(ExitWay way)
{
    switch (way) {
    case ExitWay::none: return "none";
    case ExitWay::config: return "config";
    case ExitWay::signal: return "signal";
    case ExitWay::stopFile: return "stop_file";
    case ExitWay::scancel: return "scancel";
    }
    return "none";
}

ExitWay exitWayOf(const Job &job)
{
    const GracefulExitSpec &exit = job.gracefulExit;
    if (!exit.config.empty()) return ExitWay::config;
    if (!exit.signal.empty()) return ExitWay::signal;
    if (!exit.stopFile.empty()) return ExitWay::stopFile;
    return exit.scancel.empty() ? ExitWay::none : ExitWay::scancel;
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
    case ExitWay::config: return "GracefulExit is set in the JSON file that OnRequestExit reads at each step";
    case ExitWay::signal: return "SIG" + exit.signal + " is sent to every rank's process, to nothing else";
    case ExitWay::stopFile: return "the file " + printable(exit.stopFile) + " is made; the script looks for it";
    case ExitWay::scancel: return "scancel sends SIG" + exit.scancel + " to every rank of the Slurm job";
    case ExitWay::none: break;
    }
    return "the job file names no way to ask for a stop";
}

std::string unprovableText(ExitWay way)
{
    switch (way) {
    case ExitWay::signal:
    case ExitWay::scancel:
        return "no log line confirms a signal: only the save of every rank and the end of its process show that it "
               "worked, "
               "and a rank that was killed looks the same but for the save";
    case ExitWay::stopFile:
        return "no log line confirms the file: only the save of every rank and the end of its process show that it "
               "worked";
    case ExitWay::config:
    case ExitWay::none: break;
    }
    return {};
}

}  // namespace rankdeck
