// SPDX-License-Identifier: GPL-3.0-or-later
// A set that is kept: through the real probe, on real files.
#include "tests/core/engine/engine_fixture.h"
#include "tests/testbed/words.h"

#include <gmock/gmock.h>

#include <future>

namespace rankdeck::keep_test {
namespace {

using testing::HasSubstr;

class Keep : public EngineCheckpoints {
protected:
    KeepReport act(KeepAct act, const std::string &set, bool dryRun = false)
    {
        std::promise<KeepReport> told;
        m_engine->keep({.set = set, .act = act, .dryRun = dryRun},
                       [&](KeepReport report) { told.set_value(std::move(report)); });
        return told.get_future().get();
    }
    std::vector<std::string> kept()
    {
        std::vector<std::string> ids;
        const auto sets = m_engine->kept();
        EXPECT_TRUE(sets.has_value());
        for (const KeptSet &set : sets.value()) ids.push_back(set.id);
        return ids;
    }
    [[nodiscard]] std::string keptFile(int rank, const std::string &name) const
    {
        return m_directory + "/ckpt.rankdeck-kept/0:1-5/rank_" + std::to_string(rank) + "/" + name;
    }
    void start()
    {
        save("lenet-1_5.ckpt");
        save("lenet-1_10.ckpt");
        m_engine->start();
        ASSERT_TRUE(becomes("0:1-5", Verdict::valid));
        ASSERT_TRUE(becomes("0:1-10", Verdict::valid));
    }
};

TEST_F(Keep, KeptSetSurvivesRotationAndCanBePutBack)
{
    start();
    const KeepReport planned = act(KeepAct::keep, "0:1-5", true);
    EXPECT_EQ(planned.outcome, "dry_run");
    EXPECT_FALSE(std::filesystem::exists(keptFile(0, "lenet-1_5.ckpt"))) << "nothing is done";
    const KeepReport report = act(KeepAct::keep, "0:1-5");
    ASSERT_EQ(report.outcome, "kept") << report.text;
    EXPECT_EQ(report.nodes.at(0).paths, planned.nodes.at(0).paths);
    EXPECT_EQ(kept(), std::vector<std::string>{"0:1-5"});
    EXPECT_TRUE(waitFor(*m_engine, [](const Snapshot &s) {
        const KeptSet *set = s.view.kept->find("0:1-5");
        return set && set->whole.isYes() && set->position == 5;
    })) << "the shared picture knows it";
    EXPECT_EQ(m_engine->snapshot()->view.kept->listing, KeptListing::listed);
    EXPECT_EQ(std::filesystem::hard_link_count(keptFile(1, "lenet-1_5.ckpt")), 2u) << "no disk is taken twice";
    for (const int rank : {0, 1}) std::filesystem::remove(directory(rank) + "/lenet-1_5.ckpt");
    EXPECT_TRUE(waitFor(*m_engine, [](const Snapshot &s) { return s.view.checkpoints.find("0:1-5") == nullptr; }))
        << "what is kept is no set of the run";
    EXPECT_EQ(act(KeepAct::restore, "0:1-5").outcome, "restored");
    EXPECT_TRUE(becomes("0:1-5", Verdict::valid));
    EXPECT_EQ(act(KeepAct::remove, "0:1-5").outcome, "removed");
    EXPECT_TRUE(kept().empty());
    EXPECT_TRUE(waitFor(*m_engine, [](const Snapshot &s) { return s.view.kept->sets.empty(); }));
    EXPECT_TRUE(std::filesystem::exists(directory(0) + "/lenet-1_5.ckpt"));
}

TEST_F(Keep, KeepsASetOnAllRanksOrOnNone)
{
    start();
    std::filesystem::create_directories(m_directory + "/ckpt.rankdeck-kept/0:1-5/rank_1");
    const KeepReport report = act(KeepAct::keep, "0:1-5");
    EXPECT_EQ(report.outcome, "failed");
    EXPECT_FALSE(std::filesystem::exists(keptFile(0, "lenet-1_5.ckpt")));
    EXPECT_TRUE(std::filesystem::exists(m_directory + "/ckpt.rankdeck-kept/0:1-5/rank_1")) << "another's is left";
}

TEST_F(Keep, KeepsOnlySetsThatCanBeResumed)
{
    start();
    std::filesystem::remove(directory(1) + "/lenet-1_10.ckpt");
    ASSERT_TRUE(becomes("0:1-10", Verdict::incomplete));
    EXPECT_THAT(act(KeepAct::keep, "0:1-10").text,
                testing::AllOf(HasSubstr("Set 0:1-10 is INCOMPLETE: "), HasSubstr(". Expected a complete set")));
    EXPECT_EQ(act(KeepAct::keep, "0:9-9").outcome, "refused");
    EXPECT_EQ(act(KeepAct::remove, "0:1-5").outcome, "refused") << "it is not kept";
}

}  // namespace
}  // namespace rankdeck::keep_test
