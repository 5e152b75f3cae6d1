// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/checkpoint/codec/bytes.h"
#include "core/checkpoint/formats/torch/torch_identity.h"
#include "core/checkpoint/formats/torch/torch_reader.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr std::uint64_t maxPickles = 64u << 20;
constexpr std::uint64_t firstRead = 64u << 10;
constexpr std::uint32_t rangeBytes = 4u << 20;

}  // namespace

bool looksLikeTorchLegacy(std::string_view head)
{
    return head.substr(0, 15) == std::string_view("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e", 15);
}

TorchLegacyReader::TorchLegacyReader(const FileHead &opening)
    : FileReader(opening), m_bytes(opening.head), m_wanted(opening.wanted)
{
    m_evidence.format = Format::torchLegacy;
    m_evidence.level = EvidenceLevel::L1;
}

ReadStep TorchLegacyReader::next(const ReadReplies &replies)
{
    if (m_sampling) {
        m_sample.look(replies.ranges);
        judgeSample(m_sample);
        m_sampling = false;
        return {};
    }
    if (!m_evidence.complete.isUnknown()) return {};
    for (const RangeReply &reply : replies.ranges)
        if (reply.offset == m_bytes.size()) m_bytes += reply.bytes;
    return withPickles();
}

// The pickles have no length prefix, so the file is read in growing pieces until the last pickle is complete.
ReadStep TorchLegacyReader::more()
{
    const std::uint64_t wanted =
        std::min<std::uint64_t>(size(), std::max<std::uint64_t>(firstRead, m_bytes.size() * 8));
    ReadStep step;
    for (std::uint64_t at = m_bytes.size(); at < wanted; at += rangeBytes)
        step.ranges.push_back(
            {m_evidence.path, at, static_cast<std::uint32_t>(std::min<std::uint64_t>(rangeBytes, wanted - at))});
    return step;
}

ReadStep TorchLegacyReader::withPickles()
{
    std::size_t at = 0;
    std::optional<Pickle> object, keys;
    for (int part = 0; part < 5; ++part) {  // magic, protocol, system info, the object, the storage keys
        Result<Pickle> pickle = Pickle::parse(std::string_view(m_bytes).substr(at));
        if (!pickle) {
            const bool all = m_bytes.size() >= size();
            if (!all && m_bytes.size() < maxPickles) return more();
            if (all)
                torn(at, message("ends inside its pickles: %1", pickle.error().message));
            else
                problem("pickle_too_large", at,
                        message("its pickles are larger than %1: not read", bytesText(maxPickles)));
            return {};
        }
        at += pickle->size();
        if (part == 3)
            object = std::move(pickle).value();
        else if (part == 4)
            keys = std::move(pickle).value();
    }
    for (const std::string &name : object->dangerous())
        problem("dangerous_pickle", 0,
                message("contains %1, which torch.load would run unless weights_only is set", printable(name)));
    const TorchState state = readTorchState(*object);
    m_evidence.meta = state.meta;
    takeRunIdentity(*object, m_evidence.meta);
    if (holdsOnlyWeights(*object, state)) m_evidence.meta["holds"] = "weights";
    m_evidence.tensors = TensorList(state.tensors);
    std::uint64_t end = at;
    std::map<std::string, std::uint64_t> offsets;
    for (const Pickle::Ref ref : keys->root().items) {
        const auto storage = state.storages.find(std::string(keys->at(ref).text));
        if (storage == state.storages.end() || storage->second.bytes > size()) {
            torn(at, message("the list of storages contains a storage that the saved object does not use"));
            return {};
        }
        offsets[storage->first] = end + 8;
        end += 8 + storage->second.bytes;
        if (end > (std::uint64_t(1) << 60)) break;
    }
    if (offsets.size() != state.storages.size())
        torn(at, message("the list of storages does not match the saved object"));
    else if (end != size())
        torn(std::min(size(), end),
             end > size()
                 ? message("%1 short: its storages need %2 bytes", bytesText(end - size()), grouped(std::int64_t(end)))
                 : message("%1 longer than its storages need", bytesText(size() - end)));
    if (m_evidence.complete == false) return {};
    m_evidence.complete = true;
    m_evidence.level = EvidenceLevel::L2;
    std::vector<WeightSpan> spans;
    for (std::size_t i = 0; i < state.tensors.size(); ++i)
        spans.push_back({state.tensors[i].name, state.tensors[i].type, offsets[state.storageOf[i]],
                         state.tensors[i].bytes, rowBytesOf(state.tensors[i].shape, state.tensors[i].bytes)});
    m_bytes.clear();
    if (m_wanted < EvidenceLevel::L3) return {};
    m_sample = WeightSample(spans);
    ReadStep step;
    step.ranges = m_sample.ranges(m_evidence.path);
    m_sampling = !step.done();
    if (step.done()) m_evidence.level = EvidenceLevel::L3;
    return step;
}

}  // namespace rankdeck
