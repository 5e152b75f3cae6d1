// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/job/secrets.h"
#include "core/node/wait_for.h"
#include "core/recover/host/path_stats.h"
#include "core/recover/plan/plan_runner.h"
#include "core/recover/wording.h"

#include <algorithm>

namespace rankdeck {

namespace {

class Undo {
public:
    Undo(ActionContext &host, const Plan &plan, StepLog &log, const UndoWay &way)
        : m_host(host), m_plan(plan), m_log(log), m_way(way)
    {}

    std::vector<Left> run()
    {
        for (const NodePlan &node : m_plan.nodes) {
            m_node = &node;
            for (std::size_t i = node.edits.size(); i-- > 0;)
                step(StepKind::newFile, i, node.edits[i].path, [&](StepState) { return removeNew(node.edits[i]); });
            for (std::size_t i = node.copies.size(); i-- > 0;)
                step(StepKind::copy, i, node.copies[i].path,
                     [&](StepState state) { return removeCopy(node.copies[i], state); });
            for (std::size_t i = node.files.size(); i-- > 0;)
                step(StepKind::file, i, node.files[i].path,
                     [&](StepState state) { return back(node.files[i], state); });
            for (std::size_t i = node.edits.size(); i-- > 0;)
                step(StepKind::edit, i, node.edits[i].path, [&](StepState) { return back(node.edits[i]); });
        }
        return std::move(m_left);
    }

private:
    template <class Action>
    void step(StepKind kind, std::size_t index, const std::string &path, const Action &undo)
    {
        const StepState state = m_log.of(m_node->node, kind, index);
        if (state.fate == StepFate::notDone) return;
        Status undone = m_host.store(m_node->node)
                            ? undo(state)
                            : fail(ErrorKind::unreachable, message("node %1 was not found", printable(m_node->node)));
        if (undone) {
            m_log.put(m_node->node, kind, index, {});
            undone = m_log.flush();
        }
        if (!undone)
            m_left.push_back({.node = m_node->node,
                              .path = path,
                              .text = message("node %1: %2", printable(m_node->node), undone.error().message)});
    }

    Status send(FileActionRequest request)
    {
        NodeClient *node = m_host.node(m_node->node);
        if (m_way.held) request = m_way.held->bound(m_node->node, std::move(request));
        auto reply = node ? node->applyFileStep(std::move(request)) : Reply<Done>();
        return waitFor(reply, inSeconds(stepAnswerSeconds), m_node->node);
    }

    // A cut link releases the job. If another action holds the job by now, the files belong to that action.
    Status act(const FileActionRequest &request)
    {
        Status done = send(request);
        if (done || !m_way.held || done.error().detail != jobHeldDetail || m_lost) return done;
        m_lost = !m_way.held->takeAgain().isYes();
        return send(request);
    }

    // Gets the stats of the paths; waits for a node whose link may return in time.
    Status look(PathStats &book, const std::vector<std::string> &paths)
    {
        for (const std::string &path : paths) book.want(m_node->node, path);
        for (const SteadyTime deadline = inSeconds(stepAnswerSeconds);;) {
            book.read(m_host, deadline);
            const auto open = std::find_if(paths.begin(), paths.end(), [&](const std::string &path) {
                return book.exists(m_node->node, path).isUnknown();
            });
            if (open == paths.end()) return Done{};
            if (steadyNow() >= deadline)
                return fail(ErrorKind::unreachable, message("cannot tell whether %1 exists (%2)", printable(*open),
                                                            printable(book.problem(m_node->node, *open))));
            m_host.waitForChange(std::min(deadline, inSeconds(1)));
        }
    }

    // Removes only the file that this action made: another file of the same size may be there now.
    Status removeCopy(const FileCopy &copy, const StepState &state)
    {
        const std::string part = copy.path + ".copying-" + m_plan.id;
        PathStats book;
        if (Status seen = look(book, {copy.path, part}); !seen) return seen;
        if (book.exists(m_node->node, part).isYes())
            if (Status gone = act({.action = FileAction::remove, .path = part}); !gone) return gone;
        const auto stat = book.stat(m_node->node, copy.path);
        if (!stat || state.inode == 0 || stat->inode != state.inode) return Done{};
        return act({.action = FileAction::remove, .path = copy.path});
    }

    Status back(const FileActionRequest &request, const StepState &state)
    {
        PathStats book;
        std::vector<std::string> paths{request.path};
        if (request.action == FileAction::move || request.action == FileAction::copyFile)
            paths.push_back(request.target);
        if (Status seen = look(book, paths); !seen) return seen;
        const bool here = book.exists(m_node->node, request.path).isYes();
        switch (request.action) {
        case FileAction::move: return moveBack(request, book);
        case FileAction::makeDirectory:
            return here ? act({.action = FileAction::removeEmptyDirectory, .path = request.path}) : Status(Done{});
        case FileAction::makeLink:
        case FileAction::makeHardLink:
        case FileAction::copyFile:
            if (here && !isMade(request, state, book))
                return fail(ErrorKind::conflict, message("cannot tell whether this action created %1, because the "
                                                         "answer was lost; the file is left unchanged",
                                                         printable(request.path)));
            return here ? act({.action = FileAction::remove, .path = request.path}) : Status(Done{});
        case FileAction::remove:
        case FileAction::removeEmptyDirectory: break;  // our plans never remove existing files
        }
        return Done{};
    }

    // True if this action made the existing file: its answer arrived, or the file itself proves it. A hard link proves
    // nothing, because it may have existed before.
    bool isMade(const FileActionRequest &request, const StepState &state, const PathStats &book) const
    {
        if (state.fate == StepFate::done || request.path.find(m_plan.id) != std::string::npos) return true;
        if (request.action == FileAction::makeLink)
            return book.linkTarget(m_node->node, request.path) == request.target;
        const auto made = book.stat(m_node->node, request.path), source = book.stat(m_node->node, request.target);
        return request.action == FileAction::copyFile && made && source && made->inode != source->inode &&
               made->size == source->size && made->mtimeNs == source->mtimeNs;
    }

    Status moveBack(const FileActionRequest &request, const PathStats &book)
    {
        const auto there = book.stat(m_node->node, request.target), here = book.stat(m_node->node, request.path);
        const auto known = m_node->inodes.find(request.path);
        const auto isIt = [&](const std::optional<FileStat> &stat) {
            return stat && known != m_node->inodes.end() && stat->inode == known->second;
        };
        const bool others = here && known != m_node->inodes.end() && !isIt(here);
        if (!there && here && !others) return Done{};  // already moved back, or never moved
        if (!there)
            return fail(ErrorKind::notFound,
                        others
                            ? message("%1 was moved to %2, which no longer exists, and %1 may be a different file now",
                                      printable(request.path), printable(request.target))
                            : message("%1 was moved to %2, and neither exists", printable(request.path),
                                      printable(request.target)));
        if (known != m_node->inodes.end() && !isIt(there))  // another's
            return here ? Status(Done{})
                        : fail(ErrorKind::conflict,
                               message("%1 is missing, and %2 may be a different file; it is left unchanged",
                                       printable(request.path), printable(request.target)));
        if (isIt(there) && isIt(here) && there->device == here->device)  // cut between the two names
            return act({.action = FileAction::remove, .path = request.target});
        if (here && !m_way.displace)
            return fail(ErrorKind::conflict, message("%1 exists again and is left unchanged; the earlier file is at %2",
                                                     printable(request.path), printable(request.target)));
        if (here)
            if (Status aside = act({.action = FileAction::move,
                                    .path = request.path,
                                    .target = request.path + ".failed-" + m_plan.id});
                !aside)
                return aside;
        return act({.action = FileAction::move, .path = request.target, .target = request.path});
    }

    // Removes a file that the plan made, unless another program has written to it.
    Status removeNew(const FileEdit &edit)
    {
        auto asked = m_host.store(m_node->node)->readFile(edit.path, 8u << 20);
        const auto now = waitFor(asked, inSeconds(stepAnswerSeconds), m_node->node);
        if (!now && now.error().kind == ErrorKind::notFound) return Done{};
        if (!now) return now.error();
        if (!Secrets::matches(now->bytes, edit.after)) return changed(edit);
        return act({.action = FileAction::remove, .path = edit.path});
    }

    static Status changed(const FileEdit &edit)
    {
        return fail(ErrorKind::conflict,
                    message("%1 was changed by another process and is left unchanged", printable(edit.path)));
    }

    Status back(const FileEdit &edit)
    {
        auto asked = m_host.store(m_node->node)->readFile(edit.path, 1u << 20);
        const auto now = waitFor(asked, inSeconds(stepAnswerSeconds), m_node->node);
        if (!now) return now.error();
        if (now->bytes == edit.before) return Done{};
        if (now->bytes != edit.after) return changed(edit);
        auto reply = m_host.store(m_node->node)
                         ->replaceFile({.path = edit.path, .expectedSha256 = now->sha256, .bytes = edit.before});
        const auto done = waitFor(reply, inSeconds(stepAnswerSeconds), m_node->node);
        if (done && done->replaced) return Done{};
        return fail(ErrorKind::conflict, done ? message("the edit of %1 could not be undone", printable(edit.path))
                                              : message("the edit of %1 could not be undone: %2", printable(edit.path),
                                                        done.error().message));
    }

    ActionContext &m_host;
    const Plan &m_plan;
    StepLog &m_log;
    const UndoWay &m_way;
    bool m_lost = false;  // the job is no longer held on some node for this action
    const NodePlan *m_node = nullptr;
    std::vector<Left> m_left;
};

}  // namespace

Message leftText(const std::vector<Left> &left)
{
    std::vector<Message> texts;
    for (const Left &one : left) texts.push_back(one.text);
    return listed(texts);
}

Message requestStandsAgain(const Plan &plan)
{
    std::vector<std::string> nodes;
    for (const NodePlan &node : plan.nodes)
        if (std::any_of(node.edits.begin(), node.edits.end(), [](const FileEdit &edit) { return edit.takesBack; }))
            nodes.push_back(node.node);
    if (nodes.empty()) return {};
    return message(
        "The stop request is still set on %1, as before: take it back before the next start, or the run stops "
        "after its first step.",
        namesText(nodes));
}

std::vector<Left> undoPlan(ActionContext &host, const Plan &plan, StepLog &log, const UndoWay &way)
{
    return Undo(host, plan, log, way).run();
}

}  // namespace rankdeck
