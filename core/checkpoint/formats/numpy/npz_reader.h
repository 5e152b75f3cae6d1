// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of NumPy's .npz, as JAX scripts save their arrays: a zip of .npy files, stored or deflated. Every array's
// header is checked against the size in the zip's directory. Only headers and single values of deflated arrays are
// read. A mismatch is torn in its evidence; an array that could not be read completely is unknown.
#pragma once

#include "core/checkpoint/codec/zip_directory.h"
#include "core/checkpoint/formats/numpy/npy_header.h"
#include "core/checkpoint/read/file_head.h"
#include "core/checkpoint/read/weight_sample.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

class NpzReader final : public FileReader {
public:
    explicit NpzReader(const FileHead &opening);

protected:
    ReadStep next(const ReadReplies &replies) override;

private:
    enum class Phase { begin, directory, headers, sample, done };
    ReadStep begin();
    ReadStep withDirectory(const std::string &bytes);
    ReadStep withHeaders(const ReadReplies &replies);
    bool takeArray(const ZipEntry &entry, std::string_view bytes);
    void takeCounter(const std::string &name, const NpyHeader &header, std::string_view array);
    void takeSamples(const ReadReplies &replies);

    Phase m_phase = Phase::begin;
    EvidenceLevel m_wanted;
    std::string m_tail;
    ZipEnd m_end;
    std::vector<ZipEntry> m_entries;
    std::vector<TensorInfo> m_tensors;
    std::vector<std::uint32_t> m_checksums;  // parallel to the tensors
    std::vector<WeightSpan> m_spans;
    WeightSample m_sample;
};

// True if the first entry of the zip is an array.
bool looksLikeNpz(std::string_view head);

}  // namespace rankdeck
