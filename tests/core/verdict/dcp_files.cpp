// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/verdict/dcp_files.h"

#include "tests/core/verdict/torch_files.h"

#include <cstring>

namespace rankdeck::test {
namespace {

std::string tuple(const std::vector<std::int64_t> &values)
{
    std::string out = "(";
    for (const std::int64_t value : values) out += pkl::integer(value);
    return out + "t";
}

std::string size(const std::vector<std::int64_t> &shape) { return "ctorch\nSize\n(" + tuple(shape) + "tR"; }

// A dataclass object whose state is its attributes.
std::string object(const std::string &name, const std::vector<std::pair<std::string, std::string>> &attributes,
                   const std::string &module = "torch.distributed.checkpoint.metadata")
{
    return pkl::object(module, name, attributes);
}

}  // namespace

void DcpFiles::add(Item item)
{
    if (!item.file.empty()) {
        m_items.push_back(std::move(item));
        return;
    }
    for (Item &had : m_items)
        if (had.name == item.name) {
            item.file = had.file;
            had = std::move(item);
            return;
        }
}

void DcpFiles::addFloats(const std::string &name, const std::string &file, const std::vector<float> &values)
{
    add({name,
         file,
         "float32",
         torchZip(pkl::whole(pkl::floats("0", std::int64_t(values.size()))), {{"0", floatBytes(values)}}),
         {std::int64_t(values.size())}});
}

void DcpFiles::addFloat(const std::string &name, const std::string &file, float value)
{
    add({name, file, "float32", torchZip(pkl::whole(pkl::scalar("0")), {{"0", floatBytes({value})}})});
}

void DcpFiles::addInt32(const std::string &name, const std::string &file, std::int32_t value)
{
    std::string pickle = pkl::whole(pkl::scalar("0"));
    const std::string real = "FloatStorage";
    pickle.replace(pickle.find(real), real.size(), "IntStorage");
    std::string bytes(4, '\0');
    std::memcpy(bytes.data(), &value, 4);
    add({name, file, "int32", torchZip(pickle, {{"0", bytes}})});
}

std::map<std::string, std::string> DcpFiles::files() const
{
    std::map<std::string, std::string> out;
    std::string tensors = "}(", storage = "}(";
    for (const Item &item : m_items) {
        std::string &shard = out[item.file];
        const std::vector<std::int64_t> origin(item.shape.size(), 0);
        const std::string chunk =
            object("ChunkStorageMetadata", {{"offsets", size(origin)}, {"sizes", size(item.shape)}});
        const std::string properties =
            "ctorch.distributed.checkpoint.metadata\nTensorProperties\n)\x81(ctorch\n" + item.type + "\ntb";
        tensors += pkl::text(item.name) +
                   object("TensorStorageMetadata",
                          {{"properties", properties}, {"size", size(item.shape)}, {"chunks", pkl::list({chunk})}});
        std::vector<std::pair<std::string, std::string>> info{
            {"relative_path", pkl::text(item.file)},
            {"offset", pkl::integer(std::int64_t(shard.size()))},
            {"length", pkl::integer(std::int64_t(item.bytes.size()))}};
        if (!m_transform.empty()) info.emplace_back("transform_descriptors", pkl::list({pkl::text(m_transform)}));
        storage += object("MetadataIndex", {{"fqn", pkl::text(item.name)}, {"offset", size(origin)}}) +
                   object("_StorageInfo", info, "torch.distributed.checkpoint.filesystem");
        shard += item.bytes;
    }
    for (const auto &[file, bytes] : m_replaced) out[file] = bytes;
    out[".metadata"] =
        pkl::whole(object("Metadata", {{"state_dict_metadata", tensors + "u"}, {"storage_data", storage + "u"}}));
    return out;
}

}  // namespace rankdeck::test
