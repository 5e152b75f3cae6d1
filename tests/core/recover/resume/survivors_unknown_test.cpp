// SPDX-License-Identifier: GPL-3.0-or-later
// A node that does not say what runs there is no node where nothing runs.
#include "core/recover/resume/checks/resume_checks.h"
#include "tests/testbed/engine/engine_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck {
namespace {

std::map<std::string, Finding::Result> unknownOn(const std::vector<Finding> &findings)
{
    std::map<std::string, Finding::Result> nodes;
    for (const Finding &finding : findings)
        if (finding.code == "survivors_unknown") nodes[finding.node] = finding.result;
    return nodes;
}

TEST(SurvivorsUnknown, IsARefusalThatOnlyItsOwnWordOverrides)
{
    using ::testing::ElementsAre;
    using ::testing::Pair;
    ProcessSnapshot picture;
    picture.nodes["n0"].problem = fail(ErrorKind::timeout, "no answer in time");
    picture.nodes["n1"].problem = fail(ErrorKind::unreachable, "it is away");  // a finding of the node's own
    SurvivorFacts facts;
    facts.unasked["n2"] = "no answer in time";
    EXPECT_THAT(unknownOn(survivorFindings(facts, picture, {}, {})),
                ElementsAre(Pair("n0", Finding::Result::refuse), Pair("n2", Finding::Result::refuse)));
    EXPECT_THAT(unknownOn(survivorFindings(facts, picture, {}, {.fixes = {"all"}})),
                ElementsAre(Pair("n0", Finding::Result::refuse), Pair("n2", Finding::Result::refuse)));
    EXPECT_THAT(unknownOn(survivorFindings(facts, picture, {}, {.fixes = {"survivors_unknown"}})),
                ElementsAre(Pair("n0", Finding::Result::warn), Pair("n2", Finding::Result::warn)));
    EXPECT_TRUE(unknownOn(survivorFindings({}, {}, {}, {})).empty());
}

// Before: the question for other jobs on the same paths was dropped when its answer did not come.
TEST(SurvivorsUnknown, AnAnswerThatDoesNotComeIsToldForItsNode)
{
    EngineHost host({{0}, {1}}, "command");
    host.catchUp();
    const SteadyTime over = std::chrono::steady_clock::now() - std::chrono::seconds(1);
    const SurvivorFacts late = readSurvivors(host, host.view(), {}, {}, over);
    EXPECT_THAT(unknownOn(survivorFindings(late, {}, {}, {})), testing::SizeIs(2));
    const SurvivorFacts known =
        readSurvivors(host, host.view(), {}, {}, std::chrono::steady_clock::now() + std::chrono::seconds(60));
    EXPECT_TRUE(known.unasked.empty());
}

}  // namespace
}  // namespace rankdeck
