// SPDX-License-Identifier: GPL-3.0-or-later
// Driver of the readers of many files. The next step of many files is one request to their node, and all nodes are
// asked at once. The replies of one node are processed while the other nodes still answer. Blocks; one round belongs to
// one thread.
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
        bool reached = true;  // false: the node did not answer; the evidence is empty
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
        std::string failure;  // problem of the node
        bool over = false;
    };
    template <class Answer>
    struct Part;
    struct Asked;
    void ask(const std::vector<std::size_t> &readings, std::deque<Asked> &open);
    std::vector<std::size_t> advance(const Asked &asked);  // readings with further requests
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
