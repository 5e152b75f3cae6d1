// SPDX-License-Identifier: GPL-3.0-or-later
// A stored plan contains no value of any environment, for every recipe and every source of the value.
#include "core/recover/plan/plan_secrets.h"

#include "core/recover/launch/recipe.h"
#include "core/recover/plan/plan_json.h"
#include "core/recover/resume/resume_plan.h"
#include "tests/core/recover/resume/checks/facts_of_a_resume.h"

#include <gtest/gtest.h>

namespace rankdeck::plan_secrets_test {
namespace {

const std::string inJob = "planted-1 '\"\\$x", onNode = "planted-2 a'b", inManifest = "planted-3", ofInit = "planted-4";

const std::string vcjob = R"(apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: lenet}
spec:
  tasks:
  - name: worker
    replicas: 2
    template:
      spec:
        initContainers:
        - {name: fetch, image: "a:1", env: [{name: HF_TOKEN, value: planted-4}]}
        containers:
        - name: train
          image: "train:1"
          env: [{name: WANDB_API_KEY, value: planted-3}, {name: FROM, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]
          volumeMounts: [{mountPath: /job, name: job}]
        volumes: [{name: job, hostPath: {path: /job}}]
)";

class PlanOfARecipe : public FactsOfAResume, public testing::WithParamInterface<std::string> {
protected:
    PlanOfARecipe()
    {
        Job &job = view.job;
        job.launch.recipe = GetParam();
        job.launch.masterAddr = "10.0.0.1";
        job.launch.env = {{"MY_API_KEY", inJob}, {"MY_SETTING", inJob + " as well"}};
        job.nodes[1].env = {{"NODE_TOKEN", onNode}};
        job.launch.volcano.image = "train:1";
        job.launch.volcano.mounts = {{"/job", "hostPath:/job"}};
    }
    void expectHidden(const ResumeFacts &facts)
    {
        const Plan plan = resumePlan(facts);
        ASSERT_FALSE(plan.nodes.empty());
        ASSERT_FALSE(plan.nodes.front().launches.empty()) << testing::PrintToString(refusals(facts));
        EXPECT_FALSE(contains(planToJson(withoutSecrets(plan)), "planted"));
        EXPECT_FALSE(contains(planAsScript(plan), "planted"));
        const Secrets secrets = secretsOf(plan);
        for (const NodePlan &node : plan.nodes)
            for (const FileEdit &edit : node.edits) {
                EXPECT_EQ(contains(edit.after, "planted"), !secrets.namesIn(edit.after).empty()) << edit.path;
            }
    }
};

TEST_P(PlanOfARecipe, ContainsNoEnvironmentValues) { expectHidden(facts()); }

TEST_P(PlanOfARecipe, ContainsNoManifestValues)
{
    view.job.launch.volcano.file = "/job/train.yaml";
    ResumeFacts made = facts();
    made.layout = layoutOf(made.view, made.choice, made.book, {}, made.id, Result<std::string>(vcjob));
    expectHidden(made);
    if (GetParam() != "volcano") return;
    const std::string whole = planToJson(resumePlan(made));
    EXPECT_TRUE(contains(whole, inManifest) && contains(whole, ofInit));
}

INSTANTIATE_TEST_SUITE_P(Recipes, PlanOfARecipe, testing::ValuesIn(recipeNames()),
                         [](const auto &one) { return one.param; });

}  // namespace
}  // namespace rankdeck::plan_secrets_test
