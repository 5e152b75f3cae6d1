// SPDX-License-Identifier: GPL-3.0-or-later
// Full check of a set (L4): reads every byte of its files on their nodes, all nodes in parallel. During the check, the
// survey goes on with new files. There is one check at a time; the next one waits. progress and done are called on
// threads of this object. Any thread may call. A file that cannot be read does not end the check: its evidence reports
// that.
#pragma once

#include "core/checkpoint/survey/survey.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace rankdeck {

class DeepCheck {
public:
    using Progress = std::function<void(double share)>;        // 0 to 1, by bytes
    using Done = std::function<void(bool whole)>;              // whole: false when it was cancelled
    DeepCheck(Survey &survey, std::function<void()> changed);  // changed: there is new evidence
    ~DeepCheck();
    void stop();  // cancels and ends the thread; done is not called any more

    void start(std::vector<Member> members, Progress progress, Done done);
    void cancel();  // cancels the running check and the waiting ones, within a fraction of a second

private:
    struct Errand {
        std::vector<Member> members;
        Progress progress;
        Done done;
    };
    void work();
    void readAll(const Errand &errand);

    Survey &m_survey;
    std::function<void()> m_changed;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<Errand> m_waiting;
    std::atomic<bool> m_cancelled{false};
    bool m_ending = false;
    std::thread m_thread;
};

}  // namespace rankdeck
