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
        into.push_back(refusal("cluster_not_live", "the ConfigMap cannot be read: " + printable(copy.problem->message),
                               "nothing is written without having read it; try again when the API server answers"));
        return;
    }
    if (copy.problem) {
        const std::string fix = copy.problemCode == "config_missing"
                                    ? "correct graceful_exit.configmap in the job file, or create that ConfigMap with "
                                      "the key reset.json and mount it into the pods"
                                : copy.problemCode == "config_unreadable"
                                    ? "docs/kubernetes.md lists the roles; \"kubectl auth can-i get configmaps -n "
                                      "NAMESPACE\" shows what is missing"
                                    : "repair it with kubectl edit: nothing is written into a text that cannot be read";
        into.push_back(refusal(copy.problemCode, printable(copy.problem->message), fix));
        return;
    }
    for (const std::string &note : copy.flag->notes)
        into.push_back(warning("config_invalid", "the ConfigMap " + printable(copy.path) + " " + note, ""));
    if (copy.flag->armed)
        into.push_back(
            warning("already_armed",
                    "GracefulExit is " + copy.flag->literal + " already in " + printable(copy.path) +
                        ", which was written last at " + isoTime(wallFromNs(copy.content->stat.mtimeNs)),
                    "someone else has requested the stop; nothing is written, and Rankdeck waits for the proof"));
    else if (!copy.content->writable)
        into.push_back(refusal("config_not_writable",
                               "expected that this login may update " + printable(copy.path) +
                                   ", found that the cluster does not "
                                   "let it",
                               "ask for the acting role described in docs/kubernetes.md"));
}

// Faults recorded by MindX DL's components: their next write sets GracefulExit to 0 again.
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
        into.push_back(warning("fault_flushing",
                               std::string("MindX DL is handling a fault of this job (") +
                                   (flushing ? "FaultFlushing is true" : "RankList names ranks") +
                                   "): its next write may set GracefulExit back to 0",
                               "the stop reports it if that happens; request the stop again when the fault is over"));
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
        into.push_back(
            refusal("configmap",
                    "expected the ConfigMap as " + printable(path) + " on " + namesText(missing) +
                        ", found no such file: the ranks there would never see the request",
                    "mount it as a directory (a subPath is never updated), or correct graceful_exit.config"));
}

}  // namespace

void checkConfigMap(Findings &into, const JobState &view, const ExitFacts &facts)
{
    for (const ConfigCopy &copy : facts.copies) {
        checkObject(into, copy);
        if (copy.content) checkFaults(into, copy);
    }
    checkMounted(into, facts);
    into.push_back(okFinding(
        "configmap",
        view.job.gracefulExit.config.empty()
            ? "the ConfigMap reaches the pods within about 90 s. With graceful_exit.config the delay would be visible"
            : "the ConfigMap reaches the pods within about 90 s. Rankdeck watches the file there"));
}

}  // namespace rankdeck
