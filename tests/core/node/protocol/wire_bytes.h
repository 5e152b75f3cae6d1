// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces of the messages of a probe, byte by byte.
#pragma once

#include "core/node/protocol/wire.h"

#include <string>

namespace rankdeck {

inline std::string statBytes(char kind = 'f', std::uint64_t size = 5, std::uint64_t inode = 9,
                             std::int64_t mtimeNs = 1000)
{
    std::string out;
    WireWriter writer(out);
    writer.u8(static_cast<unsigned char>(kind));
    writer.u64(size);
    writer.u64(static_cast<std::uint64_t>(mtimeNs));
    writer.u32(0644);
    writer.u32(0);
    writer.u64(1);
    writer.u64(inode);
    return out;
}

inline std::string blob(const std::string &bytes)
{
    std::string out;
    WireWriter(out).blob(bytes);
    return out;
}

inline std::string number(std::uint64_t value)
{
    std::string out;
    WireWriter(out).u64(value);
    return out;
}

inline std::string hello()
{
    std::string out;
    WireWriter writer(out);
    writer.u32(1);
    writer.u32(1000);
    writer.u64(0);
    for (const char *text : {"node-a", "boot", "3.6.8", "bob"}) writer.blob(text);
    return out;
}

}  // namespace rankdeck
