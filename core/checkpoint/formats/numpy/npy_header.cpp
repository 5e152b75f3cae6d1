// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/numpy/npy_header.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/bytes.h"

#include <charconv>
#include <optional>

namespace rankdeck {
namespace {

constexpr std::string_view magic{"\x93NUMPY", 6};

// The text after "'key':" in the dictionary, without leading blanks.
std::string_view valueOf(std::string_view dictionary, std::string_view key)
{
    const std::size_t at = dictionary.find("'" + std::string(key) + "':");
    if (at == std::string_view::npos) return {};
    std::string_view value = dictionary.substr(at + key.size() + 3);
    value.remove_prefix(std::min(value.size(), value.find_first_not_of(' ')));
    return value;
}

// "(3, 4)", "(5,)", "()".
std::optional<std::vector<std::int64_t>> shapeOf(std::string_view text)
{
    const std::size_t end = text.find(')');
    if (!text.starts_with("(") || end == std::string_view::npos) return std::nullopt;
    text = text.substr(1, end - 1);
    std::vector<std::int64_t> shape;
    while (!text.empty()) {
        std::int64_t dimension = 0;
        const auto [at, problem] = std::from_chars(text.data(), text.data() + text.size(), dimension);
        if (problem != std::errc{} || dimension < 0 || shape.size() >= 64) return std::nullopt;
        shape.push_back(dimension);
        text.remove_prefix(static_cast<std::size_t>(at - text.data()));
        const std::size_t next = text.find_first_not_of(", ");
        if (next == 0) return std::nullopt;
        text.remove_prefix(std::min(text.size(), next));
    }
    return shape;
}

// Bytes of one value of "<f4" and the like; 0: unknown.
std::uint64_t widthOf(std::string_view descr)
{
    if (descr.size() < 3) return 0;
    std::uint64_t width = 0;
    const auto [at, problem] = std::from_chars(descr.data() + 2, descr.data() + descr.size(), width);
    if (problem != std::errc{} || at != descr.data() + descr.size() || width > 1u << 20) return 0;
    return descr[1] == 'U' ? width * 4 : width;
}

std::string typeName(std::string_view descr)
{
    const bool little = descr.starts_with("<") || descr.starts_with("|");
    const std::string_view plain = descr.substr(descr.empty() ? 0 : 1);
    if (!little) return printable(descr);
    for (const auto &[code, name] :
         {std::pair("f2", "float16"), std::pair("f4", "float32"), std::pair("f8", "float64"), std::pair("i1", "int8"),
          std::pair("i2", "int16"), std::pair("i4", "int32"), std::pair("i8", "int64"), std::pair("u1", "uint8"),
          std::pair("u4", "U32"), std::pair("u8", "U64"), std::pair("b1", "bool")})
        if (plain == code) return name;
    return printable(descr);
}

std::optional<std::uint64_t> product(const std::vector<std::int64_t> &shape, std::uint64_t width)
{
    std::uint64_t bytes = width;
    for (const std::int64_t dimension : shape)
        if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(dimension), &bytes)) return std::nullopt;
    return bytes;
}

}  // namespace

Result<NpyHeader> parseNpyHeader(std::string_view bytes)
{
    if (bytes.substr(0, magic.size()) != magic)
        return fail(ErrorKind::invalid, message("does not begin with the NumPy magic string"));
    const auto version = littleEndian(bytes, 6, 1);
    if (!version || *version < 1 || *version > 3)
        return fail(ErrorKind::invalid, message("expected format version 1 to 3, found a different one"));
    const std::size_t lengthBytes = *version == 1 ? 2 : 4;
    const auto length = littleEndian(bytes, 8, lengthBytes);
    if (!length || *length > bytes.size() - 8 - lengthBytes)
        return fail(ErrorKind::unsupported, message("its header is longer than the part that was read"));
    NpyHeader header{.type = {}, .headerBytes = 8 + lengthBytes + *length};
    const std::string_view dictionary = bytes.substr(8 + lengthBytes, *length);
    const std::string_view descr = valueOf(dictionary, "descr");
    const auto shape = shapeOf(valueOf(dictionary, "shape"));
    if (descr.empty() || !shape) return fail(ErrorKind::invalid, message("its header has no type or no shape"));
    header.shape = *shape;
    const bool plain = descr.front() == '\'' && descr.find('\'', 1) != std::string_view::npos;
    const std::string_view type = plain ? descr.substr(1, descr.find('\'', 1) - 1) : std::string_view("record");
    header.pickled = type == "|O" || (!plain && dictionary.find("'|O'") != std::string_view::npos);
    header.type = plain ? typeName(type) : "record";
    const std::uint64_t width = plain && !header.pickled ? widthOf(type) : 0;
    const auto total = product(header.shape, width);
    if (!total) return fail(ErrorKind::invalid, message("its shape is impossible"));
    header.valueBytes = *total;
    return header;
}

}  // namespace rankdeck
