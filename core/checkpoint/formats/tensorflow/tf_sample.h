// SPDX-License-Identifier: GPL-3.0-or-later
// Choice of the tensors of a TensorFlow V2 checkpoint that are read completely: the counters of the training, and the
// smallest tensors. Their checksums show whether index and data are of one save. Pure; at most about 600 kB in all.
#pragma once

#include "core/checkpoint/formats/tensorflow/tf_bundle.h"
#include "core/node/protocol/messages.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace rankdeck {

class TfSample {
public:
    TfSample() = default;
    explicit TfSample(const TfBundle &bundle);
    [[nodiscard]] std::vector<RangeRequest> ranges(const std::string &prefix) const;
    // replies: to ranges(), in order.
    void look(const std::vector<RangeReply> &replies);

    struct Mismatch {
        std::string tensor;
        std::uint32_t shard = 0;
        std::uint64_t offset = 0;
    };
    [[nodiscard]] const std::vector<Mismatch> &mismatches() const { return m_mismatches; }
    [[nodiscard]] bool checked(std::uint32_t shard) const;  // a checksum of this shard was compared
    [[nodiscard]] bool checkedAll() const { return m_all && m_complete; }
    [[nodiscard]] const std::map<std::string, std::string> &meta() const { return m_meta; }

private:
    struct Want {
        std::string name, type;
        std::uint32_t shard = 0, crc = 0;
        std::uint64_t offset = 0, bytes = 0;
        std::size_t range = 0;
        bool compared = false;
    };
    struct Range {
        std::uint32_t shard = 0;
        std::uint64_t offset = 0, length = 0;
    };
    void choose(const TfBundle &bundle);
    void join();
    void takeMeta(const Want &want, std::string_view bytes);
    std::vector<Want> m_wants;
    std::vector<Range> m_ranges;
    std::size_t m_shards = 0;
    bool m_all = false, m_complete = false;
    std::vector<Mismatch> m_mismatches;
    std::map<std::string, std::string> m_meta;
};

// The counter that a variable of this name holds: "global_step", "epoch", "save_counter", "optimizer_iterations";
// empty: none.
std::string tfMeaning(std::string_view name);

}  // namespace rankdeck
