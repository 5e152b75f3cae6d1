// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/judge_trackers.h"

#include "core/base/text.h"

#include <algorithm>
#include <tuple>

namespace rankdeck {
namespace {

struct Said {
    const Tracker *tracker = nullptr;
    TrackerContent saying = {};
    std::string directory = {};
    std::vector<SetAssessment *> beside = {};  // sets in its directory, newest first
    SetAssessment *named = nullptr;            // the set that the tracker names
    TrackerVerdict out = {};
    [[nodiscard]] std::string name() const
    {
        return printable(baseName(tracker->member.file.path)) + " on " + tracker->member.node;
    }
};

bool isMegatronName(const std::string &prefix) { return prefix == "iter_" || prefix == "release"; }

// Two frameworks can keep their checkpoints side by side; each has its own tracker.
bool belongs(TrackerKind kind, const SetAssessment &assessment, Format format)
{
    const bool tensorflow = format == Format::tfV1 || format == Format::tfV2;
    switch (kind) {
    case TrackerKind::megatron: return !tensorflow && format != Format::hfSharded;
    case TrackerKind::deepspeed:
        return !tensorflow && format != Format::hfSharded && format != Format::megatron &&
               !isMegatronName(assessment.prefix);
    case TrackerKind::rankMark:
    case TrackerKind::healthRecord: return false;
    case TrackerKind::tensorflow: break;
    }
    return tensorflow || format == Format::unknown;
}

const Member *memberIn(const SetAssessment &assessment, const std::string &directory, const std::string &node)
{
    for (const Part &part : assessment.parts)
        if (part.member && (assessment.sharedByRanks || part.member->node == node) &&
            dirName(part.member->file.path) == directory)
            return part.member;
    return nullptr;
}

void placeBeside(Said &said, std::vector<SetAssessment> &assessments)
{
    for (SetAssessment &assessment : assessments) {
        const Member *member = memberIn(assessment, said.directory, said.tracker->member.node);
        if (!member) continue;
        const Format format =
            assessment.parts.front().evidence ? assessment.parts.front().evidence->format : Format::unknown;
        const bool several = member->file.stat.kind == 'd' || said.tracker->kind == TrackerKind::tensorflow;
        if (!several || !belongs(said.tracker->kind, assessment, format)) continue;
        said.beside.push_back(&assessment);
        // Megatron-DeepSpeed writes iteration 100 for the tag global_step100.
        const bool same = baseName(member->file.path) == said.saying.target ||
                          (said.tracker->kind == TrackerKind::megatron && said.saying.step &&
                           assessment.set.globalStep == said.saying.step);
        if (!same || said.saying.target.empty() || said.named) continue;
        said.named = &assessment;
        said.saying.target = baseName(member->file.path);  // MindFormers' and verl's directories have their own names
        said.out.target = said.saying.target;
    }
}

void conclude(Said &said, ReasonCode code, const Message &text)
{
    said.out.code = code;
    said.out.text = message("%1 %2", said.name(), text);
}

void tell(SetAssessment &assessment, ReasonCode code, const Message &text)
{
    assessment.blame(code, text);
    conclude(assessment);
}

void judgeDefect(Said &said)
{
    using Defect = TrackerContent::Defect;
    const bool empty = said.saying.defect == Defect::empty;
    conclude(said, empty ? ReasonCode("tracker_empty") : ReasonCode("tracker_corrupt"),
             said.tracker->kind == TrackerKind::megatron && empty
                 ? message("%1; Megatron ends at once with exit code 0 when it reads such a file", said.saying.found)
                 : message("%1; not used", said.saying.found));
}

// A shorter number was written over a longer one, whose last digits remained: 90 over 1000 gives 9000.
std::string overwritten(const Said &said)
{
    const std::string digits = said.saying.step ? std::to_string(*said.saying.step) : std::string();
    for (const SetAssessment *assessment : said.beside) {
        if (!assessment->set.globalStep) continue;
        const std::string own = std::to_string(*assessment->set.globalStep);
        if (own.size() < digits.size() && digits.compare(0, own.size(), own) == 0) return own;
    }
    return {};
}

// True if neither set is newer than the other. TensorFlow can save twice at one step, so the count of its saves is
// compared, too.
bool areOfOnePoint(const SetAssessment &one, const SetAssessment &other)
{
    const auto pointOf = [](const CheckpointSet &set) {
        const auto saves = set.facts.find("save_counter");
        return std::tuple(set.attempt, set.epoch, set.step, set.globalStep,
                          saves == set.facts.end() ? std::string() : saves->second);
    };
    return &one == &other || (one.set.globalStep && pointOf(one.set) == pointOf(other.set));
}

void judgeTarget(Said &said)
{
    const std::string target = printable(said.saying.target);
    if (!said.named) {
        const std::string shorter = overwritten(said);
        const Message text = message("names %1, but that checkpoint does not exist", target);
        if (shorter.empty()) return conclude(said, "tracker_target_missing", message("%1; not used", text));
        conclude(said, "tracker_corrupt",
                 message("%1: %2 was written over a longer number without truncating the file, so the file is not used",
                         text, shorter));
        return;
    }
    SetAssessment &named = *said.named;
    if (!isUsable(named) && named.set.verdict != Verdict::unknown) {
        conclude(said, "tracker_not_valid",
                 message("names %1, which is %2: the framework would try to load it", target,
                         verdictMessage(named.set.verdict)));
        return;
    }
    const auto newest =
        std::find_if(said.beside.begin(), said.beside.end(), [](SetAssessment *d) { return isUsable(*d); });
    if (newest != said.beside.end() && !areOfOnePoint(**newest, named)) {
        const Message text = message(
            "names %1, but %2 is newer: that save was not registered, or someone went back to an older one on purpose",
            target, (*newest)->set.id);
        conclude(said, "tracker_behind", text);
        tell(**newest, "tracker_behind", message("%1 %2", said.name(), text));
        return;
    }
    if (said.saying.tolerated)
        conclude(said, "tracker_tolerated", message("names %1; %2", target, said.saying.found));
    else
        said.out.text = message("%1 names %2", said.name(), target);
}

// One path that several nodes see with different contents: each rank would follow the tracker of its own node.
void compareNodes(std::vector<Said> &all)
{
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t k = i + 1; k < all.size(); ++k) {
            Said &a = all[i], &b = all[k];
            if (a.tracker->member.file.path != b.tracker->member.file.path || a.saying.target == b.saying.target)
                continue;
            const auto says = [](const Said &said) {
                return message("%1: %2", said.tracker->member.node,
                               said.saying.target.empty() ? said.saying.found : Message(printable(said.saying.target)));
            };
            const Message text = message(
                "%1 differs between nodes (%2; %3): each rank would follow its own tracker, or the larger number",
                printable(baseName(a.tracker->member.file.path)), says(a), says(b));
            for (Said *said : {&a, &b}) {
                said->out.code = ReasonCode("tracker_conflict");
                said->out.text = text;
                for (SetAssessment *assessment : said->beside) {
                    const auto &reasons = assessment->set.reasons;
                    if (std::any_of(reasons.begin(), reasons.end(),
                                    [](const Reason &r) { return r.code == "tracker_conflict"; }))
                        continue;
                    tell(*assessment, "tracker_conflict", text);
                }
            }
        }
}

// Compares the trackers of two frameworks in one directory.
void compareKinds(std::vector<Said> &all)
{
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t k = i + 1; k < all.size(); ++k) {
            Said &a = all[i], &b = all[k];
            const bool same = a.directory == b.directory && a.tracker->member.node == b.tracker->member.node;
            if (!same || a.tracker->kind == b.tracker->kind || !a.saying.step || !b.saying.step ||
                *a.saying.step == *b.saying.step)
                continue;
            const Message text = message(
                "%1 names step %2, but %3 beside it names step %4: trackers from two frameworks are in one directory",
                printable(baseName(a.tracker->member.file.path)), grouped(*a.saying.step),
                printable(baseName(b.tracker->member.file.path)), grouped(*b.saying.step));
            for (Said *said : {&a, &b}) {
                if (said->out.code) continue;
                said->out.code = ReasonCode("tracker_conflict");
                said->out.text = text;
            }
        }
}

// A framework that is started by hand in a directory without its tracker begins from random weights.
void noteAbsent(const std::vector<SetAssessment> &assessments, const std::vector<Said> &all,
                std::vector<TrackerVerdict> &out)
{
    std::vector<std::string> told;
    for (const SetAssessment &assessment : assessments) {
        const Part &part = assessment.parts.front();
        if (!assessment.sharedByRanks || !part.member || !part.evidence || !isUsable(assessment)) continue;
        const bool megatron = part.evidence->format == Format::megatron;
        if (!megatron && part.evidence->format != Format::deepspeed) continue;
        const std::string directory = dirName(part.member->file.path);
        const bool has = std::any_of(all.begin(), all.end(), [&](const Said &s) { return s.directory == directory; });
        if (has || std::find(told.begin(), told.end(), directory) != told.end()) continue;
        told.push_back(directory);
        TrackerVerdict verdict{part.member->node, directory, megatron ? TrackerKind::megatron : TrackerKind::deepspeed};
        verdict.code = ReasonCode("tracker_absent");
        verdict.text =
            message("%1 has no %2: a training that chooses its checkpoint there would silently start from zero",
                    printable(directory), megatron ? "latest_checkpointed_iteration.txt" : "latest");
        out.push_back(std::move(verdict));
    }
}

// True if checkpoints of its framework are in the same directory. Megatron's tracker has the same name as MindFormers'
// list of the checkpoints to resume.
bool isAtHome(const Said &said)
{
    if (baseName(said.directory) == "resume_record") return false;
    if (said.tracker->kind != TrackerKind::tensorflow)
        return said.tracker->kind == TrackerKind::megatron || !said.beside.empty();
    return std::any_of(said.beside.begin(), said.beside.end(), [](const SetAssessment *assessment) {
        const Evidence *evidence = assessment->parts.front().evidence;
        return evidence && (evidence->format == Format::tfV1 || evidence->format == Format::tfV2);
    });
}

Said read(const Tracker &tracker, const Evidence &evidence)
{
    Said said;
    said.tracker = &tracker;
    said.directory = dirName(tracker.member.file.path);
    said.out = {tracker.member.node, tracker.member.file.path, tracker.kind};
    const auto text = evidence.meta.find("tracker");
    if (text != evidence.meta.end()) {
        said.saying = parseTracker(tracker.kind, text->second, said.directory);
    } else if (!evidence.problems.empty()) {
        const Problem &why = evidence.problems.front();
        said.saying.defect = TrackerContent::Defect::malformed;
        said.saying.found = why.text;
        if (why.code != "tracker_corrupt") said.out.code = ReasonCode("tracker_unreadable");
    }
    said.out.target = said.saying.target;
    return said;
}

}  // namespace

std::vector<TrackerVerdict> judgeTrackers(std::vector<SetAssessment> &assessments, const Inventory &inventory,
                                          const KnownEvidence &known)
{
    std::vector<Said> all;
    for (const Tracker &tracker : inventory.trackers) {
        if (isOfSingleSaves(tracker.kind)) continue;
        const EvidencePtr evidence = known(tracker.member);
        if (isUnread(*evidence)) continue;  // not read yet
        Said said = read(tracker, *evidence);
        placeBeside(said, assessments);
        // Any file can be called "checkpoint" or "latest".
        if (said.saying.defect != TrackerContent::Defect::none && !isAtHome(said)) continue;
        all.push_back(std::move(said));
    }
    for (Said &said : all) {
        if (said.out.code)
            said.out.text = message("%1 %2", said.name(), said.saying.found);
        else if (said.saying.defect != TrackerContent::Defect::none)
            judgeDefect(said);
        else
            judgeTarget(said);
    }
    compareNodes(all);
    compareKinds(all);
    std::vector<TrackerVerdict> out;
    out.reserve(all.size());
    for (Said &said : all) out.push_back(said.out);
    noteAbsent(assessments, all, out);
    return out;
}

std::vector<Member> unreadTrackers(const Inventory &inventory, const KnownEvidence &known)
{
    std::vector<Member> unread;
    for (const Tracker &tracker : inventory.trackers) {
        if (isUnread(*known(tracker.member))) unread.push_back(tracker.member);
    }
    return unread;
}

}  // namespace rankdeck
