// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/mindspore/proto_record.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/bytes.h"

#include <array>
#include <utility>

namespace rankdeck {
namespace {

constexpr std::uint64_t longestText = 800;  // longest kept string value, bytes
constexpr std::size_t maxDims = 64;
constexpr std::uint64_t maxTag = 4000;

// A length-delimited or varint field of a message, bounded by the message's end.
struct Cursor {
    std::string_view head;
    std::size_t at = 0;
    std::uint64_t limit = 0;  // end of the enclosing message, may be beyond head

    [[nodiscard]] bool cut() const { return at >= head.size(); }
};

ProtoRecord bad(ProtoRecord &&record, Message error)
{
    record.state = ProtoRecord::State::bad;
    record.error = std::move(error);
    return record;
}

ProtoRecord cutShort(ProtoRecord record, const Cursor &cursor, std::uint64_t length)
{
    if (cursor.head.size() >= length) return bad(std::move(record), message("a field reaches beyond its record"));
    record.state = ProtoRecord::State::needsMore;
    return record;
}

bool readDims(Cursor &in, ProtoRecord &out, bool packed)
{
    if (!packed) {
        const auto dim = varint(in.head, in.at);
        if (!dim || out.dims.size() >= maxDims) return false;
        out.dims.push_back(static_cast<std::int64_t>(*dim));
        return true;
    }
    const auto length = varint(in.head, in.at);
    if (!length || *length > in.head.size() - in.at) return false;
    const std::size_t end = in.at + *length;
    while (in.at < end) {
        const auto dim = varint(in.head.substr(0, end), in.at);
        if (!dim || out.dims.size() >= maxDims) return false;
        out.dims.push_back(static_cast<std::int64_t>(*dim));
    }
    return true;
}

ProtoRecord parseTensor(Cursor in, ProtoRecord out, std::uint64_t length)
{
    while (in.at < in.limit) {
        if (in.cut()) return cutShort(std::move(out), in, length);
        const auto field = static_cast<unsigned char>(in.head[in.at++]);
        if (field == 0x08 || field == 0x0a) {
            const std::size_t before = in.at;
            if (!readDims(in, out, field == 0x0a)) {
                if (in.head.size() - before < 10 && out.dims.size() < maxDims)
                    return cutShort(std::move(out), in, length);
                return bad(std::move(out), message("the dimensions of '%1' are not readable", printable(out.tag)));
            }
            continue;
        }
        if (field != 0x12 && field != 0x1a)
            return bad(std::move(out), message("an unknown field %1 in '%2'", field, printable(out.tag)));
        const auto size = varint(in.head, in.at);
        if (!size) return cutShort(std::move(out), in, length);
        if (*size > in.limit - in.at)
            return bad(std::move(out), message("a field of '%1' reaches beyond its record", printable(out.tag)));
        if (field == 0x1a) {
            if (in.at + *size != in.limit)
                return bad(std::move(out), message("extra bytes after the content of '%1'", printable(out.tag)));
            out.contentOffset = in.at;
            out.contentBytes = *size;
            if (*size <= 16 || (out.type == "str" && *size <= longestText))
                out.content = std::string(in.head.substr(in.at, *size));
            out.state = ProtoRecord::State::good;
            return out;
        }
        if (*size > 64) return bad(std::move(out), message("the type of '%1' is not a type name", printable(out.tag)));
        if (in.head.size() - in.at < *size) return cutShort(std::move(out), in, length);
        out.type = std::string(in.head.substr(in.at, *size));
        in.at += *size;
    }
    return bad(std::move(out), message("'%1' has no content", printable(out.tag)));
}

}  // namespace

ProtoRecord parseProtoRecord(std::string_view head, std::uint64_t length)
{
    ProtoRecord out;
    Cursor in{head, 1, length};
    if (head.empty() || head[0] != 0x0a) return bad(std::move(out), message("no record begins here"));
    const auto value = varint(head, in.at);
    if (!value) return cutShort(std::move(out), in, length);
    if (in.at + *value != length)
        return bad(std::move(out), message("the length of the record does not match its framing"));
    if (in.cut()) return cutShort(std::move(out), in, length);
    if (head[in.at++] != 0x0a) return bad(std::move(out), message("the record does not begin with a tag"));
    const auto tagLength = varint(head, in.at);
    if (!tagLength) return cutShort(std::move(out), in, length);
    if (*tagLength > maxTag || *tagLength > length - in.at)
        return bad(std::move(out), message("its tag claims a length of %1 bytes", *tagLength));
    if (head.size() - in.at < *tagLength) return cutShort(std::move(out), in, length);
    out.tag = std::string(head.substr(in.at, *tagLength));
    in.at += *tagLength;
    if (in.cut()) return cutShort(std::move(out), in, length);
    const auto field = static_cast<unsigned char>(head[in.at++]);
    if (field != 0x12 && field != 0x1a)
        return bad(std::move(out), message("'%1' contains no tensor", printable(out.tag)));
    const auto size = varint(head, in.at);
    if (!size) return cutShort(std::move(out), in, length);
    if (*size != length - in.at)
        return bad(std::move(out), message("the tensor of '%1' does not fill its record", printable(out.tag)));
    if (field == 0x1a) {
        out.map = true;
        out.type = "map";
        out.contentOffset = in.at;
        out.contentBytes = *size;
        out.state = ProtoRecord::State::good;
        return out;
    }
    return parseTensor(in, std::move(out), length);
}

unsigned mindsporeTypeBits(std::string_view type)
{
    static constexpr std::array<std::pair<std::string_view, unsigned>, 14> sizes{{{"Int8", 8},
                                                                                  {"UInt8", 8},
                                                                                  {"Int16", 16},
                                                                                  {"UInt16", 16},
                                                                                  {"Int32", 32},
                                                                                  {"UInt32", 32},
                                                                                  {"Int64", 64},
                                                                                  {"UInt64", 64},
                                                                                  {"Float16", 16},
                                                                                  {"Float32", 32},
                                                                                  {"Float64", 64},
                                                                                  {"Bool", 8},
                                                                                  {"BFloat16", 16},
                                                                                  {"Int4", 0}}};
    for (const auto &[name, bits] : sizes)
        if (name == type) return bits;
    return 0;
}

}  // namespace rankdeck
