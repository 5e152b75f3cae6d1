// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/group_info_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/group_info.h"

namespace rankdeck {
namespace {

constexpr std::uint32_t maxBytes = 4u << 20;  // of groups of 100,000 ranks, with the named ones before the list

}  // namespace

GroupInfoReader::GroupInfoReader(const FileEntry &file)
{
    m_evidence.path = file.path;
    m_evidence.stat = file.stat;
}

ReadStep GroupInfoReader::advance(const ReadReplies &replies)
{
    ReadStep step;
    if (!m_asked) {
        m_asked = true;
        step.ranges.push_back({m_evidence.path, 0, maxBytes});
        m_evidence.roundTrips = 1;
        return step;
    }
    if (replies.ranges.size() != 1) return {};
    const RangeReply &reply = replies.ranges.front();
    m_evidence.bytesRead += reply.bytes.size();
    if (!reply.error.empty()) {
        m_evidence.problems.push_back({"unreadable", 0, "could not be read: " + reply.error});
        return {};
    }
    m_evidence.level = EvidenceLevel::L1;
    if (reply.stat.size > maxBytes) {
        m_evidence.problems.push_back({"too_large", 0, "has " + bytesText(reply.stat.size) + ": not read"});
        return {};
    }
    const auto ranks = parseGroupInfo(reply.bytes);
    if (!ranks) {
        m_evidence.complete = false;
        m_evidence.problems.push_back({"torn", 0, ranks.error().message});
        return {};
    }
    m_evidence.complete = true;
    m_evidence.level = EvidenceLevel::L3;
    std::string text;
    for (const int rank : *ranks) text += (text.empty() ? "" : ",") + std::to_string(rank);
    m_evidence.meta["restore_ranks"] = text;
    return {};
}

}  // namespace rankdeck
