// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/tensorflow/tf_shards_reader.h"

#include "core/base/text.h"

#include <set>

namespace rankdeck {
namespace {

constexpr std::size_t digits = 5;
constexpr int maxNamed = 20;

// "model.ckpt-1200-00001-of-00002": 1 and 2.
std::pair<std::int64_t, std::int64_t> shardOf(const std::string &path)
{
    if (path.size() < 2 * digits + 4) return {-1, 0};
    const auto count = decimal(std::string_view(path).substr(path.size() - digits));
    const auto index = decimal(std::string_view(path).substr(path.size() - 2 * digits - 4, digits));
    return {index.value_or(-1), count.value_or(0)};
}

}  // namespace

ReadStep TfShardsReader::combine(const ReadReplies &)
{
    std::set<std::int64_t> there;
    std::int64_t count = 0;
    for (const Part &part : m_parts) {
        const auto [index, of] = shardOf(part.file.path);
        there.insert(index);
        count = of;
        if (!takeOver(part)) continue;
        if (part.evidence.format != Format::tfV1)
            refuse("not_a_checkpoint", message("%1 is not a V1 checkpoint table", printable(baseName(part.file.path))));
        for (const auto &[key, value] : part.evidence.meta) {
            const auto [had, added] = m_evidence.meta.emplace(key, value);
            if (!added && had->second != value)
                refuse("step_mismatch", message("%1 has %2 %3, but another shard has %4",
                                                printable(baseName(part.file.path)), key, value, had->second));
        }
    }
    int named = 0;
    for (std::int64_t i = 0; i < count && named < maxNamed; ++i) {
        if (there.count(i) != 0) continue;
        ++named;
        refuse("shard_missing", message("shard %1 of %2 is missing", i, count));
    }
    conclude();
    return {};
}

}  // namespace rankdeck
