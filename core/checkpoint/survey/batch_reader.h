// SPDX-License-Identifier: GPL-3.0-or-later
// Readers of many files driven together: a step of so many of them is one request to their node, all are asked at once,
// and what one request brought is thought about while the nodes answer the others. Blocks; one round belongs to one thread.
#pragma once

#include "core/checkpoint/read/reader.h"
#include "core/node/node.h"

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rankdeck {

class BatchReader {
public:
    BatchReader(std::function<NodeClient *(const std::string &)> nodes, std::function<bool()> stopped);
    void add(const Member &member, EvidenceLevel wanted);
    void run();

    struct Outcome {
        Member member;
        Evidence evidence;
        bool reached = true;  // false: the node did not answer; the evidence says nothing of the file
    };
    [[nodiscard]] std::vector<Outcome> outcomes() const;
    [[nodiscard]] std::uint64_t bytesRead() const { return m_bytesRead; }
    [[nodiscard]] std::uint64_t roundTrips() const { return m_roundTrips; }

private:
    struct Reading {
        Member member;
        std::unique_ptr<FormatReader> reader;
        ReadStep step;
        ReadReplies replies;
        std::string failure;  // of the node
        bool over = false;
    };
    template <class Answer>
    struct Part;
    struct Asked;
    void ask(const std::vector<std::size_t> &readings, std::deque<Asked> &open);
    std::vector<std::size_t> advance(const Asked &asked);  // those that want more
    static void askRanges(NodeClient &node, std::vector<RangeRequest> ranges, Asked &asked);
    void collect(Asked &asked);
    template <class Answer>
    bool await(std::vector<Part<Answer>> &parts, std::vector<Answer> &answers, std::string &failure);

    std::function<NodeClient *(const std::string &)> m_nodes;
    std::function<bool()> m_stopped;
    std::vector<Reading> m_readings;
    std::uint64_t m_bytesRead = 0, m_roundTrips = 0;
};

}  // namespace rankdeck
