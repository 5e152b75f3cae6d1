// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/recover/resume/checks/resume_checks.h"
#include "core/recover/wording.h"

namespace rankdeck {

namespace {

// A file of the checkpoint that does not exist; if there is none, a file that may not exist.
struct Absent {
    std::string path = {};
    Known isThere = Known::yes;
};

Absent absentOf(const ResumeFacts &facts, const MemberVerdict &member, const NodeSpec &node)
{
    std::vector<std::string> files = filesOfPrefix(facts.view, member);
    if (files.empty()) files.push_back(member.path);
    Absent absent{.path = files.front()};
    for (const std::string &file : files) {
        const Known isThere = facts.book.exists(node.name, file);
        if (isThere.isYes() || absent.isThere.isNo()) continue;
        absent = {.path = file, .isThere = isThere};
    }
    return absent;
}

}  // namespace

void checkMembers(Findings &into, const ResumeFacts &facts)
{
    const CheckpointSet &set = *facts.choice.set;
    for (const MemberVerdict &member : set.members) {
        const NodeSpec *node = facts.view.job.nodeOf(member.rank);
        if (!node || member.path.empty()) {
            into.push_back(
                onRank(refusal("member_missing", message("rank %1 has no file in %2", member.rank, setText(set)),
                               message("choose a different set")),
                       member.rank));
            continue;
        }
        const Absent absent = absentOf(facts, member, *node);
        const std::string where = printable(absent.path) + " on node " + printable(node->name);
        if (absent.isThere.isUnknown()) continue;  // the node has its own finding
        const auto stat = facts.book.stat(node->name, absent.path);
        if (absent.isThere.isNo()) {
            const bool elsewhere = member.node != node->name;
            Finding finding = onRank(
                refusal("member_missing",
                        message("rank %1 needs %2, found nothing there%3", member.rank, where,
                                elsewhere ? message("; the file is on node %1", printable(member.node)) : Message("")),
                        elsewhere ? message("let the plan copy it there and compare its hash")
                                  : message("it was removed after it was judged: choose a different set")),
                member.rank);
            finding.fixable = canCopy(facts.view, set, member, *node);
            if (finding.fixable && facts.options.fixing("member_missing")) {
                finding.result = Finding::Result::warn;
                finding.fix =
                    "the plan copies it there from node " + printable(member.node) + ", and compares its hash";
            }
            into.push_back(std::move(finding));
        } else if (member.bytes != 0 && stat && absent.path == member.path && stat->kind == 'f' &&
                   stat->size != member.bytes) {
            into.push_back(onRank(refusal("member_changed",
                                          message("%1 had %2 when it was judged, but now has %3", where,
                                                  bytesText(member.bytes), bytesText(stat->size)),
                                          message("wait until it has been judged again")),
                                  member.rank));
        }
    }
}

}  // namespace rankdeck
