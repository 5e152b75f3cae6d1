// SPDX-License-Identifier: GPL-3.0-or-later
// Sample of the items of a distributed checkpoint; each item is a small torch zip in a shard. Reads only the beginning
// of many items, and for some items the zip directory and parts of the values. That is enough to find items that were
// never written, NaN and holes.
#pragma once

#include "core/checkpoint/formats/dcp/dcp_metadata.h"
#include "core/checkpoint/read/weight_sample.h"
#include "core/node/protocol/messages.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

class DcpSample {
public:
    DcpSample() = default;
    // The sample is bounded, whatever the metadata claims. directory: that of the checkpoint.
    DcpSample(const DcpMetadata &metadata, std::string directory);

    // First the beginnings of items and the directories of some; then windows of their values.
    [[nodiscard]] std::vector<RangeRequest> frames() const;
    void takeFrames(const std::vector<RangeReply> &replies);
    [[nodiscard]] std::vector<RangeRequest> windows() const;
    void takeWindows(const std::vector<RangeReply> &replies);

    // Defect of an item itself: the checkpoint is not complete.
    [[nodiscard]] const std::optional<Message> &broken() const { return m_broken; }
    [[nodiscard]] const std::optional<Message> &nonFinite() const { return m_nonFinite; }
    [[nodiscard]] const std::optional<Message> &zeros() const { return m_zeros; }
    // Fingerprint of the sampled values, by shard.
    [[nodiscard]] std::map<std::string, std::uint64_t> fingerprints() const;
    [[nodiscard]] std::map<std::string, WeightSigns> signs() const;  // by shard

private:
    struct Item {
        DcpItem at;
        std::string type;
        bool isMatrix = false;
        std::uint64_t local = 0, bytes = 0;  // position of the record with the values, within the item
    };
    void chooseHeads(const DcpMetadata &metadata);
    void chooseItems(const DcpMetadata &metadata);
    void takeDirectory(Item &item, const std::string &tail);
    void takeFinding(const Item &item, const WeightFinding &found);
    [[nodiscard]] std::string path(const DcpItem &item) const;

    std::string m_directory;
    std::vector<DcpItem> m_heads;
    std::vector<Item> m_items;
    std::optional<Message> m_broken, m_nonFinite, m_zeros;
    std::map<std::string, Fingerprint> m_fingerprints;
    std::map<std::string, SignSample> m_signs;
};

}  // namespace rankdeck
