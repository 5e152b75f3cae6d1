// SPDX-License-Identifier: GPL-3.0-or-later
// Access to pods and containers, with a kubectl, podman or docker that only records its arguments and runs the command
// here. It has no clusters, logins, roles or changing pods, and none of the messages of the real programs.
// tests/kubernetes tests those on a real cluster. The messages that execError gets here are copied from there.
#include "core/node/session/container/exec_command.h"
#include "core/node/session/container/exec_errors.h"
#include "tests/core/node/session/node_session.h"
#include "tests/testbed/temp_dir.h"

#include <sys/stat.h>

namespace rankdeck::container_exec_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char *recordingKubectl = R"sh(#!/bin/sh
here=$(dirname "$0")
for word in "$@"; do printf '%s\n' "$word"; done >>"$here/words"
case " $* " in
*" exec "*)
    [ ! -e "$here/fails" ] || { cat "$here/fails" >&2; exit 1; }
    while [ "$1" != -- ]; do shift; done
    shift
    exec "$@" ;;
*--output=go-template=*) cat "$here/living" || : ;;
*--sort-by=*) cat "$here/names" || : ;;
*" logs "*) cat "$here/wrote" || : ;;
*" get "*) cat "$here/state" 2>/dev/null ;;
esac
)sh";

class ContainerExec : public testing::Test {
protected:
    ContainerExec()
    {
        m_kubectl = m_dir.write("kubectl", recordingKubectl);
        ::chmod(m_kubectl.c_str(), 0755);
    }
    NodeSpec pod(const std::string &via = {})
    {
        NodeSpec node{.name = "p0", .host = "k8s:vcjob/lenet-worker-0:main"};
        node.kubernetes = {
            .kubeconfig = "/a b/it's", .context = "c';touch " + m_dir.file("hacked") + ";'", .kubectl = m_kubectl};
        node.via = via;
        return node;
    }
    Result<std::unique_ptr<Transport>> open(const NodeSpec &node, const ConnectOptions &options = {},
                                            const std::string &command = "echo \"it's\" ready; cat")
    {
        return makeSessionFactory()->open(node, options, command, {});
    }

    TempDir m_dir;
    std::string m_kubectl;
};

// Messages of kubectl while the API server is away.
TEST(KubectlText, RepeatedLineIsReportedOnce)
{
    const std::string refused =
        "couldn't get current server API group list: Get \"https://127.0.0.1:1/api\": connection refused";
    std::string said;
    for (int i = 0; i < 5; ++i)
        said += "E1122 20:49:4" + std::to_string(i) + ".123456   17076 memcache.go:265] " + refused + "\n";
    said += "The connection to the server 127.0.0.1:1 was refused - did you specify the right host or "
            "port?\nrankdeck-pod|Running||||\n";
    EXPECT_EQ(kubectlText(said), refused +
                                     " (5 times) | The connection to the server 127.0.0.1:1 was refused - did you "
                                     "specify the right host or port?");
    EXPECT_EQ(kubectlText("a\nb\na\nb\n"), "a | b") << "twice is usual";
    EXPECT_EQ(kubectlText("Error from server [1] x] y\n"), "Error from server [1] x] y");
    EXPECT_EQ(kubectlText(""), "");
}

TEST_F(ContainerExec, ArgumentsReachKubectlUnchanged)
{
    auto opened = open(pod());
    ASSERT_TRUE(opened.has_value()) << failureOf(opened);
    send(**opened, "back and forth\n");
    EXPECT_THAT(readUntil(**opened, "forth\n"), HasSubstr("it's ready\nback and forth\n"));
    EXPECT_EQ((*opened)->security(), "kubectl exec");
    EXPECT_THAT(m_dir.read("words"),
                testing::StartsWith("--kubeconfig=/a b/it's\n--context=c';touch " + m_dir.file("hacked") +
                                    ";'\nexec\n-i\n--namespace=vcjob\nlenet-worker-0\n-c\nmain\n--\n/bin/sh\n-c\n"));
    EXPECT_FALSE(std::filesystem::exists(m_dir.file("hacked")));
}

TEST_F(ContainerExec, ArgumentsReachKubectlUnchangedThroughAnSshHost)
{
    const Sshd bastion;
    for (const TransportKind reach : {TransportKind::libssh, TransportKind::sshChild}) {
        NodeSpec node = pod(bastion.host());
        node.transport = reach;
        std::filesystem::remove(m_dir.file("words"));
        auto opened = open(node, {.sshConfig = bastion.sshConfigPath()});
        ASSERT_TRUE(opened.has_value()) << failureOf(opened);
        send(**opened, "back and forth\n");
        EXPECT_THAT(readUntil(**opened, "forth\n"), HasSubstr("it's ready\nback and forth\n"));
        EXPECT_THAT((*opened)->security(), HasSubstr("kubectl exec"));
        EXPECT_THAT(m_dir.read("words"), HasSubstr("--context=c';touch "));
        EXPECT_FALSE(std::filesystem::exists(m_dir.file("hacked")));
        opened->reset();
    }
    EXPECT_TRUE(eventually([&] { return bastion.processes().empty(); }));
}

TEST_F(ContainerExec, CommandWithBothKindsOfQuotesArrivesUnchanged)
{
    const std::string command = "exec /bin/sh -c 'for p in python3; do \"$p\" -c \"print(6*7)\"; done'";
    auto opened = open(pod(), {}, command);
    ASSERT_TRUE(opened.has_value()) << failureOf(opened);
    EXPECT_THAT(readUntil(**opened, "42\n"), HasSubstr("42\n"));
}

TEST_F(ContainerExec, QueriesThePodStateOnceWhenTheConnectionEnds)
{
    m_dir.write("state", "rankdeck-pod|Failed|Evicted|node-a||The node was low on memory\n"
                         "rankdeck-container|main|2|||||\nrankdeck-container|side|0||OOMKilled|137||\n");
    auto opened = open(pod(), {}, "echo ready; exit 9");
    ASSERT_TRUE(opened.has_value()) << failureOf(opened);
    const WholeOutput all = readToEnd(**opened);
    EXPECT_EQ((*opened)->errorOutput(), "") << "the state is not kubectl's words";
    EXPECT_EQ(all.end.kind, ErrorKind::unreachable);
    EXPECT_THAT(all.end.message,
                HasSubstr("The connection to pod vcjob/lenet-worker-0 ended. The pod is Failed (Evicted: The node was "
                          "low on memory) on node-a; container main: restarted 2 times; container side: OOMKilled, "
                          "exit code 137."));
    EXPECT_NE(all.end.detail, containerEndedDetail) << "the container of this node runs";
}

TEST_F(ContainerExec, ReportsAMissingKubectl)
{
    NodeSpec node = pod();
    node.kubernetes.kubectl = m_dir.file("none");
    const auto opened = open(node);
    EXPECT_EQ(kindOf(opened), ErrorKind::notFound);
    EXPECT_THAT(failureOf(opened), HasSubstr("on this machine. Install it there, or set kubernetes.kubectl"));
}

TEST_F(ContainerExec, RefusesLocalFilesThatOthersMayWrite)
{
    NodeSpec node = pod();
    node.kubernetes.kubeconfig = m_dir.write("config", "");
    ::chmod(node.kubernetes.kubeconfig.c_str(), 0666);
    EXPECT_EQ(kindOf(open(node)), ErrorKind::refused);
    EXPECT_FALSE(std::filesystem::exists(m_dir.file("words"))) << "kubectl was not started";
    ::chmod(node.kubernetes.kubeconfig.c_str(), 0600);
    EXPECT_TRUE(open(node).has_value());
    ::chmod(m_kubectl.c_str(), 0777);
    EXPECT_THAT(failureOf(open(node)), HasSubstr("Other users can write to"));
}

// A pod that is replaced under another name keeps its labels.
TEST_F(ContainerExec, FindsTheRunningPodByItsLabels)
{
    NodeSpec node = pod();
    node.host = "k8s:ml/example.com/job=lenet,index=1:main";
    m_dir.write("living", "lenet-x7 ");
    auto opened = open(node, {}, "echo ready");
    ASSERT_TRUE(opened.has_value()) << failureOf(opened);
    EXPECT_THAT(readToEnd(**opened).text, HasSubstr("ready"));
    EXPECT_THAT(m_dir.read("words"),
                HasSubstr("\nget\npods\n--namespace=ml\n--selector=example.com/job=lenet,index=1\n"));
    EXPECT_THAT(m_dir.read("words"), HasSubstr("\nexec\n-i\n--namespace=ml\nlenet-x7\n-c\nmain\n"));

    m_dir.write("living", "lenet-x7 lenet-x8 ");
    const auto both = open(node);
    EXPECT_EQ(kindOf(both), ErrorKind::unreachable);
    EXPECT_THAT(failureOf(both), HasSubstr("several pods: lenet-x7 lenet-x8"));

    // The newest of the pods that have ended gives the reason.
    m_dir.write("living", "");
    m_dir.write("names", "lenet-x6 lenet-x7 ");
    m_dir.write("fails", "error: cannot exec into a container in a completed pod; current phase is Failed\n");
    m_dir.write("state", "rankdeck-pod|Failed|Evicted|node-a||\nrankdeck-container|main|0||Error|137||\n");
    const auto over = open(node);
    EXPECT_THAT(failureOf(over), HasSubstr("The pod is Failed (Evicted) on node-a; container main: Error"));
    EXPECT_THAT(failureOf(over), Not(HasSubstr("wrote")));
    m_dir.write("wrote", "Traceback\n\n\x1b]0;title\aModuleNotFoundError: No module named 'mindspore'\n");
    EXPECT_THAT(failureOf(open(node)),
                testing::AllOf(HasSubstr("Its last output: Traceback | "), Not(HasSubstr("\x1b")),
                               HasSubstr("No module named 'mindspore'")));
    EXPECT_THAT(m_dir.read("words"), HasSubstr("\nlogs\n--namespace=ml\nlenet-x7\n-c\nmain\n--tail=3\n"));
    EXPECT_THAT(m_dir.read("words"), HasSubstr("\nget\npod\n--namespace=ml\nlenet-x7\n"));

    m_dir.write("names", "");
    const auto none = open(node);
    EXPECT_EQ(kindOf(none), ErrorKind::unreachable);
    EXPECT_THAT(failureOf(none), HasSubstr("There is no pod example.com/job=lenet,index=1 in ml now"));
}

// A pod without python3: its output is followed.
TEST_F(ContainerExec, FollowsTheOutputOfAPodUntilTheTransportCloses)
{
    const Sshd bastion;
    m_dir.write("kubectl", R"sh(#!/bin/sh
here=$(dirname "$0")
echo "$*" >>"$here/words"
case " $* " in
*" --tail=1 "*) printf '2026-11-24T05:00:09.1Z nine' ;;
*" --limit-bytes=40 "*) printf '2026-11-24T05:00:01.1Z one two three' ;;
*" --follow "*) trap 'rm "$here/follows"; exit' TERM; touch "$here/follows"; echo one; echo two; while :; do sleep 0.1; done ;;
*containerID*) printf 'containerd://abc' ;;
esac
)sh");
    for (const bool far : {false, true}) {
        const NodeSpec node = pod(far ? bastion.host() : std::string());
        auto opened = makeSessionFactory()->openOutput(node, {.sshConfig = bastion.sshConfigPath()}, {});
        ASSERT_TRUE(opened.has_value()) << failureOf(opened);
        EXPECT_THAT(
            readUntil(**opened, "two\n"),
            HasSubstr("rankdeck-output containerd://abc 2026-11-24T05:00:01.1Z 2026-11-24T05:00:09.1Z\none\ntwo\n"));
        EXPECT_TRUE(eventually([&] { return std::filesystem::exists(m_dir.file("follows")); }));
        opened->reset();
        EXPECT_TRUE(eventually([&] { return !std::filesystem::exists(m_dir.file("follows")); }))
            << "a pod that prints nothing keeps no kubectl";
    }
    EXPECT_THAT(m_dir.read("words"), HasSubstr("logs --namespace=vcjob lenet-worker-0 -c main --follow\n"));
    EXPECT_TRUE(eventually([&] { return bastion.processes().empty(); }));
}

TEST_F(ContainerExec, ReportsWhyAnOutputCannotBeFollowed)
{
    m_dir.write("kubectl", "#!/bin/sh\necho 'Error from server (Forbidden): pods \"a\" is forbidden' >&2\nexit 1\n");
    EXPECT_EQ(kindOf(makeSessionFactory()->openOutput(pod(), {}, {})), ErrorKind::refused);
    NodeSpec machine;
    machine.host = "local";
    EXPECT_EQ(kindOf(makeSessionFactory()->openOutput(machine, {}, {})), ErrorKind::unsupported);
}

TEST_F(ContainerExec, ReportsARefusalImmediately)
{
    m_dir.write("fails", "Error from server (Forbidden): pods \"lenet-worker-0\" is forbidden: User \"nobody\" cannot "
                         "get resource \"pods\" "
                         "in API group \"\" in the namespace \"vcjob\"\n");
    EXPECT_EQ(kindOf(open(pod())), ErrorKind::refused);
    const Sshd bastion;
    EXPECT_EQ(kindOf(open(pod(bastion.host()), {.sshConfig = bastion.sshConfigPath()})), ErrorKind::refused);
}

// Podman is asked first; docker is asked if podman does not have the container.
TEST_F(ContainerExec, RunsInContainersOfPodmanAndDocker)
{
    constexpr const char *program = R"sh(#!/bin/sh
here=$(dirname "$0")
printf '%s|' "$(basename "$0")" "$@" >>"$here/words"
echo >>"$here/words"
case $1:$2 in
container:inspect)
    [ -e "$here/$(basename "$0").has" ] || { echo "Error: no such container" >&2; exit 125; }
    [ "$3" != --format ] || echo "rankdeck-container|/box||exited|OOMKilled|137||" ;;
exec:*) shift 3; exec "$@" ;;
esac
)sh";
    for (const char *name : {"podman", "docker"}) ::chmod(m_dir.write(name, program).c_str(), 0755);
    const std::string before = std::getenv("PATH");
    ::setenv("PATH", (m_dir.path() + ":" + before).c_str(), 1);
    const NodeSpec box{.name = "box", .host = "container:box"};
    const auto none = open(box);
    EXPECT_EQ(kindOf(none), ErrorKind::unreachable);
    EXPECT_THAT(failureOf(none), HasSubstr("There is no container box now"));
    m_dir.write("docker.has", "");
    auto opened = open(box, {}, "echo \"it's\" ready; exit 9");
    ::setenv("PATH", before.c_str(), 1);
    ASSERT_TRUE(opened.has_value()) << failureOf(opened);
    const WholeOutput all = readToEnd(**opened);
    EXPECT_THAT(all.text, HasSubstr("it's ready\n"));
    EXPECT_THAT(all.end.message, HasSubstr("exited, OOMKilled, exit code 137"));
    EXPECT_EQ(all.end.detail, containerEndedDetail);
    EXPECT_THAT(m_dir.read("words"), HasSubstr("docker|exec|-i|box|/bin/sh|-c|"));
}

struct Words {
    const char *said;
    ErrorKind kind;
    const char *text;
};

TEST(ExecErrors, HaveAKindAndASuggestionEach)
{
    NodeSpec node{.name = "p0", .host = "k8s:vcjob/a:main"};
    const Error ended = fail(ErrorKind::unreachable, "it ended");
    for (const Words &words :
         {Words{"error: context \"prod\" does not exist\n", ErrorKind::invalid, "get-contexts"},
          Words{"error: stat /nowhere: no such file or directory\n", ErrorKind::invalid, "kubernetes.kubeconfig"},
          Words{"error: You must be logged in to the server (Unauthorized)\n", ErrorKind::refused, "Log in again"},
          Words{"Unable to connect to the server: x509: certificate signed by unknown authority\n", ErrorKind::refused,
                "certificate"},
          Words{"Error from server (Forbidden): pods \"a\" is forbidden: User \"n\" cannot create resource "
                "\"pods/exec\"\n",
                ErrorKind::refused, "docs/kubernetes.md"},
          Words{"The connection to the server 127.0.0.1:6443 was refused - did you specify the right host or port?\n",
                ErrorKind::unreachable, "Rankdeck tries again"},
          Words{"Error from server (NotFound): pods \"a\" not found\n", ErrorKind::unreachable,
                "kubectl get pods -n vcjob"},
          Words{"error: cannot exec into a container in a completed pod; current phase is "
                "Succeeded\nrankdeck-pod|Succeeded||node-a||\n"
                "rankdeck-container|main|0||Completed|0||\n",
                ErrorKind::unreachable,
                "has ended. The pod is Succeeded on node-a; container main: Completed, exit code 0."},
          Words{"error: unable to upgrade connection: container not found (\"main\")\nrankdeck-pod|Running||node-a||\n"
                "rankdeck-container|main|5|CrashLoopBackOff|||Error|1\n",
                ErrorKind::unreachable,
                "container main: CrashLoopBackOff, before that Error, exit code 1, restarted 5 times"},
          Words{"Error from server (BadRequest): container nope is not valid for pod a\n", ErrorKind::invalid,
                "nodes[].host"},
          Words{"OCI runtime exec failed: exec: \"/bin/sh\": stat /bin/sh: no such file or directory: unknown\n",
                ErrorKind::unsupported, "no /bin/sh"},
          Words{"something new\n", ErrorKind::unreachable, "kubectl said: something new."},
          Words{"", ErrorKind::unreachable, "it ended"}}) {
        const Error error = execError(node, words.said, ended);
        EXPECT_EQ(error.kind, words.kind) << words.said << error.message;
        EXPECT_THAT(error.message, HasSubstr(words.text)) << words.said;
    }
    const char *const running = "x\nrankdeck-pod|Running||node-a||\nrankdeck-container|main|1||||Error|1\n";
    EXPECT_THAT(execError(node, "the same\nthe same\n", ended).message, HasSubstr("said: the same."));
    EXPECT_NE(execError(node, running, ended).detail, containerEndedDetail) << "it was started again and runs";
    const char *const over =
        "x\nrankdeck-pod|Running||node-a||\nrankdeck-container|side|0|||||\nrankdeck-container|main|0||Error|1||\n";
    EXPECT_EQ(execError(node, over, ended).detail, containerEndedDetail);
    NodeSpec anyOf = node;  // the container that kubectl chose is unknown
    anyOf.host = "k8s:vcjob/lenet-worker-0";
    EXPECT_NE(execError(anyOf, over, ended).detail, containerEndedDetail) << "the one that runs may be the ranks'";
    EXPECT_NE(
        execError(anyOf, "x\nrankdeck-container|log|0||Error|1||\nrankdeck-container|main|0|||||\n", ended).detail,
        containerEndedDetail)
        << "in whatever order they are told";
    EXPECT_EQ(execError(anyOf,
                        "x\nrankdeck-pod|Running||node-a||\nrankdeck-container|side|0||Error|1||\n"
                        "rankdeck-container|main|0||Error|1||\n",
                        ended)
                  .detail,
              containerEndedDetail);
    const NodeSpec box{.name = "box", .host = "container:box"};
    for (const char *state : {"exited", "stopped", "dead"})
        EXPECT_EQ(execError(box, "rankdeck-container|box||" + std::string(state) + "||0||\n", ended).detail,
                  containerEndedDetail)
            << state;
    EXPECT_NE(execError(box, "rankdeck-container|box||paused||0||\n", ended).detail, containerEndedDetail);
    EXPECT_THAT(execError(box,
                          "Error: no container with name or ID \"box\" found: no such container Cannot connect to the "
                          "Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?\n",
                          ended)
                    .message,
                HasSubstr("is unknown"))
        << "docker may have it";
    const char *const none = "Error from server (NotFound): pods \"a\" not found\n";
    EXPECT_EQ(execError(node, none, ended).detail, podGoneDetail);
    EXPECT_NE(execError(node, "Error from server (NotFound): namespaces \"vcjob\" not found\n", ended).detail,
              podGoneDetail)
        << "which may be a slip of the pen";
    EXPECT_NE(execError(node, "Error from server (NotFound): pods \"ab\" not found\n", ended).detail, podGoneDetail);
    EXPECT_THAT(execError(node, "\x1b]0;title\a\xff\n", ended).message, Not(HasSubstr("\x1b")));
    EXPECT_EQ(execError(node, "rankdeck: no python3 that is new enough\ncommand terminated with exit code 97\n", ended)
                  .message,
              "it ended");
}

}  // namespace
}  // namespace rankdeck::container_exec_test
