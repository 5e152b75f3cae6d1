// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/checkpoints/offline_check.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/checkpoint/formats/formats.h"
#include "core/checkpoint/inventory/inventory.h"
#include "core/checkpoint/listing_tree.h"
#include "core/checkpoint/survey/survey.h"
#include "core/engine/checkpoints/judge_loop.h"
#include "core/engine/checkpoints/two_looks.h"
#include "core/node/transport/session_factory.h"

#include <algorithm>
#include <thread>

namespace rankdeck {
namespace {

constexpr const char *loneName = "node";
constexpr int wholeTree = 32;  // the greatest depth that the probe lists; the folders of the job are unknown here
constexpr auto betweenLooks = std::chrono::milliseconds(1000);

Error lastError(const std::string &what, const NodeStatus &status)
{
    const std::string reason = status.reason.empty() ? "no answer in time" : status.reason;
    // A script need not distinguish a node that refuses the login from one that is off.
    return fail(ErrorKind::unreachable, what + ": " + reason);
}

// A directory or prefix that is one checkpoint of several files.
std::optional<Member> checkpointAt(NodeClient &node, std::string path)
{
    path = withoutSlash(std::move(path));
    for (const auto &[root, depth] : {std::pair(path, partDepth), std::pair(dirName(path), 1)}) {
        const Result<Listing> listing = node.list({root, depth}).get();
        if (!listing || !listing->error.empty()) continue;
        const ListingTree tree(*listing);
        for (Composite &found : findComposites(tree)) {
            if (found.whole.path != path) continue;
            Member member;
            member.node = loneName;
            member.file = std::move(found.whole);
            member.name = std::move(found.name);
            member.parts = std::move(found.parts);
            return member;
        }
    }
    return std::nullopt;
}

// One file, from its first read.
Result<Member> fileMember(NodeClient &node, const std::string &path)
{
    // The size of the file is in the answer to the first ranged read.
    Result<std::vector<RangeReply>> look = node.read({{path, 0, 1, false}}).get();
    if (!look) return look.error();
    if (look->empty()) return fail(ErrorKind::protocol, message("The node returned nothing about %1", path));
    if (!look->front().error.empty())
        return fail(ErrorKind::notFound,
                    message("Cannot read %1: %2", printable(path), printable(look->front().error)));
    Member member;
    member.node = loneName;
    member.file.path = path;
    member.file.stat = look->front().stat;
    if (const std::optional<ParsedName> name = parseCheckpointName(baseName(path), "")) member.name = *name;
    return member;
}

Result<Member> memberAt(NodeClient &node, const std::string &path)
{
    Result<Member> member = fileMember(node, path);
    if (!member && member.error().kind == ErrorKind::notFound)
        if (auto several = checkpointAt(node, path)) member = std::move(*several);
    return member;
}

Job jobOf(const std::string &directory)
{
    Job job;
    job.name = directory;
    job.nodes.push_back({.name = loneName, .host = "local"});
    job.checkpoints.depth = wholeTree;
    job.checkpoints.path = replaceAll(replaceAll(directory, "{", "{{"), "}", "}}");
    return job;
}

Result<std::vector<NodeListing>> listAll(NodeClient &node, const Job &job)
{
    std::vector<NodeListing> listings;
    for (const ListRequest &root : checkpointRoots(job, job.nodes.front())) {
        Result<Listing> listing = node.list(root).get();
        if (!listing) return listing.error();
        if (!listing->error.empty())
            return fail(ErrorKind::notFound,
                        message("Cannot list %1: %2", printable(job.name), printable(listing->error)));
        listings.emplace_back(loneName, std::move(*listing));
    }
    return listings;
}

CheckpointReport judgeOnce(Survey &survey, const JudgeRound &round, const std::function<bool()> &stopped)
{
    CheckpointReport last;
    JudgeLoop loop;
    loop.look = [&] { return round; };
    loop.told = [&](const JudgeRound &, CheckpointReport report) { last = std::move(report); };
    loop.stopped = stopped;
    judgeUntilKnown(survey, loop);
    last.settled = true;  // no further reads will follow
    return last;
}

}  // namespace

struct SingleNode::NullListener final : NodeListener {
    void nodeStatus(const std::string &, const NodeStatus &) override {}
    void tailChunk(const std::string &, TailChunk) override {}
    void tailEvent(const std::string &, TailEvent) override {}
    void directory(const std::string &, int, Listing) override {}
    void processes(const std::string &, ProcessList) override {}
};

SingleNode::SingleNode() : m_listener(std::make_unique<NullListener>()) {}
SingleNode::~SingleNode() = default;

Result<std::unique_ptr<SingleNode>> SingleNode::connect(const std::string &host, const ConnectOptions &options,
                                                        double timeoutSeconds)
{
    NodeSpec spec;
    spec.name = loneName;
    spec.host = host.empty() ? "local" : host;
    spec.transport = spec.host == "local" ? TransportKind::local : TransportKind::libssh;
    return connect(std::move(spec), options, timeoutSeconds);
}

Result<std::unique_ptr<SingleNode>> SingleNode::connect(NodeSpec spec, const ConnectOptions &options,
                                                        double timeoutSeconds)
{
    auto lone = std::unique_ptr<SingleNode>(new SingleNode);
    lone->m_node = std::make_unique<Node>(spec, options, makeSessionFactory(), *lone->m_listener);
    lone->m_node->start();
    const SteadyTime deadline = steadyNow() + std::chrono::milliseconds(static_cast<long long>(timeoutSeconds * 1000));
    for (;;) {
        const NodeStatus status = lone->m_node->status();
        if (status.state == NodeState::live) return lone;
        const bool over = status.state == NodeState::refused || status.state == NodeState::unsupported ||
                          status.state == NodeState::lost;
        if (over || steadyNow() > deadline) return lastError("Cannot read " + spec.host, status);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

Result<CheckpointReport> judgeDirectory(NodeClient &node, const std::string &directory, int worldSize, bool explain,
                                        const std::function<bool()> &stopped)
{
    const Job job = jobOf(directory);
    const SteadyTime started = steadyNow();
    Result<std::vector<NodeListing>> listings = listAll(node, job);
    if (!listings) return listings.error();
    Expectation expected;
    expected.worldSize = worldSize;
    expected.worldSizeFrom = worldSize > 0 ? "option" : "directories";
    expected.explain = explain;
    expected.running = false;  // there is no sign of a writer, so absent files are missing and not late
    expected.now = wallNow();
    Survey survey([&](const std::string &) { return &node; });
    auto inventory = std::make_shared<const Inventory>(buildInventory(job, *listings));
    CheckpointReport report = judgeOnce(survey, {inventory, expected}, stopped);
    if (!mayBeWritten(report, expected.now)) return report;
    while (steadyNow() - started < betweenLooks && !stopped())
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    listings = listAll(node, job);
    if (!listings || stopped()) return report;
    Inventory again = buildInventory(job, *listings);
    expected.now = wallNow();
    expected.running = markGrowing(again, *inventory, expected.now);
    if (std::none_of(again.members.begin(), again.members.end(), [](const Member &m) { return m.growing; }))
        return report;
    return judgeOnce(survey, {std::make_shared<const Inventory>(std::move(again)), expected}, stopped);
}

std::vector<Result<Evidence>> inspectFiles(NodeClient &node, const std::vector<std::string> &paths)
{
    Survey survey([&](const std::string &) { return &node; });
    std::vector<Result<Evidence>> out;
    std::vector<std::pair<std::size_t, Member>> open;  // incomplete files that were written just before
    const WallTime now = wallNow();
    for (const std::string &path : paths) {
        const Result<Member> member = memberAt(node, path);
        if (!member) {
            out.emplace_back(member.error());
            continue;
        }
        std::vector<Evidence> evidence = survey.read({*member}, EvidenceLevel::L3);
        if (evidence.empty()) {
            out.emplace_back(fail(ErrorKind::internal, message("No data was read from %1", printable(path))));
            continue;
        }
        if (!evidence.front().complete.isYes() && mayBeWritten(*member, now)) open.emplace_back(out.size(), *member);
        out.emplace_back(std::move(evidence.front()));
    }
    if (open.empty()) return out;
    std::this_thread::sleep_until(now + betweenLooks);
    for (const auto &[at, before] : open) {
        const Result<Member> again = memberAt(node, paths[at]);
        if (!again || isSame(*again, before)) continue;
        out[at]->complete = std::nullopt;
        out[at]->problems.insert(out[at]->problems.begin(),
                                 {"still_growing", 0, "it changed while it was read: it is being written"});
    }
    return out;
}

}  // namespace rankdeck
