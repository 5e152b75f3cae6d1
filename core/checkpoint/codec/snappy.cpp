// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/codec/snappy.h"

#include "core/checkpoint/codec/bytes.h"

namespace rankdeck {
namespace {

struct Element {
    std::size_t length = 0;
    std::size_t distance = 0;  // distance back from the end of the output; 0: a literal
};

std::optional<Element> literalAt(std::string_view in, std::size_t &at, unsigned tag)
{
    const std::size_t code = tag >> 2;
    if (code < 60) return Element{code + 1, 0};
    const std::size_t width = code - 59;
    const auto length = littleEndian(in, at, width);
    if (!length) return std::nullopt;
    at += width;
    return Element{static_cast<std::size_t>(*length) + 1, 0};
}

std::optional<Element> elementAt(std::string_view in, std::size_t &at)
{
    const unsigned tag = static_cast<unsigned char>(in[at++]);
    const unsigned kind = tag & 3u;
    if (kind == 0) return literalAt(in, at, tag);
    const std::size_t width = kind == 1 ? 1 : kind == 2 ? 2 : 4;
    const auto low = littleEndian(in, at, width);
    if (!low) return std::nullopt;
    at += width;
    Element copy;
    copy.length = kind == 1 ? ((tag >> 2) & 7u) + 4 : (tag >> 2) + 1;
    copy.distance = static_cast<std::size_t>(*low) + (kind == 1 ? std::size_t(tag >> 5) << 8 : 0);
    if (copy.distance == 0) return std::nullopt;
    return copy;
}

}  // namespace

std::optional<std::string> unpackSnappy(std::string_view bytes, std::size_t limit)
{
    std::size_t at = 0;
    const auto length = varint(bytes, at);
    if (!length || *length > limit) return std::nullopt;
    // An element of three bytes produces at most 64 bytes, so a larger claim is false and must not allocate memory.
    if (*length > 32 * (bytes.size() + 1)) return std::nullopt;
    std::string out;
    out.reserve(static_cast<std::size_t>(*length));
    while (at < bytes.size()) {
        const auto element = elementAt(bytes, at);
        if (!element || element->length > *length - out.size()) return std::nullopt;
        if (element->distance == 0) {
            if (element->length > bytes.size() - at) return std::nullopt;
            out.append(bytes.substr(at, element->length));
            at += element->length;
            continue;
        }
        if (element->distance > out.size()) return std::nullopt;
        // The source may overlap the output, so it is copied byte by byte.
        for (std::size_t i = 0; i < element->length; ++i) out += out[out.size() - element->distance];
    }
    if (out.size() != *length) return std::nullopt;
    return out;
}

}  // namespace rankdeck
