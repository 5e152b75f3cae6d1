// SPDX-License-Identifier: GPL-3.0-or-later
// Sample of the values in a torch zip: windows of the largest storages for NaN and holes, and the optimizer's own count
// of steps. Also the checksums of records that are small enough to be read completely. Bounded to about 150 kB.
#pragma once

#include "core/checkpoint/codec/zip_directory.h"
#include "core/checkpoint/formats/torch/torch_state.h"
#include "core/checkpoint/read/weight_sample.h"
#include "core/node/protocol/messages.h"

#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

// Upper bound of a record's local header, its name and the padding to 64 bytes.
inline constexpr std::uint64_t localSlack = 512;

class TorchSample {
public:
    TorchSample() = default;
    TorchSample(TorchSample &&) = default;
    TorchSample &operator=(TorchSample &&) = default;
    TorchSample(const TorchSample &) = delete;  // samples point into the entries
    TorchSample &operator=(const TorchSample &) = delete;
    ~TorchSample() = default;
    // root: folder inside the archive, with its slash. wantsStep: the pickle does not contain the optimizer's step.
    TorchSample(const TorchState &state, const std::vector<ZipEntry> &entries, const std::string &root, bool wantsStep);
    [[nodiscard]] std::vector<RangeRequest> ranges(const std::string &path) const;
    void look(const std::vector<RangeReply> &replies);  // replies: those to ranges(), in order

    struct Found {
        bool complete = false;  // every window was delivered
        std::optional<std::string> misplaced = {}, step = {};
        std::optional<Message> nonFinite = {}, zeros = {};
        std::vector<std::string> badSums = {};  // records whose checksum does not match their bytes
        std::size_t goodSums = 0;
        std::size_t weights = 0, zeroWeights = 0;  // sampled weights, and those with zeros only
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

    std::vector<ZipEntry> m_entries;  // used entries, by name
    std::string m_root;
    std::vector<Sample> m_samples;
    Found m_found;
};

}  // namespace rankdeck
