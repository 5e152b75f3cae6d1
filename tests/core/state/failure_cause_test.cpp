// SPDX-License-Identifier: GPL-3.0-or-later
// What frameworks, their communication libraries and the kernel write when a rank fails, in their own words.
#include "core/state/failure_cause.h"

#include <gtest/gtest.h>

#include <utility>

namespace rankdeck::failure_cause_test {
namespace {

TEST(FailureCause, IsToldByTheErrorsOwnWords)
{
    using Cause = FailureCause;
    const std::pair<const char *, Cause> said[] = {
        {"OSError: [Errno 28] No space left on device", Cause::diskFull},
        {"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.", Cause::deviceOutOfMemory},
        {"Memory cgroup out of memory: Killed process 4711 (python)", Cause::groupOutOfMemory},
        {"ModuleNotFoundError: No module named 'apex'", Cause::missingModule},
        // torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp: who waited, before what it did about it
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
        {"ValueError: boom", Cause::unknown},
    };
    for (const auto &[error, cause] : said) {
        EXPECT_EQ(causeOf(error, std::nullopt), cause) << error;
        EXPECT_EQ(isConsequence(causeOf(error, std::nullopt)),
                  cause == Cause::peerLost || cause == Cause::collectiveTimeout)
            << error;
    }
}

}  // namespace
}  // namespace rankdeck::failure_cause_test
