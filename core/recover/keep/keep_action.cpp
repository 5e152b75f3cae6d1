// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/actions.h"

#include "core/base/deadline.h"
#include "core/base/text.h"
#include "core/checkpoint/inventory/inventory.h"
#include "core/journal/journal.h"
#include "core/node/node.h"
#include "core/node/wait_for.h"
#include "core/recover/keep/keep.h"
#include "core/recover/plan/copy_room.h"
#include "core/recover/plan/plan_json.h"
#include "core/recover/plan/plan_runner.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace rankdeck {
namespace {

constexpr double listSeconds = 20, copySeconds = 3600;  // of a large file
constexpr std::string_view partMark = ".part-";  // in the name of what is not wholly kept, before the action's id

std::uint64_t bytesOf(const JobState &view, const std::string &node, const std::string &path)
{
    for (const Member &member : view.inventory->members) {
        if (member.node != node) continue;
        if (member.file.path == path) return member.file.stat.size;
        for (const FileEntry &part : member.parts)
            if (part.path == path) return part.stat.size;
    }
    return 0;
}

std::vector<KeptFiles> filesOf(const JobState &view, const Plan &plan)
{
    std::vector<KeptFiles> nodes;
    for (const NodePlan &node : plan.nodes) {
        KeptFiles files{.node = node.node};
        for (const FileActionRequest &step : node.files) {
            if (step.action != FileAction::makeHardLink && step.action != FileAction::copyFile) continue;
            files.paths.push_back(step.path);
            files.bytes += bytesOf(view, node.node, step.target);
        }
        nodes.push_back(std::move(files));
    }
    return nodes;
}

// The directories that hold kept sets, by node.
std::map<std::string, std::set<std::string>> keptRoots(const JobState &view)
{
    std::map<std::string, std::set<std::string>> roots;
    for (const NodeSpec &node : view.job.nodes) {
        for (const ListRequest &root : checkpointRoots(view.job, node)) roots[node.name].insert(root.root + keptSuffix);
        if (view.job.pathsShared) break;
    }
    return roots;
}

struct Found {
    std::string node, root, id;
    std::vector<FileEntry> entries = {};  // directories too, ascending
};

Result<std::vector<Found>> findKept(ActionContext &host)
{
    std::vector<std::tuple<std::string, std::string, Reply<Listing>>> replies;
    for (const auto &[node, roots] : keptRoots(host.view()))
        for (const std::string &root : roots) {
            NodeClient *client = host.node(node);
            if (!client) return fail(ErrorKind::unreachable, node + " cannot be asked");
            replies.emplace_back(node, root, client->list({.root = root, .depth = 12}));
        }
    std::map<std::tuple<std::string, std::string, std::string>, Found> found;
    std::map<std::string, std::vector<std::pair<std::string, FileEntry>>> seen;  // root → node, its first entry
    for (auto &[node, root, reply] : replies) {
        Result<Listing> listing = waitFor(reply, inSeconds(listSeconds), node);
        if (!listing) return fail(ErrorKind::unreachable, node + ": " + listing.error().message);
        if (listing->error.find("No such file") != std::string::npos) continue;
        if (const Status whole = saysAll(node, root, *listing); !whole) return whole.error();
        if (listing->entries.empty()) continue;
        const FileEntry &first = listing->entries.front();
        bool shared = false;
        for (const auto &[other, its] : seen[root])
            shared = shared || (its.path == first.path && sameThing(host.view(), {.node = other, .stat = its.stat},
                                                                    {.node = node, .stat = first.stat}));
        if (shared) continue;  // one copy, which another node has told
        seen[root].emplace_back(node, first);
        for (FileEntry &entry : listing->entries) {
            const std::string inside = entry.path.substr(std::min(entry.path.size(), root.size() + 1));
            const std::string id = inside.substr(0, inside.find('/'));
            Found &set = found[{id, node, root}];
            set.node = node;
            set.root = root;
            set.id = id;
            set.entries.push_back(std::move(entry));
        }
    }
    std::vector<Found> out;
    for (auto &[key, set] : found) out.push_back(std::move(set));
    return out;
}

// Files back to where they were, or away with their directories, the deepest first.
Plan planOfKept(const std::vector<Found> &found, const KeepOptions &options)
{
    std::map<std::string, NodePlan> nodes;
    for (const Found &set : found) {
        if (set.id != options.set) continue;
        NodePlan &node = nodes[set.node];
        node.node = set.node;
        const std::string before = set.root.substr(0, set.root.size() - std::string_view(keptSuffix).size());
        const std::string kept = set.root + "/" + set.id;
        std::vector<FileActionRequest> directories;
        for (const FileEntry &entry : set.entries) {
            const bool isDirectory = entry.stat.kind == 'd';
            if (options.act == KeepAct::restore && !isDirectory)
                node.files.push_back({.action = FileAction::makeHardLink,
                                      .path = before + entry.path.substr(kept.size()),
                                      .target = entry.path});
            else if (options.act == KeepAct::remove && !isDirectory)
                node.files.push_back({.action = FileAction::remove, .path = entry.path});
            else if (options.act == KeepAct::remove)
                directories.push_back({.action = FileAction::removeEmptyDirectory, .path = entry.path});
        }
        node.files.insert(node.files.end(), directories.rbegin(), directories.rend());
    }
    Plan plan;
    for (auto &[name, node] : nodes) plan.nodes.push_back(std::move(node));
    return plan;
}

bool isPart(const std::string &id) { return id.find(partMark) != std::string::npos; }

// A set has its name only while it is wholly there: it is made under another and moved when all of it is there, and moved away
// before it is removed. What a console that was killed leaves is no kept set.
Plan underPartName(Plan plan, const KeepOptions &options, const std::string &action)
{
    if (options.act == KeepAct::restore || isPart(options.set)) return plan;
    const std::string name = std::string(keptSuffix) + "/" + options.set, part = std::string(partMark) + action;
    for (NodePlan &node : plan.nodes) {
        std::vector<FileActionRequest> moves;
        std::set<std::string> places;
        for (FileActionRequest &step : node.files) {
            const std::size_t end = step.path.rfind(name) + name.size();
            const std::string place = step.path.substr(0, end);
            step.path.insert(end, part);
            if (!places.insert(place).second) continue;
            const bool keep = options.act == KeepAct::keep;
            moves.push_back({.action = FileAction::move,
                             .path = keep ? place + part : place,
                             .target = keep ? place : place + part});
        }
        node.files.insert(options.act == KeepAct::keep ? node.files.end() : node.files.begin(),
                          std::make_move_iterator(moves.begin()), std::make_move_iterator(moves.end()));
    }
    return plan;
}

std::vector<KeptFiles> keptFiles(const std::vector<Found> &found, const std::string &id)
{
    std::map<std::string, KeptFiles> nodes;
    for (const Found &set : found) {
        if (set.id != id) continue;
        KeptFiles &files = nodes[set.node];
        files.node = set.node;
        for (const FileEntry &entry : set.entries) {
            if (entry.stat.kind == 'd') continue;
            files.paths.push_back(entry.path);
            files.bytes += entry.stat.size;
        }
    }
    std::vector<KeptFiles> out;
    for (auto &[name, files] : nodes) out.push_back(std::move(files));
    return out;
}

class Keeper {
public:
    Keeper(ActionContext &host, const KeepOptions &options) : m_host(host), m_options(options), m_view(host.view())
    {
        m_report.set = options.set;
    }

    KeepReport run()
    {
        if (const Status planned = plan(); !planned)
            return finish(planned.error().kind == ErrorKind::unreachable ? "failed" : "refused",
                          planned.error().message);
        if (m_options.dryRun) {
            m_report.outcome = "dry_run";
            m_report.text = doneText() + " when it is run.";
            return std::move(m_report);
        }
        m_report.journal = Journal::newActionId("keep");
        m_report.plan = underPartName(std::move(m_report.plan), m_options, m_report.journal);
        m_report.plan.id = m_report.journal;
        StepLog log;
        if (const Status applied = applyFiles(m_host, m_report.plan, log, {.seconds = copySeconds}); !applied) {
            // what was removed cannot come back; what was made goes away again, unless it may have its name already
            if (moveWasLost(log))
                m_left = " Whether it is kept now is not known: the list of kept sets says it.";
            else if (m_options.act != KeepAct::remove)
                leave(undoPlan(m_host, m_report.plan, log, {.displace = false}));
            return finish("failed", applied.error().message + m_left);
        }
        static constexpr const char *words[] = {"kept", "restored", "removed"};
        return finish(words[static_cast<int>(m_options.act)], doneText() + ".");
    }

private:
    Status plan()
    {
        if (m_options.act == KeepAct::keep) {
            PathStats book;
            wantRoots(book, m_view);
            book.read(m_host, inSeconds(listSeconds));
            Result<Plan> planned = planKeep(m_view, m_options.set, book);
            if (!planned) return planned.error();
            m_report.plan = std::move(*planned);
            m_report.nodes = filesOf(m_view, m_report.plan);
            return hasRoom();
        }
        if (m_options.act == KeepAct::restore && isPart(m_options.set))
            return fail(ErrorKind::refused, m_options.set + " is a part of a set, of a keep that was interrupted.");
        const Result<std::vector<Found>> found = findKept(m_host);
        if (!found) return found.error();
        m_report.plan = planOfKept(*found, m_options);
        m_report.nodes = keptFiles(*found, m_options.set);
        if (m_report.nodes.empty())
            return fail(ErrorKind::notFound, "Set " + m_options.set + " is not kept; --list says which are.");
        return Done{};
    }

    // Second names take none.
    Status hasRoom()
    {
        const auto sizeOf = [this](const std::string &node, const std::string &path) {
            return bytesOf(m_view, node, path);
        };
        const auto tight = tightDisks(m_host, m_report.plan, sizeOf, inSeconds(listSeconds));
        if (tight.empty()) return Done{};
        return fail(ErrorKind::refused, "Nothing is kept: " + copyRoomText(tight.front()) +
                                            (tight.front().free ? ". Free space there." : ". Ask again."));
    }

    [[nodiscard]] std::string doneText() const
    {
        std::size_t files = 0;
        for (const KeptFiles &node : m_report.nodes) files += node.paths.size();
        const std::string what =
            "Set " + m_options.set + ", " + grouped(std::int64_t(files)) + (files == 1 ? " file on " : " files on ") +
            grouped(std::int64_t(m_report.nodes.size())) + (m_report.nodes.size() == 1 ? " node, is " : " nodes, is ");
        if (m_options.act == KeepAct::remove) return what + "no longer kept";
        if (m_options.act == KeepAct::restore) return what + "back among the checkpoints";
        return what + "kept beside the checkpoints";
    }

    [[nodiscard]] bool moveWasLost(const StepLog &log) const
    {
        for (const NodePlan &node : m_report.plan.nodes)
            for (std::size_t i = 0; i < node.files.size(); ++i)
                if (node.files[i].action == FileAction::move &&
                    log.of(node.node, StepKind::file, i).fate == StepFate::lost)
                    return true;
        return false;
    }

    void leave(const std::vector<Left> &left)
    {
        if (!left.empty()) m_left = " Left behind: " + leftText(left);
    }

    KeepReport finish(const std::string &outcome, const std::string &text)
    {
        m_report.outcome = outcome;
        m_report.text = text;
        if (m_report.journal.empty()) return std::move(m_report);
        const Status kept = m_host.journal().append({.action = m_report.journal,
                                                     .job = m_view.job.name,
                                                     .file = m_view.job.file,
                                                     .kind = "keep",
                                                     .state = outcome == "failed" ? "failed" : "finished",
                                                     .text = text,
                                                     .data = planToJson(m_report.plan)});
        if (!kept) m_report.text += " It could not be written into the journal: " + kept.error().message;
        return std::move(m_report);
    }

    ActionContext &m_host;
    const KeepOptions &m_options;
    const JobState m_view;
    KeepReport m_report;
    std::string m_left;
};

}  // namespace

Result<std::vector<KeptSet>> listKept(ActionContext &host)
{
    const Result<std::vector<Found>> found = findKept(host);
    if (!found) return found.error();
    std::vector<KeptSet> sets;
    for (const Found &one : *found)
        if (sets.empty() || sets.back().id != one.id) sets.push_back({one.id, keptFiles(*found, one.id)});
    return sets;
}

KeepReport runKeep(ActionContext &host, const KeepOptions &options) { return Keeper(host, options).run(); }

}  // namespace rankdeck
