// SPDX-License-Identifier: GPL-3.0-or-later
// The real sessions, with a switch for each node. A session that is cut ends and cannot be opened again until join().
// After putBehind(), the next session runs its command behind the given arguments. Any thread may call.
#pragma once

#include "core/node/transport/session_factory.h"

#include <atomic>
#include <map>
#include <mutex>
#include <vector>

namespace rankdeck {

class SwitchedSessions final : public SessionFactory {
public:
    SwitchedSessions();
    void cut(const std::string &node);
    void join(const std::string &node);                                       // sessions can be opened again
    void putBehind(const std::string &node, std::vector<std::string> words);  // ends the open session

    Result<std::unique_ptr<Transport>> open(const NodeSpec &node, const ConnectOptions &options,
                                            const std::string &command, const Questions &questions) override;

private:
    struct Switch {
        std::shared_ptr<std::atomic<int>> generation = std::make_shared<std::atomic<int>>(0);
        bool cut = false;
        std::vector<std::string> words = {};
    };
    std::shared_ptr<SessionFactory> m_real;
    std::mutex m_mutex;
    std::map<std::string, Switch> m_switches;
};

}  // namespace rankdeck
