// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/dcp/dcp_sample.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/zip_directory.h"
#include "core/checkpoint/read/weight_sample.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace rankdeck {
namespace {

constexpr std::size_t maxHeads = 512, maxItems = 64, largestItems = 8, weightsPerFile = 2;
constexpr std::uint64_t directoryTail = 1024;  // five entries and the end records take half of it
constexpr std::uint64_t windowBytes = 2048, localSlack = 256;

// At most `count` of `all`, spread evenly.
template <class T>
std::vector<T> spread(const std::vector<T> &all, std::size_t count)
{
    if (all.size() <= count) return all;
    std::vector<T> some;
    for (std::size_t i = 0; i < count; ++i) some.push_back(all[i * all.size() / count]);
    return some;
}

// Offset and length of windows within so many bytes of values: the beginning, the middle, the end.
std::vector<std::pair<std::uint64_t, std::uint64_t>> windowsOf(std::uint64_t bytes)
{
    if (bytes == 0) return {};
    if (bytes <= 3 * windowBytes) return {{0, bytes}};
    return {{0, windowBytes}, {bytes / 2 / 64 * 64, windowBytes}, {(bytes - windowBytes) / 64 * 64, windowBytes}};
}

}  // namespace

DcpSample::DcpSample(const DcpMetadata &metadata, std::string directory) : m_directory(std::move(directory))
{
    chooseHeads(metadata);
    chooseItems(metadata);
}

// Ordered by file, the order in which they are read: the parts of an item are in as many files as there are ranks.
void DcpSample::chooseHeads(const DcpMetadata &metadata)
{
    m_heads = spread(metadata.items, maxHeads);
    std::stable_sort(m_heads.begin(), m_heads.end(), [](const DcpItem &a, const DcpItem &b) {
        return std::tie(a.file, a.offset) < std::tie(b.file, b.offset);
    });
}

// Chooses the largest item of each shard, its largest weights (they show to which save the shard belongs), and the
// largest items of all shards.
void DcpSample::chooseItems(const DcpMetadata &metadata)
{
    std::map<std::string, const TensorInfo *> tensors;
    for (const TensorInfo &tensor : metadata.tensors)
        if (isFloatType(tensor.type)) tensors[tensor.name] = &tensor;
    std::vector<const DcpItem *> byLength;
    for (const DcpItem &item : metadata.items)
        if (tensors.count(item.name) != 0) byLength.push_back(&item);
    std::stable_sort(byLength.begin(), byLength.end(),
                     [](const DcpItem *a, const DcpItem *b) { return a->length > b->length; });
    std::set<std::string> files;
    std::vector<const DcpItem *> ofFiles, chosen;
    for (const DcpItem *item : byLength)
        if (files.insert(item->file).second) ofFiles.push_back(item);
    chosen = spread(ofFiles, maxItems - largestItems);
    std::map<std::string, std::size_t> weights;
    for (const DcpItem *item : chosen) weights.emplace(item->file, 0);
    for (const DcpItem *item : byLength) {
        const auto file = weights.find(item->file);
        const bool isWeight = tensors[item->name]->shape.size() > 1 && !mayHoldZeros(item->name);
        if (file == weights.end() || !isWeight || ++file->second > weightsPerFile) continue;
        if (std::find(chosen.begin(), chosen.end(), item) == chosen.end()) chosen.push_back(item);
    }
    for (std::size_t i = 0; i < byLength.size() && i < largestItems; ++i)
        if (std::find(chosen.begin(), chosen.end(), byLength[i]) == chosen.end()) chosen.push_back(byLength[i]);
    for (const DcpItem *item : chosen)
        m_items.push_back({*item, tensors[item->name]->type, tensors[item->name]->shape.size() > 1});
    std::stable_sort(m_items.begin(), m_items.end(),
                     [](const Item &a, const Item &b) { return a.at.file < b.at.file; });
}

std::string DcpSample::path(const DcpItem &item) const { return joinPath(m_directory, item.file); }

std::vector<RangeRequest> DcpSample::frames() const
{
    std::vector<RangeRequest> wanted;
    for (const DcpItem &item : m_heads) wanted.push_back({path(item), item.offset, 4});
    for (const Item &item : m_items) {
        const std::uint64_t tail = std::min(item.at.length, directoryTail);
        wanted.push_back({path(item.at), item.at.offset + item.at.length - tail, static_cast<std::uint32_t>(tail)});
    }
    return wanted;
}

void DcpSample::takeFrames(const std::vector<RangeReply> &replies)
{
    if (replies.size() != m_heads.size() + m_items.size()) return;
    for (std::size_t i = 0; i < m_heads.size() && !m_broken; ++i)
        if (replies[i].error.empty() && replies[i].bytes != "PK\x03\x04")
            m_broken = message("%1 does not begin at byte %2 of %3, where .metadata puts it: that part was never "
                               "written, or belongs to another save",
                               printable(m_heads[i].name), grouped(std::int64_t(m_heads[i].offset)),
                               printable(m_heads[i].file));
    for (std::size_t i = 0; i < m_items.size() && !m_broken; ++i)
        if (replies[m_heads.size() + i].error.empty()) takeDirectory(m_items[i], replies[m_heads.size() + i].bytes);
}

void DcpSample::takeDirectory(Item &item, const std::string &tail)
{
    const auto end = parseZipEnd(tail, item.at.length);
    if (!end) {
        m_broken =
            message("%1 does not end like a complete item in %2", printable(item.at.name), printable(item.at.file));
        return;
    }
    const std::uint64_t before = item.at.length - tail.size();
    if (end->directory < before) return;  // a directory longer than any of a single tensor: not sampled
    const auto entries = parseZipDirectory(
        std::string_view(tail).substr(std::size_t(end->directory - before), std::size_t(end->directoryBytes)),
        end->entries);
    if (!entries) {
        m_broken = message("%1 in %2: %3", printable(item.at.name), printable(item.at.file), entries.error().message);
        return;
    }
    for (const ZipEntry &entry : *entries)
        if (entry.name.find("/data/") != std::string::npos && entry.stored && entry.bytes > item.bytes &&
            entry.local < end->directory && entry.bytes <= end->directory - entry.local) {
            item.local = entry.local;
            item.bytes = entry.bytes;
        }
}

// At the beginning, in the middle and at the end of the values, which begin at a multiple of 64.
std::vector<RangeRequest> DcpSample::windows() const
{
    std::vector<RangeRequest> wanted;
    for (const Item &item : m_items)
        for (const auto &[from, length] : windowsOf(item.bytes))
            wanted.push_back(
                {path(item.at), item.at.offset + item.local + from, static_cast<std::uint32_t>(length + localSlack)});
    return wanted;
}

void DcpSample::takeWindows(const std::vector<RangeReply> &replies)
{
    std::size_t next = 0;
    for (const Item &item : m_items) {
        const std::size_t first = next;
        std::size_t zero = 0;
        bool values = false;
        for (const auto &[from, length] : windowsOf(item.bytes)) {
            if (next >= replies.size()) return;
            const std::string &bytes = replies[next++].bytes;
            const auto data = zipDataOffset(replies[first].bytes, item.local);
            if (!data || *data - item.local > std::min<std::uint64_t>(localSlack, bytes.size())) continue;
            const std::string_view seen =
                std::string_view(bytes).substr(std::size_t(*data - item.local), std::size_t(length));
            const WeightFinding found = lookAt(seen, item.type);
            if (!found.allZero) m_fingerprints[item.at.file].add(seen);
            m_signs[item.at.file].add(item.at.name, item.type, item.isMatrix ? 1 : 0, seen);
            zero += found.values > 0 && found.allZero ? 1 : 0;
            values = values || !found.allZero;
            takeFinding(item, found);
        }
        if (zero > 0 && values && !m_zeros && !mayHoldZeros(item.at.name))
            m_zeros = message("%1 in %2 has blocks of zeros among other values: a hole in the file, or values that are "
                              "correctly zero",
                              printable(item.at.name), printable(item.at.file));
    }
}

std::map<std::string, std::uint64_t> DcpSample::fingerprints() const
{
    std::map<std::string, std::uint64_t> out;
    for (const auto &[file, print] : m_fingerprints)
        if (print.value() != 0) out.emplace(file, print.value());
    return out;
}

std::map<std::string, WeightSigns> DcpSample::signs() const
{
    std::map<std::string, WeightSigns> out;
    for (const auto &[file, sample] : m_signs) sample.takeInto(out, file);
    return out;
}

void DcpSample::takeFinding(const Item &item, const WeightFinding &found)
{
    if (m_nonFinite || (found.nan == 0 && (found.infinite == 0 || found.maskLike))) return;
    m_nonFinite = message("%1 in %2: %3 of %4 sampled values are %5", printable(item.at.name), printable(item.at.file),
                          found.nan + found.infinite, found.values, found.nan != 0 ? "NaN" : "Inf");
}

}  // namespace rankdeck
