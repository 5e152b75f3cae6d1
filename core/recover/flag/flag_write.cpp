// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/flag/flag_write.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/edit/unified_diff.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <thread>

namespace rankdeck {

namespace {

constexpr int maxReadBacks = 3;
// A program that rewrites the file in place leaves it empty or incomplete for a short time, so incomplete content is
// read again.
constexpr int maxTornLooks = 50;
constexpr std::chrono::milliseconds tornPause(20);

// True if the error means that nothing was written. All other errors leave that open: no answer, a broken link, an
// input or output error after the rename.
bool isRefusal(const Error &error)
{
    return error.kind == ErrorKind::permission || error.kind == ErrorKind::noSpace ||
           error.kind == ErrorKind::notFound || error.kind == ErrorKind::invalid ||
           error.kind == ErrorKind::unsupported || error.kind == ErrorKind::refused;
}

// State of one copy during the rounds of writing.
struct Writer {
    ConfigCopy &copy;
    FlagWrite &write;
    Reply<ReplaceReply> reply = {};
    Reply<Done> removal = {};
    std::string sent = {};
    bool waiting = false, open = true;
    int torn = 0;

    void end(std::optional<Error> problem = {})
    {
        if (problem) write.problem = std::move(problem);
        open = waiting = false;
    }
};

// The content may be only half rewritten: reads it again before it counts as broken.
void lookAgain(FileStore &store, Writer &writer, const Error &problem, SteadyTime deadline)
{
    if (++writer.torn > maxTornLooks || steadyNow() >= deadline) return writer.end(problem);
    std::this_thread::sleep_for(tornPause);
    auto asked = store.readFile(writer.copy.path, 1u << 20);
    auto content = waitFor(asked, deadline, writer.copy.node);
    if (!content) return writer.end(content.error());
    writer.copy.content = std::move(content.value());
}

Error notThere(const Writer &writer)
{
    return fail(ErrorKind::unreachable, message("node %1 was not found", writer.copy.node));
}

void sendPresence(NodeClient *node, Writer &writer, bool on)
{
    if (!node) return writer.end(notThere(writer));
    if (on) writer.copy.asked = true;
    if (on)
        writer.reply = node->replaceFile({.path = writer.copy.path, .expectedSha256 = "", .bytes = ""});
    else
        writer.removal = node->applyFileStep({.action = FileAction::remove, .path = writer.copy.path});
    writer.waiting = true;
}

void send(ActionContext &host, Writer &writer, bool on, SteadyTime deadline)
{
    if (writer.copy.presence) return sendPresence(host.node(writer.copy.node), writer, on);
    FileStore *store = host.store(writer.copy.node);
    if (!store) return writer.end(notThere(writer));
    const auto edit = setFlag(writer.copy.content->bytes, on);
    if (!edit) return lookAgain(*store, writer, edit.error(), deadline);
    // After a write without an answer, the same bytes are written again, under the lock. Then the first write can no
    // longer take effect.
    if (!edit->changed && !writer.copy.uncertain) return writer.end();
    if (on) writer.copy.asked = true;
    if (!writer.write.changed) writer.write.before = writer.copy.content->bytes;
    writer.sent = edit->bytes;
    writer.reply = store->replaceFile(
        {.path = writer.copy.path, .expectedSha256 = writer.copy.content->sha256, .bytes = edit->bytes});
    writer.waiting = true;
}

void receiveRemoval(Writer &writer, SteadyTime deadline)
{
    const auto gone = waitFor(writer.removal, deadline, writer.copy.node);
    writer.write.changed = gone.has_value();
    writer.copy.uncertain = !gone && !isRefusal(gone.error());
    if (gone || gone.error().kind == ErrorKind::notFound) return writer.end();
    writer.end(gone.error());
}

void receive(Writer &writer, SteadyTime deadline)
{
    writer.waiting = false;
    if (writer.removal.valid()) return receiveRemoval(writer, deadline);
    const auto reply = waitFor(writer.reply, deadline, writer.copy.node);
    if (!reply) {
        writer.copy.uncertain = writer.copy.uncertain || !isRefusal(reply.error());
        writer.write.problem = reply.error();
        writer.open = false;
    } else if (reply->replaced) {
        writer.copy.uncertain = false;
        writer.write.changed = true;
        writer.write.after = writer.sent;
        writer.open = false;
    } else if (writer.copy.presence) {
        writer.open = false;  // another console has made the change
    } else if (steadyNow() >= deadline) {
        writer.write.problem =
            fail(ErrorKind::conflict,
                 message("another program keeps rewriting %1 on node %2; stop that program, then try again",
                         writer.copy.path, writer.copy.node));
        writer.open = false;
    } else {
        writer.copy.content = reply->now;
    }
}

void runRounds(ActionContext &host, std::vector<Writer> &writers, bool on, SteadyTime deadline)
{
    const auto open = [](const Writer &writer) { return writer.open; };
    while (std::any_of(writers.begin(), writers.end(), open)) {
        for (Writer &writer : writers)
            if (writer.open) send(host, writer, on, deadline);
        // A conflict returns the current content of the file, so the next try starts from the newest text. One of
        // several colliding writers always succeeds, so no pause is needed.
        for (Writer &writer : writers)
            if (writer.waiting) receive(writer, deadline);
    }
}

bool says(const ConfigCopy &copy, bool on) { return copy.flag && copy.flag->armed == on; }

// Copies that must still be written: separate ones, and copies that were thought to be shared but are not.
std::vector<Writer> writersOf(std::vector<ConfigCopy> &copies, std::vector<FlagWrite> &writes, bool on)
{
    std::vector<Writer> writers;
    for (std::size_t i = 0; i < copies.size(); ++i)
        if ((copies[i].content || copies[i].presence) && copies[i].flag && copies[i].sameAs.empty() &&
            !writes[i].asWanted && (copies[i].uncertain || !(says(copies[i], on) && copies[i].flag->notes.empty())))
            writers.push_back({.copy = copies[i], .write = writes[i]});
    return writers;
}

void readBack(ActionContext &host, std::vector<ConfigCopy> &copies, std::vector<FlagWrite> &writes, bool on,
              SteadyTime deadline)
{
    readConfigs(host, copies, deadline);
    for (std::size_t i = 0; i < copies.size(); ++i) {
        if (on && says(copies[i], on)) copies[i].uncertain = false;  // the write has taken effect
        if (copies[i].presence && copies[i].flag) copies[i].uncertain = false;
        writes[i].asWanted = says(copies[i], on) && !copies[i].uncertain;
        if (copies[i].content) writes[i].atNs = copies[i].content->stat.mtimeNs;
        if (writes[i].asWanted)
            writes[i].problem.reset();
        else if (copies[i].problem && !writes[i].problem)
            writes[i].problem = copies[i].problem;
        else if (!copies[i].sameAs.empty())
            copies[i].sameAs.clear();  // this node does not see the other node's write: it has its own file
    }
}

NodePlan &planOf(std::vector<NodePlan> &plans, const std::string &node)
{
    const auto plan =
        std::find_if(plans.begin(), plans.end(), [&](const NodePlan &other) { return other.node == node; });
    return plan == plans.end() ? plans.emplace_back(NodePlan{.node = node}) : *plan;
}

std::string newFileDiff(const std::string &path)
{
    return "--- /dev/null\n+++ " + path + "\n(an empty file is created)\n";
}

}  // namespace

std::vector<FlagWrite> writeFlag(ActionContext &host, std::vector<ConfigCopy> &copies, bool on, SteadyTime deadline)
{
    std::vector<FlagWrite> writes;
    for (const ConfigCopy &copy : copies)
        writes.push_back({.node = copy.node, .path = copy.path, .problem = copy.problem});
    for (int round = 0; round < maxReadBacks; ++round) {
        std::vector<Writer> writers = writersOf(copies, writes, on);
        runRounds(host, writers, on, deadline);
        readBack(host, copies, writes, on, deadline);
        const bool more = std::any_of(writes.begin(), writes.end(),
                                      [](const FlagWrite &write) { return !write.asWanted && !write.problem; });
        if (!more) break;
    }
    for (FlagWrite &write : writes)
        if (!write.asWanted && !write.problem)
            write.problem = fail(
                ErrorKind::conflict,
                message(
                    "another program restored %1 on node %2 right after the write; stop that program, then try again",
                    write.path, write.node));
    return writes;
}

bool allAsWanted(const std::vector<FlagWrite> &writes)
{
    return std::all_of(writes.begin(), writes.end(), [](const FlagWrite &write) { return write.asWanted; });
}

Result<std::vector<NodePlan>> planFlag(const std::vector<ConfigCopy> &copies, bool on)
{
    std::vector<NodePlan> plans;
    for (const ConfigCopy &copy : copies) {
        if ((!copy.content && !copy.presence) || !copy.flag || !copy.sameAs.empty()) continue;
        if (copy.presence) {
            if (copy.flag->armed == on) continue;
            NodePlan &plan = planOf(plans, copy.node);
            if (on)
                plan.edits.push_back({.path = copy.path,
                                      .before = "",
                                      .after = "",
                                      .diff = newFileDiff(copy.path),
                                      .expectedSha256 = ""});
            else
                plan.files.push_back({.action = FileAction::remove, .path = copy.path});
            continue;
        }
        const auto edit = setFlag(copy.content->bytes, on);
        if (!edit) return edit.error();
        if (!edit->changed) continue;
        planOf(plans, copy.node)
            .edits.push_back({.path = copy.path,
                              .before = copy.content->bytes,
                              .after = edit->bytes,
                              .diff = unifiedDiff(copy.path, copy.content->bytes, edit->bytes),
                              .expectedSha256 = copy.content->sha256});
    }
    return plans;
}

std::string flagWritesJson(const std::vector<FlagWrite> &writes)
{
    using nlohmann::ordered_json;
    ordered_json list = ordered_json::array();
    for (const FlagWrite &write : writes) {
        ordered_json entry{{"node", validUtf8(write.node)},
                           {"path", validUtf8(write.path)},
                           {"as_wanted", write.asWanted},
                           {"changed", write.changed}};
        if (write.changed) {
            entry["before"] = validUtf8(write.before);
            entry["after"] = validUtf8(write.after);
        }
        if (write.problem) entry["problem"] = validUtf8(write.problem->message);
        list.push_back(std::move(entry));
    }
    return list.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace rankdeck
