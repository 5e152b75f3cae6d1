// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/host/job_places.h"

#include "core/base/text.h"

namespace rankdeck {

std::string workdirOn(const Job &job, const NodeSpec &node) { return textOnNode(job.launch.workdir, job, node); }

std::string absolutePath(const Job &job, const std::string &path, const NodeSpec *node)
{
    if (path.empty() || path.front() == '/' || job.launch.workdir.empty()) return path;
    return joinPath(node ? workdirOn(job, *node) : job.launch.workdir, path.starts_with("./") ? path.substr(2) : path);
}

Result<std::string> pathOfRank(const Job &job, const std::string &pathTemplate, int rank)
{
    auto path = expand(pathTemplate, rankPlaceholders(job, rank));
    if (!path) return path;
    return absolutePath(job, path.value(), job.nodeOf(rank));
}

std::string strategyToLoad(const Job &job, const NodeSpec &node)
{
    const std::string option = "--strategy_load_ckpt_path";
    const std::vector<std::string> &command = job.launch.command;
    std::string told;
    for (std::size_t at = 0; at < command.size(); ++at) {
        if (command[at].starts_with(option + "=")) told = command[at].substr(option.size() + 1);
        if (command[at] == option && at + 1 < command.size()) told = command[at + 1];
    }
    return told.empty() || told.find('{') != std::string::npos ? std::string() : absolutePath(job, told, &node);
}

std::string ownDirectory(const Job &job, const NodeSpec *node)
{
    if (!job.launch.workdir.empty()) return joinPath(node ? workdirOn(job, *node) : job.launch.workdir, ".rankdeck");
    const std::string root = withoutSlash(job.checkpoints.path.substr(0, job.checkpoints.path.find('{')));
    return joinPath(root.empty() ? "." : dirName(root), ".rankdeck");
}

std::string launcherOutput(const std::string &logDirectory, const std::string &id, const std::string &node)
{
    return joinPath(joinPath(dirName(logDirectory), "rankdeck"), "msrun-" + id + "." + node + ".out");
}

std::vector<std::string> logsOfRanks(const Job &job, const NodeSpec &node)
{
    std::vector<std::string> paths;
    for (const int rank : node.ranks)
        if (auto log = pathOfRank(job, job.logs.path, rank); log && !log->empty())
            paths.push_back(std::move(log.value()));
    return paths;
}

std::vector<std::string> savesOfRank(const Job &job, int rank)
{
    std::vector<std::string> paths;
    if (job.gracefulExit.saves.empty()) return paths;
    Placeholders values = rankPlaceholders(job, rank);
    const std::string device = values["device"];
    for (const std::string &number : {device, std::to_string(rank)}) {
        values["device"] = number;
        const Result<std::string> path = expand(job.gracefulExit.saves, values);
        if (!path) continue;
        std::string absolute = absolutePath(job, *path, job.nodeOf(rank));
        if (paths.empty() || absolute != paths.front()) paths.push_back(std::move(absolute));
    }
    return paths;
}

}  // namespace rankdeck
