// SPDX-License-Identifier: GPL-3.0-or-later
// Distributed checkpoints as torch.distributed.checkpoint makes them, byte by byte, with more tensors than the real
// samples have. A .metadata and its shards; each item is a torch zip.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace rankdeck::test {

class DcpFiles {
public:
    // file "": replaces the item with this name in the shard that already contains it.
    void addFloats(const std::string &name, const std::string &file, const std::vector<float> &values);
    void addFloat(const std::string &name, const std::string &file, float value);  // a tensor without dimensions
    void addInt32(const std::string &name, const std::string &file, std::int32_t value);
    // Replaces the shard by bytes of another save, but keeps this save's .metadata.
    void replaceShard(const std::string &file, const DcpFiles &other) { m_replaced[file] = other.files().at(file); }
    // Records in .metadata that the items were encoded with this transform at the save: "stream.zstd/1".
    void setTransform(const std::string &name) { m_transform = name; }
    [[nodiscard]] std::map<std::string, std::string> files() const;  // contents by name, including .metadata

private:
    struct Item {
        std::string name, file, type, bytes;
        std::vector<std::int64_t> shape = {};
    };
    void add(Item item);
    std::vector<Item> m_items;
    std::string m_transform;
    std::map<std::string, std::string> m_replaced;
};

}  // namespace rankdeck::test
