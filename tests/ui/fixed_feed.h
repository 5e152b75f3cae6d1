// SPDX-License-Identifier: GPL-3.0-or-later
// A JobFeed whose values a test sets, and which counts and records its requests. Answers come at once, or when the test
// releases them.
#pragma once

#include "ui/feed/job_feed.h"

#include <QString>

#include <map>

namespace rankdeck::ui {

class FixedFeed : public JobFeed {
public:
    FixedFeed() = default;

    void set(Snapshot snapshot)
    {
        snapshot.generation = ++m_generation;
        m_snapshot = std::make_shared<const Snapshot>(std::move(snapshot));
        Q_EMIT changed();
    }
    Run &run() { return m_run; }

    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const override { return m_snapshot; }
    void withRun(const std::function<void(const Run &)> &use) const override { use(m_run); }
    [[nodiscard]] bool offline() const override { return isOffline; }
    void answer(const QString &node, Answer answer) override { answers[node] = std::move(answer); }
    void retryNow(const QString &node) override { retried << node; }
    void setOnScreen(std::vector<int> ranks) override { onScreen = std::move(ranks); }
    void readLog(int rank, std::uint64_t offset, std::uint32_t bytes,
                 std::function<void(Result<RangeReply>)> done) override
    {
        const auto log = logs.find(rank);
        if (log == logs.end()) return done(fail(ErrorKind::notFound, "no log of this rank"));
        RangeReply reply;
        reply.offset = std::min<std::uint64_t>(offset, log->second.size());
        reply.bytes = log->second.substr(static_cast<std::size_t>(reply.offset), bytes);
        reply.stat.size = log->second.size();
        reply.stat.inode = logInode;
        done(std::move(reply));
    }
    void inspect(const QString &setId, int rank, std::function<void(Result<Inspection>)> done) override
    {
        const auto found = evidence.find({setId, rank});
        if (found == evidence.end()) return done(fail(ErrorKind::notFound, "nothing is known of this file"));
        done(Inspection{found->second, places});
    }
    void checkDeeper(const QString &, std::function<void(double)> progress, std::function<void(bool)> done) override
    {
        progress(0.25);
        deeper = std::move(done);
    }
    void cancelDeeper() override
    {
        if (const auto done = std::exchange(deeper, {})) done(false);
    }
    Status startExit(ExitOptions options) override
    {
        exits.push_back(std::move(options));
        return actStatus;
    }
    Status cancelExit() override
    {
        ++cancels;
        return actStatus;
    }
    Status escalate(ConfirmedRung rung) override
    {
        rungs.push_back(std::move(rung));
        return actStatus;
    }
    Status startResume(ResumeOptions options) override
    {
        resumes.push_back(std::move(options));
        return actStatus;
    }
    void planResume(ResumeOptions options, std::function<void(Result<ResumeReport>)> done) override
    {
        plansAsked.push_back(options);
        if (plan) done(plan(options));
    }
    void keep(KeepOptions options, std::function<void(KeepReport)> done) override
    {
        keeps.push_back(options);
        if (keepAnswer) done(*keepAnswer);
    }
    void readStacks(std::function<void(std::vector<RankStack>)> done) override
    {
        ++stacksAsked;
        done(stacks);
    }
    void readJournal(std::function<void(std::vector<JournalEntry>)> done) override { done(journal); }

    bool isOffline = false;
    std::map<QString, Answer> answers;
    QStringList retried;
    std::vector<int> onScreen;
    std::map<int, std::string> logs;
    std::uint64_t logInode = 7;
    std::map<std::pair<QString, int>, Evidence> evidence;
    std::vector<PlacedPart> places = {};  // places of every file that is inspected
    std::function<void(bool)> deeper;     // callback of a deep check that is not answered yet
    std::vector<ExitOptions> exits;
    std::vector<ConfirmedRung> rungs;
    int cancels = 0;
    std::vector<ResumeOptions> resumes, plansAsked;
    std::function<Result<ResumeReport>(const ResumeOptions &)> plan;
    std::vector<JournalEntry> journal;
    std::vector<RankStack> stacks;
    int stacksAsked = 0;
    std::vector<KeepOptions> keeps;
    std::optional<KeepReport> keepAnswer;
    Status actStatus = Done{};

private:
    std::shared_ptr<const Snapshot> m_snapshot = std::make_shared<const Snapshot>();
    std::uint64_t m_generation = 0;
    Run m_run{100};
};

}  // namespace rankdeck::ui
