// SPDX-License-Identifier: GPL-3.0-or-later
// A look at the values in a torch zip: windows of the largest storages for NaN and holes, the optimizer's own count of
// steps, and the checksums of records that are small enough to be read whole. Bounded to about 150 kB.
#pragma once

#include "core/checkpoint/codec/zip_directory.h"
#include "core/checkpoint/formats/torch/torch_state.h"
#include "core/checkpoint/read/weight_sample.h"
#include "core/node/protocol/messages.h"

#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

// More than a record's local header, its name and the padding to 64 bytes.
inline constexpr std::uint64_t localSlack = 512;

class TorchSample {
public:
    TorchSample() = default;
    TorchSample(TorchSample &&) = default;
    TorchSample &operator=(TorchSample &&) = default;
    TorchSample(const TorchSample &) = delete;  // samples point into the entries
    TorchSample &operator=(const TorchSample &) = delete;
    ~TorchSample() = default;
    // root: folder inside the archive, with its slash. wantsStep: the pickle does not say how far the optimizer is.
    TorchSample(const TorchState &state, const std::vector<ZipEntry> &entries, const std::string &root, bool wantsStep);
    [[nodiscard]] std::vector<RangeRequest> ranges(const std::string &path) const;
    void look(const std::vector<RangeReply> &replies);  // to ranges(), in order

    struct Found {
        bool complete = false;  // every window was delivered
        std::optional<std::string> misplaced = {}, nonFinite = {}, zeros = {}, step = {};
        std::vector<std::string> badSums = {};  // records whose checksum is not that of their bytes
        std::size_t goodSums = 0;
        std::size_t weights = 0, zeroWeights = 0;  // that were looked at; of which nothing but zeros was seen
        std::string firstZero = {};
        SignSample signs = {};
    };
    [[nodiscard]] const Found &found() const { return m_found; }

private:
    struct Sample {
        std::string name, type;
        const ZipEntry *record = nullptr;
        std::uint64_t rowBytes = 0;
        enum class Use { weights, step, sum } use = Use::weights;
    };
    void addWeights(const TorchState &state);
    void addStep(const TorchState &state);
    void addSmall();
    [[nodiscard]] const ZipEntry *recordOf(const TorchState &state, std::size_t tensor) const;
    std::size_t lookAtOne(const Sample &sample, const std::vector<RangeReply> &replies, std::size_t next);
    void takeWindow(const Sample &sample, std::string_view window, bool &zeros, bool &values);
    void takeStep(const Sample &sample, std::string_view bytes);
    void check(const ZipEntry &entry, std::string_view bytes);

    std::vector<ZipEntry> m_entries;  // those that are used, by name
    std::string m_root;
    std::vector<Sample> m_samples;
    Found m_found;
};

}  // namespace rankdeck
