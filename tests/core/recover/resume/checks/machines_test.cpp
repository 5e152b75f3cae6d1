// SPDX-License-Identifier: GPL-3.0-or-later
// Facts of a scheduler about the machines, before a resume. tests/kubernetes/says_test.py tests them on a real cluster.
#include "core/recover/resume/checks/resume_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::machines_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

SchedulerState kubernetes(std::vector<SchedulerAnswer> answers)
{
    return {.kind = SchedulerKind::kubernetes, .job = "lenet", .answers = std::move(answers)};
}

SchedulerAnswer machines(std::vector<SchedulerFact> facts, const std::string &problem = {})
{
    return {.question = "machines", .facts = std::move(facts), .asOf = WallTime{}, .problem = problem};
}

std::vector<std::string> said(SchedulerState state)
{
    ResumeFacts facts;
    facts.view.job.nodes = {{.name = "n0", .host = "k8s:vcjob/lenet-worker-0", .ranks = {0, 1, 2, 3, 4, 5, 6, 7}},
                            {.name = "n1", .host = "k8s:vcjob/lenet-worker-1", .ranks = {8}}};
    facts.scheduler = std::move(state);
    Findings findings;
    checkMachines(findings, facts);
    std::vector<std::string> lines;
    for (const Finding &finding : findings) {
        EXPECT_EQ(finding.result, Finding::Result::warn) << "the scheduler chooses, and may know better";
        lines.push_back(std::string(finding.code.word()) + " " + finding.node + ": " + finding.text);
    }
    return lines;
}

TEST(MachinesBeforeAResume, NamesAnUnhealthyDeviceWithTheRanksThatRanThere)
{
    const SchedulerFact device{.code = SchedulerFactCode::deviceUnhealthy,
                               .text = "machine worker-3 has unhealthy devices: Ascend910-1",
                               .node = "n0"};
    const SchedulerFact taken{.code = SchedulerFactCode::deviceUnhealthy,
                              .text =
                                  "machine worker-3 has 8 of huawei.com/Ascend910, of which its plugin offers pods 7",
                              .node = "n0"};
    EXPECT_THAT(said(kubernetes({machines({device, taken})})),
                ElementsAre("device_unhealthy n0: " + device.text + "; " + taken.text +
                            "; 8 ranks of the job ran there, and every rank needs a healthy device"));
}

TEST(MachinesBeforeAResume, NamesAClosedMachineForEachOfItsNodes)
{
    const std::string cordoned = "machine worker-3 is closed to new pods (cordoned)";
    EXPECT_THAT(said(kubernetes({machines(
                    {{.code = SchedulerFactCode::nodeTrouble, .text = cordoned, .node = "n0, n1"},
                     {.code = SchedulerFactCode::nodeTrouble, .text = "machine x is not Ready", .node = ""}})})),
                ElementsAre("machine_trouble : machine x is not Ready",
                            "machine_trouble : " + cordoned + "; 9 ranks of the job ran there"));
}

TEST(MachinesBeforeAResume, MachineWithoutAnAnswerIsReportedAsUnknown)
{
    EXPECT_THAT(said(kubernetes({})), ElementsAre(HasSubstr("machine_trouble : cannot get the state")));
    EXPECT_THAT(said(kubernetes({machines({}, "this login may not do that")})),
                ElementsAre(HasSubstr("from Kubernetes: machines: this login may not do that")));
    // The round ended before the question about machines.
    EXPECT_THAT(said(kubernetes({{.question = "pods", .problem = "the API server does not answer"}})),
                ElementsAre(HasSubstr("from Kubernetes: pods: the API server does not answer")));
    // The earlier answer is still the best knowledge, and the finding says that it is old.
    EXPECT_THAT(
        said(kubernetes({machines({{.code = SchedulerFactCode::nodeTrouble, .text = "t", .node = "n1"}}, "p")})),
        ElementsAre("machine_trouble n1: t; 1 rank of the job ran there",
                    HasSubstr("devices from Kubernetes: machines: p")));
}

TEST(MachinesBeforeAResume, ReportsNothingForHealthyMachinesAndOtherProblems)
{
    EXPECT_THAT(said({}), IsEmpty());
    EXPECT_THAT(said(kubernetes({machines({}), {.question = "recorded faults", .problem = "no JSON"}})), IsEmpty());
    EXPECT_THAT(
        said(kubernetes({{.question = "vcjob",
                          .facts = {{.code = SchedulerFactCode::jobState, .text = "vcjob lenet is Aborted"}}}})),
        IsEmpty());
}

}  // namespace
}  // namespace rankdeck::machines_test
