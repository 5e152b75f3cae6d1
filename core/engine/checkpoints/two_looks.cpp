// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/checkpoints/two_looks.h"

#include "core/base/clock.h"

#include <algorithm>
#include <map>
#include <utility>

namespace rankdeck {
namespace {

constexpr double youngSeconds = 15;    // a temporary file this young is still being written
constexpr double savingSeconds = 120;  // no file is written for longer than this without a new time

bool isYoung(WallTime time, WallTime now, double seconds)
{
    const double age = secondsBetween(time, now);
    return age > -300 && age < seconds;
}

}  // namespace

bool mayBeWritten(const CheckpointReport &report, WallTime now)
{
    return std::any_of(report.sets.begin(), report.sets.end(), [&](const CheckpointSet &set) {
        const bool staged = std::any_of(set.reasons.begin(), set.reasons.end(),
                                        [](const Reason &reason) { return reason.code == "temp_file"; });
        const bool whole = set.verdict == Verdict::valid || set.verdict == Verdict::validUnproven;
        return staged || (!whole && set.time && isYoung(*set.time, now, savingSeconds));
    });
}

bool mayBeWritten(const Member &member, WallTime now)
{
    const auto young = [&](const FileEntry &file) {
        return isYoung(secondsAfter(wallFromNs(file.stat.mtimeNs), -member.clockAhead), now, savingSeconds);
    };
    return young(member.file) || std::any_of(member.parts.begin(), member.parts.end(), young);
}

bool isSame(const Member &member, const Member &before)
{
    return member.file.stat == before.file.stat && member.parts == before.parts;
}

bool markGrowing(Inventory &now, const Inventory &before, WallTime time)
{
    std::map<std::string, const FileStat *> seen;
    for (const Member &member : before.members) seen.emplace(member.file.path, &member.file.stat);
    bool changed = false;
    for (Member &member : now.members) {
        const auto had = seen.find(member.file.path);
        const FileStat &stat = member.file.stat;
        const bool moved = had == seen.end() || had->second->size != stat.size || had->second->mtimeNs != stat.mtimeNs;
        member.growing = moved || (member.name.temporary && isYoung(savedAt(member), time, youngSeconds));
        changed = changed || moved;
    }
    return changed;
}

}  // namespace rankdeck
