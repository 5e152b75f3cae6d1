// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/grouping.h"

#include "core/base/parallel_for.h"
#include "core/base/text.h"
#include "core/checkpoint/inventory/refuted_ranks.h"
#include "core/checkpoint/read/saved_name.h"
#include "core/verdict/attempts.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace rankdeck {
namespace {

const char *kindLetter(CheckpointKind kind)
{
    switch (kind) {
    case CheckpointKind::periodic: return "";
    case CheckpointKind::graceful: return "g";
    case CheckpointKind::breakpoint: return "b";
    case CheckpointKind::ttp: return "t";
    case CheckpointKind::other: break;
    }
    return "o";
}

using Number = std::optional<std::int64_t>;
using Key = std::tuple<std::string_view, bool, int, CheckpointKind, std::string_view, Number, Number, Number>;

Key keyOf(const Member &m, int attempt)
{
    return {m.series,      m.sharedByRanks, attempt,     m.name.kind,
            m.name.prefix, m.name.epoch,    m.name.step, m.name.globalStep};
}

struct KeyHash {
    std::size_t operator()(const Key &key) const
    {
        const auto &[series, sharedByRanks, attempt, kind, prefix, epoch, step, globalStep] = key;
        std::size_t hash = std::hash<std::string_view>()(prefix);
        for (const std::int64_t part : {std::int64_t(attempt), std::int64_t(kind), epoch.value_or(-1),
                                        step.value_or(-1), globalStep.value_or(-1)})
            hash = hash * 0x9e3779b97f4a7c15u + std::size_t(part);
        return hash ^ (hash >> 32);
    }
};

SetAssessment newDraft(const Member &m, int attempt)
{
    SetAssessment assessment;
    assessment.set.attempt = attempt;
    assessment.set.kind = m.name.kind;
    assessment.set.epoch = m.name.epoch;
    assessment.set.step = m.name.step;
    assessment.set.globalStep = m.name.globalStep;
    assessment.prefix = m.name.prefix;
    assessment.weightsOnly = m.name.weightsOnly;
    assessment.sharedByRanks = m.sharedByRanks;
    assessment.stepIsGuess = m.name.stepIsGuess;
    return assessment;
}

void makeRoom(SetAssessment &assessment, int worldSize)
{
    assessment.parts.resize(std::size_t(worldSize));
    assessment.set.members.resize(std::size_t(worldSize));
    for (int rank = 0; rank < worldSize; ++rank) assessment.set.members[std::size_t(rank)].rank = rank;
}

constexpr std::size_t maxNotes = 50;

struct Note {  // in the order of members and ranks
    std::size_t member = 0;
    int rank = -1;
    std::string text = {};
};

void place(SetAssessment &assessment, int rank, std::size_t index, const Member &m, const Evidence &e, bool uncertain,
           std::vector<Note> &notes)
{
    Part &part = assessment.parts[std::size_t(rank)];
    if (m.name.temporary) {
        part.temporary = &m;
        return;
    }
    if (part.member) {
        // The same directory, listed by another node.
        if (part.member->file.path == m.file.path && part.member->file.stat.size == m.file.stat.size &&
            part.member->file.stat.mtimeNs == m.file.stat.mtimeNs)
            return;
        const bool newer = m.file.stat.mtimeNs > part.member->file.stat.mtimeNs;
        if (part.member->file.path != m.file.path) part.rival = newer ? part.member : &m;
        const Member &left = newer ? *part.member : m;
        if (notes.size() < maxNotes)
            notes.push_back({index, rank,
                             "rank " + std::to_string(rank) +
                                 " has two files for one step; not counted: " + printable(left.file.path)});
        if (!newer) return;
    }
    part.member = &m;
    part.evidence = &e;
    part.attemptUncertain = uncertain;
    part.plain = m.file.stat.kind == 'f' && m.file.error.empty() && !m.growing && m.file.stat.size > 0;
    part.rankInName = m.name.rank.has_value();
    MemberVerdict &out = assessment.set.members[std::size_t(rank)];
    out.node = m.node;
    out.path = m.file.path;
    out.member = static_cast<int>(index);
    out.state = MemberState::ok;
    out.level = e.level;
    out.bytes = m.file.stat.size;
    out.time = wallFromNs(m.file.stat.mtimeNs);
}

// Finds the attempts of each directory tree separately.
Attempts attemptsOf(const std::vector<Member> &members, const std::vector<EvidencePtr> &evidence,
                    const Expectation &expected)
{
    const auto elsewhere = [&](const Member &m) { return m.series != members.front().series; };
    if (std::none_of(members.begin(), members.end(), elsewhere)) return inferAttempts(members, evidence, expected);
    std::map<std::string, std::vector<std::size_t>> series;
    for (std::size_t i = 0; i < members.size(); ++i) series[members[i].series].push_back(i);
    Attempts all;
    all.ofMember.resize(members.size());
    all.uncertain.resize(members.size());
    for (const auto &[name, indices] : series) {
        std::vector<Member> own;
        std::vector<EvidencePtr> seen;
        for (const std::size_t i : indices) {
            own.push_back(members[i]);
            seen.push_back(evidence[i]);
        }
        const Attempts part = inferAttempts(own, seen, expected);
        for (std::size_t k = 0; k < indices.size(); ++k) {
            all.ofMember[indices[k]] = part.ofMember[k];
            all.uncertain[indices[k]] = part.uncertain[k];
        }
    }
    return all;
}

struct Sorted {
    std::vector<SetAssessment> assessments;
    std::vector<int> setOf;  // set of each member; -1: none
    std::vector<Note> notes;
    int leftovers = 0;
};

// Paths (without their numbers) of numbered files, if at least one file of that form is a checkpoint.
std::set<std::string> numberedCheckpoints(const std::vector<Member> &members, const std::vector<EvidencePtr> &evidence)
{
    std::set<std::string> forms;
    for (std::size_t i = 0; i < members.size(); ++i)
        if (members[i].name.numbered && evidence[i]->complete == true)
            forms.insert(withoutNumbers(members[i].file.path));
    return forms;
}

Sorted sortIntoSets(const std::vector<Member> &members, const std::vector<EvidencePtr> &evidence,
                    const Attempts &attempts, int worldSize)
{
    Sorted out;
    out.setOf.assign(members.size(), -1);
    std::unordered_map<Key, std::size_t, KeyHash> byKey;
    const std::set<std::string> numbered = numberedCheckpoints(members, evidence);
    for (std::size_t i = 0; i < members.size(); ++i) {
        const Member &m = members[i];
        if (m.rank < 0 || m.rank >= worldSize) {
            ++out.leftovers;
            continue;
        }
        if (evidence[i]->format == Format::mindsporeStrategy) {
            if (out.notes.size() < maxNotes)
                out.notes.push_back({i, -1, printable(m.file.path) + " is a strategy file, not a checkpoint"});
            continue;
        }
        if (m.name.numbered && isOfNoFormat(*evidence[i]) && numbered.count(withoutNumbers(m.file.path)) == 0) {
            if (out.notes.size() < maxNotes)
                out.notes.push_back({i, -1, printable(m.file.path) + " is not a checkpoint by its content"});
            continue;
        }
        const auto [found, added] = byKey.try_emplace(keyOf(m, attempts.ofMember[i]), out.assessments.size());
        if (added) out.assessments.push_back(newDraft(m, attempts.ofMember[i]));
        out.setOf[i] = static_cast<int>(found->second);
    }
    return out;
}

// Each thread fills its own ranks, and therefore parts that no other thread changes.
void fill(Sorted &sorted, const std::vector<Member> &members, const std::vector<EvidencePtr> &evidence,
          const Attempts &attempts, int worldSize)
{
    const std::size_t ranks = std::size_t(worldSize), cells = ranks * sorted.assessments.size();
    inTwoThreads(sorted.assessments.size(), cells, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) makeRoom(sorted.assessments[i], worldSize);
    });
    std::mutex mutex;
    inTwoThreads(ranks, cells, [&](std::size_t from, std::size_t to) {
        std::vector<Note> notes;
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (sorted.setOf[i] < 0) continue;
            const Member &m = members[i];
            const std::size_t first = m.sharedByRanks ? 0 : std::size_t(m.rank),
                              last = m.sharedByRanks ? ranks : first + 1;
            for (std::size_t rank = std::max(first, from); rank < std::min(last, to); ++rank)
                place(sorted.assessments[std::size_t(sorted.setOf[i])], static_cast<int>(rank), i, m, *evidence[i],
                      attempts.uncertain[i] != 0, notes);
        }
        const std::lock_guard lock(mutex);
        sorted.notes.insert(sorted.notes.end(), notes.begin(), notes.end());
    });
}

}  // namespace

std::vector<SetAssessment> groupIntoSets(const std::vector<Member> &members, const std::vector<EvidencePtr> &evidence,
                                         const Expectation &expected, int worldSize, std::vector<std::string> &notes)
{
    const Attempts attempts = attemptsOf(members, evidence, expected);
    Sorted sorted = sortIntoSets(members, evidence, attempts, worldSize);
    fill(sorted, members, evidence, attempts, worldSize);
    std::sort(sorted.notes.begin(), sorted.notes.end(),
              [](const Note &a, const Note &b) { return std::pair(a.member, a.rank) < std::pair(b.member, b.rank); });
    for (Note &note : sorted.notes)
        if (notes.size() < maxNotes) notes.push_back(std::move(note.text));
    if (sorted.leftovers > 0)
        notes.push_back(grouped(sorted.leftovers) + " files from ranks beyond the world size of " + grouped(worldSize) +
                        " are not counted");
    return std::move(sorted.assessments);
}

void nameSets(std::vector<SetAssessment> &assessments)
{
    std::map<std::string, int> used;
    for (SetAssessment &assessment : assessments) {
        CheckpointSet &set = assessment.set;
        const bool point = set.epoch && set.step;
        set.id = std::to_string(set.attempt) + ":" +
                 (point ? std::to_string(*set.epoch - assessment.epochsBefore) + "-" + std::to_string(*set.step)
                  : set.globalStep ? std::to_string(*set.globalStep)
                  : set.epoch && assessment.prefix.empty()
                      ? "e" + std::to_string(*set.epoch)  // the epoch, because the next save changes the order
                      : printable(assessment.prefix)) +
                 kindLetter(set.kind);
        const int times = ++used[set.id];
        if (times > 1) set.id += "." + std::to_string(times);
    }
}

}  // namespace rankdeck
