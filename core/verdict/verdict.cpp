// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/verdict.h"

namespace rankdeck {

const char *verdictName(Verdict verdict)
{
    switch (verdict) {
    case Verdict::valid: return "VALID";
    case Verdict::validUnproven: return "VALID-UNPROVEN";
    case Verdict::inProgress: return "IN-PROGRESS";
    case Verdict::incomplete: return "INCOMPLETE";
    case Verdict::inconsistent: return "INCONSISTENT";
    case Verdict::corrupt: return "CORRUPT";
    case Verdict::unknown: break;
    }
    return "UNKNOWN";
}

Message verdictMessage(Verdict verdict)
{
    switch (verdict) {
    case Verdict::valid: return message("VALID");
    case Verdict::validUnproven: return message("VALID-UNPROVEN");
    case Verdict::inProgress: return message("IN-PROGRESS");
    case Verdict::incomplete: return message("INCOMPLETE");
    case Verdict::inconsistent: return message("INCONSISTENT");
    case Verdict::corrupt: return message("CORRUPT");
    case Verdict::unknown: break;
    }
    return message("UNKNOWN");
}

Verdict verdictOf(Means means)
{
    switch (means) {
    case Means::corrupt: return Verdict::corrupt;
    case Means::inconsistent: return Verdict::inconsistent;
    case Means::incomplete: return Verdict::incomplete;
    case Means::unknown: return Verdict::unknown;
    case Means::unproven: return Verdict::validUnproven;
    case Means::advice: break;
    }
    return Verdict::valid;
}

const char *memberStateName(MemberState state)
{
    switch (state) {
    case MemberState::ok: return "ok";
    case MemberState::missing: return "missing";
    case MemberState::inProgress: return "in_progress";
    case MemberState::torn: return "torn";
    case MemberState::mismatch: return "mismatch";
    case MemberState::unreadable: return "unreadable";
    case MemberState::replica: return "replica";
    case MemberState::unread: break;
    }
    return "unknown";
}

const CheckpointSet *CheckpointReport::find(const std::string &id) const
{
    for (const CheckpointSet &set : sets)
        if (set.id == id) return &set;
    return nullptr;
}

const CheckpointSet *CheckpointReport::newestValid() const
{
    for (const CheckpointSet &set : sets)
        if (set.verdict == Verdict::valid) return &set;
    return nullptr;
}

}  // namespace rankdeck
