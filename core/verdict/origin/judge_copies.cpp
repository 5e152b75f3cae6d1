// SPDX-License-Identifier: GPL-3.0-or-later
// Detection of copied files: a shard, a model or an optimizer without its own step may come from an older save. The
// values of two training steps are never equal. If a file has the values of another step, it was not saved at one of
// the two. Values that are equal in all saves were frozen. If all values are unchanged, nothing was mixed.
#include "core/base/text.h"
#include "core/checkpoint/read/saved_name.h"
#include "core/checkpoint/state_halves.h"
#include "core/checkpoint/thresholds.h"
#include "core/verdict/laws.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace rankdeck {
namespace {

using Point = std::tuple<std::optional<std::int64_t>, std::optional<std::int64_t>, std::optional<std::int64_t>>;

struct Place {
    std::size_t set = 0, rank = 0;
    const Member *member = nullptr;
    std::string name;  // below the member; of a single file: its own
};

std::optional<Point> pointOf(const CheckpointSet &set)
{
    if (!set.globalStep && !set.epoch) return std::nullopt;
    return Point{set.epoch, set.step, set.globalStep};
}

std::string pointText(const CheckpointSet &set)
{
    return set.globalStep ? "step " + grouped(*set.globalStep) : "epoch " + grouped(set.epoch.value_or(0));
}

// Seconds between the file and the file of its save that is nearest in time.
double secondsApart(const Place &place)
{
    const std::string &whole = place.member->file.path;
    const auto own = std::find_if(place.member->parts.begin(), place.member->parts.end(), [&](const FileEntry &part) {
        return nameInAllSaves(whole, part.path) == place.name || part.path == whole + place.name;
    });
    if (own == place.member->parts.end()) return 0;
    double nearest = std::numeric_limits<double>::max();
    for (const FileEntry &part : place.member->parts)
        if (&part != &*own) nearest = std::min(nearest, std::abs(double(part.stat.mtimeNs - own->stat.mtimeNs)) / 1e9);
    return place.member->parts.size() < 2 ? 0 : nearest;
}

using Places = std::unordered_map<std::uint64_t, std::vector<Place>>;  // hash of the content → places

bool hasOneFile(const Part &part) { return part.member && part.member->parts.empty(); }

// The save before each save of its run, by its step.
std::vector<const SetAssessment *> savesBefore(const std::vector<SetAssessment> &assessments)
{
    std::map<std::pair<std::string, int>, std::vector<std::pair<Point, std::size_t>>> runs;  // course, attempt
    for (std::size_t i = 0; i < assessments.size(); ++i)
        if (const auto point = pointOf(assessments[i].set))
            runs[{courseOf(assessments[i]), assessments[i].set.attempt}].emplace_back(*point, i);
    std::vector<const SetAssessment *> before(assessments.size(), nullptr);
    for (auto &[run, saves] : runs) {
        std::sort(saves.begin(), saves.end());
        for (std::size_t i = 1; i < saves.size(); ++i) before[saves[i].second] = &assessments[saves[i - 1].second];
    }
    return before;
}

// Whether a rank with one file has the content of an older save. Unknown if one of the two was not read.
Known repeats(const Part &part, const SetAssessment *before, std::size_t rank)
{
    if (!before || rank >= before->parts.size()) return {};
    const Part &other = before->parts[rank];
    const bool bothRead = hasOneFile(part) && hasOneFile(other) && part.evidence && other.evidence &&
                          part.evidence->fingerprint != 0 && other.evidence->fingerprint != 0;
    return bothRead ? Known(part.evidence->fingerprint == other.evidence->fingerprint) : Known();
}

Places placesOf(const std::vector<SetAssessment> &assessments)
{
    Places out;
    const std::vector<const SetAssessment *> before = savesBefore(assessments);
    for (std::size_t i = 0; i < assessments.size(); ++i) {
        const SetAssessment &assessment = assessments[i];
        if (!pointOf(assessment.set)) continue;
        const Member *last = nullptr;
        for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank) {
            const Part &part = assessment.parts[rank];
            if (!part.member || part.member == last || !part.evidence) continue;
            last = part.member;
            if (part.evidence->partFingerprints)
                for (const auto &[name, print] : *part.evidence->partFingerprints)
                    out[print].push_back({i, rank, part.member, name});
            else if (!assessment.sharedByRanks && repeats(part, before[i], rank).isYes()) {
                const auto older = std::size_t(before[i] - assessments.data());
                const Part &source = before[i]->parts[rank];
                out[part.evidence->fingerprint].push_back(
                    {older, rank, source.member, baseName(source.member->file.path)});
                out[part.evidence->fingerprint].push_back({i, rank, part.member, baseName(part.member->file.path)});
            }
        }
    }
    return out;
}

// True if `older` was certainly written before `newer`: the saves of a training are further apart than the files of one
// save. If files were copied without their times, the gap between two of them is only the time that one copy took.
bool wasWrittenBefore(const Place &older, const Place &newer)
{
    std::uint64_t largest = 0;
    for (const FileEntry &part : newer.member->parts)
        largest = std::max(largest, std::min<std::uint64_t>(part.stat.size, std::uint64_t(1) << 50));
    const auto times = [](const Place &place) {
        std::pair<std::int64_t, std::int64_t> span{place.member->file.stat.mtimeNs, place.member->file.stat.mtimeNs};
        for (const FileEntry &part : place.member->parts) {
            const bool first = &part == place.member->parts.data();
            span.first = first ? part.stat.mtimeNs : std::min(span.first, part.stat.mtimeNs);
            span.second = first ? part.stat.mtimeNs : std::max(span.second, part.stat.mtimeNs);
        }
        return span;
    };
    const auto [begin, end] = times(older);
    const std::int64_t gap = times(newer).first - end;
    return gap > threshold::pauseOfCopies + threshold::copyOfByte * std::int64_t(largest) &&
           gap / threshold::muchFurther > end - begin;
}

// The original among equal files. It is the file in the only usable set, or the one whose time is near the other files
// of its save. Otherwise it is the oldest file, if it was written before the others. nullptr: any of them may be the
// copy.
const Place *originalOf(const std::vector<Place> &places, const std::vector<SetAssessment> &assessments)
{
    const auto usable = [&](const Place &place) { return isUsable(assessments[place.set]); };
    if (std::count_if(places.begin(), places.end(), usable) == 1)
        return &*std::find_if(places.begin(), places.end(), usable);
    // save → its nearest place; several ranks of a save may hold the same content
    std::map<std::size_t, std::pair<double, const Place *>> nearest;
    for (const Place &place : places) {
        const std::pair own{secondsApart(place), &place};
        const auto [at, added] = nearest.try_emplace(place.set, own);
        if (!added && own.first < at->second.first) at->second = own;
    }
    std::vector<std::pair<double, const Place *>> apart;
    for (const auto &[set, place] : nearest) apart.push_back(place);
    std::stable_sort(apart.begin(), apart.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    if (apart[1].first > threshold::seconds(threshold::skew) &&
        apart[1].first > threshold::muchFurther * apart[0].first)
        return apart.front().second;
    const auto oldest = std::min_element(places.begin(), places.end(), [&](const Place &a, const Place &b) {
        const CheckpointSet &one = assessments[a.set].set, &other = assessments[b.set].set;
        return std::tie(one.globalStep, one.epoch, one.step) < std::tie(other.globalStep, other.epoch, other.step);
    });
    const bool first = std::all_of(places.begin(), places.end(), [&](const Place &place) {
        return place.set == oldest->set || wasWrittenBefore(*oldest, place);
    });
    return first ? &*oldest : nullptr;
}

// True if another file in the same save does not belong to that save. A rank with one file is compared with the others.
bool hasMoved(const Place &place, const Place &original, const std::vector<SetAssessment> &assessments)
{
    const SetAssessment &own = assessments[place.set], &before = assessments[original.set];
    if (place.member->parts.empty()) {
        for (std::size_t rank = 0; rank < own.parts.size(); ++rank)
            if (repeats(own.parts[rank], &before, rank).isNo()) return true;
        return false;
    }
    const auto &mine = *own.parts[place.rank].evidence->partFingerprints;
    const auto &theirs = *before.parts[original.rank].evidence->partFingerprints;
    return std::any_of(mine.begin(), mine.end(), [&](const auto &one) {
        return std::none_of(theirs.begin(), theirs.end(),
                            [&](const auto &other) { return other.second == one.second; });
    });
}

}  // namespace

void judgeCopies(const std::vector<SetAssessment> &assessments, const JudgeContext & /*context*/)
{
    const Places all = placesOf(assessments);
    std::map<std::pair<std::string, std::string>, std::set<Point>> pointsOfName;  // series and name
    const auto keyOf = [](const Place &place) {
        return std::pair(place.member->series, place.member->parts.empty() ? withoutNumbers(place.name) : place.name);
    };
    for (const auto &[print, places] : all)
        for (const Place &place : places) pointsOfName[keyOf(place)].insert(*pointOf(assessments[place.set].set));
    std::set<std::pair<std::size_t, std::string>> told;
    for (const auto &[print, places] : all) {
        std::set<Point> points;
        for (const Place &place : places) points.insert(*pointOf(assessments[place.set].set));
        if (points.size() < 2) continue;
        const std::size_t saves = pointsOfName[keyOf(places.front())].size();
        if (points.size() > 2 && points.size() >= saves) continue;  // frozen
        const Place *original = originalOf(places, assessments);
        std::vector<std::pair<const Place *, const Place *>> doubted;  // file, and the file of which it may be a copy
        for (const Place &place : places) {
            const Point own = *pointOf(assessments[place.set].set);
            const auto other = std::find_if(places.begin(), places.end(), [&](const Place &one) {
                return (!original || &one == original) && *pointOf(assessments[one.set].set) != own &&
                       hasMoved(place, one, assessments);
            });
            if (other != places.end() && isUsable(assessments[place.set])) doubted.emplace_back(&place, &*other);
        }
        for (const auto &[doubtful, other] : doubted) {
            const Place &place = *doubtful;
            const SetAssessment &assessment = assessments[place.set];
            if (!told.insert({place.set, place.name}).second) continue;
            assessment.blame(
                "values_repeated",
                message("%1 has the same values as %2 at %3%4", printable(place.name), printable(other->name),
                        pointText(assessments[other->set].set),
                        original ? message(": it is a copy from that save, or the weights did not change in between")
                                 : message(": one of them is a copy, and the file times do not show which")));
        }
    }
}

}  // namespace rankdeck
