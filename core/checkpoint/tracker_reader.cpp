// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/tracker_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/tracker.h"

namespace rankdeck {

TrackerReader::TrackerReader(const FileEntry &file)
{
    m_evidence.path = file.path;
    m_evidence.stat = file.stat;
}

ReadStep TrackerReader::advance(const ReadReplies &replies)
{
    if (!m_asked) {
        m_asked = true;
        m_evidence.roundTrips = 1;
        ReadStep step;
        step.ranges.push_back({m_evidence.path, 0, maxTrackerBytes});
        return step;
    }
    if (m_evidence.level != EvidenceLevel::L0 || !m_evidence.problems.empty()) return {};
    if (replies.ranges.size() != 1 || !replies.ranges.front().error.empty()) {
        m_evidence.problems.push_back(
            {"unreadable", 0,
             "could not be read: " +
                 (replies.ranges.size() == 1 ? replies.ranges.front().error : std::string("the node did not answer"))});
        return {};
    }
    const RangeReply &reply = replies.ranges.front();
    m_evidence.bytesRead = reply.bytes.size();
    m_evidence.stat = reply.stat;
    if (reply.stat.size > maxTrackerBytes) {
        m_evidence.problems.push_back(
            {"tracker_corrupt", 0, "has " + bytesText(reply.stat.size) + ", far more than a tracker"});
    } else {
        m_evidence.meta["tracker"] = reply.bytes;
        m_evidence.complete = true;
    }
    m_evidence.level = EvidenceLevel::L1;
    return {};
}

}  // namespace rankdeck
