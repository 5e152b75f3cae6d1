// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/read/reader.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/mindspore/mindspore_reader.h"
#include "core/checkpoint/formats/mindspore/strategy_file.h"
#include "core/checkpoint/formats/safetensors/safetensors_reader.h"
#include "core/checkpoint/formats/sidecar_reader.h"
#include "core/checkpoint/formats/tensorflow/tf_v1_reader.h"
#include "core/checkpoint/formats/torch/mindio_reader.h"
#include "core/checkpoint/formats/torch/torch_reader.h"
#include "core/checkpoint/read/file_head.h"
#include "core/checkpoint/read/layouts.h"
#include "core/checkpoint/tracker.h"

#include <algorithm>

namespace rankdeck {
ReadStep ReadStep::of(const std::string &path, std::uint64_t from, std::uint64_t length)
{
    constexpr std::uint32_t rangeBytes = 4u << 20;
    ReadStep step;
    for (std::uint64_t at = 0; at < length; at += rangeBytes)
        step.ranges.push_back(
            {path, from + at, static_cast<std::uint32_t>(std::min<std::uint64_t>(rangeBytes, length - at))});
    return step;
}

std::string ReadReplies::joined() const
{
    std::string all;
    for (const RangeReply &reply : ranges) all += reply.bytes;
    return all;
}

namespace {

bool endsWith(std::string_view text, std::string_view end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// By content, whatever the name says.
std::unique_ptr<FormatReader> readerFor(const FileHead &opening)
{
    const std::string_view head = opening.head;
    if (opening.stat.size == 0) return makeNoReader(opening, Format::unknown, "torn", "0 bytes", false);
    if (head.size() < std::min<std::uint64_t>(opening.stat.size, 16))
        return makeNoReader(opening, Format::unknown, "unreadable", "its first bytes could not be read", std::nullopt);
    if (looksEncrypted(head)) return makeEncryptedReader(opening);
    if (looksLikeSafetensors(head, opening.stat.size)) return std::make_unique<SafetensorsReader>(opening);
    if (head.substr(0, 4) == "PK\x03\x04") return std::make_unique<TorchZipReader>(opening);
    if (looksLikeMindio(opening.tail)) return std::make_unique<MindioReader>(opening);
    if (looksLikeTorchLegacy(head)) return std::make_unique<TorchLegacyReader>(opening);
    if (hasTfMagic(opening.tail)) return makeTfReader(opening);
    if (head[0] == 0x0a) return std::make_unique<MindsporeReader>(opening);
    if (looksLikeStrategy(head)) return makeStrategyReader(opening);
    if (head.substr(0, 2) == "\x80\x02")
        return makeNoReader(opening, Format::unknown, "torn",
                            "begins as a bare pickle, as in MindIO's container, and has not its tail: the save was cut",
                            false);
    const bool zeros = head.find_first_not_of('\0') == std::string_view::npos;
    return makeNoReader(
        opening, Format::unknown, "not_a_checkpoint",
        zeros ? "begins with zeros: of no format that is known" : "the content is of no format that is known", false);
}

// Looks first, then hands over to the reader of what it saw.
class SniffingReader final : public FormatReader {
public:
    SniffingReader(FileEntry file, EvidenceLevel wanted)
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
        if (!m_head.file.error.empty()) return stop("unreadable", "could not be read: " + m_head.file.error);
        if (m_head.file.stat.kind != 'f') return stop("not_a_checkpoint", "not a file");
        const std::string &path = m_head.file.path;
        const bool records = endsWith(path, ".ckpt") || endsWith(path, ".tmp");
        const std::uint32_t head = records ? 64 : 16384;
        ReadStep step;
        step.ranges.push_back({path, 0, head});
        step.ranges.push_back({path, 128, 128, true});
        if (records) step.scans.push_back({path, 0, 0x0a, 256, MindsporeReader::recordsPerScan});
        return step;
    }

    ReadStep open(const ReadReplies &replies)
    {
        if (replies.ranges.size() != 2) return stop("unreadable", "the node did not answer");
        for (const RangeReply &reply : replies.ranges)
            if (!reply.error.empty()) return stop("unreadable", "could not be read: " + reply.error);
        const FileStat &now = replies.ranges[0].stat;
        const FileStat &listed = m_head.file.stat;
        if (now.size != listed.size || (listed.inode != 0 && now.inode != listed.inode) ||
            now.mtimeNs != listed.mtimeNs || replies.ranges[1].stat.size != now.size) {
            m_waiting.stat = now;
            return stop("still_growing", "the file changed since it was listed: " + grouped(std::int64_t(listed.size)) +
                                             " bytes then, " + grouped(std::int64_t(now.size)) + " now");
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
        m_reader = readerFor(m_head);
        m_head.skim.reset();
        return m_reader->advance({});
    }

    ReadStep stop(const char *code, std::string text)
    {
        m_over = true;
        m_waiting.problems.push_back({code, 0, std::move(text)});
        return {};
    }

    FileHead m_head;
    Evidence m_waiting;  // until the content was seen
    std::unique_ptr<FormatReader> m_reader;
    bool m_asked = false;
    bool m_over = false;
};

}  // namespace

std::unique_ptr<FormatReader> makeReader(const FileEntry &file, EvidenceLevel wanted)
{
    return makeReader(file, {}, wanted);
}

std::unique_ptr<FormatReader> makeReader(const FileEntry &file, const std::vector<FileEntry> &parts,
                                         EvidenceLevel wanted)
{
    if (file.stat.kind == 'd' && file.error.empty())
        if (auto reader = openComposite(file, parts, wanted)) return reader;
    if (file.stat.kind == 'f' && file.error.empty() && trackerKind(baseName(file.path))) return makeTrackerReader(file);
    if (file.stat.kind == 'f' && file.error.empty() && baseName(file.path) == groupInfoName)
        return makeGroupInfoReader(file);
    return std::make_unique<SniffingReader>(file, wanted);
}

}  // namespace rankdeck
