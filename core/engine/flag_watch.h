// SPDX-License-Identifier: GPL-3.0-or-later
// Watch over the graceful-exit config of each node. Reads it every 2 s (a ConfigMap every 10 s), and at once on
// request. Also watches the pods' view of a ConfigMap. Engine thread; never waits: it takes replies that have arrived.
#pragma once

#include "core/node/file_store.h"
#include "core/recover/actions.h"
#include "core/recover/flag/config_copies.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace rankdeck {

class FlagWatch {
public:
    using Stores = std::function<FileStore *(const std::string &)>;  // nullptr: not there
    // Clock of a node minus the console's clock, in seconds.
    using ClockAhead = std::function<double(const std::string &)>;
    FlagWatch(
        const Job &job, Stores stores, ClockAhead ahead = [](const std::string &) { return 0.0; });

    void refresh();  // read again as soon as possible
    bool poll();     // takes replies, asks when due; true when a flag has changed
    [[nodiscard]] const SharedVector<FlagState> &flags() const { return m_flags; }
    [[nodiscard]] const SharedVector<FlagState> &mounted() const { return m_mounted; }
    [[nodiscard]] bool answered(const std::string &node) const { return m_unanswered.count(node) == 0; }
    [[nodiscard]] bool waiting() const;                                  // a reply is still to come
    [[nodiscard]] std::uint64_t readings() const { return m_readings; }  // complete rounds since the start

private:
    struct Copy {
        ConfigCopy place;
        Reply<FileContent> reply = {};
        bool answered = false;
        bool mounted = false;  // true: its state is m_mounted[at]; false: m_flags[at]
        std::size_t at = 0;
        SteadyTime due = {};
    };
    void add(std::vector<ConfigCopy> places, bool mounted);
    bool take(Copy &copy, FlagState &state);

    Stores m_stores;
    ClockAhead m_ahead;
    std::vector<Copy> m_copies;
    SharedVector<FlagState> m_flags, m_mounted;
    std::map<std::string, int> m_unanswered;  // node → number of its copies that were never read
    SteadyTime m_due = {};
    std::uint64_t m_readings = 0;
};

}  // namespace rankdeck
