// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/history/sample_blob.h"

#include <bit>
#include <cstdint>

namespace rankdeck {

namespace {

constexpr std::uint64_t maxSamples = 1u << 20;  // of one row; the history writes at most 8,192

class Writer {
public:
    void number(std::uint64_t value)
    {
        while (value >= 0x80) {
            m_bytes += static_cast<char>(value | 0x80);
            value >>= 7;
        }
        m_bytes += static_cast<char>(value);
    }
    void signedNumber(std::int64_t value)
    {
        number((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
    }
    template <class Bits>
    void fixed(Bits value)
    {
        for (std::size_t i = 0; i < sizeof value; ++i) m_bytes += static_cast<char>(value >> (8 * i));
    }
    std::string take() { return std::move(m_bytes); }

private:
    std::string m_bytes;
};

class Reader {
public:
    explicit Reader(std::string_view bytes) : m_rest(bytes) {}
    std::uint64_t number()
    {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (m_rest.empty()) break;
            const auto byte = static_cast<unsigned char>(m_rest.front());
            m_rest.remove_prefix(1);
            value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
            if (byte < 0x80) return value;
        }
        m_good = false;
        return 0;
    }
    std::int64_t signedNumber()
    {
        const std::uint64_t value = number();
        return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
    }
    template <class Bits>
    Bits fixed()
    {
        Bits value = 0;
        if (m_rest.size() < sizeof value) {
            m_good = false;
            return value;
        }
        for (std::size_t i = 0; i < sizeof value; ++i)
            value = static_cast<Bits>(value | static_cast<Bits>(static_cast<unsigned char>(m_rest[i])) << (8 * i));
        m_rest.remove_prefix(sizeof value);
        return value;
    }
    [[nodiscard]] bool good() const { return m_good; }
    [[nodiscard]] bool atEnd() const { return m_good && m_rest.empty(); }
    [[nodiscard]] std::size_t left() const { return m_rest.size(); }

private:
    std::string_view m_rest;
    bool m_good = true;
};

Error damaged()
{
    return fail(ErrorKind::protocol,
                message("A row of the history is damaged: its bytes do not contain the samples that it claims."));
}

std::int64_t wrapping(std::int64_t a, std::int64_t b)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

}  // namespace

std::string packSamples(const std::vector<PlacedSample> &samples)
{
    Writer writer;
    writer.number(samples.size());
    std::int64_t before = 0;
    for (std::size_t i = 0; i < samples.size();) {  // runs: length, stride
        const std::int64_t stride = samples[i].step - before;
        std::size_t end = i + 1;
        while (end < samples.size() && samples[end].step - samples[end - 1].step == stride) ++end;
        writer.number(end - i);
        writer.signedNumber(stride);
        before = samples[end - 1].step;
        i = end;
    }
    std::uint64_t offset = 0;
    for (std::size_t i = 0; i < samples.size();) {
        std::size_t end = i + 1;
        while (end < samples.size() && samples[end].offset == samples[i].offset) ++end;
        writer.number(end - i);
        writer.signedNumber(static_cast<std::int64_t>(samples[i].offset - offset));
        offset = samples[i].offset;
        i = end;
    }
    for (const PlacedSample &sample : samples) writer.fixed(std::bit_cast<std::uint32_t>(sample.loss));
    return writer.take();
}

Result<std::vector<PlacedSample>> unpackSamples(std::string_view bytes)
{
    Reader reader(bytes);
    const std::uint64_t count = reader.number();
    if (!reader.good() || count > maxSamples || count * 4 > reader.left()) return damaged();
    std::vector<PlacedSample> samples(count);
    std::int64_t step = 0;
    for (std::uint64_t at = 0; at < count;) {
        const std::uint64_t length = reader.number();
        const std::int64_t stride = reader.signedNumber();
        if (!reader.good() || length == 0 || length > count - at) return damaged();
        for (const std::uint64_t end = at + length; at < end; ++at) samples[at].step = step = wrapping(step, stride);
    }
    std::uint64_t offset = 0;
    for (std::uint64_t at = 0; at < count;) {
        const std::uint64_t length = reader.number();
        offset += static_cast<std::uint64_t>(reader.signedNumber());
        if (!reader.good() || length == 0 || length > count - at) return damaged();
        for (const std::uint64_t end = at + length; at < end; ++at) samples[at].offset = offset;
    }
    for (PlacedSample &sample : samples) sample.loss = std::bit_cast<float>(reader.fixed<std::uint32_t>());
    if (!reader.atEnd()) return damaged();
    return samples;
}

std::string packWaiting(const std::vector<Sample> &samples)
{
    Writer writer;
    writer.number(samples.size());
    for (const Sample &sample : samples) {
        writer.fixed(std::bit_cast<std::uint64_t>(sample.fractionalEpoch.value_or(-1)));
        writer.signedNumber(sample.epoch.value_or(1));
        writer.signedNumber(sample.step.value_or(0));
        writer.number(sample.offset);
        writer.fixed(std::bit_cast<std::uint32_t>(static_cast<float>(sample.loss)));
    }
    return writer.take();
}

Result<std::vector<Sample>> unpackWaiting(std::string_view bytes)
{
    Reader reader(bytes);
    const std::uint64_t count = reader.number();
    if (!reader.good() || count > reader.left()) return damaged();
    std::vector<Sample> samples(count);
    for (Sample &sample : samples) {
        const double fraction = std::bit_cast<double>(reader.fixed<std::uint64_t>());
        const std::int64_t epoch = reader.signedNumber();
        const std::int64_t step = reader.signedNumber();
        if (fraction >= 0) {
            sample.fractionalEpoch = fraction;
        } else {
            sample.epoch = epoch;
            sample.step = step;
        }
        sample.offset = reader.number();
        sample.loss = std::bit_cast<float>(reader.fixed<std::uint32_t>());
    }
    if (!reader.atEnd()) return damaged();
    return samples;
}

// The loss's double is stored in the offset field. This field is 0 in blobs of earlier versions, and for a loss of 0.
std::string packExact(double loss)
{
    return packSamples({{0, static_cast<float>(loss), std::bit_cast<std::uint64_t>(loss)}});
}

Result<double> unpackExact(std::string_view bytes)
{
    const Result<std::vector<PlacedSample>> samples = unpackSamples(bytes);
    if (!samples) return samples.error();
    if (samples->size() != 1) return damaged();
    const PlacedSample &one = samples->front();
    return one.offset == 0 ? static_cast<double>(one.loss) : std::bit_cast<double>(one.offset);
}

}  // namespace rankdeck
