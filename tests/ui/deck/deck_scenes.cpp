// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/deck/deck_scenes.h"

#include <cmath>
#include <limits>
#include <random>

namespace rankdeck::ui::deckscenes {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

WallTime now()
{
    static const WallTime at = wallNow();
    return at;
}

std::string nodeName(int index)
{
    const std::string digits = std::to_string(index + 1);
    return "ascend-" + (digits.size() < 2 ? "0" + digits : digits);
}

double lossAt(std::int64_t step, int rank, std::mt19937 &random)
{
    const double at = static_cast<double>(step);
    const double trend = 2.30 + 8.0 * std::exp(-at / 9000) + 0.012 * std::sin(at / 97) + 0.018 * std::sin(at / 411);
    return trend + std::normal_distribution<double>(0, 0.022)(random) + 0.004 * (rank % 3 - 1);
}

void train(Run &run, int attempt, int ranks, std::int64_t from, std::int64_t to, std::int64_t every,
           const std::function<double(int rank, std::int64_t step, double loss)> &bend = {})
{
    for (int rank = 0; rank < ranks; ++rank) {
        std::mt19937 random(static_cast<unsigned>(rank * 7919 + attempt));
        std::vector<Sample> samples;
        for (std::int64_t step = from; step <= to; step += every) {
            Sample sample;
            sample.globalStep = step;
            sample.loss = lossAt(step, rank, random);
            if (bend) sample.loss = bend(rank, step, sample.loss);
            sample.learningRate = 1e-4 * static_cast<double>(50'000 - step);
            sample.throughput = 3'900 + static_cast<double>(step % 7);
            sample.offset = static_cast<std::uint64_t>(step - from) * 60;
            samples.push_back(sample);
        }
        run.add(rank, attempt, samples, now() - milliseconds(400));
    }
}

Snapshot base(int ranks, int nodes, int attempt, std::int64_t last, const Run &run)
{
    Snapshot s;
    s.at = now();
    s.settled = true;
    s.samples = run.sampleCount();
    s.view.job.name = "pangu-2.6b";
    s.view.job.worldSize = ranks;
    s.view.job.checkpoints.path = "/job/ckpt/rank_{rank}";
    s.view.attempt = attempt;
    s.view.attempts = run.attempts();
    s.view.stepSeconds = 4.21;
    for (int i = 0; i < nodes; ++i) {
        NodeStatus node;
        node.name = nodeName(i);
        node.state = NodeState::live;
        node.lastContact = now() - milliseconds(400 + 200 * i % 400);
        s.view.nodes.push_back(node);
        s.view.job.nodes.push_back({node.name, node.name});
    }
    for (int rank = 0; rank < ranks; ++rank) {
        RankState state;
        state.rank = rank;
        state.node = nodeName(rank * nodes / ranks);
        state.alive = true;
        state.logPath = "/job/msrun_log/worker_" + std::to_string(rank) + ".log";
        if (last > 0) {
            state.progress = run.progress(rank);
            state.progress.rank = rank;
            state.progress.attempt = attempt;
            state.progress.position = last;
            state.progress.heard = now() - milliseconds(rank * nodes / ranks % 2 == 0 ? 400 : 600);
        }
        s.view.ranks.push_back(state);
    }
    return s;
}

void price(Snapshot &s, std::int64_t last, std::int64_t valid)
{
    const auto steps = static_cast<double>(last - valid);
    s.view.lostWork = {last - valid, steps * 4.21, steps * 4.21 * static_cast<double>(s.view.ranks.size()) / 3600,
                       valid, true};
}

void startThree(Run &run)
{
    run.beginAttempt(now() - seconds(160'000));
    run.beginAttempt(now() - seconds(40'000), 37'640);
    run.beginAttempt(now() - seconds(10'560), 38'200);
    run.setResumedFrom(1, 37'640);
    run.setResumedFrom(2, 38'200);
}

void trainThree(Run &run, std::int64_t last,
                const std::function<double(int rank, std::int64_t step, double loss)> &bend = {})
{
    startThree(run);
    train(run, 0, 8, 40, 37'700, 4);
    train(run, 1, 8, 37'641, 38'470, 1, [](int rank, std::int64_t step, double loss) {
        if (step > 38'300) loss += 2e-5 * std::pow(static_cast<double>(step - 38'300), 1.8) * 0.5;
        return rank == 3 && step >= 38'462 ? std::numeric_limits<double>::quiet_NaN() : loss;
    });
    train(run, 2, 8, 38'201, last, 1, bend);
}

void addSets(Snapshot &s)
{
    auto &sets = s.view.checkpoints.sets;
    for (std::int64_t step = newestValid; step > 38'300; step -= 200) sets.push_back(setAt(step, Verdict::valid, 8, 2));
    CheckpointSet bad = setAt(38'400, Verdict::inconsistent, 8, 1);
    bad.members[3].state = MemberState::mismatch;
    bad.members[3].note = "NaN weights";
    bad.reasons = {{"nan_weights", 3, "rank 3 holds NaN"}};
    sets.push_back(bad);
    sets.push_back(setAt(38'200, Verdict::valid, 8, 1));
    sets.push_back(setAt(38'000, Verdict::valid, 8, 1));
    sets.push_back(setAt(37'800, Verdict::valid, 8, 1));
    CheckpointSet exit = setAt(37'640, Verdict::valid, 8, 0);
    exit.kind = CheckpointKind::graceful;
    sets.push_back(exit);
    sets.push_back(setAt(37'570, Verdict::validUnproven, 8, 0));
    sets.push_back(setAt(37'400, Verdict::valid, 8, 0));
    s.view.checkpoints.worldSize = 8;
    s.view.checkpoints.recommended = "2:40600";
}

}  // namespace

CheckpointSet setAt(std::int64_t step, Verdict verdict, int ranks, int attempt)
{
    CheckpointSet set;
    set.id = std::to_string(attempt) + ":" + std::to_string(step);
    set.attempt = attempt;
    set.globalStep = set.position = step;
    set.verdict = verdict;
    set.time = now() - seconds((lastStep + 400 - step) * 4);
    for (int rank = 0; rank < ranks; ++rank) {
        MemberVerdict member;
        member.rank = rank;
        member.path = "/job/ckpt/rank_" + std::to_string(rank) + "/pangu-1_" + std::to_string(step) + ".ckpt";
        member.state = MemberState::ok;
        member.level = EvidenceLevel::L3;
        member.bytes = 494'000'128;
        set.members.push_back(member);
    }
    return set;
}

Snapshot advanced(const Snapshot &snapshot, std::int64_t by)
{
    Snapshot s = snapshot;
    for (RankState &rank : s.view.ranks)
        if (rank.progress.position) *rank.progress.position += by;
    s.samples += static_cast<std::uint64_t>(by) * s.view.ranks.size();
    return s;
}

std::unique_ptr<FixedFeed> healthy()
{
    auto feed = std::make_unique<FixedFeed>();
    trainThree(feed->run(), lastStep);
    Snapshot s = base(8, 2, 2, lastStep, feed->run());
    s.view.ranks[6].progress.position = lastStep - 1;
    addSets(s);
    price(s, lastStep, newestValid);
    feed->set(s);
    return feed;
}

std::unique_ptr<FixedFeed> trouble()
{
    constexpr std::int64_t last = 41'037;
    auto feed = std::make_unique<FixedFeed>();
    trainThree(feed->run(), last, [](int rank, std::int64_t step, double loss) {
        return rank == 5 && step > 40'650 ? loss + static_cast<double>(step - 40'650) * 4.5e-4 : loss;
    });
    Snapshot s = base(8, 2, 2, last, feed->run());
    addSets(s);
    CheckpointSet torn = setAt(40'800, Verdict::corrupt, 8, 2);
    torn.members[2].state = MemberState::torn;
    torn.members[2].note = "12 MB short";
    torn.reasons = {{"torn", 2, "rank 2 ends 12,189,696 B early"}};
    CheckpointSet incomplete = setAt(41'000, Verdict::incomplete, 8, 2);
    incomplete.members[5].state = MemberState::missing;
    incomplete.members[5].note = ".tmp only";
    incomplete.reasons = {{"temp_file", 5, "rank 5 has only a .tmp, 212 of 494 MB"}};
    auto &sets = s.view.checkpoints.sets;
    sets.insert(sets.begin(), {incomplete, torn});
    for (RankState &rank : s.view.ranks) rank.progress.heard = now() - seconds(131);
    for (int rank = 0; rank < 4; ++rank) s.view.ranks[static_cast<std::size_t>(rank)].progress.position = last - 1;
    s.view.ranks[5].alive = false;
    s.view.ranks[5].exitCode = 1;
    s.view.nodes[0].state = NodeState::stale;
    s.view.nodes[0].lastContact = now() - seconds(48);
    Event died;
    died.id = 5;
    died.time = now() - seconds(131);
    died.rank = 5;
    died.attempt = 2;
    died.kind = EventKind::rankDied;
    died.position = last;
    s.view.recentEvents = {died};
    price(s, last, newestValid);
    feed->set(s);
    return feed;
}

std::unique_ptr<FixedFeed> resumed()
{
    constexpr std::int64_t last = 40'655;
    auto feed = std::make_unique<FixedFeed>();
    trainThree(feed->run(), 41'037);
    feed->run().beginAttempt(now() - seconds(258), newestValid);
    feed->run().setResumedFrom(3, newestValid);
    train(feed->run(), 3, 8, newestValid + 1, last, 1);
    Snapshot s = base(8, 2, 3, last, feed->run());
    addSets(s);
    CheckpointSet torn = setAt(40'800, Verdict::corrupt, 8, 2);
    torn.members[2].state = MemberState::torn;
    CheckpointSet incomplete = setAt(41'000, Verdict::incomplete, 8, 2);
    incomplete.members[5].state = MemberState::missing;
    auto &sets = s.view.checkpoints.sets;
    sets.insert(sets.begin(), {incomplete, torn});
    price(s, last, newestValid);
    feed->set(s);
    return feed;
}

std::unique_ptr<FixedFeed> many(int ranks, int sets, std::int64_t every)
{
    constexpr std::int64_t last = 61'312;
    auto feed = std::make_unique<FixedFeed>();
    feed->run().beginAttempt(now() - seconds(300'000));
    train(feed->run(), 0, ranks, 20'000, last, every, [](int rank, std::int64_t step, double loss) {
        const auto ramp = [step](std::int64_t from, double most) {
            return most * std::clamp(static_cast<double>(step - from) / 3000.0, 0.0, 1.0);
        };
        if (rank == 311) return loss + ramp(57'000, 0.36);
        if (rank == 87) return loss + ramp(52'600, 0.20);
        return rank == 440 ? loss - ramp(59'000, 0.18) : loss;
    });
    Snapshot s = base(ranks, std::max(1, ranks / 8), 0, last, feed->run());
    for (int i = 0; i < sets; ++i) {
        const std::int64_t step = 61'000 - (sets > 80 ? 200 : 500) * i;
        CheckpointSet set = setAt(step, Verdict::valid, ranks, 0);
        const auto spoil = [&](int rank, MemberState state, Verdict verdict) {
            if (rank >= ranks) return;
            set.members[static_cast<std::size_t>(rank)].state = state;
            if (state == MemberState::missing) set.members[static_cast<std::size_t>(rank)].path.clear();
            set.verdict = verdict;
        };
        if (i == 6) {
            for (const int rank : {87, 311, 440}) spoil(rank, MemberState::torn, Verdict::corrupt);
        }
        if (i == 34)
            for (int rank = 256; rank < 320; ++rank) spoil(rank, MemberState::mismatch, Verdict::inconsistent);
        if (i == 68)
            for (int rank = 96; rank < 104; ++rank) spoil(rank, MemberState::missing, Verdict::incomplete);
        s.view.checkpoints.sets.push_back(std::move(set));
    }
    s.view.checkpoints.worldSize = ranks;
    if (s.view.nodes.size() > 57) {
        s.view.nodes[57].state = NodeState::lost;
        s.view.nodes[57].retryInSeconds = 6;
        s.view.nodes[10].state = NodeState::stale;
        s.view.nodes[10].lastContact = now() - seconds(9);
    }
    price(s, last, 61'000);
    feed->set(s);
    return feed;
}

std::unique_ptr<FixedFeed> empty()
{
    auto feed = std::make_unique<FixedFeed>();
    feed->set(base(8, 2, -1, 0, feed->run()));
    return feed;
}

}  // namespace rankdeck::ui::deckscenes
