// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/trainer/tensor_file.h"

#include <bit>
#include <cstring>
#include <limits>
#include <optional>

namespace rankdeck::demo {

static_assert(std::endian::native == std::endian::little, "contents are written as they lie in memory");

namespace {

void putVarint(std::string &into, std::uint64_t value)
{
    while (value >= 0x80) {
        into += static_cast<char>((value & 0x7f) | 0x80);
        value >>= 7;
    }
    into += static_cast<char>(value);
}

void putBytes(std::string &into, char key, std::string_view bytes)
{
    into += key;
    putVarint(into, bytes.size());
    into += bytes;
}

class Reader {
public:
    explicit Reader(std::string_view bytes) : m_bytes(bytes) {}
    [[nodiscard]] bool atEnd() const { return m_at == m_bytes.size(); }
    [[nodiscard]] std::size_t offset() const { return m_at; }

    std::optional<unsigned char> byte()
    {
        if (atEnd()) return std::nullopt;
        return static_cast<unsigned char>(m_bytes[m_at++]);
    }
    std::optional<std::uint64_t> varint()
    {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            const auto next = byte();
            if (!next) return std::nullopt;
            value |= static_cast<std::uint64_t>(*next & 0x7f) << shift;
            if (*next < 0x80) return value;
        }
        return std::nullopt;
    }
    std::optional<std::string_view> bytes()
    {
        const auto length = varint();
        if (!length || *length > m_bytes.size() - m_at) return std::nullopt;
        const auto found = m_bytes.substr(m_at, *length);
        m_at += *length;
        return found;
    }

private:
    std::string_view m_bytes;
    std::size_t m_at = 0;
};

std::size_t widthOf(std::string_view type)
{
    if (type == "Float32" || type == "Int32") return 4;
    if (type == "Int64" || type == "Float64") return 8;
    if (type == "Bool" || type == "Int8" || type == "UInt8") return 1;
    return 0;
}

bool readTensor(std::string_view bytes, TensorRecord &into)
{
    Reader reader(bytes);
    while (!reader.atEnd()) {
        const auto key = reader.byte();
        if (key == 0x08) {
            const auto dim = reader.varint();
            if (!dim || *dim > std::numeric_limits<std::int32_t>::max()) return false;
            into.dims.push_back(static_cast<std::int64_t>(*dim));
            continue;
        }
        const auto text = reader.bytes();
        if (!text) return false;
        if (key == 0x12)
            into.type = *text;
        else if (key == 0x1a)
            into.bytes = *text;
        else
            return false;
    }
    std::size_t expected = widthOf(into.type);
    for (const auto dim : into.dims) expected *= static_cast<std::size_t>(dim);
    return expected != 0 && expected == into.bytes.size();
}

bool readRecord(std::string_view bytes, TensorRecord &into)
{
    Reader reader(bytes);
    if (reader.byte() != 0x0a) return false;
    const auto name = reader.bytes();
    if (!name || name->empty() || reader.byte() != 0x12) return false;
    into.name = *name;
    const auto tensor = reader.bytes();
    return tensor && reader.atEnd() && readTensor(*tensor, into);
}

template <class T>
std::string raw(T value)
{
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

}  // namespace

std::string encodeTensors(const std::vector<TensorRecord> &records)
{
    std::string file;
    for (const auto &record : records) {
        std::string tensor;
        for (const auto dim : record.dims) {
            tensor += '\x08';
            putVarint(tensor, static_cast<std::uint64_t>(dim));
        }
        putBytes(tensor, '\x12', record.type);
        putBytes(tensor, '\x1a', record.bytes);
        std::string value;
        putBytes(value, '\x0a', record.name);
        putBytes(value, '\x12', tensor);
        putBytes(file, '\x0a', value);
    }
    return file;
}

Result<std::vector<TensorRecord>> decodeTensors(std::string_view file, const std::string &path)
{
    std::vector<TensorRecord> records;
    Reader reader(file);
    while (!reader.atEnd()) {
        const std::size_t begin = reader.offset();
        TensorRecord record;
        std::optional<std::string_view> bytes;
        if (reader.byte() == 0x0a) bytes = reader.bytes();
        if (!bytes || !readRecord(*bytes, record))
            return fail(ErrorKind::invalid,
                        "Failed to read the checkpoint file " + path +
                            ". The file may be corrupted, and the content cannot be parsed.",
                        "no whole record at offset " + std::to_string(begin));
        records.push_back(std::move(record));
    }
    if (records.empty())
        return fail(ErrorKind::invalid, "The loaded parameter dict is empty after filter or specify: " + path);
    return records;
}

TensorRecord floatTensor(std::string name, std::vector<std::int64_t> dims, const float *values, std::size_t count)
{
    std::string bytes(count * sizeof(float), '\0');
    std::memcpy(bytes.data(), values, bytes.size());
    return {std::move(name), std::move(dims), "Float32", std::move(bytes)};
}

TensorRecord floatScalar(std::string name, float value) { return {std::move(name), {}, "Float32", raw(value)}; }
TensorRecord int32Vector(std::string name, std::int32_t value) { return {std::move(name), {1}, "Int32", raw(value)}; }
TensorRecord int64Scalar(std::string name, std::int64_t value) { return {std::move(name), {}, "Int64", raw(value)}; }
TensorRecord boolScalar(std::string name, bool value)
{
    return {std::move(name), {}, "Bool", std::string(1, value ? '\1' : '\0')};
}

Result<std::int64_t> integerOf(const TensorRecord &record)
{
    if (record.type == "Int32" && record.bytes.size() == 4) {
        std::int32_t value = 0;
        std::memcpy(&value, record.bytes.data(), sizeof value);
        return std::int64_t{value};
    }
    if (record.type == "Int64" && record.bytes.size() == 8) {
        std::int64_t value = 0;
        std::memcpy(&value, record.bytes.data(), sizeof value);
        return value;
    }
    return fail(ErrorKind::invalid, "expected one Int32 or Int64 in " + record.name + ", found " + record.type);
}

const TensorRecord *findTensor(const std::vector<TensorRecord> &records, std::string_view name)
{
    for (const auto &record : records)
        if (record.name == name) return &record;
    return nullptr;
}

}  // namespace rankdeck::demo
