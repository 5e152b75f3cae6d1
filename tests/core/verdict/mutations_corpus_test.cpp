// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs that frameworks wrote, with one file of the newest save lost, cut, or replaced by one of another save, another
// rank or another run: never VALID afterwards, but where the framework's own loader goes on from the right state.
#include "core/base/text.h"
#include "tests/core/verdict/corpus.h"
#include "tests/testbed/paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace rankdeck {
namespace {

using test::Corpus;
using test::summary;

struct WrittenRun {
    const char *sample;          // below tests/data
    const char *newest, *older;  // what tells their paths apart
    const char *other = "";      // the same of another run
    bool isOlder = false;        // newest and older have changed places
    bool trained = true;         // else each save has weights that have nothing to do with the one before
};
constexpr WrittenRun runs[] = {
    {"runs/a/accelerate", "step_15", "step_10", "runs/b/accelerate"},
    {"runs/a/dcp_parts", "step_15", "step_10", "runs/b/dcp_parts"},
    {"runs/a/titan", "step-15", "step-10", "runs/b/titan"},
    {"runs/a/rank_files", "step_15", "step_10", "runs/b/rank_files"},
    {"runs/a/lightning", "epoch=1-step=15", "epoch=0-step=10"},
    {"huggingface/trainer", "checkpoint-24", "checkpoint-16"},
    {"deepspeed/zero1-bf16", "global_step6", "global_step3"},
    {"deepspeed/zero3", "global_step6", "global_step3"},
    {"megatron/legacy-layout", "iter_0000200", "iter_0000100", "", false, false},
    {"tensorflow/saver-v2", "1300", "1200"},
    {"tensorflow/saver-v2-sharded", "1300", "1200"},
    {"tensorflow/saver-v1-sharded", "1300", "1200"},
    {"tensorflow/tf2-manager", "ckpt-2", "ckpt-1"},
    {"tensorflow/keras3-manager", "ckpt-30", "ckpt-20"},
    {"flax", "checkpoint_30", "checkpoint_20"},
    {"numpy", "step_200", "step_100", "", false, false},
};

// What a loader does without, or takes as right.
struct Allowed {
    const char *file, *change;  // parts of the name and of the change; "" is any
    const char *reason;         // that must be told; "": none
};
constexpr Allowed allowed[] = {
    {"random_states_", "lost", "no_rng"},  // Accelerate warns and goes on
    {"random_states_", "of another", ""},  // random numbers, and a count that is not used for anything else
    {"rng_state", "lost", "no_rng"},       // the Trainer warns and goes on
    {"rng_state", "of another", ""},       //
    {"scheduler.pt", "lost", "no_scheduler"},
    {"config.json", "", ""},                  // only compared for its version
    {"training_args.bin", "", ""},            // never read by a resume
    {".metadata", "of another", ""},          // places and sizes are those of the shards, or it is seen
    {"optimizer.bin", "of another run", ""},  // moments of another run of as many steps: nothing tells
    {"scheduler.bin", "of another", ""},      // the same count
    {"/optim/", "of another run", ""},        //
};

bool isAllowed(const std::string &path, const std::string &change, const CheckpointSet &set)
{
    return std::any_of(std::begin(allowed), std::end(allowed), [&](const Allowed &each) {
        const std::string reason = each.reason;
        const bool told = reason.empty() || std::any_of(set.reasons.begin(), set.reasons.end(),
                                                        [&](const Reason &r) { return r.code.word() == reason; });
        return told && path.find(each.file) != std::string::npos && change.find(each.change) != std::string::npos;
    });
}

using Files = std::map<std::string, std::string>;  // path below the run, bytes

Files filesOf(const std::string &sample)
{
    namespace fs = std::filesystem;
    Files out;
    const fs::path from = fs::path(testData()) / sample;
    for (const auto &item : fs::recursive_directory_iterator(from)) {
        const std::string name = item.path().filename().string();
        if (item.is_regular_file() && !name.ends_with(".py") && !name.ends_with(".md"))
            out[fs::relative(item.path(), from).string()] = test::readFile(item.path().string());
    }
    return out;
}

// Each save ten minutes after the one before, marks last.
std::map<std::string, std::int64_t> timesOf(const Files &files, const WrittenRun &run)
{
    std::map<std::string, std::int64_t> out;
    std::int64_t number = 0;
    for (const auto &[path, bytes] : files) {
        const bool newest = path.find(run.newest) != std::string::npos,
                   older = path.find(run.older) != std::string::npos;
        const std::string name = baseName(path);
        const bool mark = name == ".metadata" || name == "trainer_state.json" || path.find('/') == std::string::npos;
        out[path] = (newest || !path.find("last") ? 1200 : older ? 600 : 0) + (mark ? 40 : 0) + number++ % 20;
    }
    return out;
}

std::string withoutNumbers(std::string path)
{
    path.erase(std::remove_if(path.begin(), path.end(), [](char c) { return c >= '0' && c <= '9'; }), path.end());
    return path;
}

struct Change {
    std::string what, path;
    Files files;  // what becomes of which; empty bytes: it is lost
};

std::vector<Change> changesOf(const Files &files, const WrittenRun &run)
{
    const Files others = *run.other ? filesOf(run.other) : Files{};
    std::vector<Change> all;
    for (const auto &[path, bytes] : files) {
        if (path.find(run.newest) == std::string::npos || bytes.empty()) continue;
        all.push_back({"lost", path, {{path, ""}}});
        all.push_back({"renamed, lost", path, {{path, ""}, {path + ".bak", bytes}}});
        for (const std::size_t eighth : {1, 3, 4, 5, 7})
            if (bytes.size() > 8) all.push_back({"cut", path, {{path, bytes.substr(0, bytes.size() * eighth / 8)}}});
        if (const auto older = files.find(replaceAll(path, run.newest, run.older)); older != files.end())
            all.push_back({"of another save", path, {{path, older->second}}});
        if (const auto other = others.find(path); other != others.end())
            all.push_back({"of another run", path, {{path, other->second}}});
        for (const auto &[sibling, theirs] : files) {
            if (sibling <= path || withoutNumbers(sibling) != withoutNumbers(path)) continue;
            if (!run.trained || sibling.find(run.newest) == std::string::npos) continue;
            all.push_back({"swapped, of another rank", path, {{path, theirs}, {sibling, bytes}}});
            all.push_back({"copied, of another rank", path, {{path, theirs}}});
        }
    }
    return all;
}

Corpus treeOf(const Files &files, const std::map<std::string, std::int64_t> &times)
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

void expectNotValid(const WrittenRun &run, const Change &change, const CheckpointReport &report)
{
    for (const CheckpointSet &set : report.sets) {
        if (set.verdict != Verdict::valid || isAllowed("/" + change.path, change.what, set)) continue;
        // A file that two saves have is the older one's, and the newer one is blamed, where no times say otherwise.
        if (run.isOlder && change.what == "of another save" &&
            summary(report).find("values_repeated") != std::string::npos)
            continue;
        for (const MemberVerdict &member : set.members)
            EXPECT_FALSE(!member.path.empty() && ("/job/ckpt/" + change.path).starts_with(member.path))
                << run.sample << ", " << change.path << " " << change.what << ": " << summary(report);
    }
}

// How many were tried.
int tryAll(const WrittenRun &run, const Files &files, const std::map<std::string, std::int64_t> &times)
{
    Corpus whole = treeOf(files, times);
    const CheckpointReport before = whole.judgeAll();
    EXPECT_TRUE(before.recommended) << run.sample << ": " << summary(before);
    int tried = 0;
    for (const Change &change : changesOf(files, run)) {
        if (changesNothing(change, files)) continue;
        Corpus c = treeOf(files, times);
        for (const auto &[path, bytes] : change.files) {
            const auto had = times.find(path);
            c.remove(path);
            if (!bytes.empty()) c.put(path, bytes, had == times.end() ? 1200 : had->second, 0644);
        }
        expectNotValid(run, change, c.judgeAll());
        ++tried;
    }
    return tried;
}

TEST(Mutations, PropertyNoSaveWithAFileThatIsNotItsOwnIsValid)
{
    int tried = 0;
    for (WrittenRun run : runs) {
        const Files files = filesOf(run.sample);
        const auto times = timesOf(files, run);
        tried += tryAll(run, files, times);
        std::swap(run.newest, run.older);  // the older save may be chosen, too
        run.isOlder = true;
        run.other = "";
        tried += tryAll(run, files, times);
    }
    EXPECT_GT(tried, 800);
}

// Also where the folder, and not the file, has the step.
TEST(Mutations, ARanksFileOfAnotherRunIsSeenInAnyLayout)
{
    Corpus c;
    for (const auto &[path, bytes] : filesOf("runs/a/rank_files")) {
        const std::size_t rank = path.find("_rank_");
        c.put(path.substr(0, rank) + "/" + path.substr(rank + 1), bytes, 100, 0644);
    }
    EXPECT_EQ(summary(c.judgeAll()).find("values_apart"), std::string::npos) << summary(c.judgeAll());
    c.put("step_15/rank_1.pt", filesOf("runs/b/rank_files").at("step_15_rank_1.pt"), 100, 0644);
    const CheckpointReport report = c.judgeAll();
    EXPECT_NE(summary(report.sets.front()).find("values_apart(1)"), std::string::npos) << summary(report);
    EXPECT_EQ(report.sets.front().verdict, Verdict::validUnproven) << summary(report);
}

// Networks of their own beside each other are not taken for one that changes.
TEST(Mutations, NetworksOfARunThatAreNamedApartAreNotCompared)
{
    Corpus c;
    const Files a = filesOf("runs/a/rank_files"), b = filesOf("runs/b/rank_files");
    for (const char *step : {"5", "10", "15"}) {
        const std::string end = std::string("_") + step + ".pt";
        c.put("critic" + end, a.at(std::string("step_") + step + "_rank_0.pt"), 100, 0644);
        c.put("actor" + end, b.at("step_15_rank_0.pt"), 100, 0644);
    }
    EXPECT_EQ(summary(c.judgeAll()).find("values_apart"), std::string::npos) << summary(c.judgeAll());
}

}  // namespace
}  // namespace rankdeck
