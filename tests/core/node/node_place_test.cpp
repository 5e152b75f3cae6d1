// SPDX-License-Identifier: GPL-3.0-or-later
// Only one attempt can run per directory of logs and checkpoints, whatever the name of the job and wherever it keeps
// its records.
#include "tests/core/node/job_claim_fixture.h"
#include "tests/testbed/process_count.h"
#include "tests/testbed/races.h"

#include <array>
#include <cstdlib>
#include <map>

namespace rankdeck::node_place_test {
namespace {

// Job files with different names and working directories that use one log directory, by several paths, which may not
// exist yet. Regression: they shared no lock, and both attempts ran.
class SharedPlace : public NodeJobClaim {
protected:
    SharedPlace()
    {
        std::filesystem::create_directories(path("disk/b/log"));
        std::filesystem::create_directory_symlink(path("disk"), path("link"));
    }
    [[nodiscard]] std::string runs(std::size_t console) const { return path("run" + std::to_string(console)); }
    [[nodiscard]] static JobClaim claimOn(std::size_t console, const std::vector<std::string> &places)
    {
        const std::string name = std::to_string(console);
        return {.key = "job" + name, .action = "a" + name, .text = "", .places = places};
    }
};

TEST_F(SharedPlace, IsHeldByOneActionWhateverPathLeadsToIt)
{
    connect();
    OtherConsole other;
    for (const auto &[mine, theirs] :
         std::vector<std::pair<std::string, std::string>>{{"disk/b/log", "disk/b/log"},
                                                          {"disk/b/log", "link/b/log"},
                                                          {"disk/b/log", "disk/./b/../b/log/"},
                                                          {"disk/not/yet", "link/not/yet"}}) {
        ASSERT_TRUE(node->reserveJob(claimOn(1, {path(mine), path("own1")}), runs(1)).get().has_value());
        const JobClaim wanted = claimOn(2, {path("own2"), path(theirs)});
        const Status refused = other->reserveJob(wanted, runs(2)).get();
        ASSERT_FALSE(refused.has_value()) << theirs;
        EXPECT_EQ(refused.error().detail, jobHeldDetail);
        EXPECT_NE(refused.error().message.find(path(theirs)), std::string::npos) << refused.error().message;
        auto holder = other->jobHolder(wanted, runs(2)).get();
        ASSERT_TRUE(holder.has_value()) << holder.error().message;
        EXPECT_EQ(holder->held, true);
        EXPECT_TRUE(holder->reserved);
        EXPECT_TRUE(
            other->reserveJob(claimOn(3, {path("own1") + "x", path("disk/b"), path("disk/b/log/deeper")}), runs(3))
                .get()
                .has_value())
            << "beside it, above it and below it are other places";
        ASSERT_TRUE(other->releaseJob(claimOn(3, {}), runs(3)).get().has_value());
        ASSERT_TRUE(node->releaseJob(claimOn(1, {}), runs(1)).get().has_value());
        EXPECT_EQ(other->jobHolder(wanted, runs(2)).get()->held, false);
        EXPECT_TRUE(other->reserveJob(wanted, runs(2)).get().has_value());
        ASSERT_TRUE(other->releaseJob(wanted, runs(2)).get().has_value());
    }
}

TEST_F(SharedPlace, BelongsToTheLaunchUntilItEndsEvenIfMovedOrCreatedLater)
{
    connect();
    LaunchRequest first = claiming("a1", "0");
    first.job = claimOn(1, {path("disk/b/log"), path("disk/new")});
    started(first);
    std::filesystem::rename(path("disk/b/log"), path("disk/b/log.attempt-0"));
    std::filesystem::create_directories(path("disk/b/log"));
    std::filesystem::create_directories(path("disk/new"));
    OtherConsole other;
    for (const char *place : {"link/b/log", "disk/new", "disk/b/log.attempt-0/../log"}) {
        LaunchRequest second = claiming("a2", "0");
        second.runDirectory = runs(2);
        second.job = claimOn(2, {path(place)});
        const auto refused = other->launch(second).get();
        ASSERT_FALSE(refused.has_value()) << place;
        EXPECT_EQ(refused.error().detail, jobHeldDetail);
        EXPECT_NE(refused.error().message.find("launch a1-0"), std::string::npos) << refused.error().message;
        EXPECT_EQ(other->launchStatus("a2-0", runs(2)).get().error().kind, ErrorKind::notFound);
        auto holder = other->jobHolder(second.job, runs(2)).get();
        ASSERT_TRUE(holder.has_value()) << holder.error().message;
        EXPECT_TRUE(holder->held == true && !holder->reserved);
    }
    LaunchRequest same = claiming("a1", "1");
    same.runDirectory = runs(1);
    same.job = first.job;
    auto also = other->launch(same).get();
    ASSERT_TRUE(also.has_value()) << "of one action, over another link: " << also.error().message;
    toKill.push_back(also->process.pid);
    for (const int pid : toKill) ASSERT_EQ(::kill(pid, SIGKILL), 0);
    const JobClaim next = claimOn(3, {path("disk/b/log")});
    EXPECT_TRUE(eventually([&] { return node->reserveJob(next, runs(3)).get().has_value(); }));
}

TEST_F(SharedPlace, IsReservedByOneOfManyConsoles)
{
    const int races = raceRounds();
    constexpr int atOnce = 10;
    std::array<OtherConsole, 4> consoles;
    const std::array<std::string, 4> ways{"disk/", "link/", "disk/b/../", "link/b/.././"};
    int ran = 0;
    for (int first = 0; first < races; first += atOnce) {
        std::map<int, std::vector<Reply<LaunchReply>>> launches;
        for (int race = first; race < first + atOnce; ++race)
            for (std::size_t turn = 0; turn < consoles.size(); ++turn) {
                const std::size_t at = (turn + static_cast<std::size_t>(race)) % consoles.size();
                const std::string name = std::to_string(race) + "." + std::to_string(at);
                const std::vector<std::string> places{path(ways.at(at) + "ckpt" + std::to_string(race)),
                                                      path(ways.at(at) + "log" + std::to_string(race))};
                launches[race].push_back(consoles.at(at)->launch(
                    {.id = "l" + name,
                     .runDirectory = runs(at),
                     .argv = {"/bin/sh", "-c", "exec sleep 60"},
                     .output = path("log" + std::to_string(race) + "/" + std::to_string(at)),
                     .job = {.key = "j" + name, .action = "a" + name, .text = "", .places = places}}));
            }
        for (auto &[race, all] : launches) {
            int won = 0;
            for (Reply<LaunchReply> &reply : all) {
                const auto got = reply.get();
                won += got.has_value();
                if (got)
                    toKill.push_back(got->process.pid);
                else
                    EXPECT_EQ(got.error().detail, jobHeldDetail) << got.error().message;
            }
            EXPECT_EQ(won, 1) << race;
            ran += won;
        }
        for (const int pid : toKill) ::kill(pid, SIGKILL);
        toKill.clear();
    }
    EXPECT_EQ(ran, races);
}

}  // namespace
}  // namespace rankdeck::node_place_test
