// SPDX-License-Identifier: GPL-3.0-or-later
// Judges every checkpoint set of a job, or of a directory on this machine or another.
#include "app/ctl/checkpoint_table.h"
#include "app/ctl/command.h"
#include "app/ctl/place.h"

#include "core/engine/checkpoints/offline_check.h"
#include "core/engine/report_json.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>

namespace rankdeck::ctl {
namespace {

// Of the terminal; 0 where the output goes elsewhere, which gets whole lines.
std::size_t columnsOfTerminal()
{
    winsize size{};
    if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
    return size.ws_col;
}

int answer(const Globals &globals, const CheckpointReport &report, bool explain)
{
    if (globals.json)
        print(reportJson(report));
    else
        std::cout << checkpointTable(report, explain, columnsOfTerminal()) << std::flush;
    return report.recommended ? done : answerIsNo;
}

}  // namespace

int checkpoints(const Globals &globals, const CheckpointsOptions &options)
{
    if (!options.directory.empty()) {
        Place place = placeOf(options.directory);
        Result<std::unique_ptr<SingleNode>> node =
            SingleNode::connect(place.host, connectOptions(globals), globals.timeout);
        if (!node) return say(node.error());
        const Result<CheckpointReport> report =
            judgeDirectory((*node)->client(), place.path, options.worldSize, [] { return interruptRequested(); });
        if (interruptRequested()) return interrupted;
        if (!report) return say(report.error());
        return answer(globals, *report, options.explain);
    }
    Opened opened = open(globals);
    if (!opened.engine) return opened.code;
    const int code = settle(*opened.engine, globals, true);
    if (code == interrupted) return code;
    const int verdict = answer(globals, opened.engine->snapshot()->view.checkpoints, options.explain);
    return code == done ? verdict : code;
}

}  // namespace rankdeck::ctl
