// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/failure_cause.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <iterator>
#include <utility>

namespace rankdeck {
namespace {

using Cause = FailureCause;

// Looked for in lower case, the first that is found counts: what names the cause itself stands before what may follow it.
constexpr std::pair<std::string_view, Cause> phrases[] = {
    {"no space left on device", Cause::diskFull},
    {"errno 28", Cause::diskFull},
    {"file too large", Cause::diskFull},
    {"disk quota exceeded", Cause::diskFull},
    {"not enough space", Cause::diskFull},
    {"cuda out of memory", Cause::deviceOutOfMemory},
    {"hip out of memory", Cause::deviceOutOfMemory},
    {"npu out of memory", Cause::deviceOutOfMemory},
    {"device memory not enough", Cause::deviceOutOfMemory},
    {"out of memory of the device", Cause::deviceOutOfMemory},
    {"memory isn't enough and alloc failed", Cause::deviceOutOfMemory},
    {"alloc device memory failed", Cause::deviceOutOfMemory},
    {"malloc device memory failed", Cause::deviceOutOfMemory},
    {"outofmemoryerror", Cause::deviceOutOfMemory},
    {"memory cgroup out of memory", Cause::groupOutOfMemory},
    {"out of memory: kill", Cause::outOfMemory},
    {"memoryerror", Cause::outOfMemory},
    {"cannot allocate memory", Cause::outOfMemory},
    {"std::bad_alloc", Cause::outOfMemory},
    {"oom-kill", Cause::outOfMemory},
    {"oom_kill", Cause::outOfMemory},
    {"modulenotfounderror", Cause::missingModule},
    {"no module named", Cause::missingModule},
    {"hccl_exec_timeout", Cause::collectiveTimeout},
    {"hccl_connect_timeout", Cause::collectiveTimeout},
    {"notify wait timeout", Cause::collectiveTimeout},
    {"notify wait time out", Cause::collectiveTimeout},
    {"watchdog caught collective operation timeout", Cause::collectiveTimeout},
    {"collective timed out", Cause::collectiveTimeout},
    {"collective timeout", Cause::collectiveTimeout},
    {"timed out waiting", Cause::collectiveTimeout},
    {"wait timeout", Cause::collectiveTimeout},
    {"connection closed by peer", Cause::peerLost},
    {"connection reset by peer", Cause::peerLost},
    {"broken pipe", Cause::peerLost},
    {"peer closed", Cause::peerLost},
    {"some other rank", Cause::peerLost},
    {"remote process exit", Cause::peerLost},  // ncclRemoteError, in both of its wordings
    {"communicator was aborted", Cause::peerLost},
    {"failed to recv, got 0 bytes", Cause::peerLost},  // c10d's store, whose server has gone
    {"connection was likely closed", Cause::peerLost},
    {"term exception happened", Cause::gaspSaved},
    {"loss is nan", Cause::nonFinite},
    {"nan or inf", Cause::nonFinite},
    {"nan detected", Cause::nonFinite},
    {"non-finite", Cause::nonFinite},
    {"gradient overflow", Cause::nonFinite},
};

std::string lower(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char letter) { return static_cast<char>(std::tolower(static_cast<unsigned char>(letter))); });
    return out;
}

Cause byPhrase(const std::string &text)
{
    for (const auto &[phrase, cause] : phrases)
        if (text.find(phrase) != std::string::npos) return cause;
    // a collective's name beside any time-out, or beside a transfer that failed: the other end is who failed
    const auto hasOne = [&](std::initializer_list<std::string_view> words) {
        return std::any_of(words.begin(), words.end(),
                           [&](std::string_view word) { return text.find(word) != std::string::npos; });
    };
    if (!hasOne({"hccl", "nccl", "gloo", "allreduce", "all_reduce", "reducescatter", "reduce_scatter", "allgather",
                 "all_gather", "alltoall", "all_to_all", "broadcast", "barrier"}))
        return Cause::unknown;
    if (hasOne({"timeout", "timed out"})) return Cause::collectiveTimeout;
    const bool transfer = hasOne({"receiving", "sending", "recv", "send ", "socket", "remote", "connect"});
    return transfer && hasOne({"fail", "closed", "reset", "error"}) ? Cause::peerLost : Cause::unknown;
}

}  // namespace

FailureCause causeOf(std::string_view error, std::optional<int> exitCode)
{
    // The exception's own line says more than its frames.
    const std::string text = lower(error);
    if (const Cause headline = byPhrase(text.substr(0, text.find('\n'))); headline != Cause::unknown) return headline;
    if (const Cause whole = byPhrase(text); whole != Cause::unknown) return whole;
    if (!exitCode) return Cause::unknown;
    switch (*exitCode < 0 ? -*exitCode : *exitCode > 128 ? *exitCode - 128 : 0) {
    case 9: return Cause::killed;
    case 15: return Cause::terminated;
    case 4:
    case 6:
    case 7:
    case 8:
    case 11: return Cause::crashed;
    default: return Cause::unknown;
    }
}

const char *causeText(FailureCause cause)
{
    switch (cause) {
    case Cause::unknown: return "";
    case Cause::diskFull: return "the disk is full";
    case Cause::outOfMemory: return "the machine is out of memory";
    case Cause::groupOutOfMemory: return "its container or group is out of memory";
    case Cause::deviceOutOfMemory: return "the device is out of memory";
    case Cause::nonFinite: return "the script ended at a NaN or Inf";
    case Cause::missingModule: return "a Python module is missing";
    case Cause::killed: return "sent by a person, a scheduler, or for want of memory";
    case Cause::terminated: return "it was asked to end";
    case Cause::gaspSaved: return "it was asked to end, and has saved a dying gasp before";
    case Cause::crashed: return "the program crashed";
    case Cause::collectiveTimeout: return "it gave up waiting for another rank";
    case Cause::peerLost: return "its exchange with another rank failed";
    }
    return "";
}

bool isOfASave(std::string_view error)
{
    constexpr std::string_view signs[] = {"save_checkpoint", "Failed to save", "checkpoint_save", "torch.save",
                                          "while saving"};
    return std::any_of(std::begin(signs), std::end(signs),
                       [&](std::string_view sign) { return error.find(sign) != std::string_view::npos; });
}

bool isTellingSignal(FailureCause cause)
{
    return cause == Cause::killed || cause == Cause::terminated || cause == Cause::crashed;
}

bool isConsequence(FailureCause cause)
{
    return cause == Cause::collectiveTimeout || cause == Cause::peerLost || cause == Cause::terminated ||
           cause == Cause::gaspSaved;
}

std::string exitText(int exitCode)
{
    static constexpr std::pair<int, const char *> names[] = {
        {1, "SIGHUP"}, {2, "SIGINT"},  {3, "SIGQUIT"},  {4, "SIGILL"},   {6, "SIGABRT"},  {7, "SIGBUS"},
        {8, "SIGFPE"}, {9, "SIGKILL"}, {11, "SIGSEGV"}, {15, "SIGTERM"}, {25, "SIGXFSZ"},
    };
    // a shell's way to say a signal
    const int signal = exitCode < 0 ? -exitCode : exitCode - 128;
    std::string text = exitCode < 0 ? "signal " + std::to_string(signal) : "exit code " + std::to_string(exitCode);
    for (const auto &[number, name] : names)
        if (number == signal) text += std::string(" (") + name + ")";
    return text;
}

}  // namespace rankdeck
