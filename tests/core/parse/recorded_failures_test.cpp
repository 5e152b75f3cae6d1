// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of real failures: each failure is an event, and its cause is found.
#include "core/parse/lines/failure_cause.h"
#include "tests/core/parse/parsed_lines.h"
#include "tests/testbed/paths.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace rankdeck::recorded_failures_test {
namespace {

using Cause = FailureCause;

struct Failure {
    const char *log;
    Cause cause;
    const char *says;  // in the first line of its first error
};

class RecordedFailures : public testing::TestWithParam<Failure> {};

TEST_P(RecordedFailures, NameTheirCause)
{
    std::ifstream file(testData() + "/recorded_logs/failures/" + GetParam().log, std::ios::binary);
    ASSERT_TRUE(file.good()) << GetParam().log;
    Lines lines;
    for (std::string line; std::getline(file, line);) lines << line;
    lines.end();
    for (const LogEvent &event : lines.parsed.events) {
        if (event.kind != EventKind::error) continue;
        EXPECT_EQ(causeCode(causeOf(event.text, std::nullopt)), std::string(causeCode(GetParam().cause))) << event.text;
        const std::string first = event.text.substr(0, event.text.find('\n'));
        EXPECT_NE(first.find(GetParam().says), std::string::npos) << first;
        return;
    }
    ADD_FAILURE() << GetParam().log << " has no error";
}

const Failure failures[] = {
    {"dataloader_worker_exception.log", Cause::unknown, "FileNotFoundError"},
    {"dataloader_worker_killed.log", Cause::dataWorker, "DataLoader worker"},
    {"lightning_dies_in_bar.log", Cause::unknown, "mat1 and mat2 must have the same dtype"},
    {"memoryerror_ulimit.log", Cause::outOfMemory, "MemoryError"},
    {"safetensors_enospc.log", Cause::diskFull, "No space left"},
    {"save_enospc.log", Cause::diskFull, ""},
    {"segfault_faulthandler.log", Cause::crashed, "Segmentation fault"},
    {"tcpstore_address_in_use.log", Cause::portInUse, "EADDRINUSE"},
    {"tcpstore_client_timeout.log", Cause::collectiveTimeout, "timed out"},
    {"tcpstore_rank1_missing.log", Cause::collectiveTimeout, "1/2 clients joined"},
    {"torch_load_truncated.log", Cause::badCheckpoint, "PytorchStreamReader"},
    {"torchrun_gloo_timeout.log", Cause::collectiveTimeout, "Timed out"},
    {"torchrun_modulenotfound.log", Cause::missingModule, "flash_attn"},
    {"torchrun_rank1_valueerror.log", Cause::unknown, "label 255 is out of range"},
    {"torchrun_sigint.log", Cause::interrupted, "KeyboardInterrupt"},
    {"transformers_dataloader_worker_killed.log", Cause::peerLost, "Connection reset by peer"},
    {"transformers_importerror_tokenizers.log", Cause::unknown, "tokenizers"},
    {"transformers_trainer_dies_in_bar.log", Cause::unknown, "mat1 and mat2 shapes"},
};
INSTANTIATE_TEST_SUITE_P(All, RecordedFailures, testing::ValuesIn(failures));

}  // namespace
}  // namespace rankdeck::recorded_failures_test
