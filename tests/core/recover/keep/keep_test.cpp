// SPDX-License-Identifier: GPL-3.0-or-later
// Sets that are kept in a directory beside the checkpoints: on a disk that two nodes share, and with incomplete
// listings.
#include "core/checkpoint/inventory/inventory.h"
#include "core/recover/forwarding_context.h"
#include "core/recover/keep/kept_listings.h"
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <set>

namespace rankdeck::keep_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::size_t filesBelow(const std::string &directory)
{
    std::size_t files = 0;
    if (fs::exists(directory))
        for (const auto &entry : fs::recursive_directory_iterator(directory)) files += entry.is_regular_file() ? 1 : 0;
    return files;
}

class Keep : public testing::Test {
protected:
    // Both nodes see all files of the job, although the job file does not declare shared paths.
    Keep()
    {
        host.job.checkpoints.path = host.file("job/ckpt");
        host.crashLongAgo();
        host.catchUp();
        if (const CheckpointSet *valid = host.view().checkpoints.newestValid()) set = valid->id;
    }
    [[nodiscard]] std::string keptPlace() const { return host.file("job/ckpt") + keptSuffix; }
    KeepReport act(KeepAct what) { return runKeep(host, {.set = set, .act = what}); }
    static std::size_t count(const std::vector<KeptFiles> &nodes)
    {
        std::size_t files = 0;
        for (const KeptFiles &node : nodes) files += node.paths.size();
        return files;
    }
    EngineHost host{{{0}, {1}}, "command"};
    std::string set;
};

// Regression: each node created the same directories, so that keeping failed. Both nodes counted the kept set, and both
// removed it.
TEST_F(Keep, SetOnASharedDiskIsOneCopyCountedAndRemovedOnce)
{
    ASSERT_FALSE(set.empty());
    const KeepReport kept = act(KeepAct::keep);
    ASSERT_EQ(kept.outcome, "kept") << kept.text;
    EXPECT_EQ(count(kept.nodes), 2u);
    EXPECT_EQ(filesBelow(keptPlace()), 2u);
    const auto list = listKept(host);
    ASSERT_TRUE(list.has_value()) << list.error().message;
    ASSERT_EQ(list->size(), 1u);
    EXPECT_EQ(count(list->front().nodes), 2u);
    for (const KeptFiles &node : kept.nodes)  // rotation removes the originals
        for (const std::string &path : node.paths)
            fs::remove(host.file("job/ckpt") + path.substr((keptPlace() + "/" + set).size()));
    const std::size_t before = filesBelow(host.file("job/ckpt"));
    const KeepReport restored = act(KeepAct::restore);
    EXPECT_EQ(restored.outcome, "restored") << restored.text;
    EXPECT_EQ(filesBelow(host.file("job/ckpt")), before + 2);
    const KeepReport removed = act(KeepAct::remove);
    EXPECT_EQ(removed.outcome, "removed") << removed.text;
    EXPECT_EQ(filesBelow(keptPlace()), 0u);
    EXPECT_TRUE(listKept(host)->empty());
}

// Ends the action at its n-th request to a node, without any cleanup.
struct Killed {};
class Dying final : public ForwardingContext {
public:
    Dying(EngineHost &host, int calls) : ForwardingContext(host), m_left(calls) {}
    NodeClient *node(const std::string &name) override
    {
        if (--m_left == 0) throw Killed();
        return ForwardingContext::node(name);
    }

private:
    int m_left;
};

// Regression: a console that was killed between two files left a set that was listed as kept, without all of its ranks.
TEST_F(Keep, ListedSetsAreCompleteAfterAKillAtAnyPoint)
{
    const auto wholeOrNot = [&](KeepAct what) {
        int kills = 0;
        for (bool killed = true; killed; ++kills) {
            Dying console(host, kills + 1);
            killed = false;
            try {
                const KeepReport report = runKeep(console, {.set = set, .act = what});
                EXPECT_EQ(report.outcome, what == KeepAct::keep ? KeepOutcome("kept") : KeepOutcome("removed"))
                    << report.text;
            } catch (const Killed &) {
                killed = true;
            }
            std::size_t named = 0;
            for (const KeptSet &kept : listKept(host).value()) {
                if (kept.id != set) continue;
                ++named;
                EXPECT_EQ(count(kept.nodes), 2u) << "killed at " << kills;
            }
            if (killed && named == (what == KeepAct::keep ? 1u : 0u)) break;  // only the last journal entry was missing
        }
        EXPECT_GT(kills, 2);
    };
    wholeOrNot(KeepAct::keep);
    wholeOrNot(KeepAct::remove);
    for (const KeptSet &part : listKept(host).value()) {
        EXPECT_EQ(runKeep(host, {.set = part.id, .act = KeepAct::restore}).outcome, "refused");
        EXPECT_EQ(runKeep(host, {.set = part.id, .act = KeepAct::remove}).outcome, "removed");
    }
    EXPECT_EQ(filesBelow(keptPlace()), 0u);
}

// Regression: a partial listing counted as complete, and only a part of a set was restored.
TEST_F(Keep, RestoresAndRemovesNothingIfTheListingIsIncomplete)
{
    ASSERT_EQ(act(KeepAct::keep).outcome, "kept");
    fs::permissions(host.directory(), fs::perms::all);
    fs::create_directory(keptPlace() + "/" + set + "/closed");
    fs::permissions(keptPlace() + "/" + set + "/closed", fs::perms::none);
    for (const char *node : {"n0", "n1"}) host.putBehind(node, {"setpriv", "--reuid=65534", "--clear-groups"});
    const std::size_t before = filesBelow(keptPlace());
    for (const KeepAct what : {KeepAct::restore, KeepAct::remove}) {
        const KeepReport report = act(what);
        EXPECT_EQ(report.outcome, "refused") << report.text;
        EXPECT_THAT(report.text, HasSubstr("/closed: "));
    }
    EXPECT_FALSE(listKept(host).has_value());
    EXPECT_EQ(filesBelow(keptPlace()), before);
}

// Regression: a restore failed if the target directory was missing, or if one of the files already existed.
TEST_F(Keep, RestoresAFolderThatRotationRemovedNextToRemainingFiles)
{
    ASSERT_EQ(act(KeepAct::keep).outcome, "kept");
    const KeepReport planned = runKeep(host, {.set = set, .act = KeepAct::restore, .dryRun = true});
    EXPECT_EQ(planned.outcome, "dry_run") << planned.text;
    for (const NodePlan &node : planned.plan.nodes) EXPECT_TRUE(node.files.empty()) << "all of it is there";
    const std::size_t before = filesBelow(host.file("job/ckpt"));
    fs::remove_all(host.file("job/ckpt/rank_1"));
    const std::size_t left = filesBelow(host.file("job/ckpt"));
    ASSERT_LT(left, before);
    const KeepReport restored = act(KeepAct::restore);
    ASSERT_EQ(restored.outcome, "restored") << restored.text;
    EXPECT_EQ(filesBelow(host.file("job/ckpt")), left + 1);
    EXPECT_TRUE(fs::exists(host.file("job/ckpt/rank_1")));
}

// Regression: the job state ignored the kept set, and there was nothing to resume from.
TEST_F(Keep, ResumePutsBackASetThatRotationRemoved)
{
    ASSERT_EQ(act(KeepAct::keep).outcome, "kept");
    for (const auto &entry : fs::recursive_directory_iterator(host.file("job/ckpt")))
        if (entry.is_regular_file()) fs::remove(entry.path());
    ASSERT_TRUE(host.waitFor([&] {
        const JobState view = host.view();
        return !view.checkpoints.find(set) && view.checkpoints.settled && view.kept->find(set) &&
               view.lostWork.fromKept;
    }));
    const auto code = [](FindingCode wanted) { return testing::Contains(testing::Field(&Finding::code, wanted)); };
    const ResumeReport refused = planResume(host, {.dryRun = true});
    EXPECT_EQ(refused.outcome, "refused");
    EXPECT_THAT(refused.preflight, code("no_valid_set"));
    EXPECT_THAT(refused.preflight, code("kept_set"));
    const ResumeReport planned = planResume(host, {.dryRun = true, .fixes = {"kept_set"}});
    EXPECT_EQ(planned.outcome, "dry_run") << planned.text;
    EXPECT_EQ(planned.set, set);
    EXPECT_THAT(planned.plan.nodes, testing::Not(testing::IsEmpty()));
    EXPECT_THAT(planned.plan.nodes.front().launches, testing::IsEmpty()) << "that plan is made from what is judged";
    const ResumeReport report = runResume(host, {.fixes = {"kept_set"}}, {});
    EXPECT_EQ(report.outcome, "proven") << report.text << host.read("job/logs/worker_0.log");
    EXPECT_EQ(report.set, set);
    EXPECT_TRUE(host.view().kept->find(set)) << "what is kept stays";
}

Listing keptListing(std::size_t node, const std::vector<std::string> &below)
{
    Listing listing{.root = "/ckpt.rankdeck-kept", .entries = {}};
    std::set<std::string> paths;
    for (const std::string &path : below)
        for (std::size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1))
            paths.insert(path.substr(0, end) + "/");
    paths.insert(below.begin(), below.end());
    for (std::string path : paths) {
        const bool folder = path.back() == '/';
        if (folder) path.pop_back();
        FileEntry entry{.path = listing.root + "/" + path, .stat = {}};
        entry.stat.kind = folder ? 'd' : 'f';
        entry.stat.size = 1000;
        entry.stat.inode = std::hash<std::string>()(path) + node;
        entry.stat.mtimeNs = 1'700'000'000'000'000'000;
        listing.entries.push_back(entry);
    }
    return listing;
}

class KeptPicture : public testing::Test {
protected:
    KeptPicture()
    {
        view.job.nodes = {{.name = "n0", .host = "local", .ranks = {0}}, {.name = "n1", .host = "local", .ranks = {1}}};
        view.job.checkpoints.path = "/ckpt/rank_{rank}";
        directories = keptDirectories(view.job);
    }
    void list(std::size_t node, const std::vector<std::string> &below)
    {
        directories.at(node).listing = std::make_shared<const Listing>(keptListing(node, below));
    }
    [[nodiscard]] KeptSets sets() const
    {
        return keptSetsOf(view, directories, {.worldSize = 2, .stepsPerEpoch = 10, .running = false});
    }
    JobState view;
    std::vector<KeptDirectory> directories;
};

TEST_F(KeptPicture, ShowsTheFilesOfEveryRankAndThePositionOfTheRun)
{
    list(0, {"0:2-5/rank_0/lenet-2_5.ckpt", "0:1-5/rank_0/lenet-1_5.ckpt"});
    list(1, {"0:2-5/rank_1/lenet-2_5.ckpt", "0:1-5/rank_1/lenet-1_5.ckpt"});
    const KeptSets kept = sets();
    EXPECT_EQ(kept.listing, KeptListing::listed);
    ASSERT_EQ(kept.sets.size(), 2u);
    EXPECT_EQ(kept.sets[0].id, "0:2-5") << "the newest first";
    EXPECT_EQ(kept.sets[0].position, 15);
    EXPECT_EQ(kept.sets[0].whole, Known::yes);
    EXPECT_EQ(bytesOf(kept.sets[0]), 2000u);
    EXPECT_EQ(keptText(kept.sets[0]), "15");
}

TEST_F(KeptPicture, TreatsUnlistedNodesAsUnknownAndMissingFilesAsIncomplete)
{
    list(0, {"0:2-5/rank_0/lenet-2_5.ckpt"});
    EXPECT_EQ(sets().listing, KeptListing::notYet);
    EXPECT_EQ(sets().problem, "n1 has not been listed yet");
    EXPECT_EQ(sets().sets.at(0).whole, Known::unknown);
    directories[1].listing = std::make_shared<const Listing>(
        Listing{.root = "/ckpt.rankdeck-kept", .entries = {}, .error = "Permission denied"});
    EXPECT_EQ(sets().listing, KeptListing::failed);
    EXPECT_EQ(sets().sets.at(0).whole, Known::unknown);
    directories[1].listing = std::make_shared<const Listing>(
        Listing{.root = "/ckpt.rankdeck-kept", .entries = {}, .error = "No such file or directory"});
    EXPECT_EQ(sets().listing, KeptListing::listed);
    EXPECT_EQ(sets().sets.at(0).whole, Known::no);
    EXPECT_THAT(sets().sets.at(0).problem, HasSubstr("rank 1 has no file"));
    EXPECT_EQ(keptBefore(view), nullptr);
}

TEST_F(KeptPicture, DoesNotListPartsOfAKilledConsoleAsASet)
{
    list(0, {"0:2-5.part-keep-1/rank_0/lenet-2_5.ckpt"});
    list(1, {"0:2-5.part-keep-1/rank_1/lenet-2_5.ckpt"});
    EXPECT_EQ(sets().sets.at(0).whole, Known::no);
}

TEST(KeptListing, ReportsATruncatedListingAsIncomplete)
{
    Listing listing;
    listing.entries = {{.path = "/ckpt.rankdeck-kept/1", .stat = {}}};
    EXPECT_TRUE(saysAll("n0", "/ckpt.rankdeck-kept", listing).has_value());
    listing.truncated = true;
    EXPECT_THAT(saysAll("n0", "/ckpt.rankdeck-kept", listing).error().message, HasSubstr("more than 1 entries"));
}

}  // namespace
}  // namespace rankdeck::keep_test
