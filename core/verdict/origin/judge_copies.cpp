// SPDX-License-Identifier: GPL-3.0-or-later
// Detection of copied files: a shard, a model or an optimizer without a step of its own may be of an older save. Two
// steps of a training never have the same values. So if a file has the values of another step, one of the two was not
// saved there. Values that are equal in all saves were frozen. If everything is unchanged, nothing was mixed.
#include "core/base/text.h"
#include "core/checkpoint/state_halves.h"
#include "core/checkpoint/thresholds.h"
#include "core/verdict/laws.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>
#include <unordered_map>

namespace rankdeck {
namespace {

using Point = std::tuple<std::optional<std::int64_t>, std::optional<std::int64_t>, std::optional<std::int64_t>>;

struct Place {
    std::size_t set = 0, rank = 0;
    const Member *member = nullptr;
    const std::string *name = nullptr;  // below the member
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

// Time between the file and the nearest other one of its save.
double secondsApart(const Place &place)
{
    const std::string &whole = place.member->file.path;
    const auto own = std::find_if(place.member->parts.begin(), place.member->parts.end(), [&](const FileEntry &part) {
        return nameInAllSaves(whole, part.path) == *place.name || part.path == whole + *place.name;
    });
    if (own == place.member->parts.end()) return 0;
    double nearest = std::numeric_limits<double>::max();
    for (const FileEntry &part : place.member->parts)
        if (&part != &*own) nearest = std::min(nearest, std::abs(double(part.stat.mtimeNs - own->stat.mtimeNs)) / 1e9);
    return place.member->parts.size() < 2 ? 0 : nearest;
}

using Places = std::unordered_map<std::uint64_t, std::vector<Place>>;  // by what they hold

Places placesOf(const std::vector<SetAssessment> &assessments)
{
    Places out;
    for (std::size_t i = 0; i < assessments.size(); ++i) {
        const SetAssessment &assessment = assessments[i];
        if (!pointOf(assessment.set)) continue;
        const Member *before = nullptr;
        for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank) {
            const Part &part = assessment.parts[rank];
            if (!part.member || part.member == before || !part.evidence || !part.evidence->partFingerprints) continue;
            before = part.member;
            for (const auto &[name, print] : *part.evidence->partFingerprints)
                out[print].push_back({i, rank, part.member, &name});
        }
    }
    return out;
}

// Saves of a training lie further apart than their files do. This is not true of files copied without their times: the
// gap between two of them is only the time to copy one.
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

// The original among equal files: the one in the only usable set, or the one that is near the files of its save in
// time. Otherwise the oldest, if it was written before the others. Otherwise each may be the copy: nullptr.
const Place *originalOf(const std::vector<Place> &places, const std::vector<SetAssessment> &assessments)
{
    const auto usable = [&](const Place &place) { return isUsable(assessments[place.set]); };
    if (std::count_if(places.begin(), places.end(), usable) == 1)
        return &*std::find_if(places.begin(), places.end(), usable);
    std::map<std::size_t, std::pair<double, const Place *>> nearest;  // of each save: ranks may hold the same
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

// Another file in it is not of that save.
bool hasMoved(const Place &place, const Place &original, const std::vector<SetAssessment> &assessments)
{
    const auto &own = *assessments[place.set].parts[place.rank].evidence->partFingerprints;
    const auto &before = *assessments[original.set].parts[original.rank].evidence->partFingerprints;
    return std::any_of(own.begin(), own.end(), [&](const auto &mine) {
        return std::none_of(before.begin(), before.end(),
                            [&](const auto &theirs) { return theirs.second == mine.second; });
    });
}

}  // namespace

void judgeCopies(const std::vector<SetAssessment> &assessments, const JudgeContext & /*context*/)
{
    const Places all = placesOf(assessments);
    std::map<std::pair<std::string, std::string>, std::set<Point>> pointsOfName;  // series and name
    const auto keyOf = [](const Place &place) { return std::pair(place.member->series, *place.name); };
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
        std::vector<std::pair<const Place *, const Place *>> doubted;  // with the one that it may be a copy of
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
            if (!told.insert({place.set, *place.name}).second) continue;
            assessment.blame(
                "values_repeated",
                message("%1 has the same values as %2 at %3%4", printable(*place.name), printable(*other->name),
                        pointText(assessments[other->set].set),
                        original ? message(": it is a copy from that save, or the weights did not change in between")
                                 : message(": one of them is a copy, and the file times do not show which")));
        }
    }
}

}  // namespace rankdeck
