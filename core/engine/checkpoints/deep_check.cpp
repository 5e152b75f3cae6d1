// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/checkpoints/deep_check.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace rankdeck {
namespace {

std::uint64_t bytesOf(const Member &member)
{
    std::uint64_t bytes = member.parts.empty() ? member.file.stat.size : 0;
    for (const FileEntry &part : member.parts) bytes += part.stat.size;
    return std::max<std::uint64_t>(bytes, 1);
}

// A checkpoint that all ranks share is one file.
std::map<std::string, std::vector<Member>> byNode(const std::vector<Member> &members, std::uint64_t &bytes)
{
    std::map<std::string, std::vector<Member>> nodes;
    std::set<std::pair<std::string, std::string>> seen;
    for (const Member &member : members) {
        if (!seen.emplace(member.node, member.file.path).second) continue;
        nodes[member.node].push_back(member);
        bytes += bytesOf(member);
    }
    return nodes;
}

}  // namespace

DeepCheck::DeepCheck(Survey &survey, std::function<void()> changed)
    : m_survey(survey), m_changed(std::move(changed)), m_thread([this] { work(); })
{}

DeepCheck::~DeepCheck() { stop(); }

void DeepCheck::stop()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
        m_cancelled = true;
    }
    m_wake.notify_all();
    if (m_thread.joinable()) m_thread.join();
}

void DeepCheck::start(std::vector<Member> members, Progress progress, Done done)
{
    const std::lock_guard lock(m_mutex);
    m_waiting.push_back({std::move(members), std::move(progress), std::move(done)});
    m_wake.notify_all();
}

void DeepCheck::cancel()
{
    std::deque<Errand> dropped;
    {
        const std::lock_guard lock(m_mutex);
        m_cancelled = true;
        dropped.swap(m_waiting);
    }
    for (const Errand &errand : dropped) errand.done(false);
}

void DeepCheck::work()
{
    for (;;) {
        Errand errand;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [this] { return m_ending || !m_waiting.empty(); });
            if (m_ending) return;
            errand = std::move(m_waiting.front());
            m_waiting.pop_front();
            m_cancelled = false;
        }
        readAll(errand);
        {
            const std::lock_guard lock(m_mutex);
            if (m_ending) return;
        }
        errand.done(!m_cancelled);
    }
}

void DeepCheck::readAll(const Errand &errand)
{
    std::uint64_t all = 0;
    const auto nodes = byNode(errand.members, all);
    std::mutex telling;
    std::uint64_t read = 0;
    std::vector<std::thread> threads;
    threads.reserve(nodes.size());
    for (const auto &[name, members] : nodes)
        threads.emplace_back([&, &own = members] {
            for (const Member &member : own) {
                // If a file cannot be read, its evidence reports that.
                const Result<Evidence> evidence = m_survey.readEveryByte(member, [this] { return m_cancelled.load(); });
                if (m_cancelled) return;
                if (evidence) m_changed();
                const std::lock_guard lock(telling);
                read += bytesOf(member);
                errand.progress(static_cast<double>(read) / static_cast<double>(all));
            }
        });
    for (std::thread &thread : threads) thread.join();
}

}  // namespace rankdeck
