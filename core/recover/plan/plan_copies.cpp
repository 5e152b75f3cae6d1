// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/plan/plan_runner.h"

namespace rankdeck {

namespace {

constexpr double pieceSeconds = 60;
constexpr double hashSeconds = 1800;  // whole checkpoints of many gigabytes
constexpr std::uint32_t pieceBytes = 4u << 20;

class Copier {
public:
    Copier(ActionContext &host, std::string node, const FileCopy &copy, std::string part, StepLog &log,
           std::size_t index, const FileSteps &how)
        : m_host(host), m_copy(copy), m_node(std::move(node)), m_part(std::move(part)), m_log(log), m_index(index),
          m_how(how)
    {}

    Status run()
    {
        m_source = m_host.node(m_copy.fromNode);
        m_target = m_host.node(m_node);
        if (!m_source || !m_target)
            return fail(ErrorKind::unreachable,
                        message("node %1 was not found, so %2 is not copied",
                                printable(m_source ? m_node : m_copy.fromNode), printable(m_copy.path)));
        if (Status made = makeDirectory(); !made) return made;
        if (Status kept = keep(StepFate::lost); !kept) return kept;  // from here on, a part of the copy may exist
        Status done = pieces();
        if (done) done = compare();
        if (done) done = keep(StepFate::lost);  // recorded before the rename: the inode identifies the copy later
        if (done) done = act({.action = FileAction::move, .path = m_part, .target = m_copy.path});
        if (done) return keep(StepFate::done);
        if (StepLog::fateOf(done.error()) != StepFate::notDone) return done;  // the undo checks whether it happened
        if (const Status removed = act({.action = FileAction::remove, .path = m_part}); !removed)
            return fail(done.error().kind, done.error().message + "; " + removed.error().message);  // for the undo
        if (const Status kept = keep(StepFate::notDone); !kept) return kept;
        return done;
    }

private:
    Status keep(StepFate fate)
    {
        m_log.put(m_node, StepKind::copy, m_index, {.fate = fate, .inode = m_inode});
        return m_log.flush();
    }

    Status act(FileActionRequest request)
    {
        auto reply = m_target->applyFileStep(m_how.bound(m_node, std::move(request)));
        return waitFor(reply, inSeconds(pieceSeconds), m_node);
    }

    Status makeDirectory()
    {
        const Status made = act({.action = FileAction::makeDirectory, .path = dirName(m_part)});
        if (!made && made.error().kind != ErrorKind::conflict) return made;  // conflict: it exists already
        return Done{};
    }

    Status pieces()
    {
        for (std::uint64_t offset = 0; offset < m_copy.bytes || offset == 0;) {
            if (m_host.stopRequested()) return fail(ErrorKind::cancelled, message("cancelled while files were copied"));
            auto asked = m_source->read({{.path = m_copy.from, .offset = offset, .length = pieceBytes}});
            auto read = waitFor(asked, inSeconds(pieceSeconds), m_copy.fromNode);
            if (!read) return read.error();
            if (read->empty() || !read->front().error.empty() || read->front().bytes.empty())
                return fail(ErrorKind::conflict,
                            message("%1 on node %2: expected %3, but the file ends at byte %4", printable(m_copy.from),
                                    printable(m_copy.fromNode), bytesText(m_copy.bytes), bytesText(offset)));
            const std::uint64_t got = read->front().bytes.size();
            AppendRequest piece{.path = m_part,
                                .offset = offset,
                                .bytes = std::move(read->front().bytes),
                                .last = offset + got >= m_copy.bytes};
            auto written = m_target->append(m_how.bound(m_node, std::move(piece)));
            if (const auto done = waitFor(written, inSeconds(pieceSeconds), m_node); !done) return done.error();
            offset += got;
        }
        return Done{};
    }

    Status compare()
    {
        auto there = m_source->hash({.path = m_copy.from});
        auto here = m_target->hash({.path = m_part});
        const auto source = waitFor(there, inSeconds(hashSeconds), m_copy.fromNode);
        if (!source) return source.error();
        const auto target = waitFor(here, inSeconds(hashSeconds), m_node);
        if (!target) return target.error();
        m_inode = target->stat.inode;
        if (source->sha256 == target->sha256) return Done{};
        return fail(ErrorKind::conflict, message("the copy of %1 on node %2 differs from the original; try again",
                                                 printable(m_copy.from), printable(m_node)));
    }

    ActionContext &m_host;
    const FileCopy &m_copy;
    std::string m_node;
    std::string m_part;
    StepLog &m_log;
    std::size_t m_index;
    const FileSteps &m_how;
    std::uint64_t m_inode = 0;
    NodeClient *m_source = nullptr;
    NodeClient *m_target = nullptr;
};

}  // namespace

Status applyCopies(ActionContext &host, const Plan &plan, StepLog &log, const FileSteps &how)
{
    for (const NodePlan &node : plan.nodes)
        for (std::size_t i = 0; i < node.copies.size(); ++i) {
            const FileCopy &copy = node.copies[i];
            if (Status done = Copier(host, node.node, copy, copy.path + ".copying-" + plan.id, log, i, how).run();
                !done)
                return done;
        }
    return Done{};
}

}  // namespace rankdeck
