// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/components/components_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/components/component_names.h"

#include <algorithm>
#include <array>

namespace rankdeck {
namespace {

constexpr std::array counters{"global_step", "iteration", "step", "epoch", "epoch_num", "step_num"};

bool holdsWeightsAlone(const Evidence &evidence)
{
    const auto holds = evidence.meta.find("holds");
    return holds != evidence.meta.end() && holds->second == "weights";
}

// Compares the parts that were read; false if nothing was read.
bool holdTheSame(const Evidence &a, const Evidence &b)
{
    if (a.checksums && b.checksums) return *a.checksums == *b.checksums;
    return a.fingerprint != 0 && a.fingerprint == b.fingerprint;
}

}  // namespace

ComponentsReader::ComponentsReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
    : CompositeReader(whole, parts, wanted, Format::torchZip)
{
    std::string around = dirName(parts.front().path);
    for (const FileEntry &part : parts)
        while (!part.path.starts_with(around + "/")) around = dirName(around);
    for (Part &part : m_parts) part.name = slotName(part.file.path, around);
}

CompositeReader::How ComponentsReader::plan(const Part &) { return How::byFormat; }

ReadStep ComponentsReader::combine(const ReadReplies &)
{
    std::vector<const Part *> files;
    bool weightsAlone = true;
    for (const Part &part : m_parts) {
        takeOver(part);
        m_evidence.format = part.evidence.format;
        weightsAlone = weightsAlone && holdsWeightsAlone(part.evidence);
        files.push_back(&part);
    }
    if (weightsAlone) m_evidence.meta["holds"] = "weights";
    takeCounters();
    compareStructures();
    compareTimes(std::move(files));
    conclude();
    return {};
}

// Two files with the same tensors and different values may be two models of one architecture, or the parts of two
// ranks.
void ComponentsReader::compareStructures()
{
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        for (std::size_t k = 0; k < i; ++k) {
            const Evidence &a = m_parts[k].evidence, &b = m_parts[i].evidence;
            if (a.tensors.empty() || !a.tensors.sameStructure(b.tensors) || holdTheSame(a, b)) continue;
            problem("rank_unproven", message("%1 and %2 have the same tensors with different values: two models in one "
                                             "save, or the parts of two ranks",
                                             printable(m_parts[k].name), printable(m_parts[i].name)));
            return;
        }
}

void ComponentsReader::takeCounters()
{
    std::vector<Voice> voices;
    for (const Part &part : m_parts) voices.push_back({&part});
    for (const char *counter : counters) {
        const auto most = majority(voices, counter);
        if (!most) continue;
        const bool ofEpochs = std::string_view(counter).starts_with("epoch");
        mustSay(voices, counter, *most, ofEpochs ? ReasonCode("epoch_mismatch") : ReasonCode("step_mismatch"));
        m_evidence.meta.emplace(counter, std::to_string(*most));
    }
    if (const auto optimizer = majority(voices, "optimizer_step"))
        m_evidence.meta.emplace("optimizer_step", std::to_string(*optimizer));
}

}  // namespace rankdeck
