// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/survey/survey.h"

#include "core/checkpoint/survey/batch_reader.h"
#include "core/checkpoint/survey/evidence_cache.h"
#include "core/checkpoint/survey/full_verification.h"

#include <atomic>

namespace rankdeck {
namespace {

EvidencePtr unseen(const Member &member)
{
    static const EvidencePtr nothing = std::make_shared<const Evidence>();
    if (member.file.error.empty()) return nothing;
    Evidence evidence;
    evidence.path = member.file.path;
    evidence.stat = member.file.stat;
    evidence.problems.push_back({"unreadable", 0, member.file.error});
    return std::make_shared<const Evidence>(std::move(evidence));
}

}  // namespace

class Survey::Impl {
public:
    explicit Impl(Nodes n) : nodes(std::move(n)) {}

    Nodes nodes;
    EvidenceCache cache;
    std::atomic<std::uint64_t> bytes{0}, trips{0};
};

Survey::Survey(Nodes nodes) : m_impl(std::make_unique<Impl>(std::move(nodes))) {}
Survey::~Survey() = default;

std::vector<Evidence> Survey::read(const std::vector<Member> &members, EvidenceLevel level,
                                   const std::function<bool()> &stopped)
{
    const EvidenceLevel wanted = std::min(level, EvidenceLevel::L3);
    BatchReader round(m_impl->nodes, stopped);
    std::vector<EvidencePtr> had(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
        had[i] = m_impl->cache.find(members[i]);
        // If the reader stopped early for a reason, reading again gives no more evidence.
        const bool enough = had[i] && (had[i]->level >= wanted || had[i]->complete != true);
        if (!enough || saysNothing(*had[i])) {
            had[i].reset();
            round.add(members[i], wanted);
        }
    }
    round.run();
    m_impl->bytes += round.bytesRead();
    m_impl->trips += round.roundTrips();
    std::vector<BatchReader::Outcome> outcomes = round.outcomes();
    std::vector<Evidence> all;
    all.reserve(members.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (had[i]) {
            all.push_back(*had[i]);
            continue;
        }
        BatchReader::Outcome &outcome = outcomes[next++];
        m_impl->cache.put(outcome.member, outcome.evidence);
        all.push_back(std::move(outcome.evidence));
    }
    return all;
}

EvidencePtr Survey::known(const Member &member) const
{
    EvidencePtr found = m_impl->cache.find(member);
    return found ? found : unseen(member);
}

Result<Evidence> Survey::readEveryByte(const Member &member, const std::function<bool()> &stopped)
{
    std::vector<Evidence> first = read({member}, EvidenceLevel::L3);
    if (saysNothing(first.front())) return fail(ErrorKind::unreachable, first.front().problems.front().text);
    NodeClient *node = m_impl->nodes(member.node);
    if (!node) return fail(ErrorKind::unreachable, message("node %1 was not found", member.node));
    EveryByte every(*node, stopped);
    Result<Evidence> evidence = every.read(member, std::move(first.front()));
    m_impl->bytes += every.bytesRead();
    m_impl->trips += every.roundTrips();
    if (evidence) m_impl->cache.put(member, *evidence);
    return evidence;
}

std::uint64_t Survey::bytesRead() const { return m_impl->bytes; }
std::uint64_t Survey::roundTrips() const { return m_impl->trips; }

}  // namespace rankdeck
