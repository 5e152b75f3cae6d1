// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/tensorflow/tf_table.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/bytes.h"
#include "core/checkpoint/codec/crc32c.h"
#include "core/checkpoint/codec/invalid.h"
#include "core/checkpoint/codec/snappy.h"

namespace rankdeck {
namespace {

constexpr std::uint64_t magic = 0xdb4775248b80fb57u;
constexpr std::size_t maxUnpacked = 64u << 20;
constexpr std::size_t maxKey = 64u << 10;
// Limit for all keys of a block: shared prefixes take no space in the file.
constexpr std::size_t maxKeyBytes = 128u << 20;
constexpr std::size_t maxEntries = 2'000'000;

Result<TfBlockHandle> handleAt(std::string_view bytes, std::size_t &at, std::uint64_t fileBytes)
{
    const auto offset = varint(bytes, at);
    const auto size = offset ? varint(bytes, at) : std::nullopt;
    if (!size) return invalid(message("the position of a block is truncated"));
    const std::uint64_t room = fileBytes < TfFooter::bytes ? 0 : fileBytes - TfFooter::bytes;
    if (*offset > room || *size > room - *offset || room - *offset - *size < TfBlockHandle::trailer)
        return invalid(message("a block is beyond the end of the file"));
    return TfBlockHandle{*offset, *size};
}

}  // namespace

bool hasTfMagic(std::string_view tail) { return tail.size() >= 8 && littleEndian(tail, tail.size() - 8, 8) == magic; }

Result<TfFooter> parseTfFooter(std::string_view tail, std::uint64_t fileBytes)
{
    if (tail.size() < TfFooter::bytes || !hasTfMagic(tail))
        return invalid(message("the file does not end with a table's end mark"));
    tail.remove_prefix(tail.size() - TfFooter::bytes);
    std::size_t at = 0;
    const auto metaindex = handleAt(tail.substr(0, 40), at, fileBytes);
    if (!metaindex) return metaindex.error();
    const auto index = handleAt(tail.substr(0, 40), at, fileBytes);
    if (!index) return index.error();
    TfFooter footer{*metaindex, *index};
    if (footer.index.end() != fileBytes - TfFooter::bytes)
        return invalid(message("the index does not end where the footer begins"));
    return footer;
}

Result<std::string> openTfBlock(std::string_view raw)
{
    if (raw.size() < TfBlockHandle::trailer) return invalid(message("a block is truncated"));
    const std::string_view payload = raw.substr(0, raw.size() - TfBlockHandle::trailer);
    const auto stored = littleEndian(raw, raw.size() - 4, 4).value_or(0);
    if (crc32c(raw.substr(0, raw.size() - 4)) != unmaskedCrc(static_cast<std::uint32_t>(stored)))
        return invalid(message("the checksum of a block does not match its bytes"));
    const auto kind = static_cast<unsigned char>(raw[payload.size()]);
    if (kind == 0) return std::string(payload);
    if (kind != 1) return invalid(message("a block has an unknown compression: %1", kind));
    auto unpacked = unpackSnappy(payload, maxUnpacked);
    if (!unpacked) return invalid(message("a block cannot be unpacked"));
    return std::move(*unpacked);
}

Result<std::vector<TfEntry>> parseTfBlock(std::string_view block)
{
    const auto restarts = block.size() < 4 ? std::nullopt : littleEndian(block, block.size() - 4, 4);
    if (!restarts || *restarts > (block.size() - 4) / 4)
        return invalid(message("a block has no list of restart points"));
    const std::string_view body = block.substr(0, block.size() - 4 - 4 * static_cast<std::size_t>(*restarts));
    std::vector<TfEntry> entries;
    std::size_t keyBytes = 0;
    for (std::size_t at = 0; at < body.size();) {
        const auto shared = varint(body, at);
        const auto own = shared ? varint(body, at) : std::nullopt;
        const auto length = own ? varint(body, at) : std::nullopt;
        if (!length || *own > body.size() - at || *length > body.size() - at - *own)
            return invalid(message("an entry reaches beyond its block"));
        const std::string_view before = entries.empty() ? std::string_view() : entries.back().key;
        if (*shared > before.size())
            return invalid(message("a key claims to share more bytes with the previous key than that key has"));
        if (*shared + *own > maxKey || (keyBytes += *shared + *own) > maxKeyBytes || entries.size() >= maxEntries)
            return fail(ErrorKind::unsupported, message("a block has too many or too long keys"));
        std::string key(before.substr(0, static_cast<std::size_t>(*shared)));
        key += body.substr(at, static_cast<std::size_t>(*own));
        if (!entries.empty() && key <= entries.back().key)
            return invalid(message("the keys of a block are not in ascending order"));
        at += static_cast<std::size_t>(*own);
        entries.push_back({std::move(key), body.substr(at, static_cast<std::size_t>(*length))});
        at += static_cast<std::size_t>(*length);
    }
    return entries;
}

Result<TfBlockHandle> parseTfHandle(std::string_view bytes, std::uint64_t fileBytes)
{
    std::size_t at = 0;
    return handleAt(bytes, at, fileBytes);
}

}  // namespace rankdeck
