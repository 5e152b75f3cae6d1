// SPDX-License-Identifier: GPL-3.0-or-later
// Where the window gets jobs from: made by the program, so that the window knows neither engines nor demo clusters.
// Nothing here blocks for a node.
#pragma once

#include "ui/feed/host_search.h"
#include "ui/feed/job_feed.h"

#include <QString>

#include <functional>
#include <memory>
#include <vector>

namespace rankdeck::ui {

struct DemoFault {
    QString text;
    std::function<Status()> inject;
};
struct StartedDemo {
    QString jobFile;
    std::vector<DemoFault> faults = {};
};

struct JobSources {
    // connect false: from the history only.
    std::function<Result<std::unique_ptr<JobFeed>>(Job job, bool connect)> open;
    // Looks at hosts for running jobs. Empty: this program cannot.
    std::function<std::unique_ptr<HostSearch>()> search = {};
    // done is called once on the GUI thread, some time later. Empty: this program has no demo.
    std::function<void(std::function<void(Result<StartedDemo>)> done)> startDemo = {};
    QString stateDirectory = {};  // of histories and the journal
    bool stateFixed = false;      // by the command line
    // From now on; empty: it cannot be changed.
    std::function<void(const QString &directory)> setStateDirectory = {};
    QString sshConfig = {};  // empty: the user's own
};

}  // namespace rankdeck::ui
