// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/host/path_stats.h"
#include "core/recover/plan/plan_runner.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr double answerSeconds = 30;

class Undo {
public:
    Undo(ActionContext &host, const Plan &plan) : m_host(host), m_plan(plan) {}

    std::vector<std::string> run()
    {
        for (const NodePlan &node : m_plan.nodes) {
            if (!m_host.node(node.node)) {
                m_left.push_back("node " + printable(node.node) + " is not there, its files were not moved back");
                continue;
            }
            for (auto edit = node.edits.rbegin(); edit != node.edits.rend(); ++edit)
                if (edit->expectedSha256.empty()) removeNew(node.node, *edit);
            for (const FileCopy &copy : node.copies) removeCopy(node.node, copy);
            for (auto step = node.files.rbegin(); step != node.files.rend(); ++step) back(node.node, *step);
            for (auto edit = node.edits.rbegin(); edit != node.edits.rend(); ++edit)
                if (!edit->expectedSha256.empty()) back(node.node, *edit);
        }
        return std::move(m_left);
    }

private:
    bool act(const std::string &node, FileActionRequest request)
    {
        auto reply = m_host.node(node)->applyFileStep(request);
        const auto done = waitFor(reply, inSeconds(answerSeconds), node);
        if (!done) m_left.push_back("node " + printable(node) + ": " + done.error().message);
        return done.ok();
    }

    // Only what the copy made: nothing was there when the plan was made.
    void removeCopy(const std::string &node, const FileCopy &copy)
    {
        const std::string part = copy.path + ".copying-" + m_plan.id;
        PathStats book;
        book.want(node, copy.path);
        book.want(node, part);
        book.read(m_host, inSeconds(answerSeconds));
        if (book.exists(node, part)) act(node, {.action = FileAction::remove, .path = part});
        if (const auto stat = book.stat(node, copy.path); stat && stat->kind == 'f' && stat->size == copy.bytes)
            act(node, {.action = FileAction::remove, .path = copy.path});
    }

    void back(const std::string &node, const FileActionRequest &step)
    {
        PathStats book;
        book.want(node, step.path);
        if (step.action == FileAction::move) book.want(node, step.target);
        book.read(m_host, inSeconds(answerSeconds));
        const bool here = book.exists(node, step.path);
        switch (step.action) {
        case FileAction::move:
            if (!book.exists(node, step.target)) return;  // never moved, or back already
            if (here &&
                !act(node,
                     {.action = FileAction::move, .path = step.path, .target = step.path + ".failed-" + m_plan.id}))
                return;
            act(node, {.action = FileAction::move, .path = step.target, .target = step.path});
            return;
        case FileAction::makeDirectory:
            if (here) act(node, {.action = FileAction::removeEmptyDirectory, .path = step.path});
            return;
        case FileAction::makeLink:
            if (here) act(node, {.action = FileAction::remove, .path = step.path});
            return;
        case FileAction::remove:
        case FileAction::removeEmptyDirectory: return;  // no plan of ours removes what was there
        }
    }

    // A file that the plan made: away again, unless somebody has written into it.
    void removeNew(const std::string &node, const FileEdit &edit)
    {
        PathStats book;
        book.want(node, edit.path);
        book.read(m_host, inSeconds(answerSeconds));
        if (!book.exists(node, edit.path)) return;
        auto asked = m_host.node(node)->readFile(edit.path, 8u << 20);
        const auto now = waitFor(asked, inSeconds(answerSeconds), node);
        if (now && now->bytes == edit.after)
            act(node, {.action = FileAction::remove, .path = edit.path});
        else
            m_left.push_back(
                "node " + printable(node) + ": " + printable(edit.path) +
                (now ? " was changed by somebody else meanwhile and is left as it is" : ": " + now.error().message));
    }

    void back(const std::string &node, const FileEdit &edit)
    {
        auto asked = m_host.node(node)->readFile(edit.path, 1u << 20);
        const auto now = waitFor(asked, inSeconds(answerSeconds), node);
        if (!now) {
            m_left.push_back("node " + printable(node) + ": " + now.error().message);
            return;
        }
        if (now->bytes == edit.before) return;
        if (now->bytes != edit.after) {
            m_left.push_back("node " + printable(node) + ": " + printable(edit.path) +
                             " was changed by somebody else meanwhile and is left as it is");
            return;
        }
        auto reply =
            m_host.node(node)->replaceFile({.path = edit.path, .expectedSha256 = now->sha256, .bytes = edit.before});
        const auto done = waitFor(reply, inSeconds(answerSeconds), node);
        if (!done || !done->replaced)
            m_left.push_back("node " + printable(node) + ": the edit of " + printable(edit.path) +
                             " could not be undone" + (done ? "" : ": " + done.error().message));
    }

    ActionContext &m_host;
    const Plan &m_plan;
    std::vector<std::string> m_left;
};

}  // namespace

std::vector<std::string> undoPlan(ActionContext &host, const Plan &plan) { return Undo(host, plan).run(); }

}  // namespace rankdeck
