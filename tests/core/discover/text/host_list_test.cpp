// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/discover/text/host_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::host_list_test {
namespace {

using ::testing::HasSubstr;
using Names = std::vector<std::string>;

Names expanded(const std::string &text)
{
    const auto names = expandHosts(text);
    EXPECT_TRUE(names.has_value()) << text;
    return names.has_value() ? *names : Names{};
}

std::string refusal(const std::string &text)
{
    const auto names = expandHosts(text);
    EXPECT_FALSE(names.has_value()) << text;
    return names.has_value() ? Message() : names.error().message;
}

TEST(HostList, ExpandsRangesAndKeepsLeadingZeros)
{
    EXPECT_EQ(expanded("ascend-[08-11]"), (Names{"ascend-08", "ascend-09", "ascend-10", "ascend-11"}));
    EXPECT_EQ(expanded("a[1-2,7],b"), (Names{"a1", "a2", "a7", "b"}));
    EXPECT_EQ(expanded("r[1-2]n[1-2]"), (Names{"r1n1", "r1n2", "r2n1", "r2n2"}));
    EXPECT_EQ(expanded("lin@n[1-2]:2222"), (Names{"lin@n1:2222", "lin@n2:2222"}));
    EXPECT_EQ(expanded("ascend-[01-64]").size(), 64u);
    EXPECT_EQ(expanded("a, a,b"), (Names{"a", "b"})) << "each once";
}

TEST(HostList, DoesNotTakeAnAddressForARange)
{
    EXPECT_EQ(expanded("[::1]:22"), (Names{"[::1]:22"}));
    EXPECT_EQ(expanded("bob@[fe80::1]"), (Names{"bob@[fe80::1]"}));
    EXPECT_EQ(expanded("10.0.0.2:2222"), (Names{"10.0.0.2:2222"}));
}

TEST(HostList, ReportsWhyAListIsInvalid)
{
    EXPECT_THAT(refusal("a[1-"), HasSubstr("[ without ]"));
    EXPECT_THAT(refusal("a1]"), HasSubstr("] without ["));
    EXPECT_THAT(refusal("a[9-1]"), HasSubstr("\"9-1\" is not a range"));
    EXPECT_THAT(refusal("a[x]"), HasSubstr("is not a range"));
    EXPECT_THAT(refusal("a[0-999999999]"), HasSubstr("at most 1,024 hosts"));
    EXPECT_THAT(refusal("a[1-99]b[1-99]c[1-99]"), HasSubstr("at most 1,024 hosts"));
}

TEST(HostList, AcceptsSlurmJobNumbersAndArrayElements)
{
    EXPECT_EQ(slurmJobOf("slurm:4711"), "4711");
    EXPECT_EQ(slurmJobOf("slurm:4711_3"), "4711_3");
    for (const char *other :
         {"4711", "slurm:", "slurm:4711;reboot", "slurm:-1", "slurm:1_", "slurm:_1", "slurm:a1", "xslurm:1"})
        EXPECT_EQ(slurmJobOf(other), "") << other;
}

// Output of squeue: the list of nodes, an empty line while the job waits, an error on stderr.
TEST(HostList, ReadsHostsOfASlurmJobOrTheReasonThereAreNone)
{
    const auto hosts = hostsOfSlurm("7", 0, "n[0-1],gpu-a3\n", "");
    ASSERT_TRUE(hosts.has_value());
    EXPECT_EQ(*hosts, (Names{"n0", "n1", "gpu-a3"}));
    for (const char *none : {"\n", "", "(null)\n"}) {
        const auto nobody = hostsOfSlurm("7", 0, none, "");
        ASSERT_FALSE(nobody.has_value()) << none;
        EXPECT_THAT(nobody.error().message, HasSubstr("listed none: the job has not started, or has ended"));
    }
    const auto refused = hostsOfSlurm("7", 1, "", "slurm_load_jobs error: Invalid job id specified\n");
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().message,
                HasSubstr("job 7, squeue said: slurm_load_jobs error: Invalid job id specified."));
}

TEST(HostList, ReadsTheFirstFieldOfEachHostfileLine)
{
    const auto names = hostsOfFile("# cluster\nnode1 slots=8\n\n  node2\tslots=8 # second\r\nnode[3-4]\nnode1\n");
    ASSERT_TRUE(names.has_value());
    EXPECT_EQ(*names, (Names{"node1", "node2", "node3", "node4"}));
    EXPECT_FALSE(hostsOfFile("# nothing\n").has_value());
    EXPECT_FALSE(hostsOfFile("").has_value());
}

TEST(HostList, ReadsServersFromARankTable)
{
    const auto names = hostsOfFile(R"( {"version": "1.0", "server_count": "2", "server_list": [
        {"server_id": "10.20.4.11", "device": []}, {"server_id": "10.20.4.12"}], "status": "completed"})");
    ASSERT_TRUE(names.has_value());
    EXPECT_EQ(*names, (Names{"10.20.4.11", "10.20.4.12"}));
    EXPECT_THAT(hostsOfFile(R"({"rankdeck": 1})").error().message, HasSubstr("server_list"));
    EXPECT_THAT(hostsOfFile(R"({"server_list": [{}]})").error().message, HasSubstr("server_id"));
    EXPECT_THAT(hostsOfFile(R"({"server_list": [7]})").error().message, HasSubstr("server_id"));
    EXPECT_FALSE(hostsOfFile(R"({"server_list": []})").has_value());
    EXPECT_FALSE(hostsOfFile("{").has_value());
}

}  // namespace
}  // namespace rankdeck::host_list_test
