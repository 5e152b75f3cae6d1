// SPDX-License-Identifier: GPL-3.0-or-later
// A ConfigMap as a file, with a fake kubectl that keeps one object in a directory and counts its versions. Just before
// a replace, it lets another writer write, which cannot be forced on a real server. It has no logins, roles, validation
// or other objects, and only the server messages that are copied here. tests/kubernetes tests the real ones.
#include "core/base/deadline.h"
#include "core/node/session/cluster/config_map_client.h"
#include "core/node/session/cluster/shell_runner.h"
#include "tests/core/node/session/node_session.h"
#include "tests/testbed/temp_dir.h"

#include <sys/stat.h>

namespace rankdeck::config_map_client_test {
namespace {

using testing::HasSubstr;

constexpr const char *keepingKubectl = R"sh(#!/usr/bin/python3
import json, os, sys
here = os.path.dirname(os.path.abspath(__file__))
at = lambda name: os.path.join(here, name)
def keep(object):
    with open(at("version")) as file: version = int(file.read()) + 1
    with open(at("version"), "w") as file: file.write(str(version))
    object["metadata"]["resourceVersion"] = str(version)
    with open(at("object"), "w") as file: json.dump(object, file)
words = sys.argv[1:]
with open(at("words"), "a") as file: file.write(" ".join(words) + "\n")
if os.path.exists(at("away")): sys.exit("The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?")
if "can-i" in words:
    print("no" if os.path.exists(at("forbidden")) else "yes")
    sys.exit(1 if os.path.exists(at("forbidden")) else 0)
with open(at("object")) as file: object = json.load(file)
if "get" in words:
    if words[-1] != "/api/v1/namespaces/vcjob/configmaps/reset-config-lenet": sys.exit("Error from server (NotFound): configmaps not found")
    print(json.dumps(object))
elif "replace" in words:
    new = json.load(sys.stdin)
    if os.path.exists(at("rival")):
        with open(at("rival")) as file: object["data"]["reset.json"] = file.read()
        os.remove(at("rival"))
        keep(object)
    if new["metadata"]["resourceVersion"] != object["metadata"]["resourceVersion"]:
        sys.exit('Error from server (Conflict): error when replacing "STDIN": Operation cannot be fulfilled on configmaps "reset-config-lenet": the object has been modified; please apply your changes to the latest version and try again')
    keep(new)
    if os.path.exists(at("broken")): sys.exit("error: unexpected EOF")
    print("configmap/reset-config-lenet")
)sh";

constexpr const char *path = "configmap/vcjob/reset-config-lenet/reset.json";

class ConfigMapClientTest : public testing::Test {
protected:
    ConfigMapClientTest()
    {
        m_job.kubernetes.kubectl = m_dir.write("kubectl", keepingKubectl);
        ::chmod(m_job.kubernetes.kubectl.c_str(), 0755);
        m_dir.write("version", "7");
        m_dir.write(
            "object",
            R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"reset-config-lenet","namespace":"vcjob",)"
            R"("resourceVersion":"7"},"data":{"checkCode":"x","reset.json":"{\"GracefulExit\":0}","it's":"$(id) `id` \\n"}})");
    }
    template <class T>
    static Result<T> answer(Reply<T> reply)
    {
        return reply.get();
    }
    ConfigMapClient &client(const ConnectOptions &options = {})
    {
        m_client = std::make_unique<ConfigMapClient>(m_job, options, makeSessionFactory());
        return *m_client;
    }

    TempDir m_dir;
    Job m_job;
    std::unique_ptr<ConfigMapClient> m_client;
};

TEST_F(ConfigMapClientTest, ReplacesTheKeyAndKeepsTheOtherKeys)
{
    ConfigMapClient &cluster = client();
    const auto before = answer(cluster.readFile(path, 1u << 20));
    ASSERT_TRUE(before.has_value()) << before.error().message;
    EXPECT_EQ(before->bytes, "{\"GracefulExit\":0}");
    EXPECT_EQ(before->sha256, "7");
    EXPECT_TRUE(before->writable);
    const auto wrote =
        answer(cluster.replaceFile({.path = path, .expectedSha256 = "7", .bytes = "{\"GracefulExit\":1}"}));
    ASSERT_TRUE(wrote.has_value()) << wrote.error().message;
    EXPECT_TRUE(wrote->replaced);
    const auto after = answer(cluster.readFile(path, 1u << 20));
    ASSERT_TRUE(after.has_value());
    EXPECT_EQ(after->bytes, "{\"GracefulExit\":1}");
    EXPECT_THAT(m_dir.read("object"), HasSubstr(R"("it's": "$(id) `id` \\n")")) << "what a shell would have taken";
}

TEST_F(ConfigMapClientTest, NeverOverwritesTheChangeOfAnotherWriter)
{
    ConfigMapClient &cluster = client();
    // The other writer wrote after the last read, and again between the read and the write of the replace itself.
    const auto stale =
        answer(cluster.replaceFile({.path = path, .expectedSha256 = "6", .bytes = "{\"GracefulExit\":1}"}));
    ASSERT_TRUE(stale.has_value()) << stale.error().message;
    EXPECT_FALSE(stale->replaced);
    EXPECT_EQ(stale->now.sha256, "7");
    m_dir.write("rival", "{\"GracefulExit\":0,\"RankList\":[1]}");
    const auto raced =
        answer(cluster.replaceFile({.path = path, .expectedSha256 = "7", .bytes = "{\"GracefulExit\":1}"}));
    ASSERT_TRUE(raced.has_value()) << raced.error().message;
    EXPECT_FALSE(raced->replaced);
    EXPECT_EQ(raced->now.bytes, "{\"GracefulExit\":0,\"RankList\":[1]}");
    EXPECT_EQ(raced->now.sha256, "8");
}

TEST_F(ConfigMapClientTest, LostAnswerIsNotReportedAsARefusal)
{
    m_dir.write("broken", "");
    ConfigMapClient &cluster = client();
    const auto wrote =
        answer(cluster.replaceFile({.path = path, .expectedSha256 = "7", .bytes = "{\"GracefulExit\":1}"}));
    ASSERT_FALSE(wrote.has_value());
    EXPECT_EQ(wrote.error().kind, ErrorKind::unreachable);
    EXPECT_THAT(wrote.error().message, HasSubstr("Cannot tell"));
    EXPECT_THAT(m_dir.read("object"), HasSubstr("\\\"GracefulExit\\\":1")) << "and it was written";
}

TEST_F(ConfigMapClientTest, ReportsMissingPermissionsAndMissingObjects)
{
    m_dir.write("forbidden", "");
    ConfigMapClient &cluster = client();
    const auto content = answer(cluster.readFile(path, 1u << 20));
    ASSERT_TRUE(content.has_value()) << content.error().message;
    EXPECT_FALSE(content->writable);
    const auto other = answer(cluster.readFile("configmap/vcjob/other/reset.json", 1u << 20));
    ASSERT_FALSE(other.has_value());
    EXPECT_EQ(other.error().kind, ErrorKind::notFound);
    EXPECT_EQ(answer(cluster.readFile("configmap/vcjob/reset-config-lenet/none.json", 1u << 20)).error().kind,
              ErrorKind::notFound);
    EXPECT_EQ(answer(cluster.readFile("configmap/vcjob/$(id)/reset.json", 1u << 20)).error().kind, ErrorKind::invalid);
    m_dir.write("away", "");
    const auto away = answer(cluster.readFile(path, 1u << 20));
    ASSERT_FALSE(away.has_value());
    EXPECT_EQ(away.error().kind, ErrorKind::unreachable);
    EXPECT_THAT(away.error().message, HasSubstr("the API server does not answer"));
    std::filesystem::remove(m_dir.file("away"));
    EXPECT_TRUE(answer(cluster.readFile(path, 1u << 20)).has_value()) << "and it is asked again";
}

TEST_F(ConfigMapClientTest, WorksThroughAnSshHostWithOneLogin)
{
    const Sshd bastion;
    m_job.kubernetes.via = bastion.host();
    ConfigMapClient &cluster = client({.sshConfig = bastion.sshConfigPath()});
    for (int i = 0; i < 3; ++i) {
        const auto content = answer(cluster.readFile(path, 1u << 20));
        ASSERT_TRUE(content.has_value()) << content.error().message;
        EXPECT_EQ(content->bytes, "{\"GracefulExit\":0}");
    }
    m_client.reset();
    EXPECT_TRUE(eventually([&] { return bastion.processes().empty(); }));
}

TEST_F(ConfigMapClientTest, CloseCancelsARequestThatHangs)
{
    m_dir.write("kubectl", "#!/bin/sh\necho >\"$(dirname \"$0\")/hangs\"\nexec sleep 1000\n");
    ConfigMapClient &cluster = client();
    auto reply = cluster.readFile(path, 1u << 20);
    ASSERT_TRUE(eventually([&] { return std::filesystem::exists(m_dir.file("hangs")); }));
    m_client.reset();
    const auto content = reply.get();
    ASSERT_FALSE(content.has_value());
    EXPECT_EQ(content.error().kind, ErrorKind::cancelled);
}

TEST(ShellRunner, SeparatesOutputErrorsAndExitCode)
{
    ShellRunner shell(makeSessionFactory(), {.name = "here", .host = "local"}, {}, {});
    const auto all = shell.run("/bin/sh -c 'cat; echo wrong >&2; exit 5'", "line 'a' $(id)\nline b", inSeconds(60));
    ASSERT_TRUE(all.has_value()) << all.error().message;
    EXPECT_EQ(all->exitCode, 5);
    EXPECT_EQ(all->output, "line 'a' $(id)\nline b\n");
    EXPECT_EQ(all->errors, "wrong");
    const auto none = shell.run("true", "", inSeconds(60));
    ASSERT_TRUE(none.has_value());
    EXPECT_EQ(none->output + none->errors, "");
    const auto gone = shell.run("exit 3", "", inSeconds(60));
    ASSERT_TRUE(gone.has_value()) << "it is a command of the shell's subshell";
    EXPECT_EQ(gone->exitCode, 3);
    EXPECT_FALSE(parseShellAnswer("a\nmark 0\n", "mark").has_value());
}

}  // namespace
}  // namespace rankdeck::config_map_client_test
