// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/scheduler/scheduler_news.h"

#include "core/base/text.h"

#include <algorithm>

namespace rankdeck {

namespace {

bool lasts(SchedulerFactCode code)
{
    return code == SchedulerFactCode::jobWaits || code == SchedulerFactCode::podWaits ||
           code == SchedulerFactCode::deviceUnhealthy || code == SchedulerFactCode::nodeTrouble;
}

// The reason of a lasting fact may change at each check ("2 of 4 fit"), which is not news. For devices, every change
// counts.
bool sameFact(const SchedulerFact &a, const SchedulerFact &b)
{
    if (a.code != b.code) return false;
    if (!lasts(a.code)) return a.text == b.text && a.time == b.time;
    if (a.code == SchedulerFactCode::deviceUnhealthy) return a.text == b.text;
    return a.text.substr(0, a.text.find(": ")) == b.text.substr(0, b.text.find(": "));
}

bool has(const std::vector<SchedulerFact> &facts, const SchedulerFact &wanted)
{
    return std::any_of(facts.begin(), facts.end(), [&](const SchedulerFact &fact) { return sameFact(fact, wanted); });
}

// True if another answer reports the same end. The times of a pod and of the event about its eviction may differ by
// seconds.
bool reportedElsewhere(const std::vector<SchedulerAnswer> &answers, const std::string &question,
                       const SchedulerFact &fact)
{
    constexpr std::chrono::minutes oneEnd(1);
    if (fact.code != SchedulerFactCode::podEnded || !fact.time) return false;
    for (const SchedulerAnswer &answer : answers)
        for (const SchedulerFact &other : answer.facts)
            if (answer.question != question && other.code == fact.code && other.text == fact.text && other.time &&
                std::chrono::abs(*other.time - *fact.time) <= oneEnd)
                return true;
    return false;
}

class News {
public:
    News(const SchedulerState &now, const Job &job, WallTime at)
        : m_who(std::string(schedulerKindWord(now.kind)) + ": "), m_job(job), m_at(at)
    {}

    void tell(const std::string &text, const std::string &node, std::optional<WallTime> time)
    {
        Event event;
        event.kind = EventKind::nodeChanged;
        event.time = time.value_or(m_at);
        event.text = m_who + text;
        for (const std::string &name : split(replaceAll(node, ", ", ","), ','))
            if (const int index = m_job.nodeIndex(name); index >= 0) {
                const std::vector<int> &ranks = m_job.nodes[static_cast<std::size_t>(index)].ranks;
                event.ranks.insert(event.ranks.end(), ranks.begin(), ranks.end());
                if (event.node.empty()) event.node = name;
            }
        m_all.push_back(std::move(event));
    }

    // True if an earlier console has already reported it.
    [[nodiscard]] bool stands(const std::vector<Event> &history, const std::string &text,
                              std::optional<WallTime> time) const
    {
        const auto seconds = [](WallTime moment) { return std::chrono::time_point_cast<std::chrono::seconds>(moment); };
        return std::any_of(history.begin(), history.end(), [&](const Event &event) {
            return event.kind == EventKind::nodeChanged && event.text == m_who + text &&
                   (!time || seconds(event.time) == seconds(*time));
        });
    }
    std::vector<Event> all() { return std::move(m_all); }

private:
    const std::string m_who;
    const Job &m_job;
    WallTime m_at;
    std::vector<Event> m_all;
};

const SchedulerAnswer *answerTo(const SchedulerState *state, const std::string &question)
{
    if (!state) return nullptr;
    for (const SchedulerAnswer &answer : state->answers)
        if (answer.question == question) return &answer;
    return nullptr;
}

}  // namespace

std::vector<Event> schedulerNews(const SchedulerState *before, const SchedulerState &now, const Job &job,
                                 const std::vector<Event> &history, WallTime at)
{
    News news(now, job, at);
    std::vector<SchedulerAnswer> heard = before ? before->answers : std::vector<SchedulerAnswer>();
    for (const SchedulerAnswer &answer : now.answers) {
        const SchedulerAnswer *old = answerTo(before, answer.question);
        static const std::vector<SchedulerFact> none;
        const std::vector<SchedulerFact> &known = old ? old->facts : none;
        for (const SchedulerFact &fact : answer.facts) {
            const std::optional<WallTime> happened = lasts(fact.code) ? std::nullopt : fact.time;
            if (has(known, fact) || reportedElsewhere(heard, answer.question, fact) ||
                (!before && news.stands(history, fact.text, happened)))
                continue;
            news.tell(fact.text, fact.node, happened);
        }
        for (const SchedulerFact &fact : known)
            if (lasts(fact.code) && !has(answer.facts, fact)) news.tell("over: " + fact.text, fact.node, {});
        heard.push_back(answer);
        if (!answer.mayNot || (old && old->mayNot)) continue;
        const std::string text = "not known: " + answer.question + ". " + answer.problem;
        if (before || !news.stands(history, text, {})) news.tell(text, {}, {});
    }
    return news.all();
}

}  // namespace rankdeck
