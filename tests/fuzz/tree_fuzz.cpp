// SPDX-License-Identifier: GPL-3.0-or-later
// Any files under any names as a tree of checkpoints, which is listed, searched, read by the layouts that accept it,
// and judged. Input: names and contents, each after its length (one byte, two bytes little-endian). Seeds: seeds.py.
#include "core/checkpoint/inventory/inventory.h"
#include "core/verdict/verdict.h"
#include "tests/fuzz/fuzz_files.h"

#include <cstdlib>
#include <set>
#include <string>

namespace {

using namespace rankdeck;

FuzzFiles filesOf(std::string_view input)
{
    FuzzFiles files;
    while (files.contents.size() < 60 && input.size() > 3) {
        const std::size_t name = static_cast<unsigned char>(input[0]);
        input.remove_prefix(1);
        if (input.size() < name + 2) break;
        const std::string path = "/c/" + std::string(input.substr(0, name));
        const std::size_t bytes =
            static_cast<unsigned char>(input[name]) | (std::size_t(static_cast<unsigned char>(input[name + 1])) << 8);
        input.remove_prefix(name + 2);
        files.contents[path] = std::string(input.substr(0, bytes));
        input.remove_prefix(std::min(bytes, input.size()));
    }
    return files;
}

Listing listingOf(const FuzzFiles &files)
{
    Listing listing;
    listing.root = "/c";
    std::set<std::string> directories;
    for (const auto &[path, bytes] : files.contents) {
        FileEntry entry{path, files.statOf(path)};
        listing.entries.push_back(entry);
        for (std::size_t at = path.find('/', 3); at != std::string::npos; at = path.find('/', at + 1))
            directories.insert(path.substr(0, at));
    }
    for (const std::string &directory : directories) {
        if (files.contents.count(directory) != 0) continue;
        FileEntry entry{directory, {}};
        entry.stat.kind = 'd';
        listing.entries.push_back(entry);
    }
    return listing;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    const FuzzFiles files = filesOf({reinterpret_cast<const char *>(data), size});
    Job job;
    job.nodes = {{"n0", "local", {}}};
    job.checkpoints.path = "/c";
    const Inventory inventory = buildInventory(job, {{"n0", listingOf(files)}});
    std::map<std::string, Evidence> seen;
    const auto look = [&](const Member &member) {
        const auto reader = makeReader(member.file, member.parts, EvidenceLevel::L3);
        Evidence evidence = files.read(*reader);
        if (evidence.complete == true && evidence.level < EvidenceLevel::L1) std::abort();
        if (evidence.complete == false && evidence.problems.empty()) std::abort();
        seen[member.file.path] = std::move(evidence);
    };
    for (const Member &member : inventory.members) look(member);
    for (const Member &member : inventory.groupFiles) look(member);
    for (const Tracker &tracker : inventory.trackers) look(tracker.member);
    Expectation expected;
    expected.running = size % 2 == 0;
    const auto known = [&](const Member &member) {
        const auto found = seen.find(member.file.path);
        return std::make_shared<const Evidence>(found == seen.end() ? Evidence{} : found->second);
    };
    const CheckpointReport report = judge(inventory, known, expected);
    for (const CheckpointSet &set : report.sets) {
        const bool blamed = set.verdict != Verdict::valid && set.verdict != Verdict::unknown;
        if (blamed && set.reasons.empty()) std::abort();
        if (set.verdict != Verdict::valid) continue;
        for (const MemberVerdict &member : set.members)
            if (member.state != MemberState::ok && member.state != MemberState::replica) std::abort();
    }
    return 0;
}
