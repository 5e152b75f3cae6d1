// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/launch/staging_cleanup.h"

#include "core/base/text.h"
#include "core/journal/journal.h"
#include "core/node/wait_for.h"
#include "core/recover/plan/plan_json.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr double answerSeconds = 20;
constexpr std::size_t mostActions = 50;  // past actions that are checked

struct View {
    std::string node;
    std::string directory;
    std::map<std::string, std::string> links = {};   // path → target
    std::map<std::string, std::string> copies = {};  // path → the original
    std::map<std::string, std::string> files = {};   // path → text
};

// Finds the directories that a plan builds as X.tmp and renames to X.
std::vector<View> viewsOf(const Plan &plan)
{
    std::vector<View> views;
    for (const NodePlan &node : plan.nodes)
        for (const FileActionRequest &step : node.files) {
            if (step.action != FileAction::move || step.path != step.target + ".tmp") continue;
            View view{.node = node.node, .directory = step.target};
            for (const FileActionRequest &inside : node.files)
                if (inside.action == FileAction::makeLink && inside.path.starts_with(step.path + "/"))
                    view.links[step.target + inside.path.substr(step.path.size())] = inside.target;
            for (const FileActionRequest &inside : node.files)
                if (inside.action == FileAction::copyFile && inside.path.starts_with(step.path + "/"))
                    view.copies[step.target + inside.path.substr(step.path.size())] = inside.target;
            for (const FileEdit &edit : node.edits)
                if (edit.expectedSha256.empty() && edit.path.starts_with(step.target + "/"))
                    view.files[edit.path] = edit.after;
            views.push_back(std::move(view));
        }
    return views;
}

bool act(NodeClient &node, FileAction action, const std::string &path, const std::string &name)
{
    auto reply = node.applyFileStep({.action = action, .path = path});
    return waitFor(reply, inSeconds(answerSeconds), name).has_value();
}

// True if the copy is unchanged: it has the size and the time of its original, which still exists.
bool isCopyOf(NodeClient &node, const std::string &name, const FileEntry &entry, const std::string &original)
{
    auto reply = node.read({{.path = original, .offset = 0, .length = 1}});
    const auto found = waitFor(reply, inSeconds(answerSeconds), name);
    if (!found || found->empty() || !found->front().error.empty() || entry.stat.kind != 'f') return false;
    const FileStat &stat = found->front().stat;
    return stat.size == entry.stat.size && stat.mtimeNs == entry.stat.mtimeNs;
}

bool isOurs(NodeClient &node, const View &view, const FileEntry &entry)
{
    if (const auto link = view.links.find(entry.path); link != view.links.end())
        return entry.linkTarget == link->second;
    if (const auto copy = view.copies.find(entry.path); copy != view.copies.end())
        return isCopyOf(node, view.node, entry, copy->second);
    const auto file = view.files.find(entry.path);
    if (file == view.files.end() || !entry.linkTarget.empty()) return false;
    auto reply = node.readFile(entry.path, 1u << 20);
    const auto now = waitFor(reply, inSeconds(answerSeconds), view.node);
    return now && now->bytes == file->second;
}

bool sweep(NodeClient &node, const View &view)
{
    auto reply = node.list({.root = view.directory, .depth = 2});
    const auto listing = waitFor(reply, inSeconds(answerSeconds), view.node);
    if (!listing || !listing->error.empty() || listing->truncated) return false;
    for (const FileEntry &entry : listing->entries)
        if (isOurs(node, view, entry)) act(node, FileAction::remove, entry.path, view.node);
    for (auto entry = listing->entries.rbegin(); entry != listing->entries.rend(); ++entry)
        if (entry->stat.kind == 'd' && entry->linkTarget.empty())
            act(node, FileAction::removeEmptyDirectory, entry->path, view.node);
    return act(node, FileAction::removeEmptyDirectory, view.directory, view.node);
}

}  // namespace

std::vector<std::string> sweepViews(ActionContext &host, const Job &job, const std::string &currentAction)
{
    std::vector<std::string> gone;
    const auto entries = host.journal().read(job.name, job.file);
    if (!entries) return gone;  // the cleanup after the next proof tries again
    std::size_t looked = 0;
    for (auto entry = entries->rbegin(); entry != entries->rend() && looked < mostActions; ++entry) {
        if (entry->kind != "resume" || entry->state != "planned" || entry->action == currentAction) continue;
        ++looked;
        const auto plan = planFromJson(entry->data);
        if (!plan) continue;
        for (const View &view : viewsOf(plan.value())) {
            NodeClient *node = host.node(view.node);
            if (node && sweep(*node, view)) gone.push_back(view.directory + " on " + view.node);
        }
    }
    return gone;
}

}  // namespace rankdeck
