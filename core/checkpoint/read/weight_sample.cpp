// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/read/weight_sample.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/bytes.h"
#include "core/checkpoint/thresholds.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr std::uint64_t window = 4096, small = 512, allOf = 64 << 10;
constexpr std::size_t largest = 6, others = 128;

struct FloatFormat {
    unsigned width = 0;
    std::uint64_t exponent = 0, mantissa = 0;
};

FloatFormat floatFormat(std::string_view type)
{
    if (type == "Float32" || type == "F32" || type == "float32") return {4, 0x7f800000u, 0x007fffffu};
    if (type == "Float16" || type == "F16" || type == "float16") return {2, 0x7c00u, 0x03ffu};
    if (type == "BFloat16" || type == "BF16" || type == "bfloat16") return {2, 0x7f80u, 0x007fu};
    if (type == "Float64" || type == "F64" || type == "float64") return {8, 0x7ff0000000000000u, 0x000fffffffffffffu};
    return {};
}

// Matches whole terms: the "variable" of a Keras name is not a variance.
bool says(std::string_view name, std::string_view part)
{
    const std::size_t at = name.find(part);
    return at != std::string_view::npos && !(part == "var" && name.substr(at).starts_with("variable"));
}

}  // namespace

unsigned floatWidth(std::string_view type) { return floatFormat(type).width; }

WeightFinding lookAt(std::string_view bytes, std::string_view type)
{
    WeightFinding found;
    const FloatFormat format = floatFormat(type);
    if (format.width == 0) return found;
    for (std::size_t at = 0; at + format.width <= bytes.size(); at += format.width) {
        const std::uint64_t value = littleEndian(bytes, at, format.width).value_or(0);
        ++found.values;
        const std::uint64_t magnitude = value & (format.exponent | format.mantissa);
        if (magnitude != 0) found.allZero = false;
        if ((value & format.exponent) != format.exponent) {
            if (magnitude != 0) found.maskLike = false;
            continue;
        }
        if (value & format.mantissa)
            ++found.nan;
        else
            ++found.infinite;
    }
    return found;
}

std::uint64_t rowBytesOf(const std::vector<std::int64_t> &shape, std::uint64_t bytes)
{
    return shape.size() < 2 || shape[0] <= 0 ? 0 : bytes / static_cast<std::uint64_t>(shape[0]);
}

bool mayHoldZeros(std::string_view name)
{
    for (const std::string_view part :
         {"bias",     "beta",    "gamma",     "norm",        "running_",   "moving_",  "mean",  "var",
          "moment",   "exp_avg", "adam_",     "accum",       "accu_grads", "velocity", "/Adam", "/Momentum",
          "/RMSProp", "optim",   "opt_state", "num_batches", "mask",       "lora_",    "cache", "rng"})
        if (says(name, part)) return true;
    return false;
}

WeightSample::WeightSample(const std::vector<WeightSpan> &spans)
{
    std::vector<std::size_t> floats;
    std::uint64_t total = 0;
    for (const WeightSpan &span : spans) {
        if (!isFloatType(span.type) || span.bytes == 0) continue;
        floats.push_back(m_spans.size());
        m_spans.push_back(span);
        total += std::min(span.bytes, 2 * allOf);
    }
    if (floats.empty()) return;
    m_seen.resize(m_spans.size());
    if (total <= allOf) {
        for (const std::size_t span : floats)
            for (std::uint64_t at = 0; at < m_spans[span].bytes; at += allOf) add(span, at, allOf);
    } else {
        choose(floats);
    }
    join();
}

// Takes the beginning and end of the largest spans, and of the first and the last one. Also some windows between from
// the largest span, and small windows of the others.
void WeightSample::choose(const std::vector<std::size_t> &floats)
{
    std::vector<std::size_t> chosen = floats;
    std::stable_sort(chosen.begin(), chosen.end(),
                     [this](std::size_t a, std::size_t b) { return m_spans[a].bytes > m_spans[b].bytes; });
    chosen.resize(std::min(chosen.size(), largest));
    for (const std::size_t edge : {floats.front(), floats.back()})
        if (std::find(chosen.begin(), chosen.end(), edge) == chosen.end()) chosen.push_back(edge);
    for (const std::size_t span : chosen) {
        add(span, 0, window);
        if (m_spans[span].bytes > window) add(span, m_spans[span].bytes - window, window);
    }
    const std::size_t most = chosen.front();
    for (std::uint64_t part = 1; part < 5 && m_spans[most].bytes > 8 * window; ++part)
        add(most, m_spans[most].bytes / 5 * part, window);
    const std::size_t count = std::min(floats.size(), others);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t span = floats[i * floats.size() / count];
        if (std::find(chosen.begin(), chosen.end(), span) == chosen.end()) add(span, m_spans[span].bytes / 3, small);
    }
}

void WeightSample::add(std::size_t span, std::uint64_t at, std::uint64_t length)
{
    at -= at % 8;  // whole values
    m_windows.push_back({span, at, static_cast<std::uint32_t>(std::min(length, m_spans[span].bytes - at))});
}

void WeightSample::join()
{
    std::vector<Range> parts;
    parts.reserve(m_windows.size());
    for (const Window &w : m_windows) parts.push_back({m_spans[w.span].offset + w.at, w.length});
    std::sort(parts.begin(), parts.end(), [](const Range &a, const Range &b) { return a.offset < b.offset; });
    for (const Range &part : parts) {
        if (!m_ranges.empty()) {
            Range &last = m_ranges.back();
            const std::uint64_t lastEnd = last.offset + last.length;
            const std::uint64_t end = std::max(lastEnd, part.offset + part.length);
            if (part.offset <= lastEnd + small && end - last.offset <= (256u << 10)) {
                last.length = static_cast<std::uint32_t>(end - last.offset);
                continue;
            }
        }
        m_ranges.push_back(part);
    }
}

std::vector<RangeRequest> WeightSample::ranges(const std::string &path) const
{
    std::vector<RangeRequest> wanted;
    wanted.reserve(m_ranges.size());
    for (const Range &range : m_ranges) wanted.push_back({path, range.offset, range.length});
    return wanted;
}

void Fingerprint::add(std::string_view sum, std::uint64_t bytes)
{
    m_hash ^= std::hash<std::string_view>()(sum) + 0x9e3779b97f4a7c15u + (m_hash << 6) + (m_hash >> 2);
    m_bytes += bytes;
}

std::uint64_t WeightSample::fingerprint() const { return m_complete ? m_fingerprint.value() : 0; }

void WeightSample::look(const std::vector<RangeReply> &replies)
{
    m_complete = replies.size() == m_ranges.size();
    for (const Window &w : m_windows) {
        const std::uint64_t offset = m_spans[w.span].offset + w.at;
        const auto after = std::upper_bound(m_ranges.begin(), m_ranges.end(), offset,
                                            [](std::uint64_t at, const Range &range) { return at < range.offset; });
        const std::size_t i = std::size_t(after - m_ranges.begin());
        if (i == 0 || i > replies.size() || offset - m_ranges[i - 1].offset + w.length > replies[i - 1].bytes.size()) {
            m_complete = false;
            continue;
        }
        lookInto(w, std::string_view(replies[i - 1].bytes).substr(offset - m_ranges[i - 1].offset, w.length));
    }
    findZeroWeights();
    for (std::size_t i = 0; i < m_seen.size() && !m_zeros; ++i)
        if (m_seen[i].values && m_seen[i].zeroBytes > 0)
            m_zeros = message("%1 has %2 of zeros at byte %3 of its data, among other values: a hole in the file, or "
                              "values that are correctly zero",
                              printable(m_spans[i].name), bytesText(m_seen[i].zeroBytes),
                              grouped(std::int64_t(m_seen[i].zeroAt)));
}

std::optional<Message> zeroWeightsText(std::size_t zero, std::size_t weights, const std::string &first)
{
    if (zero == 0) return std::nullopt;
    if (zero == weights && zero > 1)
        return message("all %1 sampled weights are zero (first: %2)", grouped(std::int64_t(weights)), printable(first));
    if (zero > 1)
        return message(
            "%1 and %2 more weights are zero in the entire sample: saved before they had values, or zeroed by a fault",
            printable(first), grouped(std::int64_t(zero) - 1));
    return message("%1 is zero in the entire sample: saved before it had values, or zeroed by a fault",
                   printable(first));
}

void WeightSample::findZeroWeights()
{
    std::size_t zero = 0, weights = 0;
    std::string first;
    for (std::size_t i = 0; i < m_seen.size(); ++i) {
        if (!m_seen[i].looked || m_spans[i].rowBytes == 0 || mayHoldZeros(m_spans[i].name)) continue;
        ++weights;
        if (!m_seen[i].values && zero++ == 0) first = m_spans[i].name;
    }
    m_zeroWeights = zeroWeightsText(zero, weights, first);
}

void WeightSample::lookInto(const Window &w, std::string_view bytes)
{
    const WeightSpan &span = m_spans[w.span];
    const WeightFinding found = lookAt(bytes, span.type);
    if (!found.allZero) m_fingerprint.add(bytes);
    m_signs.add(span.name, span.type, span.rowBytes, bytes);
    m_seen[w.span].looked = true;
    m_seen[w.span].values = m_seen[w.span].values || !found.allZero;
    if (span.rowBytes > 0 && !mayHoldZeros(span.name)) findRuns(w, bytes);
    if (m_nonFinite || (found.nan == 0 && (found.infinite == 0 || found.maskLike))) return;
    const bool nan = found.nan != 0;
    m_nonFinite = message("%1: %2 of %3 sampled values are %4", printable(span.name), nan ? found.nan : found.infinite,
                          found.values, nan ? "NaN" : "Inf");
}

// One whole row of zeros is normal: the padding of an embedding, a dead filter. If a window shows only a part of a row,
// zeros are accepted only in the first and the last row.
void WeightSample::findRuns(const Window &w, std::string_view bytes)
{
    const std::uint64_t row = m_spans[w.span].rowBytes, rows = m_spans[w.span].bytes / row;
    Seen &seen = m_seen[w.span];
    for (std::size_t at = 0; at < bytes.size();) {
        std::size_t end = bytes.find_first_not_of('\0', at);
        if (end == std::string_view::npos) end = bytes.size();
        const std::uint64_t first = w.at + at, last = w.at + end;
        const bool oneRow = end > at && first / row == (last - 1) / row;
        const bool whole = first % row == 0 && last % row == 0;
        const bool cut = (at == 0 || first % row == 0) && (end == bytes.size() || last % row == 0);
        const bool edge = first / row == 0 || first / row + 1 >= rows;
        if (end - at >= threshold::hole && end - at > seen.zeroBytes && !(oneRow && (whole || (cut && edge)))) {
            seen.zeroAt = first;
            seen.zeroBytes = end - at;
        }
        at = end;
        while (at < bytes.size() && bytes[at] != '\0') ++at;
    }
}

}  // namespace rankdeck
