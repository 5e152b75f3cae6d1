// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/read/reader.h"

#include <algorithm>

namespace rankdeck {

ReadStep ReadStep::of(const std::string &path, std::uint64_t from, std::uint64_t length)
{
    constexpr std::uint32_t rangeBytes = 4u << 20;
    ReadStep step;
    for (std::uint64_t at = 0; at < length; at += rangeBytes)
        step.ranges.push_back(
            {path, from + at, static_cast<std::uint32_t>(std::min<std::uint64_t>(rangeBytes, length - at))});
    return step;
}

std::string ReadReplies::joined() const
{
    std::string all;
    for (const RangeReply &reply : ranges) all += reply.bytes;
    return all;
}

}  // namespace rankdeck
