// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/codec/zip_directory.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/bytes.h"

#include <set>

namespace rankdeck {
namespace {

constexpr std::uint32_t endMark = 0x06054b50, end64Mark = 0x06064b50, entryMark = 0x02014b50, localMark = 0x04034b50;
constexpr std::size_t endBytes = 22, end64Bytes = 56, locatorBytes = 20;

// zip64: values that do not fit are stored in an extra field, in this order.
bool takeZip64(std::string_view extra, ZipEntry &entry)
{
    std::size_t at = 0;
    while (at + 4 <= extra.size()) {
        const auto id = *littleEndian(extra, at, 2), length = *littleEndian(extra, at + 2, 2);
        at += 4;
        if (length > extra.size() - at) return false;
        if (id == 1) {
            std::size_t from = at;
            const std::string_view field = extra.substr(0, at + length);
            const auto take = [&](std::uint64_t &value, std::uint64_t escape) {
                if (value != escape) return true;
                const auto big = littleEndian(field, from, 8);
                if (!big) return false;
                value = *big;
                from += 8;
                return true;
            };
            return take(entry.bytes, 0xffffffffu) && take(entry.packed, 0xffffffffu) && take(entry.local, 0xffffffffu);
        }
        at += length;
    }
    return entry.bytes != 0xffffffffu && entry.packed != 0xffffffffu && entry.local != 0xffffffffu;
}

}  // namespace

std::optional<ZipEnd> parseZipEnd(std::string_view tail, std::uint64_t fileBytes)
{
    if (tail.size() < endBytes || fileBytes < tail.size()) return std::nullopt;
    const std::size_t at = tail.size() - endBytes;
    if (littleEndian(tail, at, 4) != endMark || littleEndian(tail, at + 20, 2) != 0u) return std::nullopt;
    ZipEnd end{*littleEndian(tail, at + 16, 4), *littleEndian(tail, at + 12, 4), *littleEndian(tail, at + 10, 2)};
    std::uint64_t after = endBytes;
    if (tail.size() >= endBytes + locatorBytes + end64Bytes) {
        const std::size_t at64 = tail.size() - endBytes - locatorBytes - end64Bytes;
        if (littleEndian(tail, at64, 4) == end64Mark) {
            end = {*littleEndian(tail, at64 + 48, 8), *littleEndian(tail, at64 + 40, 8),
                   *littleEndian(tail, at64 + 32, 8)};
            after += locatorBytes + end64Bytes;
        }
    }
    if (end.directory > fileBytes || end.directoryBytes > fileBytes - end.directory ||
        end.directory + end.directoryBytes + after != fileBytes)
        return std::nullopt;
    return end;
}

Result<std::vector<ZipEntry>> parseZipDirectory(std::string_view bytes, std::uint64_t entries)
{
    std::vector<ZipEntry> all;
    std::set<std::string> names;
    std::size_t at = 0;
    while (at < bytes.size()) {
        if (littleEndian(bytes, at, 4) != entryMark || bytes.size() - at < 46)
            return fail(ErrorKind::invalid,
                        message("the central directory is damaged at entry %1", grouped(std::int64_t(all.size()))));
        if (all.size() >= entries)
            return fail(ErrorKind::invalid, message("the end record counts %1 entries, but there are more",
                                                    grouped(std::int64_t(all.size()))));
        const std::uint64_t nameBytes = *littleEndian(bytes, at + 28, 2), extra = *littleEndian(bytes, at + 30, 2),
                            comment = *littleEndian(bytes, at + 32, 2);
        if (nameBytes + extra + comment > bytes.size() - at - 46)
            return fail(ErrorKind::invalid,
                        message("the central directory is truncated in entry %1", grouped(std::int64_t(all.size()))));
        ZipEntry entry;
        entry.name = std::string(bytes.substr(at + 46, nameBytes));
        entry.stored = littleEndian(bytes, at + 10, 2) == 0u;
        entry.crc = static_cast<std::uint32_t>(*littleEndian(bytes, at + 16, 4));
        entry.bytes = *littleEndian(bytes, at + 24, 4);
        entry.local = *littleEndian(bytes, at + 42, 4);
        entry.packed = *littleEndian(bytes, at + 20, 4);
        if (!takeZip64(bytes.substr(at + 46 + nameBytes, extra), entry))
            return fail(ErrorKind::invalid, message("the size of entry '%1' is incomplete", printable(entry.name)));
        if (!names.insert(entry.name).second)
            return fail(ErrorKind::invalid, message("the entry '%1' exists twice", printable(entry.name)));
        all.push_back(std::move(entry));
        at += 46 + nameBytes + extra + comment;
    }
    if (all.size() != entries)
        return fail(ErrorKind::invalid, message("the end record counts %1 entries, but there are %2",
                                                grouped(std::int64_t(entries)), grouped(std::int64_t(all.size()))));
    return all;
}

std::optional<std::uint64_t> zipDataOffset(std::string_view localHeader, std::uint64_t local)
{
    if (localHeader.size() < 30 || littleEndian(localHeader, 0, 4) != localMark) return std::nullopt;
    return local + 30 + *littleEndian(localHeader, 26, 2) + *littleEndian(localHeader, 28, 2);
}

}  // namespace rankdeck
