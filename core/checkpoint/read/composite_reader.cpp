// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/read/composite_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/listing_tree.h"
#include "core/checkpoint/read/saved_name.h"
#include "core/checkpoint/thresholds.h"

#include <algorithm>
#include <map>

namespace rankdeck {
namespace {

constexpr std::uint64_t bytesPerStep = 8u << 20;
constexpr std::uint64_t bytesPerSkim = 64u << 10;
constexpr std::uint32_t wholePiece = 4u << 20;
constexpr std::size_t maxProblems = 100;
constexpr std::size_t maxTensors = 200'000;
constexpr const char *stateKeys[] = {"schedule_step", "schedule_rate", "optimizer_step", "optimizer_rate",
                                     "average_step",  "data_step",     "data_order",     "data_seed",
                                     "samples_seen",  "epoch"};

std::uint64_t cost(const ReadStep &step)
{
    std::uint64_t bytes = step.scans.size() * bytesPerSkim;
    for (const RangeRequest &range : step.ranges) bytes += range.length;
    return bytes;
}

ReadStep wholeFile(const FileEntry &file)
{
    ReadStep step;
    const std::uint64_t size = std::min<std::uint64_t>(file.stat.size, CompositeReader::maxWholeBytes);
    for (std::uint64_t at = 0; at == 0 || at < size; at += wholePiece)
        step.ranges.push_back(
            {file.path, at, static_cast<std::uint32_t>(std::clamp<std::uint64_t>(size - at, 1, wholePiece))});
    return step;
}

}  // namespace

CompositeReader::CompositeReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted,
                                 Format format)
    : m_wanted(wanted)
{
    m_evidence.path = whole.path;
    m_evidence.stat = whole.stat;
    m_evidence.format = format;
    m_parts.reserve(parts.size());
    for (const FileEntry &file : parts) {
        Part part;
        part.file = file;
        part.name = std::string(pathBelow(file.path, whole.path));
        m_parts.push_back(std::move(part));
    }
}

std::unique_ptr<FormatReader> CompositeReader::readerOf(const Part &part) { return makeReader(part.file, m_wanted); }

const CompositeReader::Part *CompositeReader::find(std::string_view name) const
{
    const auto at = std::find_if(m_parts.begin(), m_parts.end(), [&](const Part &part) { return part.name == name; });
    return at == m_parts.end() ? nullptr : &*at;
}

ReadStep CompositeReader::advance(const ReadReplies &replies)
{
    if (m_phase == Phase::done) return {};
    if (m_phase == Phase::begin) {
        if (m_parts.size() > maxParts) {
            m_phase = Phase::done;
            problem("too_many_parts", message("has %1 files, more than the limit of %2: not judged",
                                              grouped(std::int64_t(m_parts.size())), grouped(std::int64_t(maxParts))));
            m_evidence.level = EvidenceLevel::L0;
            return {};
        }
        begin();
    } else if (m_phase == Phase::parts) {
        distribute(replies);
    }
    if (m_phase == Phase::parts) {
        ReadStep step = gather();
        if (!step.done()) return counted(std::move(step));
        m_phase = Phase::combine;
        m_evidence.level = EvidenceLevel::L1;
        return counted(combine({}));
    }
    for (const RangeReply &reply : replies.ranges) m_evidence.bytesRead += reply.bytes.size();
    return counted(combine(replies));
}

ReadStep CompositeReader::counted(ReadStep step)
{
    if (!step.done())
        ++m_evidence.roundTrips;
    else if (m_phase == Phase::combine)
        m_phase = Phase::done;
    return step;
}

void CompositeReader::begin()
{
    m_phase = Phase::parts;
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        Part &part = m_parts[i];
        part.evidence.path = part.file.path;
        part.evidence.stat = part.file.stat;
        part.how = plan(part);
        if (part.how == How::leave) continue;
        Child child;
        child.part = i;
        if (!part.file.error.empty()) {
            part.evidence.problems.push_back({"unreadable", 0, "could not be read: " + part.file.error});
            continue;
        }
        if (part.how == How::byFormat) {
            child.reader = readerOf(part);
            child.step = child.reader->advance({});
        } else {
            child.step = wholeFile(part.file);
        }
        m_children.push_back(std::move(child));
        if (m_children.back().step.done()) feed(m_children.back());
    }
}

// Collects as many waiting children as fit into one step; at least one.
ReadStep CompositeReader::gather()
{
    ReadStep step;
    m_asked.clear();
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < m_children.size() && bytes < bytesPerStep; ++i) {
        const Child &child = m_children[i];
        if (child.over) continue;
        bytes += cost(child.step);
        step.ranges.insert(step.ranges.end(), child.step.ranges.begin(), child.step.ranges.end());
        step.scans.insert(step.scans.end(), child.step.scans.begin(), child.step.scans.end());
        m_asked.push_back(i);
    }
    return step;
}

void CompositeReader::distribute(const ReadReplies &replies)
{
    std::size_t range = 0, skim = 0;
    for (const std::size_t i : m_asked) {
        Child &child = m_children[i];
        child.replies = {};
        for (std::size_t k = 0; k < child.step.ranges.size() && range < replies.ranges.size(); ++k)
            child.replies.ranges.push_back(replies.ranges[range++]);
        for (std::size_t k = 0; k < child.step.scans.size() && skim < replies.scans.size(); ++k)
            child.replies.scans.push_back(replies.scans[skim++]);
        feed(child);
    }
}

void CompositeReader::feed(Child &child)
{
    Part &part = m_parts[child.part];
    if (child.reader) {
        if (!child.step.done()) child.step = child.reader->advance(child.replies);
        child.over = child.step.done();
        if (child.over) {
            part.evidence = child.reader->evidence();
            m_evidence.bytesRead += part.evidence.bytesRead;
            child.reader.reset();
        }
        child.replies = {};
        return;
    }
    child.over = true;
    const auto said = [&](ReasonCode code, Message text) {
        part.evidence.problems.push_back({code, 0, std::move(text)});
    };
    for (const RangeReply &reply : child.replies.ranges) {
        if (!reply.error.empty()) {
            said("unreadable", message("could not be read: %1", reply.error));
            break;
        }
        part.bytes += reply.bytes;
        part.evidence.stat = reply.stat;
    }
    m_evidence.bytesRead += part.bytes.size();
    const FileStat &now = part.evidence.stat, &listed = part.file.stat;
    if (part.evidence.problems.empty() && (now.size != listed.size || now.mtimeNs != listed.mtimeNs))
        said("still_growing", message("changed since it was listed"));
    else if (part.evidence.problems.empty() && part.bytes.size() < now.size)
        said("too_large", message("has %1, more than the limit of %2", bytesText(now.size), bytesText(maxWholeBytes)));
    if (!part.evidence.problems.empty()) return;
    part.evidence.complete = true;
    part.evidence.level = EvidenceLevel::L3;
    child.replies = {};
}

std::optional<std::int64_t> CompositeReader::majority(const std::vector<Voice> &voices, const std::string &key)
{
    std::map<std::int64_t, std::size_t> votes;
    for (const Voice &voice : voices)
        if (const auto value = voice.part->evidence.number(key)) ++votes[*value];
    const auto most =
        std::max_element(votes.begin(), votes.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
    return most == votes.end() ? std::nullopt : std::optional(most->first);
}

void CompositeReader::mustSay(const std::vector<Voice> &voices, const std::string &key, std::int64_t value,
                              ReasonCode code)
{
    for (const Voice &voice : voices) {
        const auto said = voice.part->evidence.number(key);
        if (said && *said != value)
            refuse(code,
                   message("%1 has %2 %3, but the others have %4", printable(voice.part->name), key, grouped(*said),
                           grouped(value)),
                   voice.rank);
    }
}

void CompositeReader::compareTimes(std::vector<const Part *> parts)
{
    if (parts.size() < 2) return;
    std::sort(parts.begin(), parts.end(),
              [](const Part *a, const Part *b) { return a->file.stat.mtimeNs < b->file.stat.mtimeNs; });
    std::size_t widest = 1;
    std::int64_t gap = 0;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::int64_t here = parts[i]->file.stat.mtimeNs - parts[i - 1]->file.stat.mtimeNs;
        if (here <= gap) continue;
        gap = here;
        widest = i;
    }
    if (gap < threshold::oneSave) return;
    problem("times_apart", message("%1 of %2 files (first: %3) were written %4 minutes after the others: copied, or "
                                   "overwritten by a later save of the same step",
                                   grouped(std::int64_t(parts.size() - widest)), grouped(std::int64_t(parts.size())),
                                   printable(parts[widest]->name), grouped(gap / 60'000'000'000)));
}

// Copied files may have any times, but all of the same day. A file of last week is from another save, usually of
// another run.
void CompositeReader::compareDays()
{
    std::vector<const Part *> parts;
    for (const Part &part : m_parts)
        if (part.how == How::byFormat && !part.isLeftover && part.file.stat.kind == 'f' &&
            part.file.stat.mtimeNs > threshold::noClock)
            parts.push_back(&part);
    std::sort(parts.begin(), parts.end(),
              [](const Part *a, const Part *b) { return a->file.stat.mtimeNs < b->file.stat.mtimeNs; });
    for (std::size_t i = 1; 2 * i <= parts.size(); ++i) {
        const std::int64_t gap = parts[i]->file.stat.mtimeNs - parts[i - 1]->file.stat.mtimeNs;
        if (gap < threshold::noSave) continue;
        problem("times_apart",
                message("%1 was written %2 hours before the other files: it belongs to another save or another run",
                        printable(parts[i - 1]->name), grouped(gap / 3'600'000'000'000)));
        return;
    }
}

// Reports files that were saved for another rank or step than their present name says.
void CompositeReader::compareNames()
{
    std::vector<SavedFile> files;
    for (const Part &part : m_parts) {
        if (part.how != How::byFormat || part.isLeftover || part.evidence.complete != true) continue;
        const auto root = part.evidence.meta.find("archive_root");
        if (root != part.evidence.meta.end()) files.push_back({part.name, root->second});
    }
    for (const std::size_t at : renamedAmong(files)) {
        problem("unmatched_name",
                message("%1 was saved as %2: the file was renamed, or is a copy of another rank's file",
                        printable(files[at].path), printable(files[at].savedAs)));
        return;
    }
}

void CompositeReader::refuse(ReasonCode code, Message text, int rank)
{
    m_evidence.complete = false;
    problem(code, std::move(text), rank);
}

void CompositeReader::problem(ReasonCode code, Message text, int rank)
{
    if (m_evidence.problems.size() < maxProblems) m_evidence.problems.push_back({code, 0, std::move(text), rank});
}

bool CompositeReader::full() const { return m_evidence.problems.size() >= maxProblems; }

bool CompositeReader::takeOver(const Part &part, int rank)
{
    const Evidence &e = part.evidence;
    const auto textOf = [&](const Problem &p) {
        return part.name.empty() ? p.text : message("%1: %2", printable(part.name), p.text);
    };
    if (e.nonFiniteSeen) m_evidence.nonFiniteSeen = true;
    for (const Problem &p : e.problems) {
        if (e.complete == false)
            refuse(p.code, textOf(p), rank);
        else
            problem(p.code, textOf(p), rank);
    }
    if (e.complete == false) {
        if (e.problems.empty()) refuse("torn", message("%1 is incomplete", printable(part.name)), rank);
        return false;
    }
    if (e.complete == true) return true;
    if (e.problems.empty()) problem("unreadable", message("%1 could not be read", printable(part.name)), rank);
    m_unknown = true;
    return false;
}

void CompositeReader::compareRanks(const std::string &what, const std::map<int, const Part *> &row)
{
    std::map<std::uint64_t, std::vector<int>> alike;
    for (const auto &[rank, part] : row)
        if (part->evidence.fingerprint != 0) alike[part->evidence.fingerprint].push_back(rank);
    const auto isUsual = [&](const auto &piece) { return piece.second.size() == alike.begin()->second.size(); };
    if (alike.size() < 2 || std::all_of(alike.begin(), alike.end(), isUsual)) return;
    const auto most = std::max_element(alike.begin(), alike.end(),
                                       [](const auto &a, const auto &b) { return a.second.size() < b.second.size(); });
    problem("values_repeated",
            message("ranks %1 and %2 have the same values in %3, but another rank has different values. Each rank "
                    "should have its own piece, so one file may be a copy",
                    most->second[0], most->second[1], printable(what)),
            most->second[1]);
}

void CompositeReader::takeStates()
{
    constexpr std::size_t most = 4096;
    std::map<std::string, Meta> states;
    for (const Part &part : m_parts) {
        if (part.how == How::leave || part.isLeftover || states.size() >= most) continue;
        Meta own;
        for (const char *key : stateKeys)
            if (const auto said = part.evidence.meta.find(key); said != part.evidence.meta.end())
                own[key] = said->second;
        if (const auto root = part.evidence.meta.find("archive_root"); root != part.evidence.meta.end())
            if (const std::string stem = numberedStem({part.file.path, root->second}); !stem.empty()) {
                own["named"] = stem;
                own["saved_as"] = root->second;
            }
        if (!own.empty()) states.emplace(part.name, std::move(own));
    }
    if (!states.empty()) m_evidence.states = std::make_shared<const std::map<std::string, Meta>>(std::move(states));
}

void CompositeReader::conclude()
{
    takeStates();
    std::vector<TensorInfo> tensors;
    std::map<std::string, std::uint64_t> prints;
    std::map<std::string, WeightSigns> signs;
    EvidenceLevel level = m_wanted;
    for (const Part &part : m_parts) {
        if (part.how == How::leave || part.isLeftover) continue;
        if (part.how == How::byFormat) level = std::min(level, part.evidence.level);
        for (const TensorInfo &tensor : part.evidence.tensors)
            if (tensors.size() < maxTensors) tensors.push_back(tensor);
        if (part.evidence.fingerprint != 0) prints.emplace(part.name, part.evidence.fingerprint);
        // The part is a whole checkpoint within this one; its directory or its first file represents it.
        const bool whole = part.file.stat.kind == 'd' && !part.name.empty();
        const std::string folder = whole ? part.name + "/" : part.name.substr(0, part.name.rfind('/') + 1);
        if (part.evidence.partFingerprints)
            for (const auto &[name, print] : *part.evidence.partFingerprints) prints.emplace(folder + name, print);
        if (part.evidence.signs)
            for (const auto &[name, held] : *part.evidence.signs)
                signs.emplace(name.empty() || name == secondMoments ? part.name + name : folder + name, held);
    }
    if (!signs.empty()) m_evidence.signs = std::make_shared<const std::map<std::string, WeightSigns>>(std::move(signs));
    if (!prints.empty())
        m_evidence.partFingerprints = std::make_shared<const std::map<std::string, std::uint64_t>>(std::move(prints));
    if (m_evidence.tensors.empty()) m_evidence.tensors = TensorList(std::move(tensors));
    if (m_evidence.complete == false) return;
    compareNames();
    const auto apart = [](const Problem &problem) { return problem.code == "times_apart"; };
    if (std::none_of(m_evidence.problems.begin(), m_evidence.problems.end(), apart)) compareDays();
    if (m_unknown) {
        // Nothing is known to be wrong, but not everything was read.
        m_evidence.complete = std::nullopt;
        m_evidence.level = EvidenceLevel::L0;
        return;
    }
    m_evidence.complete = true;
    m_evidence.level = std::max(level, EvidenceLevel::L1);
}

}  // namespace rankdeck
