// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/survey.h"

#include "core/checkpoint/evidence_cache.h"
#include "core/checkpoint/mindspore_reader.h"
#include "core/checkpoint/reading_round.h"

#include <atomic>
#include <chrono>
#include <cstdio>

namespace rankdeck {
namespace {

// An answer that says nothing of the file holds this long, so that nobody asks in a loop.
constexpr double silenceSeconds = 5;
constexpr std::size_t maxHashesKept = 4096;

Evidence unseen(const Member &member)
{
    Evidence evidence;
    evidence.path = member.file.path;
    evidence.stat = member.file.stat;
    if (!member.file.error.empty()) evidence.problems.push_back({"unreadable", 0, member.file.error});
    return evidence;
}

bool saysNothing(const Evidence &evidence) { return evidence.level == EvidenceLevel::L0 && !evidence.problems.empty(); }

std::string hex32(std::uint32_t value)
{
    char text[16];
    std::snprintf(text, sizeof text, "%08x", value);
    return text;
}

Result<HashReply> hashOf(NodeClient &node, HashRequest request, const std::function<bool()> &stopped)
{
    Reply<HashReply> reply = node.hash(std::move(request));
    while (reply.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready)
        if (stopped && stopped()) return fail(ErrorKind::cancelled, "cancelled while it was read");
    return reply.get();
}

}  // namespace

class Survey::Impl {
public:
    explicit Impl(Nodes n) : nodes(std::move(n)) {}

    using Stopped = std::function<bool()>;
    Result<Evidence> everyByte(const Member &member, Evidence evidence, const Stopped &stopped);
    Result<Evidence> everyPart(NodeClient &node, const Member &member, Evidence evidence, const Stopped &stopped);
    Result<std::optional<std::uint64_t>> trailerOf(NodeClient &node, const Member &member);

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
    ReadingRound round(m_impl->nodes, stopped);
    std::vector<std::optional<Evidence>> had(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
        had[i] = m_impl->cache.find(members[i], std::chrono::steady_clock::now());
        // A reader that found a reason to stop early has said all it can.
        const bool enough = had[i] && (had[i]->level >= wanted || had[i]->complete != true);
        if (!enough || saysNothing(*had[i])) {
            had[i].reset();
            round.add(members[i], wanted);
        }
    }
    round.run();
    m_impl->bytes += round.bytesRead();
    m_impl->trips += round.roundTrips();
    std::vector<ReadingRound::Outcome> outcomes = round.outcomes();
    std::vector<Evidence> all;
    all.reserve(members.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (had[i]) {
            all.push_back(std::move(*had[i]));
            continue;
        }
        ReadingRound::Outcome &outcome = outcomes[next++];
        const double hold = saysNothing(outcome.evidence) ? silenceSeconds : 0;
        m_impl->cache.put(outcome.member, outcome.evidence, std::chrono::steady_clock::now(), hold);
        all.push_back(std::move(outcome.evidence));
    }
    return all;
}

Evidence Survey::known(const Member &member) const
{
    if (auto found = m_impl->cache.find(member, std::chrono::steady_clock::now())) return std::move(*found);
    return unseen(member);
}

Result<std::optional<std::uint64_t>> Survey::Impl::trailerOf(NodeClient &node, const Member &member)
{
    auto reply = node.read({{member.file.path, crcTrailerBytes, crcTrailerBytes, true}}).get();
    if (!reply) return reply.error();
    if (reply->size() != 1)
        return fail(ErrorKind::protocol, "expected one answer to one read, found " + std::to_string(reply->size()));
    if (!reply->front().error.empty())
        return fail(ErrorKind::permission, member.file.path + " could not be read: " + reply->front().error);
    ++trips;
    bytes += reply->front().bytes.size();
    return crcTrailer(reply->front().bytes);
}

// Of a checkpoint of several files: each of them on the node, which is the proof that every byte can be read and that
// none changes meanwhile.
Result<Evidence> Survey::Impl::everyPart(NodeClient &node, const Member &member, Evidence evidence,
                                         const Stopped &stopped)
{
    for (const FileEntry &part : member.parts) {
        HashRequest request;
        request.path = part.path;
        auto hash = hashOf(node, request, stopped);
        if (!hash) return hash.error();
        ++trips;
        if (hash->stat.size != part.stat.size || hash->stat.mtimeNs != part.stat.mtimeNs)
            return fail(ErrorKind::conflict, part.path + " changed while it was read: list it again");
        if (evidence.meta.size() < maxHashesKept) evidence.meta["sha256:" + part.path] = hash->sha256;
    }
    if (evidence.complete == true) evidence.level = EvidenceLevel::L4;
    return evidence;
}

Result<Evidence> Survey::Impl::everyByte(const Member &member, Evidence evidence, const Stopped &stopped)
{
    NodeClient *node = nodes(member.node);
    if (!node) return fail(ErrorKind::unreachable, "node " + member.node + " is not there");
    if (!member.parts.empty()) return everyPart(*node, member, std::move(evidence), stopped);
    std::optional<std::uint64_t> trailer;
    if (evidence.crc != Evidence::Crc::absent && evidence.format == Format::mindsporeCkpt) {
        auto read = trailerOf(*node, member);
        if (!read) return read.error();
        trailer = *read;
    }
    HashRequest request;
    request.path = member.file.path;
    request.crc32WithoutTrailer = trailer.has_value();
    request.skipTail = trailer ? crcTrailerBytes : 0;
    auto hash = hashOf(*node, request, stopped);
    if (!hash) return hash.error();
    ++trips;
    if (hash->stat.size != member.file.stat.size || hash->stat.mtimeNs != member.file.stat.mtimeNs)
        return fail(ErrorKind::conflict, member.file.path + " changed while it was read: list it again");
    evidence.meta["sha256"] = hash->sha256;
    if (!trailer) {
        if (evidence.complete == true) evidence.level = EvidenceLevel::L4;
        return evidence;
    }
    evidence.level = EvidenceLevel::L4;
    if (*trailer == hash->crc32) {
        evidence.crc = Evidence::Crc::ok;
        return evidence;
    }
    evidence.crc = Evidence::Crc::bad;
    evidence.complete = false;
    if (!evidence.problems.empty() && evidence.problems.front().code == "crc_bad") return evidence;
    evidence.problems.insert(evidence.problems.begin(),
                             {"crc_bad", member.file.stat.size - crcTrailerBytes,
                              "the file says CRC-32 " + hex32(static_cast<std::uint32_t>(*trailer)) +
                                  ", its bytes have " + hex32(hash->crc32)});
    return evidence;
}

Result<Evidence> Survey::readEveryByte(const Member &member, const std::function<bool()> &stopped)
{
    std::vector<Evidence> first = read({member}, EvidenceLevel::L3);
    if (saysNothing(first.front())) return fail(ErrorKind::unreachable, first.front().problems.front().text);
    Result<Evidence> evidence = m_impl->everyByte(member, std::move(first.front()), stopped);
    if (evidence) m_impl->cache.put(member, *evidence, std::chrono::steady_clock::now());
    return evidence;
}

std::uint64_t Survey::bytesRead() const { return m_impl->bytes; }
std::uint64_t Survey::roundTrips() const { return m_impl->trips; }

}  // namespace rankdeck
