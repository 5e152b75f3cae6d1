// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/read/sniffing_reader.h"

#include "core/base/text.h"

#include <utility>

namespace rankdeck {
namespace {

// Detects the format first, then delegates to the reader of that format.
class SniffingReader final : public FormatReader {
public:
    SniffingReader(FileEntry file, EvidenceLevel wanted, const FirstLook &look) : m_look(look)
    {
        m_head.file = std::move(file);
        m_head.wanted = wanted;
        m_head.stat = m_head.file.stat;
        m_waiting.path = m_head.file.path;
        m_waiting.stat = m_head.file.stat;
    }

    ReadStep advance(const ReadReplies &replies) override
    {
        if (m_reader) return m_reader->advance(replies);
        if (m_over) return {};
        if (!m_asked) return firstLook();
        m_waiting.roundTrips = 1;
        return open(replies);
    }

    [[nodiscard]] Evidence evidence() const override { return m_reader ? m_reader->evidence() : m_waiting; }

private:
    ReadStep firstLook()
    {
        m_asked = true;
        if (!m_head.file.error.empty()) return stop("unreadable", message("could not be read: %1", m_head.file.error));
        if (m_head.file.stat.kind != 'f') return stop("not_a_checkpoint", message("not a file"));
        const std::string &path = m_head.file.path;
        const bool records = path.ends_with(".ckpt") || path.ends_with(".tmp");
        const std::uint32_t head = records ? 64 : 16384;
        ReadStep step;
        step.ranges.push_back({path, 0, head});
        step.ranges.push_back({path, 128, 128, true});
        if (records) step.scans.push_back({path, 0, 0x0a, 256, m_look.recordsPerScan});
        return step;
    }

    ReadStep open(const ReadReplies &replies)
    {
        if (replies.ranges.size() != 2) return stop("unreadable", message("the node did not answer"));
        for (const RangeReply &reply : replies.ranges)
            if (!reply.error.empty()) return stop("unreadable", message("could not be read: %1", reply.error));
        const FileStat &now = replies.ranges[0].stat;
        const FileStat &listed = m_head.file.stat;
        if (now.size != listed.size || (listed.inode != 0 && now.inode != listed.inode) ||
            now.mtimeNs != listed.mtimeNs || replies.ranges[1].stat.size != now.size) {
            m_waiting.stat = now;
            return stop("still_growing", message("the file changed since it was listed: %1 bytes then, %2 now",
                                                 grouped(std::int64_t(listed.size)), grouped(std::int64_t(now.size))));
        }
        m_head.stat = now;
        m_head.head = replies.ranges[0].bytes;
        m_head.tail = replies.ranges[1].bytes;
        m_head.bytesRead = m_head.head.size() + m_head.tail.size();
        if (!replies.scans.empty() && replies.scans.front().error.empty() &&
            replies.scans.front().stat.size == now.size) {
            m_head.skim = replies.scans.front();
            for (const ScannedRecord &record : m_head.skim->records) m_head.bytesRead += record.head.size();
        }
        m_reader = m_look.open(m_head);
        m_head.skim.reset();
        return m_reader->advance({});
    }

    ReadStep stop(ReasonCode code, Message text)
    {
        m_over = true;
        m_waiting.problems.push_back({code, 0, std::move(text)});
        return {};
    }

    const FirstLook m_look;
    FileHead m_head;
    Evidence m_waiting;  // evidence until the content was read
    std::unique_ptr<FormatReader> m_reader;
    bool m_asked = false;
    bool m_over = false;
};

}  // namespace

std::unique_ptr<FormatReader> makeSniffingReader(const FileEntry &file, EvidenceLevel wanted, const FirstLook &look)
{
    return std::make_unique<SniffingReader>(file, wanted, look);
}

}  // namespace rankdeck
