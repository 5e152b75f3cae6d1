// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a checkpoint file with any of the known endings. The reader ends after a few steps, uses bounded memory,
// and reports a complete file only from L1 on.
#include "core/checkpoint/read/reader.h"
#include "tests/fuzz/fuzz_files.h"

#include <array>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    using namespace rankdeck;
    static constexpr std::array<const char *, 9> names{"/c/a-1_2.ckpt", "/c/a-1_2.safetensors", "/c/a.pt",
                                                       "/c/a.index",    "/c/a-1_2.tmp",         "/c/a",
                                                       "/c/latest",     "/c/group_info.pb",     "/c/checkpoint"};
    if (size == 0) return 0;
    const std::string bytes(reinterpret_cast<const char *>(data) + 1, size - 1);
    FileEntry file{names[data[0] % names.size()], {}};
    file.stat.size = bytes.size();
    FuzzFiles files;
    files.contents[file.path] = bytes;
    const Evidence evidence = files.read(*makeReader(file, EvidenceLevel::L3));
    if (evidence.complete == true && evidence.level < EvidenceLevel::L1) std::abort();
    if (evidence.complete == false && evidence.problems.empty()) std::abort();
    return 0;
}
