// SPDX-License-Identifier: GPL-3.0-or-later
// One sbatch for the whole job, submitted once and found again by its name. A process of ours represents the job as
// long as it lives. With --no-requeue: otherwise, after a node fails, Slurm would restart the job with whatever
// checkpoint the script picks.
#include "core/base/text.h"
#include "core/recover/host/job_places.h"
#include "core/recover/launch/cluster/rank_table.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/wording.h"

#include <algorithm>

namespace rankdeck {

namespace {

// $1 is submit, find or cancel; the other arguments are those of sbatch.
constexpr const char *slurmScript = R"sh(
user=$(id -un)
ours() { squeue --noheader --states=all --user="$user" --name="$name" --format=%i; }
# Attempts of this job that are queued or run, whoever submitted them.
others() {
    queue=$(squeue --noheader --format='%i %j %T %u') || return 1   # in a pipe its failure would be an empty queue
    printf '%s\n' "$queue" | while read -r id job state who; do
        case $job in "$name") ;; "$prefix"-*) echo "job $id of $who, $state" ;; esac
    done
}
# Asked to end is not ended: only Slurm's own queue says that it is.
cancel() {
    scancel --quiet --user="$user" --name="$name"
    queue=$(squeue --noheader --user="$user" --name="$name" --format=%i) && [ -z "$queue" ]
}
pause() {
    sleep "${RANKDECK_SLURM_POLL:-5}" &
    wait $!
}
# While squeue does not answer, nobody knows of the job: that is said once, and asked until it is known. Where the
# directory of this attempt is gone too, nobody is told any more.
unanswered() {
    [ -n "${told-}" ] || echo "$1"
    told=yes
    [ -d "$dir" ] || { echo "$dir is gone, and Slurm does not answer: cannot tell whether job ${id:-$name} still runs"; exit 1; }
    pause
}
# This stands for the job, so it does not end before the job does.
cancel_all() {
    trap '' TERM INT
    told=
    until cancel; do unanswered "job $name is still with Slurm, or Slurm does not answer: trying until it is gone"; done
    echo "cancelled"
    exit "$1"
}
case ${1:-} in
find) ours; exit ;;
cancel)
    for try in 1 2 3 4 5 6; do
        cancel && exit
        pause
    done
    echo "job $name is still with Slurm, or Slurm does not answer: try again" >&2
    exit 1
    ;;
submit) shift ;;
*) echo "usage: bash $0 submit SBATCH… | find | cancel" >&2; exit 2 ;;
esac

# Whoever ends this ends the job.
trap 'cancel_all 143' TERM
trap 'cancel_all 130' INT
id=$(ours) || { echo "squeue does not answer; nothing was submitted" >&2; exit 1; }
if [ -z "$id" ]; then
    other=$(others) || { echo "squeue does not answer; nothing was submitted" >&2; exit 1; }
    [ -z "$other" ] || { echo "another attempt of this job is with Slurm: $other; nothing was submitted" >&2; exit 1; }
    # A signal to this group leaves sbatch its answer. Where it fails, the job may have been taken all the same.
    if ! id=$(trap '' TERM INT && exec "$@"); then
        until id=$(ours); do unanswered "sbatch failed and squeue does not answer: asking until it is known whether there is a job"; done
        [ -n "$id" ] || { echo "sbatch refused the job" >&2; exit 1; }
    fi
fi
id=${id%%[!0-9]*}
(umask 077; printf '%s\n' "$id" >"$dir/job.id.new") && mv -f -- "$dir/job.id.new" "$dir/job.id"
echo "job $id is queued as $name"
before=
told=
while :; do
    if state=$(squeue --noheader --states=all --jobs="$id" --format=%T 2>&1); then
        [ "$state" = "$before" ] && [ -z "$told" ] || echo "job $id: $state"
        before=$state
        told=
        case $state in
        BOOT_FAIL | CANCELLED | COMPLETED | DEADLINE | FAILED | NODE_FAIL | OUT_OF_MEMORY | PREEMPTED | TIMEOUT | '') break ;;
        esac
    else
        case $state in *'Invalid job id'*) break ;; esac  # Slurm has forgotten it
        unanswered "squeue does not answer: $state; job $id may still run, asking until it does"
        continue
    fi
    pause
done
code=1
[ "$before" != COMPLETED ] || code=0
if [ -s "$dir/exit" ]; then
    read -r code <"$dir/exit"
fi
echo "job $id has ended${before:+ as $before}, exit code $code"
exit "$code"
)sh";

std::string cleaned(const std::string &text)
{
    std::string out;
    for (const char c : text)
        out += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ? c
                                                                                                                  : '-';
    return out;
}

bool hasOption(const std::vector<std::string> &options, const std::string &longName, const std::string &shortName)
{
    return std::any_of(options.begin(), options.end(), [&](const std::string &option) {
        return option == longName || option.starts_with(longName + "=") || option.starts_with(shortName);
    });
}

// An environment may also contain names that are not shell names; the ranks get these without the shell.
bool isShellName(const std::string &name)
{
    return !name.empty() && !(name[0] >= '0' && name[0] <= '9') && cleaned(name) == name &&
           name.find('.') == std::string::npos && name.find('-') == std::string::npos;
}

std::string batchScript(const RecipeInput &input, const NodeSpec &node, const std::string &directory)
{
    const Job &job = input.view.job;
    std::string text =
        "#!/bin/bash\n# " + printable(input.id) + ": " + printable(job.name) + " from " + setText(input.set) + "\n";
    for (const auto &[name, value] : launchEnvironment(job, node))
        if (isShellName(name)) text += "export " + name + "=" + shellQuoted(value) + "\n";
    const std::string exitFile = shellQuoted(joinPath(directory, "exit"));
    const std::string newFile = shellQuoted(joinPath(directory, "exit.new"));
    text += "srun --kill-on-bad-exit=1 --ntasks=" + std::to_string(job.ranks()) + " python3 " +
            shellQuoted(joinPath(directory, "rank.py")) + " &\nwait $!\ncode=$?\n";
    return text + "echo \"$code\" >" + newFile + " && mv -f -- " + newFile + " " + exitFile + "\nexit \"$code\"\n";
}

std::vector<std::string> sbatchArguments(const RecipeInput &input, const NodeSpec &node, const std::string &name,
                                         const std::string &directory)
{
    const Job &job = input.view.job;
    const std::vector<std::string> options = optionsOn(job, node);
    std::vector<std::string> argv{"sbatch",
                                  "--parsable",
                                  "--no-requeue",
                                  "--open-mode=append",
                                  "--job-name=" + name,
                                  "--comment=rankdeck " + name,
                                  "--output=" + joinPath(directory, "slurm-%j.out")};
    if (!job.launch.workdir.empty()) argv.push_back("--chdir=" + workdirOn(job, node));
    if (!hasOption(options, "--nodes", "-N")) argv.push_back("--nodes=" + std::to_string(nodesByRank(job).size()));
    if (!hasOption(options, "--ntasks", "-n")) argv.push_back("--ntasks=" + std::to_string(job.ranks()));
    argv.insert(argv.end(), options.begin(), options.end());
    argv.push_back(joinPath(directory, "job.sbatch"));
    return argv;
}

}  // namespace

LaunchPlan planSlurm(const RecipeInput &input)
{
    const Job &job = input.view.job;
    LaunchPlan plan;
    const NodeSpec *node = submitNode(job);
    const auto ranks = rankProgram(input, "srun", "SLURM_PROCID");
    if (!node || job.ranks() == 0 || !ranks) {
        plan.findings.push_back(
            refusal("placeholder",
                    ranks ? message("expected ranks on the job's nodes, found none") : Message(ranks.error().message),
                    message("correct nodes, launch.command or logs.path in the job file")));
        return plan;
    }
    if (!job.pathsShared && nodesByRank(job).size() > 1)
        plan.findings.push_back(
            warning("recipe_paths",
                    message("paths_shared is not set: Slurm chooses the nodes itself, and each needs the batch "
                            "directory and every rank's checkpoint under the same path"),
                    message("set paths_shared if all nodes share these paths")));
    const std::string directory = joinPath(joinPath(ownDirectory(job, node), "batch"), input.id);
    const std::string name = engineName(job) + "-" + cleaned(input.id);
    std::vector<std::string> argv{"bash", joinPath(directory, "slurm.sh"), "submit"};
    const auto sbatch = sbatchArguments(input, *node, name, directory);
    argv.insert(argv.end(), sbatch.begin(), sbatch.end());
    const std::string head = "#!/bin/bash\n# Submits " + printable(input.id) +
                             " once, stands for it while it lives, and ends with its exit code.\nset -u\nprefix=" +
                             shellQuoted(engineName(job)) + "\nname=" + shellQuoted(name) +
                             "\ndir=" + shellQuoted(directory) + "\n";
    LaunchRequest launch{.id = launchId(input.id, node->name),
                         .runDirectory = runDirectory(job, node),
                         .argv = std::move(argv),
                         .env = launchEnvironment(job, *node),
                         .workdir = workdirOn(job, *node),
                         .output = joinPath(runDirectory(job, node), input.id + ".submit.out")};
    plan.accepted[launch.id] = joinPath(directory, "job.id");
    plan.programs[node->name] = {"sbatch", "squeue", "scancel"};
    plan.nodes.push_back({.node = node->name,
                          .files = {{.action = FileAction::makeDirectory, .path = directory}},
                          .edits = {newFile(joinPath(directory, "rank.py"), ranks.value()),
                                    newFile(joinPath(directory, "job.sbatch"), batchScript(input, *node, directory)),
                                    newFile(joinPath(directory, "slurm.sh"), head + slurmScript)},
                          .launches = {std::move(launch)}});
    return plan;
}

}  // namespace rankdeck
