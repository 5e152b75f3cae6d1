// SPDX-License-Identifier: GPL-3.0-or-later
// Every slot of a save, in runs with random names: its file is lost, renamed, cut, exchanged, or from another save.
// Afterwards the save is not VALID, and an unchanged save is recommended.
#include "tests/core/verdict/table/random_runs.h"
#include "tests/testbed/races.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rankdeck::slot_mutations_test {
namespace {

using test::SavedRun;
using test::summary;

// The slot that is changed.
struct Slot {
    std::size_t save = 0, component = 0;
};

struct Change {
    std::vector<std::size_t> saves = {};  // saves that are not whole afterwards
    bool isOneOfThem = false;             // only one of these saves is not whole, and nothing shows which one
};

struct Mutation {
    const char *name;
    Change (*apply)(SavedRun &run, Slot slot, std::mt19937 &random);
};

const std::string &pathOf(const SavedRun &run, Slot slot) { return run.saves[slot.save][slot.component]; }

std::size_t otherThan(std::size_t one, std::size_t count, std::mt19937 &random)
{
    return (one + 1 + random() % (count - 1)) % count;
}

void rename(SavedRun &run, const std::string &from, const std::string &to)
{
    const std::string bytes = run.files.bytes(from);
    const std::int64_t at = (run.files.entry(from).stat.mtimeNs - test::epoch0) / test::second;
    run.files.remove(from);
    run.files.put(to, bytes, at, 0644);
}

void set(SavedRun &run, const std::string &path, const std::string &bytes)
{
    run.files.edit(path, [&](std::string &own) { own = bytes; });
}

void exchange(SavedRun &run, Slot one, Slot other)
{
    const std::string bytes = run.files.bytes(pathOf(run, one));
    set(run, pathOf(run, one), run.files.bytes(pathOf(run, other)));
    set(run, pathOf(run, other), bytes);
}

void cut(SavedRun &run, Slot slot, std::size_t eighths)
{
    const std::string &bytes = run.files.bytes(pathOf(run, slot));
    set(run, pathOf(run, slot), bytes.substr(0, bytes.size() * eighths / 8));
}

constexpr Mutation mutations[] = {
    {"dropped",
     [](SavedRun &run, Slot slot, std::mt19937 &) -> Change {
         run.files.remove(pathOf(run, slot));
         return {{slot.save}};
     }},
    {"renamed .bak",
     [](SavedRun &run, Slot slot, std::mt19937 &) -> Change {
         rename(run, pathOf(run, slot), pathOf(run, slot) + ".bak");
         return {{slot.save}};
     }},
    {"renamed to another word",
     [](SavedRun &run, Slot slot, std::mt19937 &) -> Change {
         rename(run, pathOf(run, slot), run.naming("zq" + run.words[slot.component] + "x", run.numbers[slot.save]));
         return {{slot.save}};
     }},
    {"renamed to the next save",
     [](SavedRun &run, Slot slot, std::mt19937 &) -> Change {
         rename(run, pathOf(run, slot), run.naming(run.words[slot.component], run.nextNumber));
         return {{slot.save}};
     }},
    {"cut at 1/8",
     [](SavedRun &run, Slot slot, std::mt19937 &) -> Change {
         cut(run, slot, 1);
         return {{slot.save}};
     }},
    {"cut at 4/8",
     [](SavedRun &run, Slot slot, std::mt19937 &) -> Change {
         cut(run, slot, 4);
         return {{slot.save}};
     }},
    {"cut at 7/8",
     [](SavedRun &run, Slot slot, std::mt19937 &) -> Change {
         cut(run, slot, 7);
         return {{slot.save}};
     }},
    {"emptied",
     [](SavedRun &run, Slot slot, std::mt19937 &) -> Change {
         cut(run, slot, 0);
         return {{slot.save}};
     }},
    {"stale",
     [](SavedRun &run, Slot slot, std::mt19937 &random) -> Change {
         const Slot other{otherThan(slot.save, run.saves.size(), random), slot.component};
         set(run, pathOf(run, slot), run.files.bytes(pathOf(run, other)));
         return {{slot.save, other.save}, true};
     }},
    {"exchanged with another save",
     [](SavedRun &run, Slot slot, std::mt19937 &random) -> Change {
         const Slot other{otherThan(slot.save, run.saves.size(), random), slot.component};
         exchange(run, slot, other);
         return {{slot.save, other.save}};
     }},
    {"exchanged with another component",
     [](SavedRun &run, Slot slot, std::mt19937 &random) -> Change {
         exchange(run, slot, {slot.save, otherThan(slot.component, run.saves.back().size(), random)});
         return {{slot.save}};
     }},
    {"copy of another component",
     [](SavedRun &run, Slot slot, std::mt19937 &random) -> Change {
         const Slot other{slot.save, otherThan(slot.component, run.saves.back().size(), random)};
         set(run, pathOf(run, slot), run.files.bytes(pathOf(run, other)));
         return {{slot.save}};
     }},
};

// Paths of the files of a set.
std::vector<std::string> pathsOf(const SavedRun &run, const CheckpointSet &set)
{
    std::vector<std::string> paths;
    for (const MemberVerdict &verdict : set.members) {
        if (verdict.member < 0) continue;
        const Member &member = run.files.inventory.members.at(std::size_t(verdict.member));
        for (const FileEntry &part : member.parts) paths.push_back(part.path);
        if (member.parts.empty()) paths.push_back(member.file.path);
    }
    return paths;
}

bool holds(const std::vector<std::string> &paths, const std::vector<std::string> &of)
{
    return std::any_of(of.begin(), of.end(), [&](const std::string &path) {
        return std::find(paths.begin(), paths.end(), "/job/ckpt/" + path) != paths.end();
    });
}

void expectOnlyUnchangedSaves(SavedRun &run, const Change &change)
{
    const CheckpointReport report = run.files.judgeAll();
    std::size_t valid = 0;
    for (const CheckpointSet &set : report.sets)
        for (const std::size_t save : change.saves)
            valid += set.verdict == Verdict::valid && holds(pathsOf(run, set), run.saves[save]) ? 1 : 0;
    EXPECT_LE(valid, change.isOneOfThem ? 1u : 0u) << run.text << "\n" << summary(report);
    EXPECT_TRUE(report.recommended) << run.text << "\n" << summary(report);
}

// True if the name of the file itself contains the number of its save. If only the folder has it, nothing in a file
// without counts shows to which save it belongs.
bool isNumbered(const SavedRun &run, Slot slot)
{
    const std::string &path = pathOf(run, slot);
    return path.find(run.numbers[slot.save], path.rfind('/') + 1) != std::string::npos;
}

int tryMutations(const SavedRun &run, std::size_t counting, std::mt19937 &random)
{
    int tried = 0;
    for (const std::size_t save : {run.saves.size() - 1, run.saves.size() - 2})
        for (std::size_t component = 0; component < run.saves.back().size(); ++component)
            for (const Mutation &mutation : mutations) {
                const bool movesOnly = std::string_view(mutation.name) == "exchanged with another save";
                if (movesOnly && component >= counting && !isNumbered(run, {save, component})) continue;
                SavedRun changed = run;
                SCOPED_TRACE(std::string(mutation.name) + ": component " + run.words[component]);
                expectOnlyUnchangedSaves(changed, mutation.apply(changed, {save, component}, random));
                ++tried;
            }
    return tried;
}

// The test is split into parts, each of which is one process and takes a few seconds of processor time.
class SlotMutations : public testing::TestWithParam<std::size_t> {
protected:
    static int tryAll(std::size_t counting)
    {
        int tried = 0;
        test::eachSeed(GetParam(), everyVariant() ? 40 : 6, [&](std::mt19937 &random, test::Naming naming) {
            tried += tryMutations(test::randomRun(random, naming, counting), counting, random);
        });
        return tried;
    }
};

class RankSlotMutations : public testing::TestWithParam<const char *> {};

TEST_P(SlotMutations, PropertySaveWithAChangedSlotIsNeverValid) { EXPECT_GT(tryAll(100), 300); }

// Only the first component has counts. Nothing in the other components shows their step.
TEST_P(SlotMutations, PropertySaveWithAChangedSlotIsNeverValidWithoutCounts) { EXPECT_GT(tryAll(1), 250); }

TEST_P(RankSlotMutations, PropertySaveWithAChangedRankFileIsNeverValid)
{
    int tried = 0;
    for (unsigned seed = 1; seed <= (everyVariant() ? 20u : 3u); ++seed) {
        SCOPED_TRACE(std::string(GetParam()) + ", seed " + std::to_string(seed));
        std::mt19937 random(seed);
        const SavedRun run = test::randomRankedRun(random, GetParam());
        SavedRun whole = run;
        const CheckpointReport report = whole.files.judgeAll();
        EXPECT_EQ(report.sets.size(), run.saves.size()) << run.text << summary(report);
        for (const CheckpointSet &set : report.sets)
            EXPECT_EQ(set.verdict, Verdict::valid) << run.text << summary(report);
        tried += tryMutations(run, run.words.size(), random);
    }
    EXPECT_GT(tried, 250);
}

INSTANTIATE_TEST_SUITE_P(Namings, SlotMutations, testing::Range(std::size_t(0), test::namings().size()));
INSTANTIATE_TEST_SUITE_P(Forms, RankSlotMutations,
                         testing::ValuesIn(test::rankedForms().begin(), test::rankedForms().end()),
                         [](const auto &form) { return std::to_string(form.index); });

}  // namespace
}  // namespace rankdeck::slot_mutations_test
