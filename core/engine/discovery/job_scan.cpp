// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/discovery/job_scan.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/checkpoint/inventory/inventory.h"
#include "core/checkpoint/survey/survey.h"
#include "core/engine/checkpoints/judge_loop.h"
#include "core/node/wait_for.h"
#include "core/parse/log_parser.h"
#include "core/recover/host/job_places.h"

#include <map>
#include <utility>

namespace rankdeck {

namespace {

constexpr std::size_t mostLogs = 64;
constexpr std::uint32_t logEnd = 64u << 10;

void readEnd(const RangeReply &reply, const Job &job, LogScan &into)
{
    const auto parser = LogParser::make(job.logs, LogRole::worker);
    if (!parser) return;
    Parsed parsed;
    std::size_t from = 0;
    if (reply.offset > 0) from = std::min(reply.bytes.find('\n'), reply.bytes.size() - 1) + 1;  // a part of a line
    for (std::size_t end = reply.bytes.find('\n', from); end != std::string::npos;
         from = end + 1, end = reply.bytes.find('\n', from))
        (*parser)->line(std::string_view(reply.bytes).substr(from, end - from), reply.offset + from, parsed);
    if (parsed.samples.empty()) return;
    ++into.withLoss;
    if (!into.newest) into.newest = parsed.samples.back();
}

Expectation expectationOf(const Job &job)
{
    Expectation expected;
    expected.worldSize = job.ranks();
    expected.frameworkName = frameworkName(job.framework);
    expected.stepsPerEpoch = job.stepsPerEpoch;
    expected.now = wallNow();
    takeReplicas(job, expected);
    return expected;
}

std::vector<NodeListing> listAll(const Job &job, const NodeByName &nodes, SteadyTime deadline, std::string &problem)
{
    std::vector<std::pair<std::string, Reply<Listing>>> replies;
    for (const NodeSpec &spec : job.nodes) {
        NodeClient *client = nodes(spec.name);
        if (client == nullptr) {
            problem = spec.name + " is not connected";
            continue;
        }
        for (const ListRequest &root : checkpointRoots(job, spec)) replies.emplace_back(spec.name, client->list(root));
        if (job.pathsShared) break;
    }
    std::vector<NodeListing> listings;
    for (auto &[node, reply] : replies) {
        auto listing = waitFor(reply, deadline, node);
        if (!listing)
            problem = listing.error().message;
        else if (!listing->error.empty())
            problem = node + ": " + printable(listing->root) + ": " + printable(listing->error);
        else
            listings.emplace_back(node, std::move(*listing));
    }
    return listings;
}

LogScan readEnds(const std::vector<DiscoveredRank> &ranks, const Job &job, const NodeByName &nodes, SteadyTime deadline)
{
    std::map<std::string, std::vector<RangeRequest>> wanted;
    LogScan look;
    for (const DiscoveredRank &rank : ranks) {
        if (rank.log.empty() || look.asked >= mostLogs) continue;
        ++look.asked;
        wanted[rank.node].push_back({.path = rank.log, .offset = logEnd, .length = logEnd, .fromEnd = true});
    }
    std::vector<std::pair<std::string, Reply<std::vector<RangeReply>>>> replies;
    for (auto &[node, ranges] : wanted)
        if (NodeClient *client = nodes(node)) replies.emplace_back(node, client->read(std::move(ranges)));
    for (auto &[node, reply] : replies) {
        const auto ends = waitFor(reply, deadline, node);
        if (!ends) {
            look.problem = ends.error().message;
            continue;
        }
        for (const RangeReply &end : *ends) {
            if (!end.error.empty()) {
                look.problem = node + ": " + printable(end.error);
                continue;
            }
            ++look.readable;
            look.writtenNs = std::max(look.writtenNs, end.stat.mtimeNs);
            readEnd(end, job, look);
        }
    }
    return look;
}

}  // namespace

LogScan scanLogs(const DiscoveredJob &job, const NodeByName &nodes, SteadyTime deadline)
{
    return readEnds(job.ranks, job.job, nodes, deadline);
}

LogScan scanLogs(const Job &job, const NodeByName &nodes, SteadyTime deadline)
{
    std::vector<DiscoveredRank> ranks;
    for (const NodeSpec &node : job.nodes) {
        if (job.logs.path.empty() || nodes(node.name) == nullptr) continue;
        for (const int rank : node.ranks)
            if (auto path = pathOfRank(job, job.logs.path, rank))
                ranks.push_back({.rank = rank, .node = node.name, .log = std::move(path).value()});
    }
    return readEnds(ranks, job, nodes, deadline);
}
std::optional<std::int64_t> newestStep(const LogScan &logs, const Job &job)
{
    if (!logs.newest) return {};
    const Sample &last = *logs.newest;
    const auto inEpoch = last.stepsPerEpoch > 0 ? last.stepsPerEpoch : job.stepsPerEpoch;
    if (last.globalStep) return last.globalStep;
    if (last.epoch && last.step && inEpoch > 0) return (*last.epoch - 1) * inEpoch + *last.step;
    return {};
}

CheckpointScan scanCheckpoints(const Job &job, const NodeByName &nodes, Survey &survey, SteadyTime deadline,
                               const std::function<bool()> &stopped)
{
    CheckpointScan look;
    if (job.checkpoints.path.empty()) return look;
    const auto inventory =
        std::make_shared<const Inventory>(buildInventory(job, listAll(job, nodes, deadline, look.problem)));
    const Expectation expected = expectationOf(job);
    JudgeLoop loop;
    loop.look = [&]() -> std::optional<JudgeRound> { return JudgeRound{inventory, expected}; };
    loop.told = [&](const JudgeRound &, CheckpointReport report) { look.report = std::move(report); };
    loop.stopped = [&] { return look.report.newestValid() != nullptr || stopped() || steadyNow() > deadline; };
    const bool all = judgeUntilKnown(survey, loop);
    std::size_t here = 0;
    for (const NodeSpec &node : job.nodes) here += node.ranks.size();
    const bool allListed = look.problem.empty() && (job.pathsShared || here >= static_cast<std::size_t>(job.ranks()));
    look.judged = look.report.newestValid() != nullptr || (all && allListed);
    return look;
}

}  // namespace rankdeck
