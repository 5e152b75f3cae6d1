// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/survey/batch_reader.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <utility>

namespace rankdeck {
namespace {

// Limit of one request, so that its answer does not block the node's link for everything else.
constexpr std::uint64_t bytesPerRequest = 8u << 20;  // limit for the request and its answer together
constexpr std::size_t filesPerRequest = 256;
constexpr std::uint64_t skimmedBytes = 64u << 10;  // usual cost of a chain
constexpr std::uint64_t framing = 32;              // bytes of one range, in addition to its path

std::uint64_t cost(const RangeRequest &range) { return range.length + range.path.size() + framing; }

}  // namespace

template <class Answer>
struct BatchReader::Part {
    std::size_t count = 0;
    Reply<std::vector<Answer>> reply;
};

struct BatchReader::Asked {
    std::vector<std::size_t> readings;  // indexes of the readings, with the ranges and scans of each in order
    std::vector<Part<RangeReply>> ranges;
    std::vector<Part<ScanReply>> scans;
    std::string failure = {};

    [[nodiscard]] bool answered() const
    {
        const auto is = [](const auto &part) {
            return part.reply.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
        };
        return std::all_of(ranges.begin(), ranges.end(), is) && std::all_of(scans.begin(), scans.end(), is);
    }
};

BatchReader::BatchReader(std::function<NodeClient *(const std::string &)> nodes, std::function<bool()> stopped)
    : m_nodes(std::move(nodes)), m_stopped(std::move(stopped))
{}

void BatchReader::add(const Member &member, EvidenceLevel wanted)
{
    Reading reading;
    reading.member = member;
    reading.reader = makeReader(member.file, member.parts, wanted);
    reading.step = reading.reader->advance({});
    reading.over = reading.step.done();
    m_readings.push_back(std::move(reading));
}

void BatchReader::run()
{
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < m_readings.size(); ++i)
        if (!m_readings[i].over) all.push_back(i);
    std::deque<Asked> open;
    ask(all, open);
    while (!open.empty()) {
        // The answer that arrives first is processed first: a slow node does not delay the others.
        auto next = std::find_if(open.begin(), open.end(), [](const Asked &asked) { return asked.answered(); });
        if (next == open.end()) next = open.begin();
        Asked asked = std::move(*next);
        open.erase(next);
        collect(asked);
        ask(advance(asked), open);
    }
}

std::vector<std::size_t> BatchReader::advance(const Asked &asked)
{
    std::vector<std::size_t> more;
    for (const std::size_t i : asked.readings) {
        Reading &reading = m_readings[i];
        reading.over = !reading.failure.empty();
        if (reading.over) continue;
        reading.step = reading.reader->advance(reading.replies);
        reading.replies = {};
        reading.over = reading.step.done();
        if (!reading.over) more.push_back(i);
    }
    return more;
}

void BatchReader::ask(const std::vector<std::size_t> &readings, std::deque<Asked> &open)
{
    std::map<std::string, std::vector<std::size_t>> byNode;
    for (const std::size_t i : readings) byNode[m_readings[i].member.node].push_back(i);
    for (const auto &[name, indices] : byNode) {
        NodeClient *node = m_nodes(name);
        if (!node || (m_stopped && m_stopped())) {
            for (const std::size_t i : indices)
                m_readings[i].failure = node ? "stopped" : "node " + name + " was not found";
            for (const std::size_t i : indices) m_readings[i].over = true;
            continue;
        }
        for (std::size_t at = 0; at < indices.size();) {
            Asked asked;
            std::vector<RangeRequest> ranges;
            std::vector<ScanRequest> scans;
            std::uint64_t bytes = 0;
            for (; at < indices.size() && bytes < bytesPerRequest && asked.readings.size() < filesPerRequest; ++at) {
                const ReadStep &step = m_readings[indices[at]].step;
                for (const RangeRequest &range : step.ranges) bytes += cost(range);
                bytes += step.scans.size() * skimmedBytes;
                ranges.insert(ranges.end(), step.ranges.begin(), step.ranges.end());
                scans.insert(scans.end(), step.scans.begin(), step.scans.end());
                asked.readings.push_back(indices[at]);
            }
            askRanges(*node, std::move(ranges), asked);
            if (const std::size_t count = scans.size(); count > 0)
                asked.scans.push_back({count, node->scanRecords(std::move(scans))});
            ++m_roundTrips;
            open.push_back(std::move(asked));
        }
    }
}

// Splits the ranges of one reading into several requests if they are too many for one.
void BatchReader::askRanges(NodeClient &node, std::vector<RangeRequest> ranges, Asked &asked)
{
    std::vector<RangeRequest> next;
    std::uint64_t bytes = 0;
    const auto ask = [&] {
        if (const std::size_t count = next.size(); count > 0)
            asked.ranges.push_back({count, node.read(std::exchange(next, {}))});
        bytes = 0;
    };
    for (RangeRequest &range : ranges) {
        if (bytes + cost(range) > bytesPerRequest) ask();
        bytes += cost(range);
        next.push_back(std::move(range));
    }
    ask();
}

// Appends to answers; false: see failure.
template <class Answer>
bool BatchReader::await(std::vector<Part<Answer>> &parts, std::vector<Answer> &answers, std::string &failure)
{
    for (Part<Answer> &part : parts) {
        while (part.reply.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
            if (!m_stopped || !m_stopped()) continue;
            failure = "stopped";
            return false;
        }
        Result<std::vector<Answer>> result = part.reply.get();
        if (!result) {
            failure = result.error().message;
            return false;
        }
        if (result->size() != part.count) {
            failure =
                "the node answered " + std::to_string(result->size()) + " of " + std::to_string(part.count) + " reads";
            return false;
        }
        std::move(result->begin(), result->end(), std::back_inserter(answers));
    }
    return true;
}

void BatchReader::collect(Asked &asked)
{
    std::vector<RangeReply> ranges;
    std::vector<ScanReply> scans;
    const bool ok = await(asked.ranges, ranges, asked.failure) && await(asked.scans, scans, asked.failure);
    std::size_t nextRange = 0, nextSkim = 0;
    for (const std::size_t i : asked.readings) {
        Reading &reading = m_readings[i];
        if (!ok) {
            reading.failure = asked.failure;
            continue;
        }
        for (std::size_t k = 0; k < reading.step.ranges.size(); ++k) {
            m_bytesRead += ranges[nextRange].bytes.size();
            reading.replies.ranges.push_back(std::move(ranges[nextRange++]));
        }
        for (std::size_t k = 0; k < reading.step.scans.size(); ++k) {
            for (const ScannedRecord &record : scans[nextSkim].records) m_bytesRead += record.head.size();
            reading.replies.scans.push_back(std::move(scans[nextSkim++]));
        }
    }
}

std::vector<BatchReader::Outcome> BatchReader::outcomes() const
{
    std::vector<Outcome> all;
    all.reserve(m_readings.size());
    for (const Reading &reading : m_readings) {
        Outcome outcome{reading.member, reading.reader->evidence(), reading.failure.empty()};
        if (!outcome.reached) {
            outcome.evidence = Evidence{};
            outcome.evidence.path = reading.member.file.path;
            outcome.evidence.stat = reading.member.file.stat;
            outcome.evidence.problems.push_back({"unreachable", 0, reading.failure});
        }
        all.push_back(std::move(outcome));
    }
    return all;
}

}  // namespace rankdeck
