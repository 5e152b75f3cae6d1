// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/plan/reservation.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/node/wait_for.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr double releaseSeconds = 5;

// True if the node reports that it cannot hold a job: it can make no directory there, or has no locks. False if another
// action holds the job, or if there is no answer.
bool cannotHold(const Error &error)
{
    return error.detail != jobHeldDetail && (error.kind == ErrorKind::permission || error.kind == ErrorKind::notFound ||
                                             error.kind == ErrorKind::unsupported || error.kind == ErrorKind::invalid);
}

}  // namespace

Status Reservation::take(std::vector<Place> places)
{
    release();
    m_places = std::move(places);
    std::sort(m_places.begin(), m_places.end(),
              [](const Place &a, const Place &b) { return a.launches != b.launches ? a.launches : a.node < b.node; });
    Status taken = takeFrom(0, std::min<std::size_t>(1, m_places.size()));
    if (taken) taken = takeFrom(1, m_places.size());
    if (!taken) release();  // also after a lost answer
    return taken;
}

Status Reservation::takeFrom(std::size_t first, std::size_t last)
{
    std::vector<Reply<Done>> replies;
    for (std::size_t i = first; i < last; ++i) {
        NodeClient *node = m_host.node(m_places[i].node);
        replies.push_back(node ? node->reserveJob(m_places[i].claim, m_places[i].runDirectory) : Reply<Done>());
    }
    std::optional<Error> problem;
    for (std::size_t i = first; i < last; ++i) {
        const std::string &node = m_places[i].node;
        const Status done = waitFor(replies[i - first], inSeconds(stepAnswerSeconds), node);
        const bool cannot = !done && !m_places[i].launches && cannotHold(done.error());
        if (done || cannot) m_places[i].cannotHold = cannot;
        if (cannot) continue;
        if (done || (problem && problem->detail == jobHeldDetail))
            continue;  // an error that names the holder is more useful than any other
        problem = fail(done.error().kind, "node " + printable(node) + ": " + done.error().message, done.error().detail);
    }
    if (problem) return *problem;
    return Done{};
}

Known Reservation::takeAgain()
{
    for (const SteadyTime deadline = inSeconds(stepAnswerSeconds);;) {
        const Status taken = takeFrom(0, m_places.size());
        if (taken) return Known::yes;
        if (taken.error().detail == jobHeldDetail) return Known::no;
        if (steadyNow() >= deadline || m_host.stopRequested()) return Known::unknown;
        m_host.waitForChange(std::min(deadline, inSeconds(1)));
    }
}

void Reservation::release()
{
    std::vector<std::pair<std::string, Reply<Done>>> replies;
    for (const Place &place : m_places)
        if (NodeClient *node = m_host.node(place.node))
            replies.emplace_back(place.node, node->releaseJob(place.claim, place.runDirectory));
    m_places.clear();
    // A node releases the job when its link ends, so a missing answer does not matter here.
    const SteadyTime deadline = inSeconds(releaseSeconds);
    for (auto &[node, reply] : replies) static_cast<void>(waitFor(reply, deadline, node).has_value());
}

}  // namespace rankdeck
