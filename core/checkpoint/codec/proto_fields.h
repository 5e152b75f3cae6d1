// SPDX-License-Identifier: GPL-3.0-or-later
// Walker over the fields of one serialised protobuf message without its type. Pure; bounded by the view.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace rankdeck {

struct ProtoField {
    std::uint64_t number = 0;
    unsigned wire = 0;            // 0 varint, 1 eight bytes, 2 length-prefixed, 5 four bytes
    std::uint64_t value = 0;      // wire 0, 1 and 5
    std::string_view bytes = {};  // wire 2
};

class ProtoFields {
public:
    explicit ProtoFields(std::string_view message) : m_message(message) {}
    // The next field; nullopt at the end, or if the message is damaged (then bad()).
    std::optional<ProtoField> next();
    [[nodiscard]] bool bad() const { return m_bad; }

private:
    std::string_view m_message;
    std::size_t m_at = 0;
    bool m_bad = false;
};

// A repeated integer field: appended to out, packed or not. False: damaged, or more than limit in all.
bool appendIntegers(const ProtoField &field, std::vector<std::uint64_t> &out, std::size_t limit);

}  // namespace rankdeck
