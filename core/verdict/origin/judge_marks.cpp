// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/verdict/frameworks/mindformers_marks.h"
#include "core/verdict/laws.h"

#include <algorithm>
#include <tuple>

namespace rankdeck {
namespace {

constexpr std::size_t maxMarkNotes = 10;

const std::string *textOf(const KnownEvidence &known, const Tracker &tracker, EvidencePtr &keep)
{
    keep = known(tracker.member);
    const auto text = keep->meta.find("tracker");
    return text == keep->meta.end() ? nullptr : &text->second;
}

// The name without its count. The files of another attempt have another rerun number and are compared with another
// mark.
std::string stemOf(const std::string &name) { return name.substr(0, name.rfind('-')); }

void judgeRankMark(const std::vector<SetAssessment> &assessments, const Member &file, const RankMark &mark)
{
    const std::string folder = dirName(file.file.path);
    for (const SetAssessment &assessment : assessments)
        for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank) {
            const Member *member = assessment.parts[rank].member;
            if (!member || member->node != file.node || dirName(member->file.path) != folder) continue;
            const std::string name = baseName(member->file.path);
            const ParsedName &own = member->name;
            if (own.kind != CheckpointKind::periodic || !own.epoch || !own.step || stemOf(name) != stemOf(mark.file))
                continue;
            if (std::tuple(*own.epoch, *own.step) <= std::tuple(mark.epoch, mark.step)) continue;
            assessment.blame("commit_unproven",
                             message("meta.json of rank %1 names %2 as its last complete save: MindFormers itself "
                                     "would not resume from a later save",
                                     rank, printable(mark.file)),
                             static_cast<int>(rank));
        }
}

void judgeHealth(const std::vector<SetAssessment> &assessments, const std::vector<std::string> &unhealthy)
{
    for (const SetAssessment &assessment : assessments) {
        const Member *member = assessment.parts.empty() ? nullptr : assessment.parts.front().member;
        if (!member) continue;
        const std::string name = baseName(member->file.path);
        if (std::find(unhealthy.begin(), unhealthy.end(), name) == unhealthy.end()) continue;
        assessment.blame("unhealthy",
                         message("health_ckpts.json records %1 as unhealthy because of its embedding norm: MindFormers "
                                 "itself would load an older checkpoint",
                                 printable(name)),
                         -1);
    }
}

// Complete JSON of another form is the meta.json of another program.
bool isHalfWritten(const std::string *text) { return text && !isWholeJson(*text); }

void tellHalfWritten(const std::vector<SetAssessment> &assessments, const Member &file, std::vector<std::string> &notes)
{
    const std::string folder = dirName(file.file.path);
    const auto beside = [&](const SetAssessment &assessment) {
        return std::any_of(assessment.parts.begin(), assessment.parts.end(), [&](const Part &part) {
            return part.member && part.member->node == file.node && dirName(part.member->file.path) == folder;
        });
    };
    if (std::none_of(assessments.begin(), assessments.end(), beside) || notes.size() >= maxMarkNotes) return;
    notes.push_back(printable(file.file.path) + " on " + file.node +
                    " is empty or half written, so it does not show which of its rank's saves finished. MindFormers "
                    "itself would not use it for a resume");
}

}  // namespace

void judgeMarks(const std::vector<SetAssessment> &assessments, const JudgeContext &context)
{
    for (const Tracker &tracker : context.inventory.trackers) {
        EvidencePtr keep;
        const std::string *text = textOf(context.known, tracker, keep);
        if (tracker.kind == TrackerKind::rankMark) {
            if (const auto mark = text ? parseRankMark(*text) : std::nullopt)
                judgeRankMark(assessments, tracker.member, *mark);
            else if (!isUnread(*keep) && isHalfWritten(text))
                tellHalfWritten(assessments, tracker.member, context.notes);
        } else if (tracker.kind == TrackerKind::healthRecord) {
            const auto unhealthy = text ? parseHealthRecord(*text) : std::nullopt;
            if (unhealthy)
                judgeHealth(assessments, *unhealthy);
            else if (!isUnread(*keep))
                context.notes.push_back(
                    printable(tracker.member.file.path) + " on " + tracker.member.node +
                    " is half written or was not written by MindFormers' health monitor, so unhealthy "
                    "checkpoints are unknown");
        }
    }
}

}  // namespace rankdeck
