// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/tensorflow/tf_bundle.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/crc32c.h"
#include "core/checkpoint/codec/invalid.h"
#include "core/checkpoint/codec/proto_fields.h"
#include "core/checkpoint/formats/tensorflow/tf_slice_key.h"
#include "core/checkpoint/formats/tensorflow/tf_table.h"
#include "core/checkpoint/formats/tensorflow/tf_types.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <optional>

namespace rankdeck {
namespace {

constexpr std::uint64_t maxShards = 10'000;
constexpr std::uint64_t mostBytes = std::uint64_t(1) << 60;
constexpr std::size_t maxTensors = 2'000'000;

struct Header {
    std::uint64_t shards = 0, endianness = 0;
};

std::optional<Header> parseHeader(std::string_view message)
{
    Header header;
    ProtoFields fields(message);
    while (const auto field = fields.next()) {
        if (field->number == 1 && field->wire == 0) header.shards = field->value;
        if (field->number == 2 && field->wire == 0) header.endianness = field->value;
    }
    if (fields.bad()) return std::nullopt;
    return header;
}

struct Entry {
    std::uint64_t type = 0, shard = 0, offset = 0, size = 0;
    std::uint32_t crc = 0;
    std::vector<std::int64_t> shape = {};
    bool sliced = false;
};

std::optional<Entry> parseEntry(std::string_view message)
{
    Entry entry;
    ProtoFields fields(message);
    while (const auto field = fields.next()) {
        if (field->wire == 0 && field->number == 1) entry.type = field->value;
        if (field->wire == 0 && field->number == 3) entry.shard = field->value;
        if (field->wire == 0 && field->number == 4) entry.offset = field->value;
        if (field->wire == 0 && field->number == 5) entry.size = field->value;
        if (field->wire == 5 && field->number == 6) entry.crc = static_cast<std::uint32_t>(field->value);
        if (field->wire == 2 && field->number == 7) entry.sliced = true;
        if (field->wire != 2 || field->number != 2) continue;
        auto shape = parseTfShape(field->bytes);
        if (!shape) return std::nullopt;
        entry.shape = std::move(*shape);
    }
    if (fields.bad()) return std::nullopt;
    return entry;
}

class Builder {
public:
    Status takeHeader(std::string_view value)
    {
        const auto header = parseHeader(value);
        if (!header || header->shards == 0)
            return invalid(message("the header does not say how many data files there are"));
        if (header->endianness != 0)
            return fail(ErrorKind::unsupported, message("written on a big-endian machine: not read"));
        if (header->shards > maxShards)
            return fail(ErrorKind::unsupported, message("names %1 data files, too many to read", header->shards));
        m_out.shardBytes.resize(static_cast<std::size_t>(header->shards));
        return Done{};
    }

    Status take(const std::string &key, std::string_view value)
    {
        const auto entry = parseEntry(value);
        if (!entry) return invalid(message("the entry of %1 is damaged", printable(key)));
        if (m_out.tensors.size() >= maxTensors) return fail(ErrorKind::unsupported, message("too many tensors"));
        const std::optional<std::uint64_t> wanted = tensorBytes(entry->shape, tfTypeBits(entry->type));
        if (!wanted) return invalid(message("%1 is larger than any file", printable(key)));
        if (entry->sliced) {
            m_slicedBytes[key] = *wanted;
            return Done{};
        }
        const auto slice = tfSliceTensor(key);
        if (entry->shard >= m_out.shardBytes.size())
            return invalid(message("%1 is in data file %2 (counted from 0), but there are only %3", printable(key),
                                   entry->shard, m_out.shardBytes.size()));
        if (entry->offset > mostBytes || entry->size > mostBytes)
            return invalid(message("%1 has an impossible position or size", printable(key)));
        const bool fixed = tfTypeBits(entry->type) != 0;
        if (fixed && entry->size != *wanted)
            return invalid(message("%1 has %2 bytes, but its shape %3 needs %4", printable(key), entry->size,
                                   shapeText(entry->shape), *wanted));
        std::uint64_t &end = m_out.shardBytes[static_cast<std::size_t>(entry->shard)];
        end = std::max(end, entry->offset + entry->size);
        if (slice) {
            const auto whole = m_slices.emplace(*slice, 0).first;
            whole->second += entry->size;
        }
        m_out.objectGraph = m_out.objectGraph || key == "_CHECKPOINTABLE_OBJECT_GRAPH";
        m_out.tensors.push_back(
            {{slice ? *slice + " (slice)" : key, tfTypeName(entry->type), entry->shape, entry->size, entry->offset},
             static_cast<std::uint32_t>(entry->shard),
             unmaskedCrc(entry->crc),
             fixed});
        return Done{};
    }

    Result<TfBundle> finish()
    {
        for (const auto &[name, bytes] : m_slicedBytes) {
            const auto found = m_slices.find(name);
            const std::uint64_t there = found == m_slices.end() ? 0 : found->second;
            if (there != bytes)
                return invalid(message("the slices of %1 have %2 bytes together, but its shape needs %3",
                                       printable(name), there, bytes));
        }
        if (const auto text = overlap(); !text.empty()) return invalid(text);
        return std::move(m_out);
    }

private:
    [[nodiscard]] Message overlap() const
    {
        std::vector<const TfBundleTensor *> order;
        for (const TfBundleTensor &tensor : m_out.tensors)
            if (tensor.info.bytes != 0) order.push_back(&tensor);
        std::sort(order.begin(), order.end(), [](const TfBundleTensor *a, const TfBundleTensor *b) {
            return std::pair(a->shard, a->info.offset) < std::pair(b->shard, b->info.offset);
        });
        for (std::size_t i = 1; i < order.size(); ++i)
            if (order[i]->shard == order[i - 1]->shard &&
                order[i]->info.offset < order[i - 1]->info.offset + order[i - 1]->info.bytes)
                return message("%1 begins before %2 ends", printable(order[i]->info.name),
                               printable(order[i - 1]->info.name));
        return {};
    }

    TfBundle m_out;
    std::map<std::string, std::uint64_t> m_slicedBytes;  // bytes that the shape needs
    std::map<std::string, std::uint64_t> m_slices;       // bytes of the slices
};

Result<std::vector<TfBlockHandle>> blocksOf(std::string_view index)
{
    const auto footer = parseTfFooter(index, index.size());
    if (!footer) return footer.error();
    const TfBlockHandle root = footer->index;
    const auto block = openTfBlock(
        index.substr(static_cast<std::size_t>(root.offset), static_cast<std::size_t>(root.end() - root.offset)));
    if (!block) return block.error();
    const auto entries = parseTfBlock(*block);
    if (!entries) return entries.error();
    std::vector<TfBlockHandle> blocks;
    std::uint64_t at = 0;
    for (const TfEntry &entry : *entries) {
        const auto handle = parseTfHandle(entry.value, index.size());
        if (!handle) return handle.error();
        // The blocks must follow each other, as the writer makes them, so that no byte is unpacked twice.
        if (handle->offset != at)
            return invalid(message("the blocks of the index do not follow each other without gaps"));
        at = handle->end();
        blocks.push_back(*handle);
    }
    const TfBlockHandle meta = footer->metaindex;
    if (at != meta.offset || meta.end() != root.offset) return invalid(message("part of the index is missing"));
    const auto empty = openTfBlock(
        index.substr(static_cast<std::size_t>(meta.offset), static_cast<std::size_t>(meta.end() - meta.offset)));
    if (!empty) return empty.error();
    return blocks;
}

}  // namespace

Result<TfBundle> parseTfBundle(std::string_view index)
{
    const auto blocks = blocksOf(index);
    if (!blocks) return blocks.error();
    Builder builder;
    std::string last;
    bool first = true;
    for (const TfBlockHandle &handle : *blocks) {
        const auto block = openTfBlock(index.substr(static_cast<std::size_t>(handle.offset),
                                                    static_cast<std::size_t>(handle.end() - handle.offset)));
        if (!block) return block.error();
        const auto entries = parseTfBlock(*block);
        if (!entries) return entries.error();
        for (const TfEntry &entry : *entries) {
            if (first != entry.key.empty()) return invalid(message("the header is not the first entry"));
            if (!first && entry.key <= last) return invalid(message("the keys are not in ascending order"));
            const Status taken = first ? builder.takeHeader(entry.value) : builder.take(entry.key, entry.value);
            if (!taken) return taken.error();
            first = false;
            last = entry.key;
        }
    }
    if (first) return invalid(message("the index is empty"));
    return builder.finish();
}

std::string tfShardName(const std::string &prefix, std::size_t shard, std::size_t shards)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), ".data-%05zu-of-%05zu", shard, shards);
    return prefix + text.data();
}

}  // namespace rankdeck
