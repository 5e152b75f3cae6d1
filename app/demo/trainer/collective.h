// SPDX-License-Identifier: GPL-3.0-or-later
// The all-reduce of a data-parallel job over TCP: rank 0 listens, gathers all ranks' gradients in rank order, and sends
// back their mean. A dead or hung peer is noticed as in MindSpore: by the timeout of the collective, with the same log
// lines. Blocks; used by one thread. Rank 0 keeps the port for the whole run, so a second attempt is refused while the
// first one lives. Errors: timeout (names the ranks that did not join or answer), conflict (the port or the rank is
// taken), protocol, unreachable.
#pragma once

#include "app/demo/trainer/mindspore_log.h"
#include "core/base/result.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rankdeck::demo {

struct CollectiveOptions {
    int rank = 0;
    int world = 1;
    std::string host = "127.0.0.1";
    int port = 0;
    double buildSeconds = 60;            // time until all ranks have joined
    double timeoutSeconds = 30;          // time limit of one all-reduce
    std::function<void()> waiting = {};  // called about ten times a second during a wait
};

class Collective {
public:
    // Returns when all ranks have joined.
    static Result<std::unique_ptr<Collective>> join(CollectiveOptions options, const MindSporeLog &log);
    ~Collective();
    Collective(const Collective &) = delete;
    Collective &operator=(const Collective &) = delete;

    // Replaces values by their mean over the ranks; returns the sum of the votes.
    Result<int> allReduce(std::vector<float> &values, int vote);

private:
    struct Peer {
        int rank = -1;
        int fd = -1;
        bool gone = false;
        std::string received = {};
    };
    using Clock = std::chrono::steady_clock;

    Collective(CollectiveOptions options, const MindSporeLog &log) : m_options(std::move(options)), m_log(log) {}
    Status listenAndGather();
    Status connectToFirst();
    void greet(int fd);
    Result<int> reduceAtFirst(std::vector<float> &values, int vote);
    Result<int> reduceAtOther(std::vector<float> &values, int vote);
    // Reads into Peer::received until all peers have that many bytes.
    Status receiveAll(std::size_t bytes);
    void readFrom(Peer &peer, std::size_t wanted);
    Status sendAll(Peer &peer, const std::string &bytes);
    void peerGone(Peer &peer);
    Error timedOut(const std::string &doing) const;
    void tick() const;

    CollectiveOptions m_options;
    const MindSporeLog &m_log;
    int m_listener = -1;
    std::vector<Peer> m_peers;  // at rank 0: ranks 1 … world-1 in order; at the others: only rank 0
    long long m_round = 0;
};

}  // namespace rankdeck::demo
