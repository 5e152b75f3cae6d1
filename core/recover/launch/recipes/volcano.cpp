// SPDX-License-Identifier: GPL-3.0-or-later
// A vcjob with one pod per node of the job file. The server checks it first, and it is created once. A process of ours
// represents the job as long as it lives.
#include "core/base/text.h"
#include "core/job/container_host.h"
#include "core/recover/edit/unified_diff.h"
#include "core/recover/edit/yaml_json.h"
#include "core/recover/host/job_places.h"
#include "core/recover/launch/cluster/rank_table.h"
#include "core/recover/launch/cluster/vcjob.h"
#include "core/recover/launch/cluster/vcjob_template.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/wording.h"

#include <algorithm>

namespace rankdeck {

namespace {

// $1 is submit, find or cancel. `kube`, which calls kubectl, and the names are defined above it.
constexpr const char *volcanoScript = R"sh(
k() { kube --request-timeout=20s --namespace="$namespace" "$@"; }
of_vcjob() { k get vcjob "$name" --ignore-not-found --output="jsonpath={$1}"; }
ours() { of_vcjob .metadata.annotations.rankdeck/action; }
phase() { of_vcjob .status.state.phase; }
uid() { of_vcjob .metadata.uid; }
there() { k get "$1" "$2" --ignore-not-found --output=name; }
# That very object: another console may have made a new one of the name since.
forget() {
    printf '{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Background","preconditions":{"uid":"%s"}}' "$1" |
        k delete --raw="/apis/batch.volcano.sh/v1alpha1/namespaces/$namespace/jobs/$name" --filename=-
}
cancel() {
    for try in 1 2 3 4 5 6; do
        owner=$(ours) && it=$(uid) && { [ "$owner" != "$action" ] || forget "$it"; } && return
        sleep 5
    done
    echo "kubectl does not answer: vcjob $name may run; kubectl delete vcjob $name --namespace=$namespace ends it" >&2
    return 1
}
# This stands for the job, so it does not end before the server says that the job is asked to.
cancel_all() {
    trap '' TERM INT
    until cancel; do :; done
    echo "cancelled"
    exit "$1"
}
# Of two consoles on two machines one makes the job ready: whoever made this object. Its holder renews it; one that has not
# changed for as long as it is good was left by somebody who is gone.
lease=rankdeck-$name
lease_good=${RANKDECK_LEASE_SECONDS:-60}
held=
lease_is() { k get lease "$lease" --ignore-not-found --output="jsonpath={.metadata.uid} {.metadata.resourceVersion} {.spec.holderIdentity}"; }
make_lease() {
    printf '{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"%s"},"spec":{"holderIdentity":"%s","leaseDurationSeconds":%s}}' "$lease" "$action" "$lease_good" |
        k create --filename=- --output="jsonpath={.metadata.uid}"
}
end_lease() {   # UID RESOURCE_VERSION: only while it is that one
    printf '{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":"%s"%s}}' "$1" "${2:+,\"resourceVersion\":\"$2\"}" |
        k delete --raw="/apis/coordination.k8s.io/v1/namespaces/$namespace/leases/$lease" --filename=- >/dev/null
}
renew_lease() {
    k patch lease "$lease" --type=merge --output=name --patch="{\"metadata\":{\"uid\":\"$held\"},\"spec\":{\"renewTime\":\"$(date -u +%Y-%m-%dT%H:%M:%S.%6NZ)\"}}" >/dev/null
}
leave_lease() { [ -z "$held" ] || end_lease "$held" || :; held=; rm -f -- "$dir/lease.err"; }
take_lease() {
    seen='' since=$SECONDS
    until held=$(make_lease 2>"$dir/lease.err"); do
        now=$(lease_is) || { cat "$dir/lease.err" >&2; return 1; }
        case $now in
        '') grep -q AlreadyExists "$dir/lease.err" || { cat "$dir/lease.err" >&2; return 1; } ;;
        *" $action") held=${now%% *} && return 0 ;;   # made, and the answer was lost
        "$seen")
            if [ $((SECONDS - since)) -ge "$lease_good" ]; then
                now=${now% *}
                end_lease "${now% *}" "${now#* }" || :   # it may have been renewed just now
            fi ;;
        *)
            [ -z "$seen" ] || { echo "vcjob $name is being started by ${now##* }" >&2; return 1; }
            echo "lease $lease is of ${now##* }: waiting whether that one is still there"
            seen=$now since=$SECONDS ;;
        esac
        sleep 2 &
        wait $!
    done
}
# An answer may be lost and the job made all the same: it is asked for until the server says.
made_after_all() {
    until owner=$(ours 2>/dev/null); do
        sleep 3 &
        wait $!
    done
    [ "$owner" = "$action" ]
}
# Of its answer, too: the server is asked whether the old one is still there.
delete_old() {
    for try in 1 2; do
        forget "$old" && return
        until now=$(uid 2>/dev/null); do
            renew_lease 2>/dev/null || :
            sleep 3 &
            wait $!
        done
        [ "$now" = "$old" ] || return 0
    done
    return 1
}
case ${1:-} in
find) phase; exit ;;
cancel) cancel; exit ;;
submit) ;;
*) echo "usage: bash $0 submit | find | cancel" >&2; exit 2 ;;
esac

# Whoever ends this ends the job.
trap 'cancel_all 143' TERM
trap 'cancel_all 130' INT
silent() { echo "kubectl does not answer; nothing was created" >&2; exit 1; }
owner=$(ours) || silent
if [ "$owner" != "$action" ]; then
    before=$(phase) || silent
    old=$(uid) || silent
    case $before in
    Completed | Failed | Terminated | Aborted) ;;
    '') [ -z "$old" ] || { echo "vcjob $name of another attempt has no phase yet: end it first" >&2; exit 1; } ;;
    *) echo "vcjob $name of another attempt is $before: end it first" >&2; exit 1 ;;
    esac
    # Before anything is changed, and so under another name: the old one is still there.
    k create --dry-run=server --filename="$dir/vcjob-check.yaml" || { echo "the server did not accept the vcjob; nothing was changed" >&2; exit 1; }
    trap leave_lease EXIT
    take_lease || { echo "nothing was changed" >&2; exit 1; }
    rm -f -- "$dir/lease.err"   # whoever undoes this finds what the plan has made, and nothing else
    now=$(uid) || silent
    [ "$now" = "$old" ] || { echo "vcjob $name is another one since it was looked at; nothing was changed" >&2; exit 1; }
    none() { echo "$1: ${old:+the ended vcjob $name is deleted, and }no new one was created" >&2; exit 1; }
    if [ -n "$old" ]; then
        delete_old || { echo "vcjob $name of another attempt was not deleted; nothing was changed" >&2; exit 1; }
        while [ "$(uid || echo "$old")" = "$old" ]; do
            renew_lease 2>/dev/null || :
            sleep 1 &
            wait $!
        done
    fi
    renew_lease || none "lease $lease may no longer be ours"
    now=$(uid) || none "kubectl does not answer"
    [ -z "$now" ] || none "another vcjob $name was made meanwhile"
    for config in reset rings fault; do
        [ -e "$dir/$config-config.yaml" ] || continue
        map=$config-config-$name
        now=$(there configmap "$map") || none "ConfigMap $map cannot be read"
        if [ -n "$now" ]; then
            k patch configmap "$map" --type=merge --patch-file="$dir/$config-patch.json" || none "ConfigMap $map was not begun anew"
        else
            k create --filename="$dir/$config-config.yaml" || none "ConfigMap $map was not made"
        fi
    done
    k create --filename="$dir/vcjob.yaml" || made_after_all || none "kubectl could not create the vcjob"
    leave_lease
fi
(umask 077; printf '%s\n' "$name" >"$dir/job.id.new") && mv -f -- "$dir/job.id.new" "$dir/job.id"
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

// The operator's own vcjob; nullopt: there is none, or a finding says what is wrong with it.
std::optional<VcjobTemplate> templateOf(const RecipeInput &input, LaunchPlan &plan)
{
    const std::string &file = input.view.job.launch.volcano.file;
    if (file.empty()) return {};
    const auto refused = [&](const std::string &why) {
        plan.findings.push_back(
            refusal("vcjob", message("launch.volcano.file %1: %2", printable(file), printable(why)),
                    message("correct the file on the node that submits, or its name in the job file")));
        return std::nullopt;
    };
    if (!input.vcjobYaml) return refused("it has not been read");
    if (!*input.vcjobYaml) return refused(input.vcjobYaml->error().message);
    auto found = parseVcjobTemplate(input.vcjobYaml->value());
    if (!found) return refused(found.error().message);
    Job named = input.view.job;
    named.name = found->name;
    if (vcjobName(named) != found->name)
        return refused("expected metadata.name of at most 52 of a-z, 0-9 and '-', beginning with a letter, found " +
                       found->name);
    return *std::move(found);
}

// Values of the vcjob file replace those of the job file.
void adopt(Job &job, const VcjobTemplate &from)
{
    VolcanoSpec &volcano = job.launch.volcano;
    job.name = from.name;
    volcano.nameSpace = from.nameSpace;
    volcano.image = from.image;
    volcano.labels = from.labels;
    volcano.mounts = from.mounts;
}

// Checks that every path given to the ranks exists in the pods.
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
        plan.findings.push_back(
            refusal("vcjob", message("expected %1 in the pods, found no mount that contains it", printable(path)),
                    message("add a mount to launch.volcano.mounts, under the same path as on the nodes")));
        return;
    }
}

bool checkJob(const Job &job, LaunchPlan &plan)
{
    const auto nodes = nodesByRank(job);
    if (nodes.empty()) {
        plan.findings.push_back(refusal("job_file", message("expected ranks on the job's nodes, found none"),
                                        message("add \"ranks\" to the nodes in the job file")));
        return false;
    }
    for (const NodeSpec *node : nodes)
        if (node->ranks.size() != nodes.front()->ranks.size()) {
            plan.findings.push_back(
                refusal("recipe_ranks",
                        message("all pods of a task are identical: expected %1 ranks on node %2, found %3",
                                std::to_string(nodes.front()->ranks.size()), printable(node->name),
                                std::to_string(node->ranks.size())),
                        message("give every node in the job file the same number of ranks")));
            return false;
        }
    if (job.launch.volcano.image.empty()) {
        plan.findings.push_back(refusal("vcjob", message("the job has no launch.volcano.image"),
                                        message("set the training's container image in the job file")));
        return false;
    }
    return true;
}

}  // namespace

LaunchPlan planVolcano(const RecipeInput &asked)
{
    LaunchPlan plan;
    const std::optional<VcjobTemplate> own = templateOf(asked, plan);
    if (!plan.findings.empty()) return plan;
    JobState known = asked.view;
    if (own) adopt(known.job, *own);
    if (!checkJob(known.job, plan)) return plan;
    // Pods reach each other by the names that Volcano's svc plugin makes.
    JobState view = known;
    Job &job = view.job;
    const std::string name = vcjobName(job);
    if (hasRankTable(job) && !startsItsRanks(job)) job.launch.env.emplace("RANK_TABLE_FILE", rankTableInPods);
    const bool masterTold = !job.launch.masterAddr.empty();
    if (!masterTold) job.launch.masterAddr = name + "-" + (own ? own->task : "worker") + "-0." + name;
    const RecipeInput input{.view = view,
                            .set = asked.set,
                            .id = asked.id,
                            .checkpoints = asked.checkpoints,
                            .viewDirectories = asked.viewDirectories};
    const NodeSpec *node = submitNode(job);
    const auto nodes = nodesByRank(job);
    const auto pod = volcanoPodProgram(input, masterTold);
    if (!node || !pod) {
        plan.findings.push_back(refusal("placeholder", pod ? message("expected a node") : Message(pod.error().message),
                                        message("correct launch.command or logs.path in the job file")));
        return plan;
    }
    checkMounts(input, plan);
    const std::vector<std::string> command{
        "python3", joinPath(joinPath(joinPath(ownDirectory(job, node), "batch"), input.id), "pod.py")};
    const std::size_t ranks = nodes.front()->ranks.size();
    const std::string object = own ? vcjobOf(*own, command, job.launch.env, input.id, input.set.id)
                                   : vcjobYaml(input, command, nodes.size(), ranks);
    const std::string directory = joinPath(joinPath(ownDirectory(job, node), "batch"), input.id);
    const bool here = node->host == (job.kubernetes.via.empty() ? "local" : job.kubernetes.via);
    const std::string head =
        "#!/bin/bash\n# Creates the vcjob of " + printable(input.id) +
        " once, stands for it while it lives, and ends as it does.\nset -u\nname=" + shellQuoted(name) +
        "\nnamespace=" + shellQuoted(job.launch.volcano.nameSpace) + "\naction=" + shellQuoted(input.id) +
        "\ndir=" + shellQuoted(directory) + "\nkube() { " + kubectlWords(here ? job.kubernetes : KubernetesSpec{}) +
        " \"$@\"; }\n";
    LaunchRequest launch{.id = launchId(input.id, node->name),
                         .runDirectory = runDirectory(job, node),
                         .argv = {"bash", joinPath(directory, "volcano.sh"), "submit"},
                         .env = launchEnvironment(job, *node),
                         .workdir = workdirOn(job, *node),
                         .output = joinPath(runDirectory(job, node), input.id + ".submit.out")};
    plan.accepted[launch.id] = joinPath(directory, "job.id");
    plan.programs[node->name] = {here ? job.kubernetes.kubectl : "kubectl"};
    plan.nodes.push_back({.node = node->name,
                          .files = {{.action = FileAction::makeDirectory, .path = directory}},
                          .edits = {newFile(joinPath(directory, "pod.py"), pod.value()),
                                    newFile(joinPath(directory, "vcjob.yaml"), object),
                                    newFile(joinPath(directory, "vcjob-check.yaml"), vcjobForCheck(object)),
                                    newFile(joinPath(directory, "reset-config.yaml"), resetConfigYaml(job)),
                                    newFile(joinPath(directory, "reset-patch.json"), resetConfigPatch()),
                                    newFile(joinPath(directory, "volcano.sh"), head + volcanoScript)},
                          .launches = {std::move(launch)}});
    // Shows only the changes to the operator's object, not the whole object. JSON is also YAML.
    FileEdit &edit = plan.nodes.back().edits[1];
    if (own) plan.environments = own->environments;
    if (own) edit.diff = unifiedDiff(edit.path, vcjobAsItIs(*own), edit.after);
    if (const auto objects = yamlToJson(object); objects && objects->size() == 1)
        for (Finding &finding : vcjobFindings(objects->front(), job.launch.volcano.resource, nodes.size(), ranks))
            plan.findings.push_back(std::move(finding));
    if (hasRankTable(job)) {
        auto &edits = plan.nodes.back().edits;
        edits.push_back(newFile(joinPath(directory, "rings-config.yaml"), ringsConfigYaml(job)));
        edits.push_back(newFile(joinPath(directory, "rings-patch.json"), ringsConfigPatch()));
    }
    return plan;
}

}  // namespace rankdeck
