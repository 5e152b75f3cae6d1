// SPDX-License-Identifier: GPL-3.0-or-later
// Protocol with one probe, as a state machine without I/O and threads. Bytes and the time go in; bytes, answers and
// events come out. One NodeLink serves one connection. Whatever the peer sends, the worst result is an Error, after
// which the link must be discarded. One thread.
#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/node/protocol/bootstrap.h"
#include "core/node/protocol/frame.h"
#include "core/node/protocol/messages.h"
#include "core/node/protocol/request_codec.h"
#include "core/node/protocol/watch_state.h"

#include <chrono>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct Moment {
    SteadyTime steady;
    WallTime wall;
};

// Receiver of a link's news, in the order in which it arrives.
class LinkSink {
public:
    virtual ~LinkSink() = default;
    virtual void greeted(const NodeFacts &facts) = 0;   // requests are possible from now on
    virtual void measured(const NodeFacts &facts) = 0;  // with each heartbeat: new round trip and clock skew
    virtual void tailChunk(TailChunk chunk) = 0;
    virtual void tailEvent(TailEvent event) = 0;
    virtual void directory(int id, Listing listing) = 0;
    virtual void directoryUnchanged(int, std::int64_t /*asOfNs*/) {}  // as reported last, and checked again
    virtual void processes(ProcessList list) = 0;
};

struct LinkTiming {
    std::chrono::milliseconds heartbeat{5000};
    std::chrono::milliseconds stale{10000};
    std::chrono::milliseconds lost{20000};
    std::chrono::milliseconds start{30000};  // from the first byte sent to the greeting
    std::chrono::milliseconds lease{60000};  // the probe ends if it gets no frame from the console for this long
    std::size_t heldBytes{1u << 30};         // limit for all unfinished answers and pushes together
    const Clock *clock = nullptr;            // for heartbeats and silence; nullptr: the installed clock
};

class NodeLink {
public:
    // Takes the body of an answer, or the reason why there is none. Returns an Error if the body cannot be decoded.
    using Completion = std::function<Status(Result<std::string_view>)>;

    NodeLink(Bootstrap bootstrap, WatchState &watch, LinkTiming timing, bool compress, Moment now);

    Status feed(std::string_view bytes, Moment now, LinkSink &sink);
    Status tick(Moment now);  // sends heartbeats; Error unreachable if the peer is silent for too long
    [[nodiscard]] SteadyTime nextTick() const;
    [[nodiscard]] const std::string &outgoing() const { return m_out; }
    void sent(std::size_t bytes) { m_out.erase(0, bytes); }

    void request(EncodedRequest request, Completion done);  // only after greeted()
    Status watchChanged();                                  // Error invalid if the watch contains too much
    void close(const Error &error);                         // every open request gets this error

    [[nodiscard]] bool greeted() const { return m_phase == Phase::live; }
    [[nodiscard]] bool stale(SteadyTime now) const { return now - m_heard > m_timing.stale; }
    [[nodiscard]] std::string chatter() const { return m_bootstrap.chatter() + m_early; }

private:
    enum class Phase { starting, greeting, measuring, live };
    struct Pending {
        Completion done;
        std::size_t limit = 0;
        std::string body = {};
    };
    void send(FrameType type, std::uint32_t id, std::string_view payload);
    void ping(Moment now);
    Status start(Moment now);
    Status take(Frame frame, Moment now, LinkSink &sink);
    Status takeHello(const Frame &frame, Moment now);
    Status takePong(const Frame &frame, Moment now, LinkSink &sink);
    void measureClock(double skew, double uncertainty, Moment now);
    Status takeReply(Frame frame);
    Status takeTail(const Frame &frame, LinkSink &sink);
    Status takeDirectory(Frame frame, LinkSink &sink);
    Status takeProcesses(Frame frame, LinkSink &sink);
    [[nodiscard]] bool overBudget() const;

    Bootstrap m_bootstrap;
    WatchState &m_watch;
    LinkTiming m_timing;
    bool m_compress;
    Phase m_phase = Phase::starting;
    SteadyTime m_began;
    SteadyTime m_heard;
    SteadyTime m_pingAt;
    SteadyTime m_ticked;
    std::uint64_t m_pingToken = 0;
    bool m_pingOpen = false;
    SteadyTime m_skewAt = {};
    double m_skewUncertainty = std::numeric_limits<double>::infinity();  // s; nothing is measured yet
    std::string m_early;                                                 // bytes before the nonce
    std::string m_out;
    FrameReader m_reader;
    NodeFacts m_facts;
    std::uint32_t m_nextRequest = 1;
    std::map<std::uint32_t, Pending> m_pending;
    std::map<std::uint32_t, std::string> m_directoryParts;
    std::string m_processParts;
    std::size_t m_held = 0;  // size of m_pending, m_directoryParts and m_processParts
    ProcessList m_processes;
    std::uint32_t m_unpaid = 0;
};

}  // namespace rankdeck
