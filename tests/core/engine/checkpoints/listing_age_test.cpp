// SPDX-License-Identifier: GPL-3.0-or-later
// A healthy run, seen through listings that come late, in any order, or not at all. Files that could not be listed are
// unknown, never missing.
#include "core/checkpoint/inventory/inventory.h"
#include "core/engine/checkpoints/whole_sets.h"
#include "tests/testbed/races.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace rankdeck::listing_age_test {
namespace {

constexpr int ranks = 6, nodes = 2;

struct Saved {
    std::int64_t step;
    double at;    // seconds since the start
    double gone;  // time of removal by retention
};

// The true state: the files that each rank has saved, with their times.
class HealthyRun {
public:
    explicit HealthyRun(unsigned seed) : HealthyRun(seed, 5, 4, 25, 400) {}
    HealthyRun(unsigned seed, std::size_t kept, double shortestPause, double longestPause, double seconds)
        : m_random(seed), m_files(ranks)
    {
        m_job.name = "net";
        m_job.worldSize = ranks;
        m_job.checkpoints = {.path = "/c/rank_{rank}", .prefix = "net"};
        for (int node = 0; node < nodes; ++node) {
            NodeSpec spec{.name = "n" + std::to_string(node), .host = "local"};
            for (int rank = node; rank < ranks; rank += nodes) spec.ranks.push_back(rank);
            m_job.nodes.push_back(spec);
            m_skew.push_back(between(-7200, 7200));
        }
        m_job.index();
        const double pause = between(shortestPause, longestPause), stagger = std::min(8.0, pause / 2);
        for (std::int64_t step = 20; m_end < seconds; step += 20) {
            const double at = m_end + pause;
            for (auto &files : m_files) {
                const double own = at + between(0, stagger);
                if (files.size() >= kept) files[files.size() - kept].gone = own + between(0, 0.5);
                files.push_back({step, own, 1e18});
                m_end = std::max(m_end, own);
            }
        }
    }

    double between(double low, double high) { return std::uniform_real_distribution<>(low, high)(m_random); }
    [[nodiscard]] const Job &job() const { return m_job; }
    [[nodiscard]] double end() const { return m_end + 1; }  // when its ranks exit

    // The result of listing the directories of a node at that time.
    [[nodiscard]] NodeListing look(int node, double at) const
    {
        Listing listing{.root = "/c", .entries = {}};
        for (const int rank : m_job.nodes[std::size_t(node)].ranks)
            for (const Saved &file : m_files[std::size_t(rank)]) {
                if (file.at > at || file.gone <= at) continue;
                FileEntry entry;
                entry.path = "/c/rank_" + std::to_string(rank) + "/net-1_" + std::to_string(file.step) + ".ckpt";
                entry.stat.size = 1000;
                entry.stat.mtimeNs = nanoseconds(file.at + m_skew[std::size_t(node)]);
                entry.stat.mode = 0400;
                listing.entries.push_back(entry);
            }
        NodeListing told(m_job.nodes[std::size_t(node)].name, listing);
        told.asOf = wallFromNs(nanoseconds(at));
        told.clockSkew = m_skew[std::size_t(node)];
        return told;
    }

    // True if all ranks have their file of that step at this time.
    [[nodiscard]] bool isWhole(std::int64_t step, double at) const
    {
        return std::all_of(m_files.begin(), m_files.end(), [&](const std::vector<Saved> &files) {
            return std::any_of(files.begin(), files.end(),
                               [&](const Saved &file) { return file.step == step && file.at <= at && file.gone > at; });
        });
    }
    [[nodiscard]] bool anyIsGone(std::int64_t step, double at) const
    {
        return std::any_of(m_files.begin(), m_files.end(), [&](const std::vector<Saved> &files) {
            return std::any_of(files.begin(), files.end(),
                               [&](const Saved &file) { return file.step == step && file.gone <= at; });
        });
    }
    static std::int64_t nanoseconds(double seconds) { return 1'700'000'000'000'000'000 + std::int64_t(seconds * 1e9); }

private:
    std::mt19937 m_random;
    Job m_job;
    std::vector<double> m_skew;
    std::vector<std::vector<Saved>> m_files;
    double m_end = 0;
};

EvidencePtr wholeFile(const Member &member)
{
    Evidence known;
    known.stat = member.file.stat;
    known.format = Format::mindsporeCkpt;
    known.level = EvidenceLevel::L3;
    known.complete = true;
    known.tensors = TensorList({{"layer.0", "Float32", {4, 4}, 64, 0}});
    known.meta = {{"epoch_num", "1"}, {"step_num", std::to_string(member.name.step.value_or(0))}};
    return std::make_shared<const Evidence>(std::move(known));
}

// The console: listings reach it late or never, and it has none from before it started.
class Seen {
public:
    explicit Seen(HealthyRun &run, double began = 0) : m_run(run)
    {
        for (int node = 0; node < nodes; ++node) {
            double at = 0, quiet = 0;
            while (at < run.end() + 120) {
                at += quiet > 0 ? 0.75 : run.between(0.75, 4);
                if (run.between(0, 1) < 0.01) at += run.between(20, 160);  // the link was lost
                quiet = run.between(0, 1) < 0.1 ? run.between(5, 14) : quiet - 0.75;
                if (at >= began) m_arrivals.push_back({at + std::max(0.0, quiet), node, at});
            }
        }
        std::sort(m_arrivals.begin(), m_arrivals.end(),
                  [](const Arrival &a, const Arrival &b) { return a.when < b.when; });
    }

    void watch()
    {
        std::vector<std::optional<NodeListing>> newest(nodes);
        for (const Arrival &arrival : m_arrivals) {
            const NodeListing listing = m_run.look(arrival.node, arrival.asOf);
            auto &own = newest[std::size_t(arrival.node)];
            if (!own || *own->asOf < *listing.asOf) own.emplace(listing);
            judgeAt(arrival.when, newest);
            if (testing::Test::HasFailure()) return;
        }
        EXPECT_GT(m_valid, 100) << "the newest set of the end is VALID";
    }

private:
    struct Arrival {
        double when;
        int node;
        double asOf;
    };

    void judgeAt(double now, const std::vector<std::optional<NodeListing>> &newest)
    {
        std::vector<NodeListing> listings;
        for (const auto &one : newest)
            if (one) listings.push_back(*one);
        const Inventory inventory = buildInventory(m_run.job(), listings);
        Expectation expected;
        expected.worldSize = ranks;
        expected.now = wallFromNs(HealthyRun::nanoseconds(now));
        expected.running = now < m_run.end() + 2;  // the end is reported late, too
        if (!expected.running) expected.ranUntil = wallFromNs(HealthyRun::nanoseconds(m_run.end() + 2));
        expected.completeBefore = m_whole.before(inventory);
        const CheckpointReport report = judge(inventory, wholeFile, expected);
        m_whole.remember(report);
        for (const CheckpointSet &set : report.sets) check(set, now);
        const CheckpointSet *valid = report.newestValid();
        if (m_valid > 0 && m_run.isWhole(m_valid, now)) {
            EXPECT_TRUE(valid && valid->step.value_or(0) >= m_valid) << "at " << now << ": " << m_valid << " went back";
        }
        m_valid = valid ? valid->step.value_or(0) : m_valid;
    }

    void check(const CheckpointSet &set, double now) const
    {
        const std::string what = set.id + " " + verdictName(set.verdict) + " at " + std::to_string(now);
        EXPECT_NE(set.verdict, Verdict::corrupt) << what;
        EXPECT_NE(set.verdict, Verdict::inconsistent) << what;
        if (set.verdict == Verdict::incomplete) {
            EXPECT_TRUE(set.reasons.front().code == "pruned") << what << ": " << set.reasons.front().text;
            EXPECT_TRUE(m_run.anyIsGone(set.step.value_or(0), now)) << what;
        }
    }

    HealthyRun &m_run;
    std::vector<Arrival> m_arrivals;
    WholeSets m_whole;
    std::int64_t m_valid = 0;
};

TEST(ListingAge, HealthyRunIsNeverReportedAsIncomplete)
{
    for (unsigned seed = 1; seed <= propertyRounds(15) && !HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        HealthyRun run(seed);
        Seen(run).watch();
    }
}

// Retention removes files rank by rank during a listing, and this console does not know which sets were complete
// before.
TEST(ListingAge, HealthyRunIsNeverReportedAsIncompleteByALateConsole)
{
    for (unsigned seed = 1; seed <= propertyRounds(4) && !HasFailure(); ++seed) {
        HealthyRun run(seed, 25, 0.7, 2, 100);
        const double began = run.between(0, run.end());
        SCOPED_TRACE("seed " + std::to_string(seed) + ", from " + std::to_string(began));
        Seen(run, began).watch();
    }
}

class OneSave : public testing::Test {
protected:
    // Node 1 is listed repeatedly, node 0 only up to a given time.
    CheckpointReport judged(double now, double other, bool running)
    {
        const Inventory inventory = buildInventory(m_run.job(), {m_run.look(0, other), m_run.look(1, now)});
        Expectation expected;
        expected.worldSize = ranks;
        expected.now = wallFromNs(HealthyRun::nanoseconds(now));
        expected.running = running;
        return judge(inventory, wholeFile, expected);
    }
    HealthyRun m_run{7};
};

TEST_F(OneSave, UnlistedNodeMakesTheSetUnknownAndTheReasonShowsSinceWhen)
{
    const double late = m_run.end(), lost = late - 60;
    const CheckpointReport report = judged(late + 30, lost, true);
    ASSERT_FALSE(report.sets.empty());
    const CheckpointSet &newest = report.sets.front();
    EXPECT_EQ(newest.verdict, Verdict::unknown);
    EXPECT_EQ(newest.reasons.front().code, ReasonCode("not_listed"));
    EXPECT_EQ(newest.reasons.front().text,
              "rank 0 is unknown: n0 not listed since " + clockTime(wallFromNs(HealthyRun::nanoseconds(lost))));
    EXPECT_EQ(newest.members.front().state, MemberState::unread);
    EXPECT_EQ(report.unlistedNodes, std::vector<std::string>{"n0"});
    EXPECT_THAT(report.recommendedText, testing::HasSubstr("n0 not listed since"));
}

TEST(ListingAge, ReportsAFileMissingLongAfterTheOthersWereSaved)
{
    HealthyRun run(7);
    const double late = run.end();
    NodeListing without = run.look(0, late - 60);
    without.asOf = wallFromNs(HealthyRun::nanoseconds(late + 60));
    const Inventory inventory = buildInventory(run.job(), {without, run.look(1, late + 60)});
    Expectation expected;
    expected.worldSize = ranks;
    expected.now = wallFromNs(HealthyRun::nanoseconds(late + 60));
    EXPECT_EQ(judge(inventory, wholeFile, expected).sets.front().verdict, Verdict::incomplete);
    expected.moving = {judge(inventory, wholeFile, expected).sets.front().id};
    EXPECT_EQ(judge(inventory, wholeFile, expected).sets.front().verdict, Verdict::unknown)
        << "a plan is moving its files";
}

// A node whose clock is wrong by hours saves at the same time as the others.
TEST(NodeClocks, DifferentNodeClocksDoNotSplitSetsOrPutThemInTheFuture)
{
    for (const double skew : {-10800.0, 10800.0}) {
        Job job;
        job.name = "net";
        job.worldSize = 2;
        job.checkpoints = {.path = "/c/rank_{rank}", .prefix = "net"};
        job.nodes = {{.name = "n0", .host = "local", .ranks = {0}}, {.name = "n1", .host = "local", .ranks = {1}}};
        job.index();
        std::vector<NodeListing> listings;
        for (const int rank : {0, 1}) {
            const double ahead = rank == 1 ? skew : 0;
            Listing listing{.root = "/c", .entries = {}};
            for (const auto &[step, at] : {std::pair(20, 100.0), std::pair(220, 1100.0)}) {
                FileEntry entry;
                entry.path = "/c/rank_" + std::to_string(rank) + "/net-1_" + std::to_string(step) + ".ckpt";
                entry.stat.size = 1000;
                entry.stat.mtimeNs = HealthyRun::nanoseconds(at + ahead);
                entry.stat.mode = 0400;
                listing.entries.push_back(entry);
            }
            NodeListing told(job.nodes[std::size_t(rank)].name, listing);
            told.clockSkew = ahead;
            listings.push_back(told);
        }
        Expectation expected;
        expected.worldSize = 2;
        expected.now = wallFromNs(HealthyRun::nanoseconds(1200));
        expected.attempts = {{0, wallFromNs(HealthyRun::nanoseconds(0)), 0},
                             {1, wallFromNs(HealthyRun::nanoseconds(1000)), 0}};
        const CheckpointReport report = judge(buildInventory(job, listings), wholeFile, expected);
        ASSERT_EQ(report.sets.size(), 2u) << skew;
        for (const CheckpointSet &set : report.sets) {
            EXPECT_EQ(set.attempt, set.step == 220 ? 1 : 0);
            EXPECT_EQ(set.verdict, Verdict::valid) << (set.reasons.empty() ? "" : set.reasons.front().text);
            EXPECT_EQ(set.time, wallFromNs(HealthyRun::nanoseconds(set.step == 220 ? 1100 : 100)));
            EXPECT_THAT(set.reasons,
                        testing::Each(testing::Field(&Reason::code, testing::Ne(ReasonCode("future_time")))));
        }
    }
}

}  // namespace
}  // namespace rankdeck::listing_age_test
