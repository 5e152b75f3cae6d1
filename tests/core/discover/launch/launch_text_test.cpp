// SPDX-License-Identifier: GPL-3.0-or-later
// Converts text that an operator has for starting a job to the section "launch": shell lines, batch scripts, a vcjob.
#include "core/discover/launch/launch_text.h"

#include "core/job/job_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::launch_text_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

LaunchText taken(const std::string &text)
{
    const auto launch = launchOfText(text);
    EXPECT_TRUE(launch.has_value()) << text << ": " << (launch ? "" : launch.error().message);
    return launch ? *launch : LaunchText{};
}

TEST(LaunchText, ReadsAnMsrunCommandLine)
{
    const LaunchText text =
        taken("cd /job && MS_ENABLE_GRACEFUL_EXIT=1 nohup msrun --worker_num=8 --local_worker_num=4 \\\n"
              "    --master_addr=10.0.0.1 --master_port=8200 --log_dir=msrun_log --join=True \\\n"
              "    train.py --name 'two words' > run.out 2>&1 &");
    EXPECT_EQ(text.launch.recipe, "msrun");
    EXPECT_EQ(text.launch.workdir, "/job");
    EXPECT_EQ(text.launch.masterAddr, "10.0.0.1");
    EXPECT_EQ(text.launch.masterPort, 8200);
    EXPECT_THAT(text.launch.command, ElementsAre("train.py", "--name", "two words"));
    EXPECT_THAT(text.launch.env, ElementsAre(Pair("MS_ENABLE_GRACEFUL_EXIT", "1")));
    EXPECT_EQ(text.ranks, 8);
}

TEST(LaunchText, ReadsTorchrunWithVariablesOfTheSameScript)
{
    const LaunchText text =
        taken("#!/bin/bash\nset -e\nexport NPROC=4 MASTER=node-a\nsource /opt/env.sh\n"
              "torchrun --nnodes=2 --nproc_per_node=$NPROC --master_addr ${MASTER} train.py --seed $SEED\n"
              "echo done\n");
    EXPECT_EQ(text.launch.recipe, "torchrun");
    EXPECT_EQ(text.launch.masterAddr, "node-a");
    EXPECT_EQ(text.ranks, 8);
    EXPECT_THAT(text.launch.command, ElementsAre("train.py", "--seed", "$SEED"));
    EXPECT_THAT(text.notes, Contains(HasSubstr("not used: source /opt/env.sh")));
    EXPECT_THAT(text.notes, Contains(HasSubstr("the value of $SEED: write the value")));
}

TEST(LaunchText, ReadsASlurmBatchScript)
{
    const LaunchText text = taken("#!/bin/bash\n#SBATCH -J lenet -N4 -n4 --ntasks-per-node=1\n#SBATCH -o %x-%j.out\n"
                                  "#SBATCH --partition=npu   # the big one\n#SBATCH --chdir=/job\n"
                                  "trap 'echo TERM' TERM\nexport OMP_NUM_THREADS=2\n"
                                  "srun -o %x-%j-%t.log --mpi=none python3 train.py --resume {checkpoint} &\n"
                                  "p=$!; wait $p; rc=$?\nexit $rc\n");
    EXPECT_EQ(text.launch.recipe, "slurm");
    EXPECT_EQ(text.launch.workdir, "/job");
    EXPECT_THAT(text.launch.options, ElementsAre("-N4", "-n4", "--ntasks-per-node=1", "--partition=npu", "--mpi=none"));
    EXPECT_THAT(text.launch.command, ElementsAre("python3", "train.py", "--resume", "{checkpoint}"));
    EXPECT_THAT(text.launch.env, Contains(Pair("OMP_NUM_THREADS", "2")));
    EXPECT_EQ(text.ranks, 4);
}

TEST(LaunchText, LauncherBelowSrunIsNotStartedForEachRank)
{
    const LaunchText text = taken("#!/bin/bash\n#SBATCH --nodes=2 --ntasks-per-node=1\n"
                                  "srun torchrun --nnodes 2 --nproc_per_node 8 train.py\n");
    EXPECT_EQ(text.launch.recipe, "slurm");
    EXPECT_THAT(text.launch.command, ElementsAre("python", "train.py"));
    EXPECT_EQ(text.ranks, 16);
    EXPECT_THAT(text.notes, Contains(HasSubstr("srun starts the launcher torchrun")));
}

constexpr const char *vcjob = R"(
apiVersion: v1
kind: ConfigMap
metadata: {name: rings-config-dls, namespace: vcjob}
---
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata:
  name: dls
  namespace: vcjob
  labels: {ring-controller.atlas: ascend-910}
spec:
  minAvailable: 2
  queue: night
  tasks:
  - name: default-test
    replicas: 2
    template:
      spec:
        terminationGracePeriodSeconds: 600
        nodeSelector: {host-arch: huawei-arm}
        containers:
        - name: mindspore
          image: mindspore:b035
          command: ["/bin/bash", "-c", "cd /job/code; msrun --worker_num=16 --local_worker_num=8 train.py;"]
          env:
          - {name: HCCL_TIMEOUT, value: "600"}
          - {name: XDL_IP, valueFrom: {fieldRef: {fieldPath: status.hostIP}}}
          resources: {limits: {cpu: 8, huawei.com/Ascend910: 8}}
          volumeMounts:
          - {name: code, mountPath: /job/code}
          - {name: shm, mountPath: /dev/shm}
          - {name: claim, mountPath: /data}
        volumes:
        - {name: code, nfs: {server: 10.0.0.9, path: /export/code}}
        - {name: shm, emptyDir: {medium: Memory, sizeLimit: 16Gi}}
        - {name: claim, persistentVolumeClaim: {claimName: data}}
)";

TEST(LaunchText, ReadsAVolcanoVcjob)
{
    const LaunchText text = taken(vcjob);
    const VolcanoSpec &volcano = text.launch.volcano;
    EXPECT_EQ(text.launch.recipe, "volcano");
    EXPECT_EQ(text.ranks, 16);
    EXPECT_EQ(volcano.image, "mindspore:b035");
    EXPECT_EQ(volcano.nameSpace, "vcjob");
    EXPECT_EQ(volcano.queue, "night");
    EXPECT_EQ(volcano.resource, "huawei.com/Ascend910");
    EXPECT_TRUE(volcano.perPod);
    EXPECT_THAT(volcano.mounts,
                ElementsAre(Pair("/dev/shm", "memory://16Gi"), Pair("/job/code", "nfs://10.0.0.9/export/code")));
    EXPECT_THAT(volcano.nodeSelector, ElementsAre(Pair("host-arch", "huawei-arm")));
    EXPECT_EQ(text.launch.workdir, "/job/code");
    EXPECT_THAT(text.launch.command, ElementsAre("train.py"));
    EXPECT_THAT(text.launch.env, ElementsAre(Pair("HCCL_TIMEOUT", "600")));
    EXPECT_THAT(text.notes, Contains(HasSubstr("XDL_IP gets its value from the cluster")));
    EXPECT_THAT(text.notes, Contains(HasSubstr("launch.volcano.file")));
}

TEST(LaunchText, RefusesOtherTextAndStatesWhatWasExpected)
{
    for (const char *text : {"", "hello", "\n\n#SBATCH -N4\n", "cat train.py | python", "export A=1", "'open"}) {
        const auto launch = launchOfText(text);
        ASSERT_FALSE(launch.has_value()) << text;
        EXPECT_EQ(launch.error().kind, ErrorKind::invalid);
        EXPECT_THAT(launch.error().message, HasSubstr("expected a command (msrun"));
    }
    EXPECT_FALSE(launchOfText("apiVersion: batch.volcano.sh/v1alpha1\nkind: Queue\n").has_value());
    EXPECT_FALSE(launchOfText(std::string((1u << 20) + 1, 'x')).has_value());
}

TEST(LaunchText, FillsTheLaunchSectionAndNothingElse)
{
    const std::string file = R"({
  "rankdeck": 1, "name": "x", "mine": [1,  2],
  "nodes": [{"host": "a", "ranks": [0, 1]}],
  "launch": {"note": "mine", "workdir": "/old"}
})";
    const auto filled = withLaunch(file, taken("msrun --worker_num=2 train.py --load {checkpoint}").launch);
    ASSERT_TRUE(filled.has_value());
    EXPECT_THAT(*filled, HasSubstr("\"mine\": [1,  2]"));
    EXPECT_THAT(*filled, HasSubstr("\"note\": \"mine\", \"workdir\": \"/old\""));
    const auto job = parseJob(*filled);
    ASSERT_TRUE(job.has_value()) << job.error().message;
    EXPECT_EQ(job->job.launch.recipe, "msrun");
    EXPECT_THAT(job->job.launch.command, ElementsAre("train.py", "--load", "{checkpoint}"));
    EXPECT_FALSE(withLaunch("{", taken("python train.py").launch).has_value());
}

}  // namespace
}  // namespace rankdeck::launch_text_test
