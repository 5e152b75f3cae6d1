// SPDX-License-Identifier: GPL-3.0-or-later
// Sample of the weights, to find NaN and zeros. A NaN loss spreads to nearly every weight within a step, so windows of
// the largest tensors and of many others find it. A hole is a run of zeros among other values that cannot be a valid
// zero row. Pure.
#pragma once

#include "core/checkpoint/read/weight_signs.h"
#include "core/node/protocol/messages.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct WeightSpan {  // one run of raw little-endian values in a file
    std::string name;
    std::string type;  // in any of the formats' forms: Float32, F32, float32 …
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::uint64_t rowBytes =
        0;  // bytes per index of the first of several dimensions; 0: a vector, which is not checked for holes
};
// rowBytes of a tensor of that shape.
std::uint64_t rowBytesOf(const std::vector<std::int64_t> &shape, std::uint64_t bytes);
// True for names of tensors that may be zero: a bias, a statistic, a fresh moment of an optimizer.
bool mayHoldZeros(std::string_view name);
// Text about weights that are zero in all sampled values; nullopt: none. weights: how many were sampled.
std::optional<Message> zeroWeightsText(std::size_t zero, std::size_t weights, const std::string &first);

struct WeightFinding {
    std::uint64_t values = 0;
    std::uint64_t nan = 0;
    std::uint64_t infinite = 0;
    bool maskLike = true;  // nothing but zeros and infinities: an attention mask, not a weight
    bool allZero = true;
};

unsigned floatWidth(std::string_view type);  // bytes of a value; 0: not a float type
inline bool isFloatType(std::string_view type) { return floatWidth(type) != 0; }
WeightFinding lookAt(std::string_view bytes, std::string_view type);

// Combines runs of values into one number.
class Fingerprint {
public:
    void add(std::string_view values) { add(values, values.size()); }
    void add(std::string_view sum, std::uint64_t bytes);  // for a checksum that represents so many bytes of values
    [[nodiscard]] std::uint64_t value() const { return m_bytes < fewest ? 0 : m_hash; }

private:
    static constexpr std::uint64_t fewest = 64;
    std::uint64_t m_hash = 0, m_bytes = 0;
};

class WeightSample {
public:
    WeightSample() = default;
    // At most about 200 kB in all, whatever the spans claim.
    explicit WeightSample(const std::vector<WeightSpan> &spans);
    [[nodiscard]] std::vector<RangeRequest> ranges(const std::string &path) const;
    // replies: to ranges(), in order.
    void look(const std::vector<RangeReply> &replies);
    [[nodiscard]] std::optional<Message> nonFinite() const { return m_nonFinite; }  // "conv1.weight: 25 of 50 … NaN"
    [[nodiscard]] std::optional<Message> zeros() const { return m_zeros; }  // "fc.weight: 200 bytes of zeros …"
    // Weights of two or more dimensions with only zeros in the sample: "fc.weight: all … are zero".
    [[nodiscard]] std::optional<Message> zeroWeights() const { return m_zeroWeights; }
    [[nodiscard]] bool complete() const { return m_complete; }  // every window was delivered
    // Fingerprint of all values in the windows; 0: not all were delivered, too few, or only zeros.
    [[nodiscard]] std::uint64_t fingerprint() const;
    [[nodiscard]] const SignSample &signs() const { return m_signs; }

private:
    struct Window {
        std::size_t span = 0;
        std::uint64_t at = 0;  // offset within the span
        std::uint32_t length = 0;
    };
    struct Range {
        std::uint64_t offset = 0;
        std::uint32_t length = 0;
    };
    struct Seen {  // result for one span
        bool looked = false;
        bool values = false;
        std::uint64_t zeroAt = 0, zeroBytes = 0;  // the longest run of zeros that is not a zero row
    };
    void choose(const std::vector<std::size_t> &floats);
    void add(std::size_t span, std::uint64_t at, std::uint64_t length);
    void join();
    void lookInto(const Window &window, std::string_view bytes);
    void findZeroWeights();
    void findRuns(const Window &window, std::string_view bytes);
    std::vector<WeightSpan> m_spans;
    std::vector<Window> m_windows;
    std::vector<Range> m_ranges;
    std::vector<Seen> m_seen;
    std::optional<Message> m_nonFinite, m_zeros, m_zeroWeights;
    bool m_complete = false;
    Fingerprint m_fingerprint;
    SignSample m_signs;
};

}  // namespace rankdeck
