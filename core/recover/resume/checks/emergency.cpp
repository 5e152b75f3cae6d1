// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/recover/resume/checks/resume_checks.h"
#include "core/recover/wording.h"

#include <set>

namespace rankdeck {

namespace {

Message elsewise()
{
    return message("choose a periodic set, or a script that gets its file as an option (launch.script resnet, "
                   "launch.command)");
}

// With RESTORE_RANKS or the generator, the script loads the files only if all have the same size.
void checkSizes(Findings &into, const CheckpointSet &set)
{
    std::set<std::uint64_t> sizes;
    for (const MemberVerdict &member : set.members) sizes.insert(member.bytes);
    if (sizes.size() < 2) return;
    into.push_back(refusal("not_loadable",
                           message("the script expects the files of an emergency checkpoint to have one size, found %1 "
                                   "sizes in %2: it would silently load periodic checkpoints",
                                   sizes.size(), setText(set)),
                           elsewise()));
}

void checkLinks(Findings &into, const ResumeFacts &facts)
{
    std::vector<int> served;
    for (const MemberVerdict &member : facts.choice.set->members)
        if (ownPlace(member) != member.path) served.push_back(member.rank);
    if (served.empty()) return;
    Finding finding = warning("gasp_linked",
                              message("the script loads an emergency checkpoint only from each rank's own folder: %1 "
                                      "would find none, so the file of a replica is used",
                                      ranksText(served)),
                              message("the plan links it there under the rank's own name"));
    finding.fixable = true;
    into.push_back(std::move(finding));
}

Finding notRecorded(const ResumeFacts &facts, const Message &text, const Message &fix)
{
    Finding finding =
        refusal("fault_record_missing", message("%1: the script would silently load periodic checkpoints", text),
                message("%1; if the record will be there when the script starts, %2", fix,
                        overrideHint("fault_record_missing")));
    if (facts.options.overriding("fault_record_missing")) finding.result = Finding::Result::warn;
    return finding;
}

void checkRecords(Findings &into, const ResumeFacts &facts)
{
    const Job &job = facts.view.job;
    const std::vector<int> faults = faultsFor(*facts.choice.set);
    if (faults.empty()) {
        into.push_back(
            notRecorded(facts,
                        message("the script's generator chooses an emergency checkpoint only if a faulty rank with a "
                                "replica is recorded, but no replicas are known"),
                        message("set checkpoints.replica_groups in the job file, or choose a periodic set")));
        return;
    }
    const std::string wanted = printable(faultRecord(faults, facts.gasps.at));
    if (job.launch.recipe == "volcano" && !facts.gasps.podsAreTold) {
        into.push_back(
            notRecorded(facts,
                        message("the script's generator reads the faults from %1, but the vcjob mounts nothing there",
                                printable(job.launch.faultNpus)),
                        message("mount the ConfigMap fault-config-JOB there, with fault-npus %1", wanted)));
        return;
    }
    bool written = facts.gasps.podsAreTold;
    for (const ConfigCopy &record : facts.gasps.records) {
        written = written || record.content;
        if (record.content || !record.problem) continue;
        into.push_back(onNode(
            notRecorded(facts,
                        message("the script's generator reads the faults from %1 on node %2, found: %3",
                                printable(record.path), printable(record.node), printable(record.problem->message)),
                        message("create that file with %1, or set launch.fault_npus to its path", wanted)),
            record.node));
    }
    if (!written) return;
    Finding finding = warning(
        "fault_record",
        message(
            "the script's generator chooses emergency checkpoints by the recorded faults, regardless of RESTORE_RANKS"),
        message("the plan records %1 in %2", ranksText(faults),
                facts.gasps.podsAreTold ? message("fault-npus of the ConfigMap fault-config-JOB")
                                        : Message(printable(job.launch.faultNpus))));
    finding.fixable = true;
    into.push_back(std::move(finding));
}

}  // namespace

void checkEmergencyCheckpoints(Findings &into, const ResumeFacts &facts)
{
    const CheckpointSet &set = *facts.choice.set;
    if (set.kind != CheckpointKind::breakpoint) return;
    const LaunchSpec &launch = facts.view.job.launch;
    const EmergencyLoader loader = facts.gasps.loader;
    const bool told = launch.env.contains("RESTORE_RANKS");
    if (loader == EmergencyLoader::variables || loader == EmergencyLoader::generator ||
        (loader == EmergencyLoader::notSeen && launch.script == "pangu"))
        checkSizes(into, set);
    if (loader == EmergencyLoader::variables && !told)
        into.push_back(refusal(
            "not_loadable",
            message("the script loads an emergency checkpoint only if RESTORE_RANKS lists ranks, but launch.env lists "
                    "none: it would fall back to periodic checkpoints"),
            message(
                "set launch.script to pangu in the job file: Rankdeck then sets RESTORE_RANKS from the chosen set")));
    if (loader == EmergencyLoader::ownFolder) checkLinks(into, facts);
    if (loader == EmergencyLoader::generator) checkRecords(into, facts);
}

}  // namespace rankdeck
