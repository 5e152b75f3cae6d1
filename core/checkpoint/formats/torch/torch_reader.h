// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of torch.save files. Zip: if a save ends with an exception, the file has a valid end record but lacks tensors.
// Therefore every storage that data.pkl names must have a record of its size. Legacy: pickles, then storages to the end
// of the file. Nothing is unpickled.
#pragma once

#include "core/checkpoint/codec/zip_directory.h"
#include "core/checkpoint/formats/torch/torch_sample.h"
#include "core/checkpoint/formats/torch/torch_state.h"
#include "core/checkpoint/read/file_head.h"
#include "core/checkpoint/read/weight_sample.h"

namespace rankdeck {

class TorchZipReader final : public FileReader {
public:
    explicit TorchZipReader(const FileHead &opening);

protected:
    ReadStep next(const ReadReplies &replies) override;

private:
    enum class Phase { begin, directory, pickle, sample, done };
    ReadStep withDirectory(const std::string &bytes);
    ReadStep withPickle(const std::string &bytes);
    void placeTensors(TorchState &state);
    void takeDataOrder(const TorchState &state, const std::vector<std::uint32_t> &sums);
    bool compareRecords(const TorchState &state);
    ReadStep askSamples();
    void takeSamples(const ReadReplies &replies);

    Phase m_phase = Phase::begin;
    EvidenceLevel m_wanted;
    std::string m_head, m_tail, m_gathered;
    ZipEnd m_end;
    std::vector<ZipEntry> m_entries;
    std::string m_root;  // folder inside the archive, with its slash
    const ZipEntry *m_pickle = nullptr;
    TorchSample m_sample;
};

class TorchLegacyReader final : public FileReader {
public:
    explicit TorchLegacyReader(const FileHead &opening);

protected:
    ReadStep next(const ReadReplies &replies) override;

private:
    ReadStep more();
    ReadStep withPickles();
    std::string m_bytes;
    EvidenceLevel m_wanted;
    WeightSample m_sample;
    bool m_sampling = false;
};

bool looksLikeTorchLegacy(std::string_view head);

}  // namespace rankdeck
