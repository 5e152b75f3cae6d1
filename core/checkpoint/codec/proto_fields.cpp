// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/codec/proto_fields.h"

#include "core/checkpoint/codec/bytes.h"

namespace rankdeck {

std::optional<ProtoField> ProtoFields::next()
{
    if (m_bad || m_at >= m_message.size()) return std::nullopt;
    m_bad = true;  // cleared when the field is complete
    const auto key = varint(m_message, m_at);
    if (!key || (*key >> 3) == 0 || (*key >> 3) > 0x1fffffff) return std::nullopt;
    ProtoField field;
    field.number = *key >> 3;
    field.wire = static_cast<unsigned>(*key & 7u);
    if (field.wire == 0) {
        const auto value = varint(m_message, m_at);
        if (!value) return std::nullopt;
        field.value = *value;
    } else if (field.wire == 1 || field.wire == 5) {
        const std::size_t width = field.wire == 1 ? 8 : 4;
        const auto value = littleEndian(m_message, m_at, width);
        if (!value) return std::nullopt;
        field.value = *value;
        m_at += width;
    } else if (field.wire == 2) {
        const auto length = varint(m_message, m_at);
        if (!length || *length > m_message.size() - m_at) return std::nullopt;
        field.bytes = m_message.substr(m_at, static_cast<std::size_t>(*length));
        m_at += static_cast<std::size_t>(*length);
    } else {
        return std::nullopt;  // groups: no message that is read has one
    }
    m_bad = false;
    return field;
}

bool appendIntegers(const ProtoField &field, std::vector<std::uint64_t> &out, std::size_t limit)
{
    if (field.wire == 0) {
        if (out.size() >= limit) return false;
        out.push_back(field.value);
        return true;
    }
    if (field.wire != 2) return false;
    for (std::size_t at = 0; at < field.bytes.size();) {
        const auto value = varint(field.bytes, at);
        if (!value || out.size() >= limit) return false;
        out.push_back(*value);
    }
    return true;
}

}  // namespace rankdeck
