// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/survey/batch_reader.h"

#include <chrono>
#include <map>

namespace rankdeck {
namespace {

// One request must not be so large that its answer keeps a node's line from everything else.
constexpr std::uint64_t bytesPerRequest = 16u << 20;
constexpr std::size_t filesPerSkim = 256;
constexpr std::uint64_t skimmedBytes = 64u << 10;  // what a chain costs, as a rule

}  // namespace

struct BatchReader::Asked {
    std::vector<std::size_t> readings;  // with the ranges and scans of each in order
    std::size_t rangeCount = 0, skimCount = 0;
    Reply<std::vector<RangeReply>> ranges;
    Reply<std::vector<ScanReply>> scans;
    std::string failure = {};
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
    for (;;) {
        std::vector<Asked> all = ask();
        if (all.empty()) return;
        for (Asked &asked : all) collect(asked);
        for (Reading &reading : m_readings) {
            if (reading.over) continue;
            if (!reading.failure.empty()) {
                reading.over = true;
                continue;
            }
            reading.step = reading.reader->advance(reading.replies);
            reading.replies = {};
            reading.over = reading.step.done();
        }
    }
}

std::vector<BatchReader::Asked> BatchReader::ask()
{
    std::map<std::string, std::vector<std::size_t>> byNode;
    for (std::size_t i = 0; i < m_readings.size(); ++i)
        if (!m_readings[i].over) byNode[m_readings[i].member.node].push_back(i);
    std::vector<Asked> all;
    for (const auto &[name, indices] : byNode) {
        NodeClient *node = m_nodes(name);
        if (!node || (m_stopped && m_stopped())) {
            for (const std::size_t i : indices)
                m_readings[i].failure = node ? "stopped" : "node " + name + " is not there";
            for (const std::size_t i : indices) m_readings[i].over = true;
            continue;
        }
        for (std::size_t at = 0; at < indices.size();) {
            Asked asked;
            std::vector<RangeRequest> ranges;
            std::vector<ScanRequest> scans;
            std::uint64_t bytes = 0;
            for (; at < indices.size() && bytes < bytesPerRequest && scans.size() < filesPerSkim; ++at) {
                const ReadStep &step = m_readings[indices[at]].step;
                for (const RangeRequest &range : step.ranges) bytes += range.length;
                bytes += step.scans.size() * skimmedBytes;
                ranges.insert(ranges.end(), step.ranges.begin(), step.ranges.end());
                scans.insert(scans.end(), step.scans.begin(), step.scans.end());
                asked.readings.push_back(indices[at]);
            }
            asked.rangeCount = ranges.size();
            asked.skimCount = scans.size();
            if (!ranges.empty()) asked.ranges = node->read(std::move(ranges));
            if (!scans.empty()) asked.scans = node->scanRecords(std::move(scans));
            ++m_roundTrips;
            all.push_back(std::move(asked));
        }
    }
    return all;
}

template <class Answer>
bool BatchReader::await(Reply<std::vector<Answer>> &reply, std::size_t wanted, std::vector<Answer> &answers,
                        std::string &failure)
{
    if (wanted == 0) return true;
    while (reply.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
        if (!m_stopped || !m_stopped()) continue;
        failure = "stopped";
        return false;
    }
    Result<std::vector<Answer>> result = reply.get();
    if (!result) {
        failure = result.error().message;
        return false;
    }
    if (result->size() != wanted) {
        failure = "the node answered " + std::to_string(result->size()) + " of " + std::to_string(wanted) + " reads";
        return false;
    }
    answers = std::move(result).value();
    return true;
}

void BatchReader::collect(Asked &asked)
{
    std::vector<RangeReply> ranges;
    std::vector<ScanReply> scans;
    const bool ok = await(asked.ranges, asked.rangeCount, ranges, asked.failure) &&
                    await(asked.scans, asked.skimCount, scans, asked.failure);
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
