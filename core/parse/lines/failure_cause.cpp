// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/lines/failure_cause.h"

#include "core/parse/lines/scanner.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <iterator>
#include <utility>

namespace rankdeck {
namespace {

using Cause = FailureCause;

struct CauseRow {
    Cause cause;
    const char *code;
    CauseRole role;
    Message (*text)();
};
const CauseRow causes[] = {
    {Cause::unknown, "unknown", CauseRole::none, [] { return Message(); }},
    {Cause::diskFull, "disk_full", CauseRole::culprit, [] { return message("the disk is full"); }},
    {Cause::outOfMemory, "out_of_memory", CauseRole::kernel, [] { return message("the machine is out of memory"); }},
    {Cause::groupOutOfMemory, "group_out_of_memory", CauseRole::kernel,
     [] { return message("its container or group is out of memory"); }},
    {Cause::sharedMemory, "shared_memory", CauseRole::culprit,
     [] { return message("the shared memory (/dev/shm) is too small"); }},
    {Cause::deviceOutOfMemory, "device_out_of_memory", CauseRole::culprit,
     [] { return message("the device is out of memory"); }},
    {Cause::deviceFault, "device_fault", CauseRole::culprit, [] { return message("the device reported an error"); }},
    {Cause::nonFinite, "non_finite", CauseRole::culprit,
     [] { return message("the script ended because of a NaN or Inf"); }},
    {Cause::missingModule, "missing_module", CauseRole::culprit, [] { return message("a Python module is missing"); }},
    {Cause::badCheckpoint, "bad_checkpoint", CauseRole::culprit,
     [] { return message("a checkpoint that it loads is damaged or does not fit"); }},
    {Cause::dataWorker, "data_worker", CauseRole::culprit,
     [] { return message("a worker of its data loader was killed"); }},
    {Cause::portInUse, "port_in_use", CauseRole::culprit,
     [] { return message("the port is in use by another process"); }},
    {Cause::killed, "killed", CauseRole::none,
     [] { return message("sent by a person, by a scheduler, or for lack of memory"); }},
    {Cause::terminated, "terminated", CauseRole::none, [] { return message("it was asked to end"); }},
    {Cause::interrupted, "interrupted", CauseRole::none, [] { return message("it was interrupted with Ctrl-C"); }},
    {Cause::emergencySaved, "emergency_saved", CauseRole::none,
     [] { return message("it was asked to end and had saved an emergency checkpoint"); }},
    {Cause::crashed, "crashed", CauseRole::culprit, [] { return message("the program crashed"); }},
    {Cause::collectiveTimeout, "gave_up_waiting", CauseRole::victim,
     [] { return message("it gave up waiting for another rank"); }},
    {Cause::peerLost, "peer_lost", CauseRole::victim, [] { return message("its exchange with another rank failed"); }},
    {Cause::cancelled, "cancelled", CauseRole::scheduler, [] { return message("the scheduler cancelled it"); }},
    {Cause::preempted, "preempted", CauseRole::scheduler, [] { return message("the scheduler preempted the job"); }},
    {Cause::timeLimit, "time_limit", CauseRole::scheduler, [] { return message("the job reached its time limit"); }},
    {Cause::nodeFailed, "node_failed", CauseRole::scheduler, [] { return message("the scheduler saw its node fail"); }},
    {Cause::evicted, "evicted", CauseRole::scheduler, [] { return message("its pod was evicted"); }},
};

// Searched in lower-case text; the first match counts. A phrase that names the cause itself comes before phrases that
// may accompany it.
constexpr std::pair<std::string_view, Cause> phrases[] = {
    {"no space left on device", Cause::diskFull},
    {"errno 28", Cause::diskFull},
    {"file too large", Cause::diskFull},
    {"disk quota exceeded", Cause::diskFull},
    {"not enough space", Cause::diskFull},
    {"pytorchstreamwriter failed writing", Cause::diskFull},
    {"cuda out of memory", Cause::deviceOutOfMemory},
    {"hip out of memory", Cause::deviceOutOfMemory},
    {"npu out of memory", Cause::deviceOutOfMemory},
    {"device memory not enough", Cause::deviceOutOfMemory},
    {"out of memory of the device", Cause::deviceOutOfMemory},
    {"memory isn't enough and alloc failed", Cause::deviceOutOfMemory},
    {"alloc device memory failed", Cause::deviceOutOfMemory},
    {"malloc device memory failed", Cause::deviceOutOfMemory},
    {"outofmemoryerror", Cause::deviceOutOfMemory},
    {"cublas_status_alloc_failed", Cause::deviceOutOfMemory},
    {"resource_exhausted", Cause::deviceOutOfMemory},  // XLA
    {"insufficient shared memory", Cause::sharedMemory},
    {"unable to allocate shared memory", Cause::sharedMemory},
    {"dataloader worker (pid", Cause::dataWorker},
    {"memory cgroup out of memory", Cause::groupOutOfMemory},
    {"oom_kill event", Cause::groupOutOfMemory},  // slurmstepd
    {"oom killed", Cause::groupOutOfMemory},
    {"oomkilled", Cause::groupOutOfMemory},        // Kubernetes
    {": out of memory", Cause::groupOutOfMemory},  // srun
    {"out of memory: kill", Cause::outOfMemory},
    {"memoryerror", Cause::outOfMemory},
    {"cannot allocate memory", Cause::outOfMemory},
    {"std::bad_alloc", Cause::outOfMemory},
    {"oom-kill", Cause::outOfMemory},
    {"oom_kill", Cause::outOfMemory},
    {"due to time limit", Cause::timeLimit},
    {"due to preemption", Cause::preempted},
    {"due to job requeue", Cause::preempted},
    {"due to node failure", Cause::nodeFailed},
    {" preempted by ", Cause::preempted},
    {"*** cancelled at", Cause::cancelled},
    {" cancelled at ", Cause::cancelled},
    {"pod was evicted", Cause::evicted},
    {"evicted by ", Cause::evicted},
    {"node was low on resource", Cause::evicted},
    {"modulenotfounderror", Cause::missingModule},
    {"no module named", Cause::missingModule},
    {"cannot import name", Cause::missingModule},
    {"pytorchstreamreader failed", Cause::badCheckpoint},
    {"loading state_dict for", Cause::badCheckpoint},
    {"invalid load key", Cause::badCheckpoint},
    {"unpicklingerror", Cause::badCheckpoint},
    {"safetensorerror", Cause::badCheckpoint},
    {"failed to read the checkpoint file", Cause::badCheckpoint},  // MindSpore
    {"is not a valid checkpoint", Cause::badCheckpoint},
    {"address already in use", Cause::portInUse},
    {"eaddrinuse", Cause::portInUse},
    {"uncorrectable ecc", Cause::deviceFault},
    {"fallen off the bus", Cause::deviceFault},
    {"illegal memory access", Cause::deviceFault},
    {"device-side assert", Cause::deviceFault},
    {"hbm multi bit ecc", Cause::deviceFault},
    {"hccl_exec_timeout", Cause::collectiveTimeout},
    {"hccl_connect_timeout", Cause::collectiveTimeout},
    {"notify wait timeout", Cause::collectiveTimeout},
    {"notify wait time out", Cause::collectiveTimeout},
    {"notify register times out", Cause::collectiveTimeout},  // CANN EI0002
    {"synchronizestreamwithtimeout", Cause::collectiveTimeout},
    {"watchdog caught collective operation timeout", Cause::collectiveTimeout},
    {"collective timed out", Cause::collectiveTimeout},
    {"collective timeout", Cause::collectiveTimeout},
    {"timed out waiting", Cause::collectiveTimeout},
    {"application timeout caused pair closure", Cause::collectiveTimeout},  // gloo
    {"diststoreerror", Cause::collectiveTimeout},                           // c10d's store: not all have come
    {"clients joined", Cause::collectiveTimeout},
    {"client socket has timed out", Cause::collectiveTimeout},
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
    {"distnetworkerror", Cause::peerLost},
    {"term exception happened", Cause::emergencySaved},
    {"signalexception", Cause::terminated},  // torchrun
    {"keyboardinterrupt", Cause::interrupted},
    {"loss is nan", Cause::nonFinite},
    {"nan or inf", Cause::nonFinite},
    {"nan detected", Cause::nonFinite},
    {"non-finite", Cause::nonFinite},
    {"gradient overflow", Cause::nonFinite},
    {"fatal python error", Cause::crashed},
    {"segmentation fault", Cause::crashed},
    {"bus error", Cause::crashed},
    {"core dumped", Cause::crashed},
};

const CauseRow &rowOf(Cause cause)
{
    const auto found =
        std::find_if(std::begin(causes), std::end(causes), [cause](const CauseRow &row) { return row.cause == cause; });
    return found == std::end(causes) ? causes[0] : *found;
}

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
    // The name of a collective together with a time-out or a failed transfer: the other end has failed.
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
    // The line of the exception has more information than its frames.
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

const char *causeRoleName(CauseRole role)
{
    switch (role) {
    case CauseRole::none: return nullptr;
    case CauseRole::culprit: return "culprit";
    case CauseRole::victim: return "victim";
    case CauseRole::scheduler: return "scheduler";
    case CauseRole::kernel: return "kernel";
    }
    return nullptr;
}

Message causeText(FailureCause cause) { return rowOf(cause).text(); }
const char *causeCode(FailureCause cause) { return rowOf(cause).code; }
CauseRole causeRole(FailureCause cause) { return rowOf(cause).role; }

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
    const CauseRole role = causeRole(cause);
    return role == CauseRole::victim || role == CauseRole::scheduler || cause == Cause::terminated ||
           cause == Cause::emergencySaved;
}

std::string exitText(int exitCode)
{
    static constexpr std::pair<int, const char *> names[] = {
        {1, "SIGHUP"}, {2, "SIGINT"},  {3, "SIGQUIT"},  {4, "SIGILL"},   {6, "SIGABRT"},  {7, "SIGBUS"},
        {8, "SIGFPE"}, {9, "SIGKILL"}, {11, "SIGSEGV"}, {15, "SIGTERM"}, {25, "SIGXFSZ"},
    };
    // Exit code in the form in which a shell reports a signal.
    const int signal = exitCode < 0 ? -exitCode : exitCode - 128;
    std::string text = exitCode < 0 ? "signal " + std::to_string(signal) : "exit code " + std::to_string(exitCode);
    for (const auto &[number, name] : names)
        if (number == signal) text += std::string(" (") + name + ")";
    return text;
}

std::optional<double> waitedSeconds(std::string_view error)
{
    // NCCL's watchdog, c10d's store, gloo
    struct Form {
        std::string_view before, after;
        double seconds;
    };
    static constexpr Form forms[] = {{"ran for ", " milliseconds", 0.001},
                                     {"Timed out after ", " seconds", 1},
                                     {"Timed out waiting ", "ms", 0.001},
                                     {"timed out after ", "ms", 0.001}};
    for (const Form &form : forms) {
        Scanner scanner(error);
        double value = 0;
        if (scanner.seek(form.before) && scanner.takeNumber(value) && scanner.take(form.after) && value > 0)
            return value * form.seconds;
    }
    return std::nullopt;
}

bool reportsAnEnd(std::string_view line)
{
    static constexpr std::string_view beginnings[] = {"slurmstepd: error: ",
                                                      "srun: error: ",
                                                      "terminate called after throwing",
                                                      "terminate called without",
                                                      "Fatal Python error: ",
                                                      "Segmentation fault",
                                                      "Bus error",
                                                      "Aborted (core dumped)"};
    if (std::any_of(std::begin(beginnings), std::end(beginnings),
                    [line](std::string_view begin) { return line.starts_with(begin); }))
        return true;
    // "[E218 10:48:25.033625188 ProcessGroupNCCL.cpp:632] …", "F1129 10:00:00.1 4711 a.cc:3] …"
    const std::string_view text = line.starts_with("[") ? line.substr(1) : line;
    if (text.size() < 12 || (text[0] != 'E' && text[0] != 'F')) return false;
    const std::size_t digits = text.find_first_not_of("0123456789", 1);
    if (digits < 4 || digits > 5 || text[digits] != ' ' || text.find("] ") == std::string_view::npos) return false;
    return text[0] == 'F' || causeOf(line.substr(0, line.find('\n')), std::nullopt) != FailureCause::unknown;
}

}  // namespace rankdeck
