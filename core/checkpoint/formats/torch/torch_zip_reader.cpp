// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/checkpoint/codec/bytes.h"
#include "core/checkpoint/formats/torch/torch_identity.h"
#include "core/checkpoint/formats/torch/torch_numbers.h"
#include "core/checkpoint/formats/torch/torch_reader.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <set>

namespace rankdeck {
namespace {

constexpr std::uint64_t maxPickle = 64u << 20;

// Computed from the checksums of the tensors, without those of numbers and masks, which prove little.
std::uint64_t fingerprintOf(const std::vector<TensorInfo> &tensors, const std::vector<std::uint32_t> &sums)
{
    Fingerprint out;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (sums[i] == 0 || tensors[i].bytes < 64 || !isFloatType(tensors[i].type)) continue;
        std::string text = std::to_string(sums[i]) + "/" + std::to_string(tensors[i].bytes);
        text.resize(64, ' ');
        out.add(text);
    }
    return out.value();
}

}  // namespace

TorchZipReader::TorchZipReader(const FileHead &opening)
    : FileReader(opening), m_wanted(opening.wanted), m_head(opening.head), m_tail(opening.tail)
{
    m_evidence.format = Format::torchZip;
    m_evidence.level = EvidenceLevel::L1;
}

ReadStep TorchZipReader::next(const ReadReplies &replies)
{
    switch (m_phase) {
    case Phase::begin: {
        const auto end = parseZipEnd(m_tail, size());
        if (!end) {
            torn(size(),
                 message("no end record at the end of the archive: the save was truncated, or data was appended"));
            m_phase = Phase::done;
            return {};
        }
        m_end = *end;
        if (m_end.directoryBytes > maxZipDirectoryBytes || m_end.entries > maxZipEntries) {
            problem("directory_too_large", m_end.directory,
                    message("the central directory has %1 and %2 entries, too large to read",
                            bytesText(m_end.directoryBytes),
                            grouped(std::int64_t(std::min<std::uint64_t>(m_end.entries, INT64_MAX)))));
            m_phase = Phase::done;
            return {};
        }
        m_phase = Phase::directory;
        return ReadStep::of(m_evidence.path, m_end.directory, m_end.directoryBytes);
    }
    case Phase::directory: return withDirectory(replies.joined());
    case Phase::pickle: return withPickle(replies.joined());
    case Phase::sample:
        takeSamples(replies);
        m_phase = Phase::done;
        return {};
    case Phase::done: break;
    }
    return {};
}

ReadStep TorchZipReader::withDirectory(const std::string &bytes)
{
    m_phase = Phase::done;
    if (bytes.size() != m_end.directoryBytes) {
        problem("still_growing", m_end.directory, message("the central directory could not be read completely"));
        return {};
    }
    Result<std::vector<ZipEntry>> entries = parseZipDirectory(bytes, m_end.entries);
    if (!entries) {
        torn(m_end.directory, entries.error().message);
        return {};
    }
    m_entries = std::move(entries).value();
    for (const ZipEntry &entry : m_entries) {
        const std::size_t slash = entry.name.rfind("/data.pkl");
        if (slash != std::string::npos && slash + 9 == entry.name.size()) {
            m_pickle = &entry;
            m_root = entry.name.substr(0, slash + 1);
        }
        // torch.jit.save compresses the code of a program; torch.save compresses nothing.
        const bool isProgram = contains(entry.name, "/code/");
        const std::uint64_t length = isProgram ? entry.packed : entry.bytes;
        if ((!entry.stored && !isProgram) || entry.local > m_end.directory || length > m_end.directory - entry.local) {
            torn(entry.local, message("the record '%1' is not inside the file", printable(entry.name)));
            return {};
        }
    }
    if (!m_pickle) {
        torn(0, message("the archive has %1 records and no data.pkl: the save ended with an exception",
                        grouped(std::int64_t(m_entries.size()))));
        return {};
    }
    if (m_pickle->bytes > maxPickle) {
        problem("pickle_too_large", m_pickle->local,
                message("data.pkl has %1, too large to read", bytesText(m_pickle->bytes)));
        return {};
    }
    m_phase = Phase::pickle;
    const std::uint64_t wanted = std::min(m_pickle->bytes + localSlack, m_end.directory - m_pickle->local);
    if (m_pickle->local + wanted <= m_head.size())
        return withPickle(m_head.substr(std::size_t(m_pickle->local), std::size_t(wanted)));
    return ReadStep::of(m_evidence.path, m_pickle->local, wanted);
}

ReadStep TorchZipReader::withPickle(const std::string &bytes)
{
    m_phase = Phase::done;
    const auto data = zipDataOffset(bytes, m_pickle->local);
    if (!data || *data - m_pickle->local > bytes.size() || bytes.size() - (*data - m_pickle->local) < m_pickle->bytes) {
        torn(m_pickle->local, message("data.pkl is not at the offset given in the directory"));
        return {};
    }
    const Result<Pickle> pickle = Pickle::parse(
        std::string_view(bytes).substr(std::size_t(*data - m_pickle->local), std::size_t(m_pickle->bytes)));
    if (!pickle) {
        if (pickle.error().kind == ErrorKind::unsupported)
            problem("pickle_too_large", *data, message("data.pkl: %1", pickle.error().message));
        else
            torn(*data, message("data.pkl: %1", pickle.error().message));
        return {};
    }
    for (const std::string &name : pickle->dangerous())
        problem("dangerous_pickle", *data,
                message("contains %1, which torch.load would run unless weights_only is set", printable(name)));
    TorchState state = readTorchState(*pickle);
    m_evidence.meta = state.meta;
    m_evidence.meta["archive_root"] = printable(m_root.substr(0, m_root.size() - 1));
    if (!compareRecords(state)) return {};
    if (baseName(m_evidence.path).starts_with("custom_checkpoint_")) takeOwnCounts(*pickle, m_evidence.meta);
    takeRunIdentity(*pickle, m_evidence.meta);
    if (holdsOnlyWeights(*pickle, state)) m_evidence.meta["holds"] = "weights";
    if (holdsOnlyOptimizer(*pickle, state)) m_evidence.meta["holds"] = "optimizer";
    if (holdsOnlyCounters(*pickle, state)) m_evidence.meta["holds"] = "counters";
    placeTensors(state);
    m_evidence.tensors = TensorList(state.tensors);
    m_evidence.complete = true;
    m_evidence.level = EvidenceLevel::L2;
    if (m_wanted < EvidenceLevel::L3) return {};
    m_sample = TorchSample(state, m_entries, m_root, m_evidence.meta.count("optimizer_step") == 0);
    return askSamples();
}

void TorchZipReader::placeTensors(TorchState &state)
{
    std::map<std::string, const ZipEntry *> records;
    for (const ZipEntry &entry : m_entries) records[entry.name] = &entry;
    auto sums = std::make_shared<std::vector<std::uint32_t>>();
    for (std::size_t i = 0; i < state.tensors.size(); ++i) {
        const auto found = records.find(m_root + "data/" + state.storageOf[i]);
        if (found == records.end()) continue;
        state.tensors[i].offset = found->second->local;
        sums->push_back(found->second->crc);
    }
    if (sums->size() != state.tensors.size()) return;
    m_evidence.fingerprint = fingerprintOf(state.tensors, *sums);
    takeDataOrder(state, *sums);
    m_evidence.checksums = std::move(sums);
}

// Takes the state of the generator that drew the epoch's order. The loader keeps this state until the end of the epoch
// (torchdata's sampler.py 0.11: generator_state).
void TorchZipReader::takeDataOrder(const TorchState &state, const std::vector<std::uint32_t> &sums)
{
    if (m_evidence.meta.count("data_step") == 0) return;
    for (std::size_t i = 0; i < sums.size(); ++i)
        if (sums[i] != 0 && state.tensors[i].name.ends_with("generator"))
            m_evidence.meta.emplace("data_order", std::to_string(sums[i]));
}

bool TorchZipReader::compareRecords(const TorchState &state)
{
    if (!state.contradiction.empty()) {
        torn(0, state.contradiction);
        return false;
    }
    std::map<std::string, std::uint64_t> records;
    const std::string folder = m_root + "data/";
    for (const ZipEntry &entry : m_entries)
        if (entry.name.compare(0, folder.size(), folder) == 0) records[entry.name.substr(folder.size())] = entry.bytes;
    std::size_t missing = 0;
    std::string first;
    for (const auto &[key, storage] : state.storages) {
        const auto found = records.find(key);
        if (found == records.end()) {
            ++missing;
            if (first.empty()) first = key;
        } else if (!storage.type.empty() && found->second != storage.bytes) {
            torn(0, message("data/%1 has %2 bytes, but data.pkl needs %3", printable(key),
                            grouped(std::int64_t(found->second)), grouped(std::int64_t(storage.bytes))));
            return false;
        }
    }
    if (missing == 0) return true;
    torn(0, message("%1 of %2 storages are missing (first: data/%3): the save ended with an exception",
                    grouped(std::int64_t(missing)), grouped(std::int64_t(state.storages.size())), printable(first)));
    return false;
}

ReadStep TorchZipReader::askSamples()
{
    m_phase = Phase::sample;
    ReadStep step;
    step.ranges = m_sample.ranges(m_evidence.path);
    if (step.done()) {
        m_evidence.level = EvidenceLevel::L3;
        m_phase = Phase::done;
    }
    return step;
}

void TorchZipReader::takeSamples(const ReadReplies &replies)
{
    m_sample.look(replies.ranges);
    const TorchSample::Found &found = m_sample.found();
    if (found.misplaced) {
        torn(0, message("'%1' is not at the offset given in the directory", *found.misplaced));
        return;
    }
    if (found.nonFinite) {
        m_evidence.nonFiniteSeen = true;
        problem("nan_weights", 0, *found.nonFinite);
    }
    if (!found.badSums.empty() && found.goodSums == 0) {
        problem("crc_off", 0,
                message("no checksum matches: its writer had checksums switched off, so damage would go unnoticed"));
        m_evidence.fingerprint = 0;
    } else if (!found.badSums.empty())
        torn(0, message("the bytes of '%1' do not match the CRC-32 in the directory", printable(found.badSums.front())),
             "crc_bad");
    if (found.step) m_evidence.meta["optimizer_step"] = *found.step;
    if (found.zeros) problem("zero_region", 0, *found.zeros);
    if (const auto zero = zeroWeightsText(found.zeroWeights, found.weights, found.firstZero))
        problem("zero_weights", 0, *zero);
    m_evidence.signs = found.signs.ofFile();
    if (found.complete) m_evidence.level = EvidenceLevel::L3;
}

}  // namespace rankdeck
