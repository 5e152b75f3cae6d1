// SPDX-License-Identifier: GPL-3.0-or-later
// First read of a file, in one round trip: its head, its tail and, if the name suggests one, its record chain. Input of
// the readers of single formats.
#pragma once

#include "core/base/known.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/read/reader.h"
#include "core/checkpoint/read/weight_sample.h"

#include <memory>
#include <optional>
#include <string>

namespace rankdeck {

struct FileHead {
    FileEntry file;
    EvidenceLevel wanted = EvidenceLevel::L3;
    FileStat stat;  // stat of the open file to which the bytes belong
    std::string head;
    std::string tail;  // the last bytes; all of a small file
    std::optional<ScanReply> skim = {};
    std::uint64_t bytesRead = 0;
};

// Base class with the counts and checks that all readers share.
class FileReader : public FormatReader {
public:
    explicit FileReader(const FileHead &opening);
    ReadStep advance(const ReadReplies &replies) final;
    [[nodiscard]] Evidence evidence() const final { return m_evidence; }

protected:
    // The next requests; replies are those to the previous ones, empty at the first call.
    virtual ReadStep next(const ReadReplies &replies) = 0;
    void problem(ReasonCode code, std::uint64_t offset, Message text);
    void torn(std::uint64_t offset, Message text, ReasonCode code = "torn");
    // Adds the problems that a weight sample found. If the whole sample was delivered, also sets the level that it
    // proves.
    void judgeSample(const WeightSample &sample);
    [[nodiscard]] std::uint64_t size() const { return m_evidence.stat.size; }
    Evidence m_evidence;

private:
    bool refused(const FileStat &now, const std::string &error);
    bool m_stopped = false;
};

// Reader for a file of unknown format, or one that cannot be read further; it only reports the reason.
std::unique_ptr<FormatReader> makeNoReader(const FileHead &opening, Format format, ReasonCode code,
                                           const std::string &text, Known complete);

}  // namespace rankdeck
