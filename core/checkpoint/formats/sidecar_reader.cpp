// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/sidecar_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/mindspore/group_info.h"
#include "core/checkpoint/tracker.h"

namespace rankdeck {
namespace {

constexpr std::uint32_t maxGroupInfoBytes = 4u << 20;  // enough for groups of 100,000 ranks, with the named ones before
                                                       // the list

class SmallFileReader : public FormatReader {
public:
    SmallFileReader(const FileEntry &file, std::uint32_t maxBytes) : m_maxBytes(maxBytes)
    {
        m_evidence.path = file.path;
        m_evidence.stat = file.stat;
    }

    [[nodiscard]] Evidence evidence() const final { return m_evidence; }

    ReadStep advance(const ReadReplies &replies) final
    {
        if (m_evidence.roundTrips == 0) {
            m_evidence.roundTrips = 1;
            return ReadStep{.ranges = {{m_evidence.path, 0, m_maxBytes}}};
        }
        if (!m_read) take(replies);
        return {};
    }

protected:
    virtual void whole(const std::string &bytes) = 0;
    [[nodiscard]] virtual Problem tooLarge(const std::string &size) const = 0;
    Evidence m_evidence;

private:
    void take(const ReadReplies &replies)
    {
        m_read = true;
        const bool answered = replies.ranges.size() == 1;
        if (!answered || !replies.ranges.front().error.empty()) {
            m_evidence.problems.push_back(
                {"unreadable", 0,
                 message("could not be read: %1",
                         answered ? Message(replies.ranges.front().error) : message("the node did not answer"))});
            return;
        }
        const RangeReply &reply = replies.ranges.front();
        m_evidence.bytesRead = reply.bytes.size();
        m_evidence.stat = reply.stat;
        m_evidence.level = EvidenceLevel::L1;
        if (reply.stat.size > m_maxBytes)
            m_evidence.problems.push_back(tooLarge(bytesText(reply.stat.size)));
        else
            whole(reply.bytes);
    }

    const std::uint32_t m_maxBytes;
    bool m_read = false;
};

class TrackerReader final : public SmallFileReader {
public:
    explicit TrackerReader(const FileEntry &file) : SmallFileReader(file, maxTrackerBytes) {}

private:
    void whole(const std::string &bytes) override
    {
        m_evidence.meta["tracker"] = bytes;
        m_evidence.complete = true;
    }
    [[nodiscard]] Problem tooLarge(const std::string &size) const override
    {
        return {"tracker_corrupt", 0, message("has %1, far too large for a tracker", size)};
    }
};

class GroupInfoReader final : public SmallFileReader {
public:
    explicit GroupInfoReader(const FileEntry &file) : SmallFileReader(file, maxGroupInfoBytes) {}

private:
    void whole(const std::string &bytes) override
    {
        const auto ranks = parseGroupInfo(bytes);
        m_evidence.complete = ranks.has_value();
        if (!ranks) {
            m_evidence.problems.push_back({"torn", 0, ranks.error().message});
            return;
        }
        m_evidence.level = EvidenceLevel::L3;
        std::string text;
        for (const int rank : *ranks) text += (text.empty() ? "" : ",") + std::to_string(rank);
        m_evidence.meta["restore_ranks"] = text;
    }
    [[nodiscard]] Problem tooLarge(const std::string &size) const override
    {
        return {"too_large", 0, message("has %1, too large to read", size)};
    }
};

}  // namespace

std::unique_ptr<FormatReader> makeTrackerReader(const FileEntry &file) { return std::make_unique<TrackerReader>(file); }

std::unique_ptr<FormatReader> makeGroupInfoReader(const FileEntry &file)
{
    return std::make_unique<GroupInfoReader>(file);
}

}  // namespace rankdeck
