// SPDX-License-Identifier: GPL-3.0-or-later
// So many sets that two threads share them, with a fault of each kind. The verdicts are equal to those of each set
// alone.
#include "tests/core/verdict/corpus.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace rankdeck::many_sets_test {
namespace {

using test::states;
using test::summary;

constexpr int ranks = 256, sets = 100;

struct Many {
    Inventory inventory;
    std::vector<EvidencePtr> evidence;  // parallel to its members

    void fill()
    {
        std::vector<TensorInfo> tensors;
        for (int i = 0; i < 12; ++i) tensors.push_back({"layer." + std::to_string(i), "Float32", {4, 4}, 64, 0});
        const TensorList whole(tensors);
        tensors.resize(9);
        const TensorList cut(tensors);
        for (int rank = 0; rank < ranks; ++rank)
            for (int set = 1; set <= sets; ++set)
                if (set % 7 != 0 || rank != set) add(rank, set, set % 11 == 0 && rank == set + 1 ? cut : whole);
        inventory.worldSizeFromDirectories = ranks;
    }

    void add(int rank, int set, const TensorList &tensors)
    {
        Member member;
        member.rank = rank;
        member.node = "n0";
        member.file.path = "/c/rank_" + std::to_string(rank) + "/net-1_" + std::to_string(set) + ".ckpt";
        member.file.stat.size = set % 13 == 0 && rank == 200 ? 0 : 1000;
        member.file.stat.mtimeNs = test::epoch0 + 60 * test::second * set + rank;
        member.name.prefix = "net";
        member.name.epoch = 1;
        member.name.step = set;
        Evidence known;
        known.stat = member.file.stat;
        known.format = Format::mindsporeCkpt;
        known.level = EvidenceLevel::L3;
        known.complete = true;
        known.tensors = tensors;
        const int said = set % 17 == 0 && rank == 3 ? set + 1 : set;
        known.meta = {{"epoch_num", "1"}, {"step_num", std::to_string(said)}};
        if (set % 19 == 0 && rank == 130) known.meta["cur_rank"] = "131";
        const bool unread = set % 23 == 0;
        evidence.push_back(std::make_shared<const Evidence>(unread ? Evidence{} : std::move(known)));
        inventory.members.push_back(std::move(member));
    }

    [[nodiscard]] Many only(std::int64_t step) const
    {
        Many out;
        out.inventory.worldSizeFromDirectories = ranks;
        for (std::size_t i = 0; i < inventory.members.size(); ++i) {
            if (inventory.members[i].name.step != step) continue;
            out.inventory.members.push_back(inventory.members[i]);
            out.evidence.push_back(evidence[i]);
        }
        return out;
    }

    [[nodiscard]] CheckpointReport judged() const
    {
        Expectation expected;
        expected.running = false;
        expected.now = wallFromNs(test::epoch0 + 100'000 * test::second);
        const Member *first = inventory.members.data();
        return judge(
            inventory, [&, first](const Member &member) { return evidence[std::size_t(&member - first)]; }, expected);
    }
};

std::string everything(const CheckpointSet &set)
{
    std::string text = summary(set) + "\n" + states(set) + "\n";
    for (const Reason &reason : set.reasons) text += reason.text + "\n";
    for (const MemberVerdict &member : set.members) text += member.path + " " + member.note + "\n";
    return text;
}

TEST(ManySets, HaveTheSameVerdictsOnTwoThreadsAsJudgedAlone)
{
    Many many;
    many.fill();
    ASSERT_GT(many.inventory.members.size(), 20'000u);
    const CheckpointReport report = many.judged();
    ASSERT_EQ(report.sets.size(), std::size_t(sets));
    std::set<Verdict> seen;
    for (const CheckpointSet &set : report.sets) {
        const CheckpointReport alone = many.only(*set.step).judged();
        ASSERT_EQ(alone.sets.size(), 1u);
        EXPECT_EQ(everything(set), everything(alone.sets.front()));
        seen.insert(set.verdict);
    }
    EXPECT_EQ(seen, (std::set{Verdict::valid, Verdict::incomplete, Verdict::inconsistent, Verdict::corrupt,
                              Verdict::unknown}));
    const CheckpointReport again = many.judged();
    for (std::size_t i = 0; i < report.sets.size(); ++i)
        EXPECT_EQ(everything(report.sets[i]), everything(again.sets[i]));
}

// The next member to read is found in the inventory, wherever its set is.
TEST(ManySets, UnreadMembersBelongToTheSet)
{
    Many many;
    many.fill();
    const CheckpointReport report = many.judged();
    const Member *first = many.inventory.members.data();
    const CheckpointSet *set = report.find("0:1-23");
    ASSERT_NE(set, nullptr);
    const std::vector<Member> unread =
        unreadMembers(*set, many.inventory, [&](const Member &m) { return many.evidence[std::size_t(&m - first)]; });
    ASSERT_EQ(unread.size(), std::size_t(ranks));
    for (int rank = 0; rank < ranks; ++rank)
        EXPECT_EQ(unread[std::size_t(rank)].file.path, "/c/rank_" + std::to_string(rank) + "/net-1_23.ckpt");
}

// All sets are judged again after each round of reads. A few rounds read everything, whether the newest set is VALID or
// no set is. This is also true if all sets contain one old step, whatever their names say.
TEST(ManySets, AreReadInFewRounds)
{
    constexpr int files = 600;
    enum class Kind { valid, torn, ofOneStep };
    for (const Kind kind : {Kind::valid, Kind::torn, Kind::ofOneStep}) {
        Many many;
        for (int set = 1; set <= files; ++set)
            if (set % 7 != 0 && set % 23 != 0) many.add(0, set, TensorList({{"w", "Float32", {2}, 8, 0}}));
        many.inventory.worldSizeFromDirectories = 1;
        std::vector<EvidencePtr> onDisk = std::exchange(many.evidence, {});
        for (EvidencePtr &file : onDisk) {
            many.evidence.push_back(std::make_shared<const Evidence>());
            Evidence changed = *file;
            if (kind == Kind::torn) changed.complete = false, changed.problems.push_back({"torn", 0, "cut"});
            if (kind == Kind::ofOneStep) changed.meta = {{"global_step", "30"}};
            file = std::make_shared<const Evidence>(std::move(changed));
        }
        for (std::size_t i = 0; i < onDisk.size(); ++i) {
            Member &member = many.inventory.members[i];
            if (kind == Kind::ofOneStep) member.name.globalStep = std::exchange(member.name.step, {});
            member.file.stat.inode = i;
        }
        const auto known = [&](const Member &member) { return many.evidence[member.file.stat.inode]; };
        std::vector<Member> wanted;
        int rounds = 0;
        do {
            wanted = nextToRead(many.inventory, many.judged(), known);
            for (const Member &member : wanted) many.evidence[member.file.stat.inode] = onDisk[member.file.stat.inode];
        } while (!wanted.empty() && ++rounds < files);
        EXPECT_LT(rounds, 30);
        EXPECT_EQ(many.evidence, onDisk);
    }
}

}  // namespace
}  // namespace rankdeck::many_sets_test
