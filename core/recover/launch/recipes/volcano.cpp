// SPDX-License-Identifier: GPL-3.0-or-later
// A vcjob of one pod per node of the job file, created once, checked by the server first, and stood for by a process of
// ours as long as it lives.
#include "core/base/text.h"
#include "core/recover/host/job_places.h"
#include "core/recover/launch/rank_table.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/launch/vcjob.h"
#include "core/recover/wording.h"

#include <algorithm>

namespace rankdeck {

namespace {

// $1 is submit, find or cancel.
constexpr const char *volcanoScript = R"sh(
k() { kubectl --namespace="$namespace" "$@"; }
ours() { k get vcjob "$name" --ignore-not-found --output='jsonpath={.metadata.annotations.rankdeck/action}'; }
phase() { k get vcjob "$name" --ignore-not-found --output='jsonpath={.status.state.phase}'; }
there() { k get "$1" "$2" --ignore-not-found --output=name; }
cancel() { [ "$(ours)" != "$action" ] || k delete vcjob "$name" --wait=false; }
case ${1:-} in
find) phase; exit ;;
cancel) cancel; exit ;;
submit) ;;
*) echo "usage: bash $0 submit | find | cancel" >&2; exit 2 ;;
esac

# Whoever ends this ends the job.
trap 'cancel; echo "cancelled"; exit 143' TERM
trap 'cancel; echo "cancelled"; exit 130' INT
owner=$(ours) || { echo "kubectl does not answer; nothing was created" >&2; exit 1; }
if [ "$owner" != "$action" ]; then
    before=$(phase) || exit 1
    case $before in
    Completed | Failed | Terminated | Aborted) k delete vcjob "$name" --wait=true || exit 1 ;;
    '') [ -z "$(there vcjob "$name")" ] || { echo "vcjob $name of another attempt has no phase yet: end it first" >&2; exit 1; } ;;
    *) echo "vcjob $name of another attempt is $before: end it first" >&2; exit 1 ;;
    esac
    k create --dry-run=server --filename="$dir/vcjob.yaml" || { echo "the server refuses the vcjob" >&2; exit 1; }
    for config in reset rings; do
        [ -e "$dir/$config-config.yaml" ] || continue
        if [ -n "$(there configmap "$config-config-$name")" ]; then
            k patch configmap "$config-config-$name" --type=merge --patch-file="$dir/$config-patch.json" || exit 1
        else
            k create --filename="$dir/$config-config.yaml" || exit 1
        fi
    done
    k create --filename="$dir/vcjob.yaml" || { echo "kubectl could not create the vcjob" >&2; exit 1; }
fi
printf '%s\n' "$name" >"$dir/job.id.new" && mv -f -- "$dir/job.id.new" "$dir/job.id"
before=
while :; do
    if state=$(phase 2>/dev/null); then
        [ "$state" = "$before" ] || echo "vcjob $name: ${state:-gone}"
        [ -n "$state" ] || [ -z "$before" ] || { before=Deleted; break; }
        before=$state
        case $state in Completed | Failed | Terminated | Aborted) break ;; esac
    fi
    sleep "${RANKDECK_VOLCANO_POLL:-10}" &
    wait $!
done
[ "$before" = Completed ]
)sh";

std::string mountedAs(const VolcanoSpec &volcano, const std::string &path)
{
    for (const auto &[inside, host] : volcano.mounts)
        if (path == inside || path.starts_with(inside.ends_with("/") ? inside : inside + "/")) return inside;
    return {};
}

// Everything the ranks are told of must be there in the pods.
void checkMounts(const RecipeInput &input, LaunchPlan &plan)
{
    const Job &job = input.view.job;
    std::vector<std::string> paths{ownDirectory(job)};
    if (!job.launch.workdir.empty()) paths.push_back(job.launch.workdir);
    for (const auto &[rank, path] : input.checkpoints) paths.push_back(path);
    for (const auto &[node, path] : input.viewDirectories) paths.push_back(path);
    for (const NodeSpec *node : nodesByRank(job))
        if (const auto log = pathOfRank(job, job.logs.path, node->ranks.front())) paths.push_back(log.value());
    for (const std::string &path : paths) {
        if (!mountedAs(job.launch.volcano, path).empty()) continue;
        plan.findings.push_back(refusal("volcano_mounts",
                                        "expected " + printable(path) + " in the pods, found no mount that holds it",
                                        "add it to launch.volcano.mounts, under the same path as on the nodes"));
        return;
    }
}

bool checkJob(const Job &job, LaunchPlan &plan)
{
    const auto nodes = nodesByRank(job);
    if (nodes.empty()) {
        plan.findings.push_back(refusal("no_ranks", "expected ranks on the job's nodes, found none",
                                        "add \"ranks\" to the nodes of the job file"));
        return false;
    }
    for (const NodeSpec *node : nodes)
        if (node->ranks.size() != nodes.front()->ranks.size()) {
            plan.findings.push_back(refusal("volcano_ranks",
                                            "the pods of a task are alike: expected " +
                                                std::to_string(nodes.front()->ranks.size()) + " ranks on node " +
                                                printable(node->name) + ", found " + std::to_string(node->ranks.size()),
                                            "give every node of the job file as many ranks"));
            return false;
        }
    if (job.launch.volcano.image.empty()) {
        plan.findings.push_back(refusal("volcano_image", "the job has no launch.volcano.image",
                                        "name the container image of the training in the job file"));
        return false;
    }
    return true;
}

}  // namespace

LaunchPlan planVolcano(const RecipeInput &asked)
{
    LaunchPlan plan;
    if (!checkJob(asked.view.job, plan)) return plan;
    // Pods find each other by the names of Volcano's svc plugin.
    JobState view = asked.view;
    Job &job = view.job;
    const std::string name = vcjobName(job);
    if (hasRankTable(job) && !startsItsRanks(job)) job.launch.env.emplace("RANK_TABLE_FILE", rankTableInPods);
    const bool masterTold = !job.launch.masterAddr.empty();
    if (!masterTold) job.launch.masterAddr = name + "-worker-0." + name;
    const RecipeInput input{.view = view,
                            .set = asked.set,
                            .id = asked.id,
                            .checkpoints = asked.checkpoints,
                            .viewDirectories = asked.viewDirectories};
    const NodeSpec *node = submitNode(job);
    const auto nodes = nodesByRank(job);
    const auto pod = volcanoPodProgram(input, masterTold);
    if (!node || !pod) {
        plan.findings.push_back(refusal("placeholder", pod ? "expected a node" : pod.error().message,
                                        "correct launch.command or logs.path in the job file"));
        return plan;
    }
    checkMounts(input, plan);
    const std::string directory = joinPath(joinPath(ownDirectory(job, node), "batch"), input.id);
    const std::string head =
        "#!/bin/bash\n# Creates the vcjob of " + printable(input.id) +
        " once, stands for it while it lives, and ends as it does.\nset -u\nname=" + shellQuoted(name) +
        "\nnamespace=" + shellQuoted(job.launch.volcano.nameSpace) + "\naction=" + shellQuoted(input.id) +
        "\ndir=" + shellQuoted(directory) + "\n";
    LaunchRequest launch{.id = launchId(input.id, node->name),
                         .runDirectory = runDirectory(job, node),
                         .argv = {"bash", joinPath(directory, "volcano.sh"), "submit"},
                         .env = launchEnvironment(job, *node),
                         .workdir = workdirOn(job, *node),
                         .output = joinPath(runDirectory(job, node), input.id + ".submit.out")};
    plan.accepted[launch.id] = joinPath(directory, "job.id");
    plan.programs[node->name] = {"kubectl"};
    plan.nodes.push_back({.node = node->name,
                          .files = {{.action = FileAction::makeDirectory, .path = directory}},
                          .edits = {newFile(joinPath(directory, "pod.py"), pod.value()),
                                    newFile(joinPath(directory, "vcjob.yaml"),
                                            vcjobYaml(input, {"python3", joinPath(directory, "pod.py")}, nodes.size(),
                                                      nodes.front()->ranks.size())),
                                    newFile(joinPath(directory, "reset-config.yaml"), resetConfigYaml(job)),
                                    newFile(joinPath(directory, "reset-patch.json"), resetConfigPatch()),
                                    newFile(joinPath(directory, "volcano.sh"), head + volcanoScript)},
                          .launches = {std::move(launch)}});
    if (hasRankTable(job)) {
        auto &edits = plan.nodes.back().edits;
        edits.push_back(newFile(joinPath(directory, "rings-config.yaml"), ringsConfigYaml(job)));
        edits.push_back(newFile(joinPath(directory, "rings-patch.json"), ringsConfigPatch()));
    }
    return plan;
}

}  // namespace rankdeck
