// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/cluster/kubectl_get.h"

#include "tests/testbed/temp_dir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace rankdeck::kubectl_get_test {
namespace {

using testing::HasSubstr;

class KubectlGetTest : public testing::Test {
protected:
    // about: the answer to `get --raw`.
    void answer(const std::string &about)
    {
        m_cluster.kubectl = m_dir.write("kubectl", "#!/bin/sh\necho \"$*\" >>" + m_dir.file("words") +
                                                       "\ncase \" $* \" in *' --raw '*) " + about +
                                                       " ;; *) echo \"error: the server doesn't have a resource type "
                                                       "\\\"jobs\\\"\" >&2; exit 1 ;; esac\n");
        ::chmod(m_cluster.kubectl.c_str(), 0755);
    }
    Result<std::string> get(const std::string &words)
    {
        ShellRunner shell(makeSessionFactory(), {.name = "here", .host = "local"}, {}, [] { return false; });
        KubectlGet kubectl(m_cluster, shell);
        return kubectl.get("vcjob", words, std::chrono::steady_clock::now() + std::chrono::seconds(30));
    }

    TempDir m_dir;
    KubernetesSpec m_cluster;
};

TEST_F(KubectlGetTest, UnknownResourceKindHasNoObjects)
{
    answer("echo 'Error from server (NotFound): the server could not find the requested resource' >&2; exit 1");
    const auto none = get("--namespace=a jobs.batch.volcano.sh lenet");
    ASSERT_TRUE(none.has_value()) << none.error().message;
    EXPECT_EQ(*none, "");
    EXPECT_THAT(m_dir.read("words"), HasSubstr("get --raw /apis/batch.volcano.sh\n"));
}

// kubectl also prints this message if its login has expired or the server has just started.
TEST_F(KubectlGetTest, OtherErrorsAreNotTakenForAnAnswer)
{
    answer("echo '{}'");
    EXPECT_EQ(get("jobs.batch.volcano.sh lenet").error().kind, ErrorKind::unreachable) << "the cluster has the group";
    answer("echo 'error: You must be logged in to the server (Unauthorized)' >&2; exit 1");
    EXPECT_EQ(get("jobs.batch.volcano.sh lenet").error().kind, ErrorKind::refused);
    answer("echo 'The connection to the server 127.0.0.1:1 was refused' >&2; exit 1");
    EXPECT_EQ(get("jobs.batch.volcano.sh lenet").error().kind, ErrorKind::unreachable);
    answer("echo 'Error from server (NotFound): no' >&2; exit 1");
    const auto pods = get("--namespace=a pods --selector=a.b/c=d");
    ASSERT_FALSE(pods.has_value()) << "every cluster has pods";
    EXPECT_THAT(pods.error().message, HasSubstr("which may be temporary"));
}

}  // namespace
}  // namespace rankdeck::kubectl_get_test
