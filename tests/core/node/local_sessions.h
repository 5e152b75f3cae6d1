// SPDX-License-Identifier: GPL-3.0-or-later
// A SessionFactory for tests that runs the command on this machine with /bin/sh, optionally behind a wrapper of the
// transport. Also a listener that keeps all reports.
#pragma once

#include "core/node/node.h"
#include "core/node/transport/child_process_transport.h"
#include "core/node/transport/session_factory.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace rankdeck {

class LocalSessions final : public SessionFactory {
public:
    using Wrap = std::function<std::unique_ptr<Transport>(std::unique_ptr<Transport>)>;
    // before: arguments in front of /bin/sh, such as setpriv or unshare.
    explicit LocalSessions(Wrap wrap = {}, std::vector<std::string> before = {})
        : m_wrap(std::move(wrap)), m_before(std::move(before))
    {}
    Result<std::unique_ptr<Transport>> open(const NodeSpec &, const ConnectOptions &, const std::string &command,
                                            const Questions &) override
    {
        ++opened;
        std::vector<std::string> argv = m_before;
        for (const std::string &word : {std::string("/bin/sh"), std::string("-c"), command}) argv.push_back(word);
        auto transport = ChildProcessTransport::start(argv);
        if (transport && m_wrap) return m_wrap(std::move(*transport));
        return transport;
    }
    std::atomic<int> opened{0};

private:
    Wrap m_wrap;
    std::vector<std::string> m_before;
};

// Records all reports, by tail id and directory id.
class Recorder final : public NodeListener {
public:
    void nodeStatus(const std::string &, const NodeStatus &status) override
    {
        const std::lock_guard lock(m_mutex);
        if (states.empty() || states.back() != status.state) states.push_back(status.state);
        last = status;
        m_changed.notify_all();
    }
    void tailChunk(const std::string &, TailChunk chunk) override
    {
        const std::lock_guard lock(m_mutex);
        text[chunk.id] += chunk.bytes;
        chunks.push_back(std::move(chunk));
        m_changed.notify_all();
    }
    void tailEvent(const std::string &, TailEvent event) override
    {
        const std::lock_guard lock(m_mutex);
        events.push_back(std::move(event));
        m_changed.notify_all();
    }
    void directory(const std::string &, int id, Listing listing) override
    {
        const std::lock_guard lock(m_mutex);
        listings[id] = std::move(listing);
        m_changed.notify_all();
    }
    void processes(const std::string &, ProcessList list) override
    {
        const std::lock_guard lock(m_mutex);
        processList = std::move(list.processes);
        processListComplete = list.complete;
        m_changed.notify_all();
    }
    // Returns false if the condition did not become true within 30 s.
    bool waitFor(const std::function<bool()> &condition, std::chrono::seconds atMost = std::chrono::seconds(30))
    {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, atMost, condition);
    }
    template <class Look>
    auto with(Look look)
    {
        const std::lock_guard lock(m_mutex);
        return look();
    }
    [[nodiscard]] int count(TailChange change) const
    {
        int found = 0;
        for (const TailEvent &event : events) found += event.change == change ? 1 : 0;
        return found;
    }

    std::vector<NodeState> states;
    NodeStatus last;
    std::map<int, std::string> text;
    std::vector<TailChunk> chunks;
    std::vector<TailEvent> events;
    std::map<int, Listing> listings;
    std::vector<ProcessInfo> processList;
    bool processListComplete = false;

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
};

}  // namespace rankdeck
