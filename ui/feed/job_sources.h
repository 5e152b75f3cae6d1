// SPDX-License-Identifier: GPL-3.0-or-later
// The window's sources of jobs, made by the program, so that the window depends neither on engines nor on demo
// clusters. No function waits for a node.
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
    // connect false: uses only the history.
    std::function<Result<std::unique_ptr<JobFeed>>(Job job, bool connect)> open;
    // Starts a search for running jobs on hosts. Empty: not supported by this program.
    std::function<std::unique_ptr<HostSearch>()> search = {};
    // done is called later, once, on the GUI thread. Empty: this program has no demo.
    std::function<void(std::function<void(Result<StartedDemo>)> done)> startDemo = {};
    QString stateDirectory = {};  // of histories and the journal
    bool stateFixed = false;      // given on the command line
    // Applies to jobs opened from now on; empty: cannot be changed.
    std::function<void(const QString &directory)> setStateDirectory = {};
    QString sshConfig = {};  // empty: the user's own
};

}  // namespace rankdeck::ui
