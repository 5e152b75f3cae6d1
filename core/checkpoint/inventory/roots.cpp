// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/checkpoint/inventory/inventory.h"
#include "core/job/path_template.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr int freeDepth = 5;   // depth below a path without a placeholder: any layout
constexpr int innerDepth = 3;  // depth below a rank's directory: ttp_saved_checkpoints-step_N/rank_R/file

// Fills in the template's values that all ranks of the node share; rank placeholders stay.
std::string fillNode(std::string text, const Job &job, const NodeSpec &node)
{
    text = replaceAll(std::move(text), "{node}", node.name);
    text = replaceAll(std::move(text), "{node_index}", std::to_string(std::max(0, job.nodeIndex(node.name))));
    return replaceAll(std::move(text), "{world_size}", std::to_string(job.ranks()));
}

// The longest directory before the first placeholder, with the number of levels below it.
ListRequest rootOf(const std::string &path, int extraDepth, bool isFile)
{
    const std::size_t brace = path.find('{');
    std::string root = path;
    int below = 0;
    if (brace != std::string::npos) {
        const std::size_t slash = path.rfind('/', brace);
        root = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
        below = static_cast<int>(std::count(path.begin() + std::ptrdiff_t(brace), path.end(), '/')) + 1;
        extraDepth = isFile ? 0 : extraDepth;
    } else if (isFile) {
        root = dirName(path);
        below = 1;
        extraDepth = 0;
    }
    return {withoutSlash(std::move(root)), below + extraDepth};
}

bool covers(const ListRequest &outer, const ListRequest &inner)
{
    if (outer.root == inner.root) return outer.depth >= inner.depth;
    const std::string start = outer.root == "/" ? "/" : outer.root + "/";
    if (inner.root.compare(0, start.size(), start) != 0) return false;
    const auto between = std::count(inner.root.begin() + std::ptrdiff_t(start.size()), inner.root.end(), '/') + 1;
    return outer.depth >= inner.depth + between;
}

}  // namespace

std::optional<ListRequest> groupInfoRoot(const Job &job, const NodeSpec &node)
{
    const auto told = job.launch.env.find("GROUP_INFO_FILE");
    if (told == job.launch.env.end() || told->second.empty()) return std::nullopt;
    std::string path = fillNode(told->second, job, node);
    if (path.front() != '/' && !job.launch.workdir.empty())
        path = joinPath(fillNode(job.launch.workdir, job, node), path);
    // <run>/device3/group_info.pb: the readers of MindX DL search all folders beside device3.
    if (path.find('{') == std::string::npos) return ListRequest{dirName(dirName(path)), 2};
    return rootOf(path, 0, true);
}

std::optional<ListRequest> healthRecordRoot(const Job &job, const NodeSpec &node)
{
    const bool may = job.framework == Framework::automatic || job.framework == Framework::mindspore ||
                     job.framework == Framework::mindformers;
    if (job.checkpoints.path.empty() || !may) return std::nullopt;
    const ListRequest root = rootOf(fillNode(job.checkpoints.path, job, node), 0, false);
    if (baseName(root.root) != "checkpoint" || root.root.find('/') == std::string::npos) return std::nullopt;
    return ListRequest{dirName(root.root), 1};
}

std::vector<ListRequest> checkpointRoots(const Job &job, const NodeSpec &node)
{
    std::vector<ListRequest> roots;
    const auto add = [&roots](const ListRequest &wanted) {
        for (ListRequest &had : roots) {
            if (covers(had, wanted)) return;
            if (had.root == wanted.root || covers(wanted, had)) {
                had = {wanted.root, std::max(had.depth, wanted.depth)};
                return;
            }
        }
        roots.push_back(wanted);
    };
    if (!job.checkpoints.path.empty()) {
        const std::string path = fillNode(job.checkpoints.path, job, node);
        add(rootOf(path, path.find('{') == std::string::npos ? std::max(freeDepth, job.checkpoints.depth) : innerDepth,
                   false));
    }
    if (!job.gracefulExit.saves.empty()) add(rootOf(fillNode(job.gracefulExit.saves, job, node), 0, true));
    if (const auto groups = groupInfoRoot(job, node)) {
        const bool covered =
            std::any_of(roots.begin(), roots.end(), [&](const ListRequest &had) { return covers(had, *groups); });
        if (!covered) roots.push_back(*groups);
    }
    if (const auto health = healthRecordRoot(job, node)) {
        const bool covered =
            std::any_of(roots.begin(), roots.end(), [&](const ListRequest &had) { return covers(had, *health); });
        if (!covered) roots.push_back(*health);
    }
    return roots;
}

}  // namespace rankdeck
