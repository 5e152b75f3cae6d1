// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/hang_scans.h"

#include "core/base/clock.h"
#include "core/recover/actions.h"

#include <algorithm>
#include <chrono>

namespace rankdeck {
namespace {

constexpr int mostLooks = 3;
constexpr std::chrono::seconds between{10};
constexpr std::size_t fewest = 3;  // with two ranks it is unclear which one waits for the other

bool isKnown(const StackGroup &group) { return group.state != unknownStack; }

std::string whereOf(const StackGroup &group)
{
    if (group.state == "computes") return {};
    return group.where.empty() ? group.state : group.where.substr(0, group.where.find(','));
}

}  // namespace

HangScan hangScanOf(const StackReport &report)
{
    HangScan look;
    std::vector<const StackGroup *> known;
    std::size_t ranks = 0;
    for (const StackGroup &group : report.groups)
        if (isKnown(group)) {
            known.push_back(&group);
            ranks += group.ranks.size();
            look.someCompute = look.someCompute || group.state == "computes";
        }
    if (known.size() != 2 || ranks < fewest || known[0]->ranks.size() * 3 > ranks) return look;
    look.where = whereOf(*known[0]);
    look.othersWhere = whereOf(*known[1]);
    if (look.where == look.othersWhere) return look;
    look.few = known[0]->ranks;
    return look;
}

void HangScans::stop()
{
    if (m_runner) m_runner->stop();
}

void HangScans::consider(const std::vector<Alarm> &alarms, int attempt, SteadyTime now)
{
    const auto hang = std::find_if(alarms.begin(), alarms.end(), [](const Alarm &alarm) {
        return alarm.code == AlarmCode::stalled && alarm.which == AlarmCase::only && alarm.confirmed == 0 &&
               alarm.waitedFor.empty() && alarm.silentNodes.empty() && alarm.ranks.size() >= fewest;
    });
    if (hang == alarms.end() || m_runs) return;
    if (hang->since != m_since) {
        m_since = hang->since;
        m_looks = 0;
        m_next = now;
    }
    if (m_looks >= mostLooks || now < m_next) return;
    ++m_looks;
    m_next = now + between;
    m_runs = true;
    if (!m_runner) m_runner = std::make_unique<ActRunner>();
    m_runner->run([this, attempt] {
        const WallTime at = wallNow();
        HangScan look = hangScanOf(groupStacks(m_read()));
        look.at = at;
        look.attempt = attempt;
        m_post([this, look = std::make_shared<const HangScan>(std::move(look))] {
            m_runs = false;
            m_newest = look;
            m_looked();
        });
    });
}

}  // namespace rankdeck
