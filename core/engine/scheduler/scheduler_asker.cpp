// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/scheduler/scheduler_asker.h"

#include "core/base/clock.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr std::chrono::minutes mayNotAgain(10);

}  // namespace

bool SchedulerAnswers::due(const std::string &question, SteadyTime now) const
{
    const auto at = m_notBefore.find(question);
    return at == m_notBefore.end() || now >= at->second;
}

SchedulerAnswer &SchedulerAnswers::of(const std::string &question)
{
    for (SchedulerAnswer &answer : m_answers)
        if (answer.question == question) return answer;
    return m_answers.emplace_back(SchedulerAnswer{.question = question});
}

void SchedulerAnswers::take(const std::string &question, SchedulerFacts facts, SteadyTime now)
{
    SchedulerAnswer &answer = of(question);
    m_asked.push_back(question);
    answer.mayNot = !facts && facts.error().kind == ErrorKind::permission;
    // A server that has just started refuses in the same way until it has loaded its roles.
    if (answer.mayNot && !answer.asOf)
        m_notBefore[question] = now + mayNotAgain;
    else
        m_notBefore.erase(question);
    answer.problem = facts ? Message() : facts.error().message;
    if (!facts) return;
    answer.facts = std::move(*facts);
    answer.asOf = wallNow();
}

void SchedulerAnswers::forget(const std::string &question)
{
    m_answers.erase(std::remove_if(m_answers.begin(), m_answers.end(),
                                   [&](const SchedulerAnswer &answer) { return answer.question == question; }),
                    m_answers.end());
}

void SchedulerAnswers::fail(const Error &error)
{
    for (SchedulerAnswer &answer : m_answers)
        if (!answer.mayNot && std::find(m_asked.begin(), m_asked.end(), answer.question) == m_asked.end())
            answer.problem = error.message;
}

}  // namespace rankdeck
