// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/torch/torch_sample.h"

#include "core/base/text.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/read/scalars.h"

#include <algorithm>
#include <set>
#include <zlib.h>

namespace rankdeck {
namespace {

constexpr std::uint64_t window = 4096;
constexpr std::size_t maxSamples = 8, maxSteps = 16;

// Offset and length of windows within a record of so many bytes.
std::vector<std::pair<std::uint64_t, std::uint64_t>> windowsOf(std::uint64_t bytes)
{
    if (bytes <= 3 * window) return {{0, bytes}};
    return {{0, window}, {bytes / 2 / 64 * 64, window}, {(bytes - window) / 64 * 64, window}};
}

}  // namespace

TorchSample::TorchSample(const TorchState &state, const std::vector<ZipEntry> &entries, const std::string &root,
                         bool wantsStep)
    : m_entries(entries), m_root(root)
{
    std::sort(m_entries.begin(), m_entries.end(), [](const ZipEntry &a, const ZipEntry &b) { return a.name < b.name; });
    addWeights(state);
    if (wantsStep) addStep(state);
    addSmall();
}

const ZipEntry *TorchSample::recordOf(const TorchState &state, std::size_t tensor) const
{
    const std::string name = m_root + "data/" + state.storageOf[tensor];
    const auto at = std::lower_bound(m_entries.begin(), m_entries.end(), name,
                                     [](const ZipEntry &entry, const std::string &n) { return entry.name < n; });
    return at != m_entries.end() && at->name == name && at->bytes > 0 ? &*at : nullptr;
}

void TorchSample::addWeights(const TorchState &state)
{
    std::set<std::string> taken;
    for (std::size_t i = 0; i < state.tensors.size(); ++i) {
        const TensorInfo &tensor = state.tensors[i];
        const ZipEntry *record = recordOf(state, i);
        if (!record || !isFloatType(tensor.type) || !taken.insert(state.storageOf[i]).second) continue;
        m_samples.push_back({tensor.name, tensor.type, record, rowBytesOf(tensor.shape, record->bytes)});
    }
    std::stable_sort(m_samples.begin(), m_samples.end(),
                     [](const Sample &a, const Sample &b) { return a.record->bytes > b.record->bytes; });
    m_samples.resize(std::min(m_samples.size(), maxSamples));
}

// The optimizers of torch.optim store their step count as a one-value tensor per parameter. Samples some of them from
// all over the file, because the count of a frozen layer does not change; the highest count is the step.
void TorchSample::addStep(const TorchState &state)
{
    std::vector<Sample> steps;
    for (std::size_t i = 0; i < state.tensors.size(); ++i) {
        const TensorInfo &tensor = state.tensors[i];
        const bool one =
            (tensor.type == "float32" && tensor.bytes == 4) || (tensor.type == "int64" && tensor.bytes == 8);
        if (!one || !tensor.shape.empty() || !tensor.name.ends_with(".step")) continue;
        const ZipEntry *record = recordOf(state, i);
        if (record && record->bytes <= 8) steps.push_back({tensor.name, tensor.type, record, 0, Sample::Use::step});
    }
    const std::size_t count = std::min(steps.size(), maxSteps);
    for (std::size_t i = 0; i < count; ++i)
        m_samples.push_back(steps[count < 2 ? 0 : i * (steps.size() - 1) / (count - 1)]);
}

// Samples the records of a few bytes that every torch zip has: they show whether its writer made checksums at all.
void TorchSample::addSmall()
{
    for (const ZipEntry &entry : m_entries)
        for (const char *name : {"version", ".data/serialization_id"})
            if (entry.name == m_root + name && entry.bytes > 0 && entry.bytes <= 64)
                m_samples.push_back({entry.name, {}, &entry, 0, Sample::Use::sum});
}

std::vector<RangeRequest> TorchSample::ranges(const std::string &path) const
{
    std::vector<RangeRequest> wanted;
    for (const Sample &sample : m_samples)
        for (const auto &[from, length] : windowsOf(sample.record->bytes))
            wanted.push_back({path, sample.record->local + from, static_cast<std::uint32_t>(length + localSlack)});
    return wanted;
}

void TorchSample::look(const std::vector<RangeReply> &replies)
{
    m_found.complete = true;
    std::size_t next = 0;
    for (const Sample &sample : m_samples) next = lookAtOne(sample, replies, next);
    if (next != replies.size()) m_found.complete = false;
}

std::size_t TorchSample::lookAtOne(const Sample &sample, const std::vector<RangeReply> &replies, std::size_t next)
{
    const auto windows = windowsOf(sample.record->bytes);
    if (next >= replies.size() || replies.size() - next < windows.size()) {
        m_found.complete = false;
        return replies.size();
    }
    const auto data = zipDataOffset(replies[next].bytes, sample.record->local);
    if (!data || *data - sample.record->local > localSlack) {
        if (!m_found.misplaced) m_found.misplaced = printable(sample.name);
        return next + windows.size();
    }
    bool zeros = false, values = false;
    for (std::size_t i = 0; i < windows.size(); ++i) {
        const std::string_view bytes = replies[next + i].bytes;
        const std::uint64_t lead = *data - sample.record->local;
        if (bytes.size() < lead + windows[i].second) {
            m_found.complete = false;
            continue;
        }
        const std::string_view piece = bytes.substr(std::size_t(lead), std::size_t(windows[i].second));
        if (windows.size() == 1) check(*sample.record, piece);
        if (sample.use == Sample::Use::step) takeStep(sample, piece);
        if (sample.use == Sample::Use::weights) takeWindow(sample, piece, zeros, values);
    }
    if (sample.use == Sample::Use::weights && (zeros || values) && sample.rowBytes > 0 && !mayHoldZeros(sample.name)) {
        ++m_found.weights;
        if (!values && m_found.zeroWeights++ == 0) m_found.firstZero = sample.name;
    }
    if (zeros && values && !m_found.zeros && sample.rowBytes > 0 && !mayHoldZeros(sample.name))
        m_found.zeros =
            printable(sample.name) +
            " has blocks of zeros among other values: a hole in the file, or values that are correctly zero";
    return next + windows.size();
}

void TorchSample::takeWindow(const Sample &sample, std::string_view bytes, bool &zeros, bool &values)
{
    m_found.signs.add(sample.name, sample.type, sample.rowBytes, bytes);
    const WeightFinding found = lookAt(bytes, sample.type);
    zeros = zeros || (found.values > 0 && found.allZero);
    values = values || !found.allZero;
    if (m_found.nonFinite || (found.nan == 0 && (found.infinite == 0 || found.maskLike))) return;
    m_found.nonFinite = printable(sample.name) + ": " + std::to_string(found.nan + found.infinite) + " of " +
                        std::to_string(found.values) + " sampled values are " + (found.nan != 0 ? "NaN" : "Inf");
}

void TorchSample::takeStep(const Sample &sample, std::string_view bytes)
{
    const auto step = wholeValue(scalarText(bytes, sample.type));
    if (!step || *step < 0) return;
    if (!m_found.step || wholeValue(*m_found.step).value_or(0) < *step) m_found.step = std::to_string(*step);
}

void TorchSample::check(const ZipEntry &entry, std::string_view bytes)
{
    if (bytes.size() != entry.bytes) return;
    const auto sum =
        static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const unsigned char *>(bytes.data()), bytes.size()));
    if (sum == entry.crc)
        ++m_found.goodSums;
    else
        m_found.badSums.push_back(entry.name);
}

}  // namespace rankdeck
