// SPDX-License-Identifier: GPL-3.0-or-later
// Any lines as the paths of a listing, with any sizes and times. They give an inventory and a report, in which no set
// is VALID without a read.
#include "core/checkpoint/inventory/inventory.h"
#include "core/verdict/verdict.h"

#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    using namespace rankdeck;
    Job job;
    job.nodes = {{"n0", "local", {}}};
    job.checkpoints.path = "/c";
    Listing listing;
    listing.root = "/c";
    std::string line;
    for (std::size_t i = 0; i < size && listing.entries.size() < 200; ++i) {
        if (data[i] != '\n') {
            line += static_cast<char>(data[i]);
            continue;
        }
        FileEntry entry{"/c/" + line, {}};
        entry.stat.size = line.size() * 100;
        entry.stat.mtimeNs = static_cast<std::int64_t>(std::hash<std::string>()(line)) / 2;  // as the wire lets in
        if (line.size() > 3 && line[0] == 'd') entry.stat.kind = 'd';
        listing.entries.push_back(entry);
        line.clear();
    }
    job.checkpoints.prefix = line;
    const Inventory inventory = buildInventory(job, {{"n0", listing}});
    Expectation expected;
    expected.worldSize = 8;
    const auto known = [](const Member &) { return std::make_shared<const Evidence>(); };
    const CheckpointReport report = judge(inventory, known, expected);
    if (report.recommended) std::abort();
    return 0;
}
