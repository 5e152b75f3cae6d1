// SPDX-License-Identifier: GPL-3.0-or-later
// Sets that are kept beside the checkpoints: on a disk that two nodes see, and where a directory does not say all.
#include "core/checkpoint/inventory/inventory.h"
#include "core/recover/forwarding_context.h"
#include "core/recover/keep/keep.h"
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace rankdeck {
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
    // Both nodes see all files of the job; the job file does not say that they share them.
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

// Before: each node made the same directories, so that keeping failed; what was kept was counted by each, and taken away twice.
TEST_F(Keep, OnADiskThatTwoNodesSeeIsOneCopyCountedOnceAndRemovedOnce)
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
    for (const KeptFiles &node : kept.nodes)  // rotation takes the originals
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

// Ends the act at its n-th question to a node, with nothing cleaned up.
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

// Before: a console that was killed between two files left a set that was listed as kept, without all of its ranks.
TEST_F(Keep, WhereverItIsKilledWhatIsListedIsWhole)
{
    const auto wholeOrNot = [&](KeepAct what) {
        int kills = 0;
        for (bool killed = true; killed; ++kills) {
            Dying console(host, kills + 1);
            killed = false;
            try {
                const KeepReport report = runKeep(console, {.set = set, .act = what});
                EXPECT_EQ(report.outcome, what == KeepAct::keep ? "kept" : "removed") << report.text;
            } catch (const Killed &) {
                killed = true;
            }
            std::size_t named = 0;
            for (const KeptSet &kept : listKept(host).value()) {
                if (kept.id != set) continue;
                ++named;
                EXPECT_EQ(count(kept.nodes), 2u) << "killed at " << kills;
            }
            if (killed && named == (what == KeepAct::keep ? 1u : 0u)) break;  // only its end was missing
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

// Before: what had been listed counted as all there is, and a set was restored in part.
TEST_F(Keep, WhereNotAllCanBeListedNothingIsRestoredOrRemoved)
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

TEST(KeptListing, ThatWasCutShortSaysNotAll)
{
    Listing listing;
    listing.entries = {{.path = "/ckpt.rankdeck-kept/1", .stat = {}}};
    EXPECT_TRUE(saysAll("n0", "/ckpt.rankdeck-kept", listing).has_value());
    listing.truncated = true;
    EXPECT_THAT(saysAll("n0", "/ckpt.rankdeck-kept", listing).error().message, HasSubstr("more than 1 entries"));
}

}  // namespace
}  // namespace rankdeck
