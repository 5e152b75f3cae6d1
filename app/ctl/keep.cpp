// SPDX-License-Identifier: GPL-3.0-or-later
// Protects sets from checkpoint rotation; lists, restores and removes kept sets.
#include "app/ctl/act_json.h"
#include "app/ctl/command.h"
#include "app/ctl/output/progress_line.h"

#include "core/base/text.h"

#include <future>
#include <iostream>
#include <optional>

namespace rankdeck::ctl {
namespace {

Json nodesJson(const std::vector<KeptFiles> &nodes)
{
    Json out = Json::array();
    for (const KeptFiles &node : nodes) {
        Json paths = Json::array();
        for (const std::string &path : node.paths) paths.push_back(validUtf8(path));
        out.push_back({{"node", node.node}, {"paths", std::move(paths)}, {"bytes", node.bytes}});
    }
    return out;
}

void nodesText(const std::vector<KeptFiles> &nodes)
{
    for (const KeptFiles &node : nodes) {
        std::cout << "  " << printable(node.node) << ", " << bytesText(node.bytes) << "\n";
        for (const std::string &path : node.paths) std::cout << "    " << printable(path) << "\n";
    }
}

int listSets(Engine &engine, const Globals &globals)
{
    std::optional<ProgressLine> line("listing the kept sets");
    const Result<std::vector<KeptSet>> kept = engine.kept();
    line.reset();
    if (!kept) return say(kept.error());
    Json sets = Json::array();
    for (const KeptSet &set : *kept) {
        sets.push_back({{"set", set.id}, {"nodes", nodesJson(set.nodes)}});
        if (globals.json) continue;
        std::cout << printable(set.id) << "\n";
        nodesText(set.nodes);
    }
    if (globals.json)
        print({{"rankdeckctl", 1}, {"sets", std::move(sets)}});
    else if (kept->empty())
        warn("no set is kept");
    return done;
}

}  // namespace

int keep(const Globals &globals, const KeepCommand &options)
{
    if (options.set.empty() != options.list) {
        warn(options.list ? "--list lists all sets; it cannot be combined with --set"
                          : "which set? --set ID; `checkpoints` lists them");
        return usage;
    }
    Opened opened = open(globals);
    if (!opened.engine) return opened.code;
    if (const int code = settle(*opened.engine, globals, true); code != done) return code;
    if (options.list) return listSets(*opened.engine, globals);
    KeepOptions wanted{.set = options.set, .dryRun = options.dryRun};
    wanted.act = options.remove ? KeepAct::remove : options.restore ? KeepAct::restore : KeepAct::keep;
    std::promise<KeepReport> told;
    opened.engine->keep(std::move(wanted), [&](KeepReport report) { told.set_value(std::move(report)); });
    std::optional<ProgressLine> line("waiting for the nodes");
    const KeepReport report = told.get_future().get();
    line.reset();
    if (globals.json) {
        print({{"rankdeckctl", 1},
               {"outcome", report.outcome.word()},
               {"set", report.set},
               {"text", report.text},
               {"nodes", nodesJson(report.nodes)},
               {"journal", orNull(report.journal.empty() ? std::nullopt : std::optional(report.journal))}});
    } else {
        std::cout << report.outcome << ": " << printable(report.text) << "\n";
        if (report.outcome != "refused") nodesText(report.nodes);
    }
    return report.outcome == "refused" || report.outcome == "failed" ? answerIsNo : done;
}

}  // namespace rankdeck::ctl
