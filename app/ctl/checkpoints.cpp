// SPDX-License-Identifier: GPL-3.0-or-later
// Judges every checkpoint set of a job, or of a directory on this machine or another.
#include "app/ctl/command.h"
#include "app/ctl/output/checkpoint_table.h"
#include "app/ctl/output/columns.h"
#include "app/ctl/output/progress_line.h"
#include "app/ctl/place.h"
#include "app/ctl/prove.h"

#include "core/base/text.h"
#include "core/engine/checkpoints/offline_check.h"
#include "core/engine/report_json.h"

#include <functional>
#include <iostream>
#include <optional>

namespace rankdeck::ctl {
namespace {

using Prove = std::function<Result<Proofs>(const CheckpointSet &)>;

void tell(const Globals &globals, const Json &json, const std::string &text)
{
    if (globals.json)
        print(json);
    else
        std::cout << text << std::flush;
}

// Prints the report with the result of loading the set. The answer is yes if all of its files load.
int answerProven(const Globals &globals, const CheckpointReport &report, const CheckpointsOptions &options,
                 const Prove &prove)
{
    const CheckpointSet *set = report.find(options.prove);
    if (!set) {
        warn("there is no set " + options.prove);
        return usage;
    }
    std::optional<ProgressLine> line("loading " + set->id + " with its framework");
    const Result<Proofs> proofs = prove(*set);
    line.reset();
    if (interruptRequested()) return interrupted;
    if (!proofs) return say(proofs.error());
    Json json = reportJson(report);
    addProofs(json, set->id, *proofs);
    tell(globals, json, checkpointTable(report, options.explain, terminalSize().columns) + proofLines(*set, *proofs));
    return proofs->good() ? done : proofs->notTried() ? unreachable : answerIsNo;
}

// complete: all nodes were read.
int answer(const Globals &globals, const CheckpointReport &report, const CheckpointsOptions &options,
           const Prove &prove, bool complete = true)
{
    if (!options.prove.empty()) return answerProven(globals, report, options, prove);
    Json json = reportJson(report);
    if (options.explain) json.emplace("table", Json::array());  // empty: there is no set to explain
    tell(globals, json, checkpointTable(report, options.explain, terminalSize().columns, complete));
    return report.recommended ? done : complete ? answerIsNo : unreachable;
}

}  // namespace

int checkpoints(const Globals &globals, const CheckpointsOptions &options)
{
    if (!options.directory.empty()) {
        Place place = placeOf(options.directory);
        std::optional<ProgressLine> line("reading " + options.directory);
        Result<std::unique_ptr<SingleNode>> node =
            SingleNode::connect(place.host, connectOptions(globals), globals.timeout);
        if (!node) return say(node.error());
        const Result<CheckpointReport> report = judgeDirectory((*node)->client(), place.path, options.worldSize,
                                                               options.explain, [] { return interruptRequested(); });
        line.reset();
        if (interruptRequested()) return interrupted;
        if (!report) return say(report.error());
        return answer(globals, *report, options,
                      [&](const CheckpointSet &set) { return proveSet(set, (*node)->client(), place.host, globals); });
    }
    Opened opened = open(globals, Looking::atNodes, options.explain);
    if (!opened.engine) return opened.code;
    const int code = settle(*opened.engine, globals, true);
    if (code == interrupted) return code;
    const std::shared_ptr<const Snapshot> snapshot = opened.engine->snapshot();
    const bool complete = code == done && snapshot->awaited.empty();
    const int verdict = answer(
        globals, snapshot->view.checkpoints, options, [&](const CheckpointSet &set) { return proveSet(set, globals); },
        complete);
    return code == done ? verdict : code;
}

int knownSets(const Globals &globals)
{
    Opened opened = open(globals, Looking::inHistory);
    if (!opened.engine) return opened.code;
    opened.engine->waitSettled(globals.timeout);
    const auto snapshot = opened.engine->snapshot();  // kept, because the engine replaces it at any time
    for (const CheckpointSet &set : snapshot->view.checkpoints.sets)
        std::cout << printable(set.id) << "\t" << verdictName(set.verdict) << "\n";
    return done;
}

}  // namespace rankdeck::ctl
