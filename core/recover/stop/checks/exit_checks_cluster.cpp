// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/stop/checks/exit_checks.h"

#include "core/base/json_members.h"
#include "core/base/text.h"
#include "core/recover/wording.h"

#include <algorithm>

namespace rankdeck {

namespace {

void checkObject(Findings &into, const ConfigCopy &copy)
{
    if (copy.problemCode == "node_not_live") {
        into.push_back(refusal(
            "cluster_not_live", message("the ConfigMap cannot be read: %1", printable(copy.problem->message)),
            message("Rankdeck writes a ConfigMap only after reading it; try again when the API server answers")));
        return;
    }
    if (copy.problem) {
        const Message fix =
            copy.problemCode == "config_missing"
                ? message("correct graceful_exit.configmap in the job file, or create that ConfigMap with the key "
                          "reset.json and mount it into the pods")
            : copy.problemCode == "config_unreadable"
                ? message("docs/kubernetes.md lists the roles; \"kubectl auth can-i get configmaps -n NAMESPACE\" "
                          "shows what is missing")
                : message("repair it with kubectl edit; Rankdeck does not write into a text that it cannot read");
        into.push_back(refusal(copy.problemCode, printable(copy.problem->message), fix));
        return;
    }
    for (const std::string &note : copy.flag->notes)
        into.push_back(warning("config_invalid", message("the ConfigMap %1 %2", printable(copy.path), note), ""));
    if (copy.flag->armed)
        into.push_back(warning(
            "already_armed",
            message("GracefulExit is already %1 in %2, which was last written at %3", copy.flag->literal,
                    printable(copy.path), isoTime(wallFromNs(copy.content->stat.mtimeNs))),
            message("someone else has requested the stop; nothing is written, and Rankdeck waits for the proof")));
    else if (!copy.content->writable)
        into.push_back(
            refusal("config_not_writable",
                    message("expected this login to have permission to update %1, found that the cluster denies it",
                            printable(copy.path)),
                    message("ask for the acting role described in docs/kubernetes.md")));
}

// If MindX DL's components have recorded faults, their next write sets GracefulExit to 0 again.
void checkFaults(Findings &into, const ConfigCopy &copy)
{
    const std::string_view text = copy.content->bytes;
    const auto object = locateMembers(text);
    if (!object) return;
    bool flushing = false, ranks = false;
    for (const JsonMember &member : object->members) {
        const std::string_view value = member.value.of(text);
        if (member.key == "FaultFlushing") flushing = value == "true";
        if (member.key == "RankList") ranks = value.find('{') != std::string_view::npos;
    }
    if (flushing || ranks)
        into.push_back(warning(
            "fault_flushing",
            message("MindX DL is handling a fault of this job (%1): its next write may set GracefulExit back to 0",
                    flushing ? message("FaultFlushing is true") : message("RankList names ranks")),
            message("the stop reports it if that happens; request the stop again when the fault is over")));
}

void checkMounted(Findings &into, const ExitFacts &facts)
{
    std::vector<std::string> missing;
    std::string path;
    for (const ConfigCopy &copy : facts.mounted) {
        if (copy.problemCode != "config_missing") continue;
        missing.push_back(copy.node);
        path = copy.path;
    }
    if (!missing.empty())
        into.push_back(refusal(
            "configmap",
            message(
                "expected the ConfigMap as %1 on %2, found no such file: the ranks there would never see the request",
                printable(path), namesText(missing)),
            message("mount it as a directory (a subPath is never updated), or correct graceful_exit.config")));
}

}  // namespace

void checkConfigMap(Findings &into, const JobState &view, const ExitFacts &facts)
{
    for (const ConfigCopy &copy : facts.copies) {
        checkObject(into, copy);
        if (copy.content) checkFaults(into, copy);
    }
    checkMounted(into, facts);
    into.push_back(
        okFinding("configmap",
                  view.job.gracefulExit.config.empty()
                      ? message("the ConfigMap reaches the pods within about 90 s. With graceful_exit.config the delay "
                                "would be visible")
                      : message("the ConfigMap reaches the pods within about 90 s. Rankdeck watches the file there")));
}

}  // namespace rankdeck
