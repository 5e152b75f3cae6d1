// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/read/file_head.h"

namespace rankdeck {
namespace {

constexpr int maxSteps = 64;

class NoReader final : public FileReader {
public:
    NoReader(const FileHead &opening, Format format, ReasonCode code, const std::string &text, Known complete)
        : FileReader(opening)
    {
        m_evidence.format = format;
        m_evidence.complete = complete;
        m_evidence.level = EvidenceLevel::L1;
        problem(code, 0, text);
    }

protected:
    ReadStep next(const ReadReplies &) override { return {}; }
};

}  // namespace

FileReader::FileReader(const FileHead &opening)
{
    m_evidence.path = opening.file.path;
    m_evidence.stat = opening.stat;
    m_evidence.bytesRead = opening.bytesRead;
    m_evidence.roundTrips = 1;
}

void FileReader::problem(ReasonCode code, std::uint64_t offset, Message text)
{
    if (m_evidence.problems.size() < 100) m_evidence.problems.push_back({code, offset, std::move(text)});
}

void FileReader::judgeSample(const WeightSample &sample)
{
    if (sample.nonFinite()) {
        m_evidence.nonFiniteSeen = true;
        problem("nan_weights", 0, *sample.nonFinite());
    }
    if (sample.zeros()) problem("zero_region", 0, *sample.zeros());
    if (sample.zeroWeights()) problem("zero_weights", 0, *sample.zeroWeights());
    if (sample.complete() && m_evidence.level < EvidenceLevel::L3) m_evidence.level = EvidenceLevel::L3;
}

void FileReader::torn(std::uint64_t offset, Message text, ReasonCode code)
{
    m_evidence.complete = false;
    problem(code, offset, std::move(text));
}

// If a file changes during the read, there is no evidence: neither the old nor the new content was seen completely.
bool FileReader::refused(const FileStat &now, const std::string &error)
{
    if (!error.empty()) {
        problem("unreadable", 0, message("could not be read: %1", error));
    } else if (now.size != size() || now.inode != m_evidence.stat.inode || now.mtimeNs != m_evidence.stat.mtimeNs) {
        problem("still_growing", 0, message("the file changed while it was read"));
    } else {
        return false;
    }
    m_stopped = true;
    m_evidence.complete = std::nullopt;
    m_evidence.level = EvidenceLevel::L0;
    return true;
}

ReadStep FileReader::advance(const ReadReplies &replies)
{
    if (m_stopped || m_evidence.roundTrips > maxSteps) return {};
    for (const RangeReply &reply : replies.ranges) {
        m_evidence.bytesRead += reply.bytes.size();
        if (refused(reply.stat, reply.error)) return {};
    }
    for (const ScanReply &reply : replies.scans) {
        for (const ScannedRecord &record : reply.records) m_evidence.bytesRead += record.head.size();
        if (refused(reply.stat, reply.error)) return {};
    }
    ReadStep step = next(replies);
    if (!step.done()) ++m_evidence.roundTrips;
    return step;
}

std::unique_ptr<FormatReader> makeNoReader(const FileHead &opening, Format format, ReasonCode code,
                                           const std::string &text, Known complete)
{
    return std::make_unique<NoReader>(opening, format, code, text, complete);
}

}  // namespace rankdeck
