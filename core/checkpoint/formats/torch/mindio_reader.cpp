// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/torch/mindio_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/bytes.h"
#include "core/checkpoint/formats/torch/torch_numbers.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr std::string_view flag("mindio\0", 7);
constexpr std::size_t tailBytes = 23;
constexpr std::uint64_t maxMap = 64u << 20, maxMapPickle = 64u << 20;

}  // namespace

bool looksLikeMindio(std::string_view tail)
{
    return tail.size() >= tailBytes && tail.substr(tail.size() - flag.size()) == flag;
}

MindioReader::MindioReader(const FileHead &opening)
    : FileReader(opening), m_wanted(opening.wanted), m_tail(opening.tail)
{
    m_evidence.format = Format::mindio;
    m_evidence.level = EvidenceLevel::L1;
}

ReadStep MindioReader::next(const ReadReplies &replies)
{
    const Phase phase = m_phase;
    m_phase = Phase::done;
    switch (phase) {
    case Phase::begin: return askMap();
    case Phase::map: return withMap(replies.joined());
    case Phase::pickle: return withPickle(replies.joined());
    case Phase::sample:
        m_sample.look(replies.ranges);
        judgeSample(m_sample);
        break;
    case Phase::done: break;
    }
    return {};
}

ReadStep MindioReader::askMap()
{
    const std::string_view tail = std::string_view(m_tail).substr(m_tail.size() - tailBytes);
    m_mapStart = littleEndian(tail, 0, 8).value_or(0);
    m_mapBytes = littleEndian(tail, 8, 8).value_or(0);
    if (m_mapStart > size() || m_mapBytes > size() - m_mapStart || m_mapStart + m_mapBytes + tailBytes != size()) {
        torn(size() - tailBytes, message("the tail of the file places a record map of %1 bytes at byte %2, but it "
                                         "would not end where the tail begins",
                                         grouped(std::int64_t(m_mapBytes)), grouped(std::int64_t(m_mapStart))));
        return {};
    }
    if (m_mapBytes > maxMap) {
        problem("directory_too_large", m_mapStart,
                message("the record map has %1, too large to read", bytesText(m_mapBytes)));
        return {};
    }
    m_phase = Phase::map;
    return ReadStep::of(m_evidence.path, m_mapStart, std::max<std::uint64_t>(m_mapBytes, 1));
}

// name → (start, bytes)
bool MindioReader::takeMap(const Pickle &map)
{
    const Pickle::Node &root = map.root();
    if (root.kind != Pickle::Kind::dict) return false;
    for (std::size_t i = 0; i + 1 < root.items.size(); i += 2) {
        const Pickle::Node &name = map.at(root.items[i]), &range = map.at(root.items[i + 1]);
        if (name.kind != Pickle::Kind::text || range.kind != Pickle::Kind::tuple || range.items.size() != 2)
            return false;
        const Pickle::Node &start = map.at(range.items[0]), &bytes = map.at(range.items[1]);
        if (start.kind != Pickle::Kind::integer || bytes.kind != Pickle::Kind::integer || start.integer < 0 ||
            bytes.integer < 0)
            return false;
        const Range record{std::uint64_t(start.integer), std::uint64_t(bytes.integer)};
        if (record.start > m_mapStart || record.bytes > m_mapStart - record.start) return false;
        m_records[std::string(name.text)] = record;
    }
    return m_records.count("data.pkl") != 0;
}

ReadStep MindioReader::withMap(const std::string &bytes)
{
    const Result<Pickle> map = Pickle::parse(std::string_view(bytes).substr(0, std::size_t(m_mapBytes)));
    if (!map) {
        torn(m_mapStart, message("the record map: %1", map.error().message));
        return {};
    }
    if (const auto raw = map->integer(map->root(), "bytes_length");
        raw && map->find(map->root(), "mindio_save_data_type")) {
        if (std::uint64_t(*raw) != m_mapStart)
            torn(0,
                 message("holds %1 bytes, but its map records %2", grouped(std::int64_t(m_mapStart)), grouped(*raw)));
        else
            m_evidence.complete = true;
        return {};
    }
    if (!takeMap(*map)) {
        torn(m_mapStart, message("the record map has no data.pkl, or has records outside the file"));
        return {};
    }
    const Range pickle = m_records["data.pkl"];
    if (pickle.bytes > maxMapPickle) {
        problem("pickle_too_large", pickle.start,
                message("data.pkl has %1, too large to read", bytesText(pickle.bytes)));
        return {};
    }
    m_phase = Phase::pickle;
    return ReadStep::of(m_evidence.path, pickle.start, std::max<std::uint64_t>(pickle.bytes, 1));
}

bool MindioReader::compareRecords(TorchState &state, std::vector<WeightSpan> &spans)
{
    if (!state.contradiction.empty()) {
        torn(0, state.contradiction);
        return false;
    }
    for (const auto &[key, storage] : state.storages) {
        const auto found = m_records.find("data/" + key);
        if (found != m_records.end() && (storage.type.empty() || found->second.bytes == storage.bytes)) continue;
        torn(0, found == m_records.end()
                    ? message("data/%1 is missing", printable(key))
                    : message("data/%1 has %2 bytes, but data.pkl needs %3", printable(key),
                              grouped(std::int64_t(found->second.bytes)), grouped(std::int64_t(storage.bytes))));
        return false;
    }
    for (std::size_t i = 0; i < state.tensors.size(); ++i) {
        const Range record = m_records["data/" + state.storageOf[i]];
        state.tensors[i].offset = record.start;
        if (isFloatType(state.tensors[i].type))
            spans.push_back({state.tensors[i].name, state.tensors[i].type, record.start, record.bytes,
                             rowBytesOf(state.tensors[i].shape, record.bytes)});
    }
    return true;
}

ReadStep MindioReader::withPickle(const std::string &bytes)
{
    const Range at = m_records["data.pkl"];
    const Result<Pickle> pickle = Pickle::parse(std::string_view(bytes).substr(0, std::size_t(at.bytes)));
    if (!pickle) {
        if (pickle.error().kind == ErrorKind::unsupported)
            problem("pickle_too_large", at.start, message("data.pkl: %1", pickle.error().message));
        else
            torn(at.start, message("data.pkl: %1", pickle.error().message));
        return {};
    }
    for (const std::string &name : pickle->dangerous())
        problem("dangerous_pickle", at.start,
                message("contains %1, which would be run when the file is loaded", printable(name)));
    TorchState state = readTorchState(*pickle);
    m_evidence.meta = state.meta;
    std::vector<WeightSpan> spans;
    if (!compareRecords(state, spans)) return {};
    m_evidence.tensors = TensorList(std::move(state.tensors));
    m_evidence.complete = true;
    m_evidence.level = EvidenceLevel::L2;
    if (m_wanted < EvidenceLevel::L3) return {};
    m_sample = WeightSample(spans);
    ReadStep step;
    step.ranges = m_sample.ranges(m_evidence.path);
    if (step.done())
        m_evidence.level = EvidenceLevel::L3;
    else
        m_phase = Phase::sample;
    return step;
}

}  // namespace rankdeck
