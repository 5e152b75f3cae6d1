// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/actions.h"

#include "core/base/deadline.h"
#include "core/base/text.h"
#include "core/checkpoint/inventory/inventory.h"
#include "core/journal/journal.h"
#include "core/node/node.h"
#include "core/node/wait_for.h"
#include "core/recover/keep/keep.h"
#include "core/recover/keep/kept_listings.h"
#include "core/recover/plan/copy_room.h"
#include "core/recover/plan/plan_json.h"
#include "core/recover/plan/plan_runner.h"

#include <iterator>
#include <map>
#include <set>

namespace rankdeck {
namespace {

constexpr double listSeconds = 20, copySeconds = 3600;  // copySeconds: for a large file

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

Result<std::vector<KeptPart>> findKept(ActionContext &host, const JobState &view)
{
    std::vector<KeptDirectory> directories = keptDirectories(view.job);
    if (view.job.pathsShared && !view.job.nodes.empty())
        std::erase_if(directories, [&](const KeptDirectory &one) { return one.node != view.job.nodes.front().name; });
    std::vector<Reply<Listing>> replies;
    for (const KeptDirectory &one : directories) {
        NodeClient *client = host.node(one.node);
        if (!client) return fail(ErrorKind::unreachable, message("%1 cannot be reached", one.node));
        replies.push_back(client->list(one.request));
    }
    for (std::size_t i = 0; i < directories.size(); ++i) {
        KeptDirectory &one = directories[i];
        Result<Listing> listing = waitFor(replies[i], inSeconds(listSeconds), one.node);
        if (!listing) return fail(ErrorKind::unreachable, one.node + ": " + listing.error().message);
        if (isAbsent(*listing)) continue;
        if (const Status whole = saysAll(one.node, one.request.root, *listing); !whole) return whole.error();
        one.listing = std::make_shared<const Listing>(std::move(*listing));
    }
    return keptParts(view, directories);
}

void wantPlacesBefore(PathStats &book, const std::vector<KeptPart> &parts, const std::string &id)
{
    for (const KeptPart &part : parts)
        if (part.id == id)
            for (const FileEntry &entry : part.entries) book.want(part.node, placeBefore(part, entry.path));
}

// Recreates folders that rotation removed together with their files. A file that already exists under its own name
// stays.
void addPutBack(NodePlan &node, const KeptPart &part, const PathStats &book)
{
    for (const FileEntry &entry : part.entries) {
        const std::string path = placeBefore(part, entry.path);
        const std::optional<FileStat> there = book.stat(part.node, path);
        if (entry.stat.kind == 'd') {
            if (book.exists(part.node, path).isNo())
                node.files.push_back({.action = FileAction::makeDirectory, .path = path});
        } else if (!there || there->inode != entry.stat.inode || there->device != entry.stat.device) {
            node.files.push_back({.action = FileAction::makeHardLink, .path = path, .target = entry.path});
        }
    }
}

void addRemoval(NodePlan &node, const KeptPart &part)
{
    std::vector<FileActionRequest> directories;
    for (const FileEntry &entry : part.entries) {
        if (entry.stat.kind == 'd')
            directories.push_back({.action = FileAction::removeEmptyDirectory, .path = entry.path});
        else
            node.files.push_back({.action = FileAction::remove, .path = entry.path});
    }
    node.files.insert(node.files.end(), directories.rbegin(), directories.rend());
}

// Moves files back to their old places, or removes them with their directories, the deepest first.
Plan planOfKept(const std::vector<KeptPart> &parts, const KeepOptions &options, const PathStats &book)
{
    std::map<std::string, NodePlan> nodes;
    for (const KeptPart &part : parts) {
        if (part.id != options.set) continue;
        NodePlan &node = nodes[part.node];
        node.node = part.node;
        if (options.act == KeepAct::restore)
            addPutBack(node, part, book);
        else
            addRemoval(node, part);
    }
    Plan plan;
    plan.summary = options.act == KeepAct::restore ? message("Put back set %1", options.set)
                                                   : message("Stop keeping set %1", options.set);
    for (auto &[name, node] : nodes) plan.nodes.push_back(std::move(node));
    return plan;
}

// A set has its final name only while it is complete. It is built under another name and renamed when it is complete;
// before it is removed, it is renamed again. Therefore the remains of a killed console never look like a kept set.
Plan underPartName(Plan plan, const KeepOptions &options, const std::string &action)
{
    if (options.act == KeepAct::restore || isKeptPart(options.set)) return plan;
    const std::string name = std::string(keptSuffix) + "/" + options.set, part = std::string(keptPartMark) + action;
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

class Keeper {
public:
    Keeper(ActionContext &host, const KeepOptions &options) : m_host(host), m_options(options), m_view(host.view())
    {
        m_report.set = options.set;
    }

    KeepReport run()
    {
        if (const Status planned = plan(); !planned)
            return finish(planned.error().kind == ErrorKind::unreachable ? KeepOutcome("failed")
                                                                         : KeepOutcome("refused"),
                          planned.error().message);
        if (m_options.dryRun) {
            m_report.outcome = "dry_run";
            m_report.text = message("%1 when the action is run.", doneText());
            return std::move(m_report);
        }
        m_report.journal = Journal::newActionId("keep");
        m_report.plan = underPartName(std::move(m_report.plan), m_options, m_report.journal);
        m_report.plan.id = m_report.journal;
        StepLog log;
        if (const Status applied = applyFiles(m_host, m_report.plan, log, {.seconds = copySeconds}); !applied) {
            // Files that were removed cannot be restored. New files are removed again, unless they may already have
            // their final name.
            if (moveWasLost(log))
                m_left = message("Cannot tell whether the set is kept now: check the list of kept sets.");
            else if (m_options.act != KeepAct::remove)
                leave(undoPlan(m_host, m_report.plan, log, {.displace = false}));
            return finish("failed", joined({applied.error().message, m_left}));
        }
        static constexpr KeepOutcome words[] = {"kept", "restored", "removed"};
        return finish(words[static_cast<int>(m_options.act)], message("%1.", doneText()));
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
        if (m_options.act == KeepAct::restore && isKeptPart(m_options.set))
            return fail(ErrorKind::refused,
                        message("%1 is only a part of a set: it was left by an interrupted keep.", m_options.set));
        const Result<std::vector<KeptPart>> found = findKept(m_host, m_view);
        if (!found) return found.error();
        PathStats book;
        if (m_options.act == KeepAct::restore) {
            wantPlacesBefore(book, *found, m_options.set);
            book.read(m_host, inSeconds(listSeconds));
        }
        m_report.plan = planOfKept(*found, m_options, book);
        m_report.nodes = keptFiles(*found, m_options.set);
        if (m_report.nodes.empty())
            return fail(ErrorKind::notFound,
                        message("Set %1 is not kept%2.", m_options.set, terminalWords("; --list shows the kept sets")));
        return Done{};
    }

    // Hard links need no room.
    Status hasRoom()
    {
        const auto sizeOf = [this](const std::string &node, const std::string &path) {
            return bytesOf(m_view, node, path);
        };
        const auto tight = tightDisks(m_host, m_report.plan, sizeOf, inSeconds(listSeconds));
        if (tight.empty()) return Done{};
        return fail(ErrorKind::refused,
                    tight.front().free
                        ? message("The set was not kept: %1. Free some space there.", copyRoomText(tight.front()))
                        : message("The set was not kept: %1. Try again.", copyRoomText(tight.front())));
    }

    [[nodiscard]] Message doneText() const
    {
        std::size_t files = 0;
        for (const KeptFiles &node : m_report.nodes) files += node.paths.size();
        const std::string count = grouped(std::int64_t(files)), nodes = grouped(std::int64_t(m_report.nodes.size()));
        const Message where = m_report.nodes.size() == 1
                                  ? (files == 1 ? message("1 file on 1 node") : message("%1 files on 1 node", count))
                                  : message("%1 files on %2 nodes", count, nodes);
        if (m_options.act == KeepAct::remove) return message("Set %1, %2, is no longer kept", m_options.set, where);
        if (m_options.act == KeepAct::restore)
            return message("Set %1, %2, is back among the checkpoints", m_options.set, where);
        return message("Set %1, %2, is kept beside the checkpoints", m_options.set, where);
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
        if (!left.empty()) m_left = message("Left behind: %1", leftText(left));
    }

    KeepReport finish(KeepOutcome outcome, const Message &text)
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
        if (!kept)
            m_report.text =
                joined({text, message("The action could not be written into the journal: %1", kept.error().message)});
        return std::move(m_report);
    }

    ActionContext &m_host;
    const KeepOptions &m_options;
    const JobState m_view;
    KeepReport m_report;
    Message m_left;
};

}  // namespace

Result<std::vector<KeptSet>> listKept(ActionContext &host)
{
    const Result<std::vector<KeptPart>> found = findKept(host, host.view());
    if (!found) return found.error();
    std::vector<KeptSet> sets;
    for (const KeptPart &one : *found)
        if (sets.empty() || sets.back().id != one.id) sets.push_back({one.id, keptFiles(*found, one.id)});
    return sets;
}

KeepReport runKeep(ActionContext &host, const KeepOptions &options) { return Keeper(host, options).run(); }

}  // namespace rankdeck
