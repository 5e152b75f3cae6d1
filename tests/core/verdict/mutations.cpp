// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/verdict/mutations.h"

#include "core/base/text.h"
#include "tests/core/verdict/corpus.h"
#include "tests/testbed/paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace rankdeck::test {
namespace {

bool isAllowed(const std::string &path, const std::string &change, const CheckpointSet &set,
               const std::vector<AllowedMutation> &allowed)
{
    return std::any_of(allowed.begin(), allowed.end(), [&](const AllowedMutation &each) {
        const std::string reason = each.reason;
        const bool told = reason.empty() || std::any_of(set.reasons.begin(), set.reasons.end(),
                                                        [&](const Reason &r) { return r.code.word() == reason; });
        return told && path.find(each.file) != std::string::npos && change.find(each.change) != std::string::npos;
    });
}

std::string withoutNumbers(std::string path)
{
    path.erase(std::remove_if(path.begin(), path.end(), [](char c) { return c >= '0' && c <= '9'; }), path.end());
    return path;
}

struct Change {
    std::string what, path;
    Files files;  // new content by path; empty: the file is lost
};

std::vector<Change> changesOf(const MutatedRun &run)
{
    std::vector<Change> all;
    for (const auto &[path, bytes] : run.files) {
        if (path.find(run.newest) == std::string::npos || bytes.empty()) continue;
        all.push_back({"lost", path, {{path, ""}}});
        all.push_back({"renamed, lost", path, {{path, ""}, {path + ".bak", bytes}}});
        for (const std::size_t eighth : run.cuts)
            if (bytes.size() > 8) all.push_back({"cut", path, {{path, bytes.substr(0, bytes.size() * eighth / 8)}}});
        if (const auto older = run.files.find(replaceAll(path, run.newest, run.older)); older != run.files.end())
            all.push_back({"of another save", path, {{path, older->second}}});
        if (const auto other = run.others.find(path); other != run.others.end())
            all.push_back({"of another run", path, {{path, other->second}}});
        for (const auto &[sibling, theirs] : run.files) {
            if (sibling <= path || withoutNumbers(sibling) != withoutNumbers(path)) continue;
            if (!run.trained || sibling.find(run.newest) == std::string::npos) continue;
            all.push_back({"swapped, of another rank", path, {{path, theirs}, {sibling, bytes}}});
            all.push_back({"copied, of another rank", path, {{path, theirs}}});
        }
    }
    return all;
}

Corpus treeOf(const Files &files, const FileTimes &times)
{
    Corpus c;
    for (const auto &[path, bytes] : files) c.put(path, bytes, times.at(path), 0644);
    return c;
}

bool changesNothing(const Change &change, const Files &files)
{
    return std::all_of(change.files.begin(), change.files.end(), [&](const auto &file) {
        const auto had = files.find(file.first);
        return had != files.end() && had->second == file.second;
    });
}

void expectNotValid(const MutatedRun &run, const Change &change, const CheckpointReport &report,
                    const std::vector<AllowedMutation> &allowed)
{
    for (const CheckpointSet &set : report.sets) {
        if (set.verdict != Verdict::valid || isAllowed("/" + change.path, change.what, set, allowed)) continue;
        // If two saves have the same file, it belongs to the older one. The newer one is blamed, unless times
        // contradict.
        if (run.isOlder && change.what == "of another save" &&
            summary(report).find("values_repeated") != std::string::npos)
            continue;
        for (const MemberVerdict &member : set.members)
            EXPECT_FALSE(!member.path.empty() && ("/job/ckpt/" + change.path).starts_with(member.path))
                << run.name << ", " << change.path << " " << change.what << ": " << summary(report);
    }
}

}  // namespace

Files filesOf(const std::string &sample)
{
    namespace fs = std::filesystem;
    Files out;
    const fs::path from = fs::path(testData()) / sample;
    for (const auto &item : fs::recursive_directory_iterator(from)) {
        const std::string name = item.path().filename().string();
        if (item.is_regular_file() && !name.ends_with(".py") && !name.ends_with(".md"))
            out[fs::relative(item.path(), from).string()] = readFile(item.path().string());
    }
    return out;
}

FileTimes timesOf(const MutatedRun &run)
{
    FileTimes out;
    std::int64_t number = 0;
    for (const auto &[path, bytes] : run.files) {
        const bool newest = path.find(run.newest) != std::string::npos,
                   older = path.find(run.older) != std::string::npos;
        const std::string name = baseName(path);
        const bool mark = name == ".metadata" || name == "trainer_state.json" || path.find('/') == std::string::npos;
        out[path] = (newest || !path.find("last") ? 1200 : older ? 600 : 0) + (mark ? 40 : 0) + number++ % 20;
    }
    return out;
}

int tryAllMutations(const MutatedRun &run, const FileTimes &times, const std::vector<AllowedMutation> &allowed)
{
    Corpus whole = treeOf(run.files, times);
    const CheckpointReport before = whole.judgeAll();
    EXPECT_TRUE(before.recommended) << run.name << ": " << summary(before);
    int tried = 0;
    for (const Change &change : changesOf(run)) {
        if (changesNothing(change, run.files)) continue;
        Corpus c = treeOf(run.files, times);
        for (const auto &[path, bytes] : change.files) {
            const auto had = times.find(path);
            c.remove(path);
            if (!bytes.empty()) c.put(path, bytes, had == times.end() ? 1200 : had->second, 0644);
        }
        expectNotValid(run, change, c.judgeAll(), allowed);
        ++tried;
    }
    return tried;
}

}  // namespace rankdeck::test
