// SPDX-License-Identifier: GPL-3.0-or-later
// Messages that frameworks, their communication libraries and the kernel print when a rank fails.
#include "core/parse/lines/failure_cause.h"

#include <gtest/gtest.h>

#include <utility>

namespace rankdeck::failure_cause_test {
namespace {

TEST(FailureCause, IsDerivedFromTheErrorText)
{
    using Cause = FailureCause;
    const std::pair<const char *, Cause> said[] = {
        {"OSError: [Errno 28] No space left on device", Cause::diskFull},
        {"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.", Cause::deviceOutOfMemory},
        {"Memory cgroup out of memory: Killed process 4711 (python)", Cause::groupOutOfMemory},
        {"ModuleNotFoundError: No module named 'apex'", Cause::missingModule},
        // torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp: the message about the wait comes before those about its
        // consequences.
        {"RuntimeError: NCCL communicator was aborted on rank 1. Original reason for failure was: [Rank 1] Watchdog "
         "caught collective operation timeout: WorkNCCL(SeqNum=612)",
         Cause::collectiveTimeout},
        {"RuntimeError: NCCL communicator was aborted on rank 1", Cause::peerLost},
        {"torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:1961, remote process exited or there "
         "was a network error",
         Cause::peerLost},
        {"ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.",
         Cause::peerLost},
        {"torch.distributed.DistNetworkError: failed to recv, got 0 bytes", Cause::peerLost},
        {"RuntimeError: recvValue failed on SocketImpl: Connection was likely closed. Did the remote server shutdown "
         "or crash?",
         Cause::peerLost},
        {"RuntimeError: [gloo/transport/tcp/pair.cc:534] Connection closed by peer [127.0.0.1]:31112", Cause::peerLost},
        {"torch.distributed.DistStoreError: Timed out after 5 seconds waiting for clients. 1/2 clients joined.",
         Cause::collectiveTimeout},
        {"torch.distributed.DistNetworkError: The client socket has timed out after 4000ms while trying to connect to "
         "(127.0.0.1, 29777).",
         Cause::collectiveTimeout},
        {"torch.distributed.DistNetworkError: The server socket has failed to listen on any local network address. "
         "port: 29777, code: -98, name: EADDRINUSE",
         Cause::portInUse},
        {"[rank1]:[E218 10:48:25.033625188 ProcessGroupNCCL.cpp:632] [Rank 1] Watchdog caught collective operation "
         "timeout: WorkNCCL(SeqNum=1, OpType=ALLREDUCE)",
         Cause::collectiveTimeout},
        {"slurmstepd: error: *** STEP 191.0 ON c002 CANCELLED AT 2026-01-02T02:06:12 ***", Cause::cancelled},
        {"slurmstepd: error: *** JOB 12 ON n1 CANCELLED AT 2026-01-02T02:06:12 DUE TO TIME LIMIT ***",
         Cause::timeLimit},
        {"slurmstepd: error: *** JOB 12 ON n1 CANCELLED AT 2026-01-02T02:06:12 DUE TO PREEMPTION ***",
         Cause::preempted},
        {"slurmstepd: error: *** JOB 12 ON n1 CANCELLED AT 2026-01-02T02:06:12 DUE TO NODE FAILURE, SEE SLURMCTLD LOG "
         "FOR DETAILS ***",
         Cause::nodeFailed},
        {"slurmstepd: error: Detected 1 oom_kill event in StepId=191.0. Some of the step tasks have been OOM Killed.",
         Cause::groupOutOfMemory},
        {"srun: error: c002: task 2: Out Of Memory", Cause::groupOutOfMemory},
        {"RuntimeError: DataLoader worker (pid 19835) is killed by signal: Killed. ", Cause::dataWorker},
        {"RuntimeError: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory "
         "(shm).",
         Cause::sharedMemory},
        {"RuntimeError: PytorchStreamReader failed reading zip archive: failed finding central directory",
         Cause::badCheckpoint},
        {"RuntimeError: Error(s) in loading state_dict for Net:", Cause::badCheckpoint},
        {"RuntimeError: [enforce fail at inline_container.cc:858] . PytorchStreamWriter failed writing file data/5: "
         "file write failed",
         Cause::diskFull},
        {"safetensors_rust.SafetensorError: Error while serializing: I/O error: No space left on device (os error 28)",
         Cause::diskFull},
        {"Fatal Python error: Segmentation fault", Cause::crashed},
        {"KeyboardInterrupt", Cause::interrupted},
        {"RuntimeError: CUDA error: an illegal memory access was encountered", Cause::deviceFault},
        {"RuntimeError: The wait execution of the Notify register times out. Reason: EI0002", Cause::collectiveTimeout},
        {"ValueError: Caught ValueError in DataLoader worker process 0.", Cause::unknown},
        {"ValueError: boom", Cause::unknown},
    };
    for (const auto &[error, cause] : said) {
        EXPECT_EQ(causeOf(error, std::nullopt), cause) << error;
        EXPECT_EQ(isConsequence(causeOf(error, std::nullopt)), cause == Cause::peerLost ||
                                                                   cause == Cause::collectiveTimeout ||
                                                                   causeRole(cause) == CauseRole::scheduler)
            << error;
    }
}

TEST(FailureCause, HasCodeAndTextForEachValue)
{
    for (int value = 1; value <= static_cast<int>(FailureCause::evicted); ++value) {
        const auto cause = static_cast<FailureCause>(value);
        EXPECT_STRNE(causeCode(cause), "unknown") << value;
        EXPECT_FALSE(causeText(cause).empty()) << value;
    }
}

TEST(FailureCause, ReadsHowLongARankWaited)
{
    EXPECT_EQ(waitedSeconds("WorkNCCL(Timeout(ms)=1200000) ran for 1200027 milliseconds before timing out."), 1200.027);
    EXPECT_EQ(waitedSeconds("Timed out after 5 seconds waiting for clients."), 5);
    EXPECT_EQ(waitedSeconds("[pair.cc:9] Timed out waiting 1800000ms for recv operation to complete"), 1800);
    EXPECT_EQ(waitedSeconds("ValueError: boom"), std::nullopt);
}

TEST(EndReports, AreRecognisedIfTheyNameACause)
{
    for (const char *line :
         {"[E218 10:48:25.033625188 ProcessGroupNCCL.cpp:632] [Rank 1] Watchdog caught collective operation timeout: x",
          "F1129 10:00:00.000001 4711 a.cc:3] Check failed",
          "slurmstepd: error: *** STEP 191.0 ON c002 CANCELLED AT 2026-01-02T02:06:12 ***",
          "srun: error: c002: task 2: Out Of Memory",
          "terminate called after throwing an instance of 'c10::DistBackendError'",
          "Fatal Python error: Segmentation fault"})
        EXPECT_TRUE(reportsAnEnd(line)) << line;
    for (const char *line : {"E0000 00:00:1764392745.1 4711 cuda_dnn.cc:8310] Unable to register cuDNN factory",
                             "[W218 10:48:25.03 ProcessGroupNCCL.cpp:632] Warning", "Epoch 3 loss 2", "", "E", "[E",
                             "srun: job 12 queued"})
        EXPECT_FALSE(reportsAnEnd(line)) << line;
}

}  // namespace
}  // namespace rankdeck::failure_cause_test
