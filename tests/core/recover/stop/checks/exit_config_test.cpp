// SPDX-License-Identifier: GPL-3.0-or-later
// The config file that the ranks read: names in arguments, scripts and open files, and whether nodes share it.
#include "core/recover/flag/config_named.h"
#include "tests/core/recover/stop/checks/healthy_exit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::exit_config_test {
namespace {

using Level = Finding::Result;
using test::HealthyExit;

TEST(NamedConfig, IsFoundInArgumentsSourcesAndOpenFiles)
{
    ProcessInfo process;
    process.cwd = "/job";
    process.argv = {"python",
                    "./train.py",
                    "--graceful",
                    "a/../g_{rank}.json",
                    "--ds_config=ds.json",
                    "--graceful-exit-config=/etc/x.json",
                    "--graceful-name",
                    "LeNet5"};
    EXPECT_EQ(sourcesOf(process), std::vector<std::string>{"/job/./train.py"});
    ProcDetails look;
    look.openJson = {"/data/labels.json", "/other/g.json"};
    look.texts["/job/train.py"] = "cb = OnRequestExit(file_name='N', config_file = \"./s.json\")\n"
                                  "other = OnRequestExit(config_file=path)\n"
                                  "third = OnRequestExit(config_file=f'/x/{node}.json')\n";
    look.texts["/job/run.yaml"] = "callbacks:\n  - type: OnRequestExit\n    config_file: /y/g.json # here\n";
    look.texts["/job/no.py"] = "config_file='/z.json'\n";  // config_file of another object
    std::vector<std::string> paths;
    for (const NamedConfig &named : namedConfigs(process, look, 3, "/job/g.json")) paths.push_back(named.path);
    EXPECT_THAT(paths, testing::UnorderedElementsAre("/other/g.json", "/job/g_3.json", "/etc/x.json", "/job/s.json",
                                                     "/y/g.json"));
}

TEST(NamedConfig, InAnOpenFileOrArgumentRefusesButInASourceOnlyWarns)
{
    HealthyExit job;
    job.facts.elsewhere = {{.rank = 0,
                            .named = {.by = NamedConfig::By::source, .path = "/a.json", .where = "config_file in t.py"},
                            .configured = "/job/g.json"}};
    EXPECT_EQ(job.of("config_named").result, Level::warn);
    job.facts.elsewhere.front().named.by = NamedConfig::By::open;
    EXPECT_EQ(job.of("config_named").result, Level::refuse);
}

TEST(Sharing, IsDetectedFromFileIdentities)
{
    HealthyExit job;
    auto &copies = job.facts.copies;
    copies[1].content->stat = copies[0].content->stat;
    findShared(copies, job.view);
    EXPECT_EQ(copies[1].sameAs, "") << "cloned machines: equal numbers on disks of their own";
    copies[0].content->fileSystem = copies[1].content->fileSystem = "nfs4";
    findShared(copies, job.view);
    EXPECT_EQ(copies[1].sameAs, "n0");
    copies[1].content->stat.inode = 99;
    findShared(copies, job.view);
    EXPECT_EQ(copies[1].sameAs, "");
}

TEST(Sharing, DifferentContentsOverrideTheJobFile)
{
    HealthyExit job;
    job.view.job.pathsShared = true;
    findShared(job.facts.copies, job.view);
    EXPECT_EQ(job.facts.copies[1].sameAs, "n0");
    job.facts.copies[1].content->sha256 = "y";
    findShared(job.facts.copies, job.view);
    EXPECT_EQ(job.facts.copies[1].sameAs, "");
}

}  // namespace
}  // namespace rankdeck::exit_config_test
