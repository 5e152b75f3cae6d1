// SPDX-License-Identifier: GPL-3.0-or-later
// The first look at a file, one round trip: its head, its tail and, where the name promises one, its record chain.
// What a reader of one format starts from.
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
    FileStat stat;  // of the open file: what the bytes belong to
    std::string head;
    std::string tail;  // the last bytes; all of a small file
    std::optional<ScanReply> skim = {};
    std::uint64_t bytesRead = 0;
};

// What every reader counts and notices the same way.
class FileReader : public FormatReader {
public:
    explicit FileReader(const FileHead &opening);
    ReadStep advance(const ReadReplies &replies) final;
    [[nodiscard]] Evidence evidence() const final { return m_evidence; }

protected:
    // The next requests; replies are those to the ones before, empty at the first call.
    virtual ReadStep next(const ReadReplies &replies) = 0;
    void problem(ReasonCode code, std::uint64_t offset, std::string text);
    void torn(std::uint64_t offset, std::string text, ReasonCode code = "torn");
    // What a sample of its weights shows, and the level that is reached when all of the sample was delivered.
    void judgeSample(const WeightSample &sample);
    [[nodiscard]] std::uint64_t size() const { return m_evidence.stat.size; }
    Evidence m_evidence;

private:
    bool refused(const FileStat &now, const std::string &error);
    bool m_stopped = false;
};

// A file that is of no known format, or cannot be read further; says why.
std::unique_ptr<FormatReader> makeNoReader(const FileHead &opening, Format format, ReasonCode code,
                                           const std::string &text, Known complete);

}  // namespace rankdeck
