// SPDX-License-Identifier: GPL-3.0-or-later
// Second names of one save: latest is a link to step_30, step_30.bak a copy of it. The save is listed once, under the
// name with its step; the other name is not another run.
#include "core/base/text.h"
#include "core/verdict/origin/siblings.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

namespace rankdeck {
namespace {

constexpr std::size_t mostNamesTold = 20;

std::vector<FileEntry> filesOf(const Member &member)
{
    return member.parts.empty() ? std::vector{member.file} : member.parts;
}

bool isOneFile(const FileEntry &a, const FileEntry &b)
{
    return a.stat.inode != 0 && a.stat.inode == b.stat.inode && a.stat.device == b.stat.device &&
           a.stat.size == b.stat.size && a.stat.mtimeNs == b.stat.mtimeNs;
}

bool areLinked(const Member &a, const Member &b)
{
    const std::vector<FileEntry> one = filesOf(a), other = filesOf(b);
    return a.node == b.node && std::equal(one.begin(), one.end(), other.begin(), other.end(), &isOneFile);
}

template <typename T>
bool areEqualParts(const std::shared_ptr<const T> &a, const std::shared_ptr<const T> &b)
{
    return a == b || (a && b && *a == *b);
}

// Compares what was read, which must include some of the values.
bool isCopy(const Evidence &a, const Evidence &b)
{
    const bool shown = a.fingerprint != 0 || a.checksums || a.partFingerprints || a.signs;
    return shown && a.complete.isYes() && b.complete.isYes() && a.format == b.format && a.stat.size == b.stat.size &&
           a.fingerprint == b.fingerprint && a.meta.all() == b.meta.all() && areEqualParts(a.checksums, b.checksums) &&
           areEqualParts(a.partFingerprints, b.partFingerprints) && areEqualParts(a.signs, b.signs) &&
           a.tensors.sameStructure(b.tensors);
}

// The differing parts of two paths: "latest" and "step_30".
std::pair<std::string, std::string> differenceOf(const std::string &a, const std::string &b)
{
    const std::vector<std::string> one = split(a, '/'), other = split(b, '/');
    const auto [ownBegin, theirBegin] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
    const auto [ownEnd, theirEnd] = std::mismatch(one.rbegin(), std::make_reverse_iterator(ownBegin), other.rbegin(),
                                                  std::make_reverse_iterator(theirBegin));
    const auto join = [](auto from, auto to) {
        std::string out;
        for (; from != to; ++from) out += (out.empty() ? "" : "/") + *from;
        return out.empty() ? std::string(".") : out;
    };
    return {join(ownBegin, ownEnd.base()), join(theirBegin, theirEnd.base())};
}

// Names of both sets in the first rank that has a file.
std::pair<std::string, std::string> namesOf(const SetAssessment &a, const SetAssessment &b)
{
    for (std::size_t rank = 0; rank < std::min(a.parts.size(), b.parts.size()); ++rank)
        if (a.parts[rank].member && b.parts[rank].member)
            return differenceOf(a.parts[rank].member->file.path, b.parts[rank].member->file.path);
    return {};
}

using NamePoint = std::tuple<std::optional<std::int64_t>, std::optional<std::int64_t>, std::optional<std::int64_t>>;

NamePoint pointOfName(const CheckpointSet &set) { return {set.globalStep, set.epoch, set.step}; }

// Sets that may be one save. ckpt_20.pt beside ckpt_30.pt are not among them: one of the two names is wrong, and
// another rule judges that.
struct Alike {
    std::vector<std::size_t> all = {};
    std::map<NamePoint, std::vector<std::size_t>> byPoint = {};
};

// Data-parallel ranks also have equal files. A copy is recognised by its name.
bool areOneSave(const SetAssessment &a, const SetAssessment &b)
{
    if (a.parts.size() != b.parts.size() || a.sharedByRanks != b.sharedByRanks) return false;
    const auto [one, other] = namesOf(a, b);
    const bool named = isCopyWord(one) != isCopyWord(other);
    const Member *before = nullptr;
    for (std::size_t rank = 0; rank < a.parts.size(); ++rank) {
        const Part &own = a.parts[rank], &their = b.parts[rank];
        if (own.temporary || their.temporary || !own.member != !their.member) return false;
        if (!own.member || own.member == before) continue;
        before = own.member;
        if (areLinked(*own.member, *their.member)) continue;
        if (!named || own.member->node != their.member->node || !own.evidence || !their.evidence ||
            !isCopy(*own.evidence, *their.evidence))
            return false;
    }
    return before != nullptr;
}

// The set is listed under the name that claims less.
auto claimOf(const SetAssessment &assessment, const std::string &name)
{
    return std::tuple(isCopyWord(name), !assessment.set.globalStep && !assessment.set.epoch, assessment.stepIsGuess,
                      name.size());
}

// Two saves that are one have a key in common: the time, or the facts in the file.
std::vector<std::pair<std::uint64_t, std::size_t>> keysOf(const SetAssessment &assessment)
{
    const auto first = std::find_if(assessment.parts.begin(), assessment.parts.end(),
                                    [](const Part &part) { return part.member != nullptr; });
    const bool usual = assessment.set.kind == CheckpointKind::periodic || assessment.set.kind == CheckpointKind::other;
    if (!usual || first == assessment.parts.end()) return {};
    const FileStat &stat = first->member->file.stat;
    const auto hash = [](const std::string &text) { return std::hash<std::string>()(text); };
    std::size_t saying = first->evidence ? first->evidence->fingerprint : 0;
    if (first->evidence)
        for (const auto &[key, value] : first->evidence->meta) saying = saying * 31 + hash(key) + 7 * hash(value);
    return {{stat.size, hash(std::to_string(stat.mtimeNs))}, {stat.size, saying}};
}

std::string toldOnce(const SetAssessment &kept, const SetAssessment &other)
{
    const auto [name, second] = namesOf(kept, other);
    const bool linked = std::equal(
        kept.parts.begin(), kept.parts.end(), other.parts.begin(), other.parts.end(),
        [](const Part &a, const Part &b) { return (!a.member && !b.member) || areLinked(*a.member, *b.member); });
    return printable(second) + " is " + printable(name) + (linked ? ", by a link" : ", copied") + ": listed once";
}

}  // namespace

std::vector<std::string> joinSecondNames(std::vector<SetAssessment> &assessments)
{
    std::map<std::pair<std::uint64_t, std::size_t>, Alike> seen;
    std::vector<bool> isSecond(assessments.size(), false);
    std::vector<std::pair<std::size_t, std::size_t>> pairs;  // the second name, and the first
    const auto compare = [&](std::size_t one, std::size_t other) {
        if (isSecond[one] || isSecond[other] || !areOneSave(assessments[one], assessments[other])) return;
        const auto [own, their] = namesOf(assessments[one], assessments[other]);
        const bool isBetter = claimOf(assessments[one], own) < claimOf(assessments[other], their);
        const std::size_t kept = isBetter ? one : other, second = isBetter ? other : one;
        isSecond[second] = true;
        pairs.emplace_back(second, kept);
    };
    for (std::size_t i = 0; i < assessments.size(); ++i)
        for (const auto &key : keysOf(assessments[i])) {
            Alike &before = seen[key];
            const auto point = pointOfName(assessments[i].set);
            if (point == NamePoint()) {
                for (const std::size_t k : before.all) compare(i, k);
            } else {
                for (const NamePoint &at : {point, NamePoint()})
                    for (const std::size_t k : before.byPoint[at]) compare(i, k);
            }
            before.byPoint[point].push_back(i);
            before.all.push_back(i);
        }
    std::vector<std::string> notes;
    for (auto [second, first] : pairs) {
        for (const auto &[dropped, better] : pairs)  // in the order in which they were found
            if (dropped == first) first = better;
        if (notes.size() < mostNamesTold) notes.push_back(toldOnce(assessments[first], assessments[second]));
    }
    std::size_t at = 0;
    std::erase_if(assessments, [&](const SetAssessment &) { return bool(isSecond[at++]); });
    return notes;
}

}  // namespace rankdeck
