// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/recover/host/job_places.h"
#include "core/recover/resume/checks/resume_checks.h"

#include <algorithm>

namespace rankdeck {

namespace {

// Paths to which the script itself writes its strategy: literals that follow strategy_ckpt_save_file or a name that
// begins with it.
std::vector<std::string> strategiesSaved(const std::string &script)
{
    std::vector<std::string> paths;
    const std::string key = "strategy_ckpt_save_file";
    for (std::size_t at = script.find(key); at != std::string::npos; at = script.find(key, at + 1)) {
        std::size_t end = script.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", at);
        while (end != std::string::npos && end < script.size() && (script[end] == ' ' || script[end] == '=')) ++end;
        if (end == std::string::npos || end >= script.size() || (script[end] != '\'' && script[end] != '"')) continue;
        const std::size_t close = script.find(script[end], end + 1);
        if (close != std::string::npos && close - end < 4096) paths.push_back(script.substr(end + 1, close - end - 1));
    }
    return paths;
}

// True if the script saves its strategy to another path when it loads one, as MindX DL's adaptation does.
bool evades(const std::string &script)
{
    return script.find("strategy_load_ckpt_path ==") != std::string::npos ||
           script.find("strategy_load_ckpt_path==") != std::string::npos;
}

}  // namespace

void checkStrategy(Findings &into, const ResumeFacts &facts)
{
    const Job &job = facts.view.job;
    for (const NodeSpec &node : job.nodes) {
        const std::string path = strategyToLoad(job, node);
        if (node.ranks.empty() || path.empty()) continue;
        if (facts.book.exists(node.name, path).isNo())
            into.push_back(
                onNode(warning("strategy_file",
                               message("strategy_load_ckpt_path names %1, which is missing on node %2: without it, "
                                       "ranks that now split the model differently load the wrong parts",
                                       printable(path), printable(node.name)),
                               message("copy the run's strategy file there, or leave the option out on all nodes")),
                       node.name));
        const auto script = facts.programs.scriptTexts.find(node.name);
        if (script == facts.programs.scriptTexts.end() || evades(script->second)) continue;
        for (const std::string &saved : strategiesSaved(script->second))
            if (absolutePath(job, saved, &node) == path)
                into.push_back(onNode(
                    warning(
                        "strategy_file",
                        message("the script on node %1 writes its strategy to %2, and also loads a strategy from "
                                "there: a rank may find the file half written",
                                printable(node.name), printable(path)),
                        message("let the script write to a different file (strategy_new.ckpt) when it loads this one")),
                    node.name));
    }
}

}  // namespace rankdeck
