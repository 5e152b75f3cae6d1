// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/recover/test_host.h"

#include "core/base/text.h"
#include "core/node/transport/session_factory.h"
#include "core/node/wait_for.h"
#include "core/recover/flag/config_copies.h"
#include "core/recover/host/job_places.h"
#include "core/recover/host/rank_processes.h"
#include "core/recover/launch/recipe.h"
#include "tests/core/node/local_sessions.h"
#include "tests/testbed/paths.h"

#include <csignal>
#include <cstring>
#include <filesystem>
#include <regex>
#include <sys/stat.h>
#include <thread>

namespace rankdeck {

namespace fs = std::filesystem;

namespace {

const std::string sources = sourceDirectory() + "/tests/core/recover/";

std::string slurp(const std::string &path)
{
    std::ostringstream all;
    all << std::ifstream(path, std::ios::binary).rdbuf();
    return all.str();
}

FileStat statOf(const std::string &path)
{
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0) return {};
    return {.kind = 'f',
            .size = static_cast<std::uint64_t>(found.st_size),
            .mtimeNs = found.st_mtim.tv_sec * 1000000000LL + found.st_mtim.tv_nsec,
            .mode = found.st_mode & 07777u,
            .uid = found.st_uid,
            .device = found.st_dev,
            .inode = found.st_ino};
}

struct LogPicture {
    std::vector<PlacedSample> samples;
    std::optional<LogEvent> resumed;
    bool confirmed = false;
};

LogPicture pictureOf(const std::string &path)
{
    static const std::regex sample("epoch: (\\d+) step: (\\d+), loss is ([^ ]+)");
    static const std::regex load("resume from (.*): epoch (\\d+), step (\\d+), global_step (\\d+)");
    LogPicture picture;
    std::istringstream lines(slurp(path));
    std::smatch match;
    for (std::string line; std::getline(lines, line);) {
        if (std::regex_search(line, match, sample))
            picture.samples.push_back(
                {.step = (std::stoll(match[1]) - 1) * 10 + std::stoll(match[2]), .loss = std::stof(match[3])});
        if (std::regex_search(line, match, load)) {
            picture.resumed = LogEvent{.kind = EventKind::resumed, .text = line};
            picture.resumed->path = match[1];
            picture.resumed->epoch = std::stoll(match[2]);
            picture.resumed->step = std::stoll(match[3]);
            picture.resumed->globalStep = std::stoll(match[4]);
        }
        if (line.find("Graceful exit is triggered") != std::string::npos) picture.confirmed = true;
    }
    return picture;
}

}  // namespace

TestHost::TestHost(const std::vector<std::vector<int>> &ranks, const std::string &recipe, const TestNodes &where)
{
    m_journal = Journal::open(m_dir.file("state")).value();
    job.name = "fake";
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        job.nodes.push_back(
            {.name = "n" + std::to_string(i), .host = "local", .ranks = ranks[i], .transport = TransportKind::local});
        job.worldSize += static_cast<int>(ranks[i].size());
        if (!where.hosts.empty()) {
            job.nodes.back().host = where.hosts[i];
            job.nodes.back().transport = TransportKind::libssh;
        }
    }
    m_dir.write("job/graceful.json", "{\n  \"comment\": \"kept\",\n  \"GracefulExit\": 0\n}\n");
    m_dir.write("job/bin/msrun", slurp(sources + "fake_msrun.py"));
    fs::permissions(m_dir.file("job/bin/msrun"), fs::perms::owner_all);
    job.logs.path = m_dir.file("job/log/worker_{rank}.log");
    job.checkpoints.path = m_dir.file("job/ckpt/rank_{rank}");
    job.gracefulExit = {.config = m_dir.file("job/graceful.json"),
                        .saves = m_dir.file("job/ckpt/rank_{rank}/LeNet5_train.ckpt")};
    job.stepsPerEpoch = 10;
    job.launch.recipe = recipe;
    job.launch.workdir = m_dir.file("job");
    job.launch.command = {"python3", sources + "fake_rank.py", "--resume", "{checkpoint}"};
    job.launch.env = {{"FAKE_JOB", m_dir.file("job")}, {"MS_ENABLE_GRACEFUL_EXIT", "1"}};
    job.launch.msrun = m_dir.file("job/bin/msrun");
    job.launch.masterPort = 1;  // nobody can listen there
    m_old.resize(static_cast<std::size_t>(job.worldSize));
    for (const NodeSpec &spec : job.nodes) {
        m_nodes.emplace_back(spec.name,
                             std::make_unique<Node>(spec, ConnectOptions{.sshConfig = where.sshConfig},
                                                    makeSessionFactory(), static_cast<NodeListener &>(*this)));
        m_nodes.back().second->start(where.timing);
    }
    for (auto &[name, node] : m_nodes)
        if (!waitFor([&node = node] { return node->status().state == NodeState::live; }))
            throw std::runtime_error("the local node is not live");
}

TestHost::~TestHost()
{
    endAll();
    m_nodes.clear();
}

bool TestHost::waitFor(const std::function<bool()> &condition, double seconds) const
{
    for (const SteadyTime deadline = inSeconds(seconds); std::chrono::steady_clock::now() < deadline;) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return condition();
}

bool TestHost::exists(const std::string &name) const { return fs::exists(m_dir.file(name)); }

std::vector<int> TestHost::pids() const
{
    std::vector<int> found;
    const std::string mark = "FAKE_JOB=" + m_dir.file("job");
    for (const auto &entry : fs::directory_iterator("/proc")) {
        const std::string name = entry.path().filename();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        const std::string stat = slurp(entry.path() / "stat");
        const bool gone = stat.rfind(") Z") != std::string::npos || stat.empty();
        if (!gone && (slurp(entry.path() / "environ") + '\0').find(mark + '\0') != std::string::npos)
            found.push_back(std::stoi(name));
    }
    return found;
}

void TestHost::endAll()
{
    waitFor([this] {
        const auto left = pids();
        for (const int pid : left) ::kill(pid, SIGKILL);
        return left.empty();
    });
}

void TestHost::stopNode(const std::string &name)
{
    std::erase_if(m_nodes, [&](const auto &node) { return node.first == name; });
}

void TestHost::putBehind(const std::string &name, const std::vector<std::string> &words)
{
    for (auto &[own, node] : m_nodes) {
        if (own != name) continue;
        auto sessions = std::make_shared<LocalSessions>(LocalSessions::Wrap(), words);
        node = std::make_unique<Node>(
            *std::find_if(job.nodes.begin(), job.nodes.end(), [&](const NodeSpec &spec) { return spec.name == name; }),
            ConnectOptions{}, sessions, static_cast<NodeListener &>(*this));
        node->start();
        if (!waitFor([&node = node] { return node->status().state == NodeState::live; }))
            throw std::runtime_error("the node behind " + words.front() + " is not live");
    }
}

void TestHost::startFirst(std::size_t words)
{
    Job plain = job;
    plain.launch.command.resize(words);
    JobState picture{.job = plain};
    const CheckpointSet none;
    const auto plan = findRecipe(job.launch.recipe)->plan({.view = picture, .set = none, .id = "first"});
    for (const NodePlan &part : plan.nodes)
        for (const LaunchRequest &launch : part.launches) {
            auto reply = node(part.node)->launch(launch);
            const auto started = rankdeck::waitFor(reply, inSeconds(30), part.node);
            if (!started) throw std::runtime_error(started.error().message);
        }
    waitStep(6);
}

void TestHost::waitStep(std::int64_t step)
{
    const bool reached = waitFor([&] {
        for (int rank = 0; rank < job.ranks(); ++rank) {
            const auto log = pictureOf(pathOfRank(job, job.logs.path, rank).value());
            if (log.samples.empty() || log.samples.back().step < step) return false;
        }
        return true;
    });
    if (!reached) throw std::runtime_error("the ranks did not reach step " + std::to_string(step));
}

std::vector<std::string> TestHost::journalStates(const std::string &kind) const
{
    std::vector<std::string> states;
    for (const JournalEntry &entry : m_journal->read().value())
        if (entry.kind == kind) states.push_back(entry.state);
    return states;
}

RankState TestHost::rankState(int rank) const
{
    RankState state{.rank = rank, .node = job.nodeOf(rank)->name};
    state.logPath = pathOfRank(job, job.logs.path, rank).value();
    const LogPicture log = pictureOf(state.logPath);
    state.gracefulExitSeen = log.confirmed;
    state.resumed = log.resumed;
    if (!log.samples.empty()) {
        state.firstSamples.assign(log.samples.begin(),
                                  log.samples.begin() + std::ptrdiff_t(std::min(log.samples.size(), firstSamplesKept)));
        state.progress = {.rank = rank, .position = log.samples.back().step, .heard = std::chrono::system_clock::now()};
    }
    for (const int pid : pids()) {
        const std::string environment = slurp("/proc/" + std::to_string(pid) + "/environ");
        if (environment.find("MS_ROLE=MS_WORKER") == std::string::npos ||
            environment.find("RANK_ID=" + std::to_string(rank) + '\0') == std::string::npos)
            continue;
        const std::string stat = slurp("/proc/" + std::to_string(pid) + "/stat");
        std::istringstream fields(stat.substr(std::min(stat.size(), stat.rfind(')') + 1)));
        std::string word;
        ProcessInfo process;
        process.id.pid = pid;
        for (int field = 3; field < 22; ++field) {
            fields >> word;
            if (field == 3) process.state = word.front();
        }
        fields >> process.id.startTicks;
        state.process = process;
    }
    state.alive = state.process.has_value();
    state.seenAlive = true;
    return state;
}

CheckpointReport TestHost::report(Inventory &inventory) const
{
    static const std::regex name("lenet-(\\d+)_(\\d+)\\.ckpt|LeNet5_train\\.ckpt");
    std::map<std::pair<std::int64_t, bool>, CheckpointSet> sets;
    for (int rank = 0; rank < job.ranks(); ++rank) {
        const std::string directory = pathOfRank(job, job.checkpoints.path, rank).value();
        if (!fs::exists(directory)) continue;
        for (const auto &entry : fs::directory_iterator(directory)) {
            const std::string base = entry.path().filename();
            std::smatch match;
            if (!std::regex_match(base, match, name)) continue;
            const bool graceful = !match[1].matched;
            const std::string text = slurp(entry.path());
            std::int32_t step = 0;  // the value of the last parameter, global_step
            if (text.size() < sizeof step) continue;
            std::memcpy(&step, text.data() + text.size() - sizeof step, sizeof step);
            CheckpointSet &set = sets[{step, graceful}];
            const FileStat stat = statOf(entry.path());
            set.kind = graceful ? CheckpointKind::graceful : CheckpointKind::periodic;
            set.id = "0:" + std::to_string((step - 1) / 10 + 1) + "-" + std::to_string((step - 1) % 10 + 1) +
                     (graceful ? "-graceful" : "");
            set.epoch = (step - 1) / 10 + 1;
            set.step = (step - 1) % 10 + 1;
            set.globalStep = set.position = step;
            set.members.push_back({.rank = rank,
                                   .node = job.nodeOf(rank)->name,
                                   .path = entry.path(),
                                   .state = MemberState::ok,
                                   .bytes = stat.size,
                                   .time = wallFromNs(stat.mtimeNs)});
            inventory.members.push_back({.rank = rank,
                                         .node = job.nodeOf(rank)->name,
                                         .file = {.path = entry.path(), .stat = stat},
                                         .name = {}});
        }
    }
    CheckpointReport report{.worldSize = job.ranks(), .worldSizeFrom = "job"};
    report.framework = "test";
    for (auto set = sets.rbegin(); set != sets.rend(); ++set) {
        set->second.verdict =
            static_cast<int>(set->second.members.size()) == job.ranks() ? Verdict::valid : Verdict::incomplete;
        if (set->second.verdict != Verdict::valid)
            set->second.reasons.push_back({.code = "rank_missing", .text = "a rank has no file"});
        if (set->second.verdict == Verdict::valid && !report.recommended &&
            set->second.kind == CheckpointKind::periodic)
            report.recommended = set->second.id;
        report.sets.push_back(set->second);
    }
    return report;
}

std::vector<FlagState> TestHost::flags() const
{
    std::vector<FlagState> found;
    const auto places = configPlaces(job);
    if (!places) return found;
    for (const ConfigCopy &copy : places.value()) {
        FlagState flag{.node = copy.node, .path = copy.path};
        const bool there = fs::is_regular_file(copy.path);
        const auto reading = there && !copy.presence ? readFlag(slurp(copy.path)) : Result<FlagReading>(FlagReading{});
        flag.armed = copy.presence ? there : reading.ok() && reading->armed;
        if (reading) flag.value = flag.armed ? 1 : 0;
        found.push_back(flag);
    }
    return found;
}

JobState TestHost::view() const
{
    JobState view{.job = job};
    for (const NodeSpec &spec : job.nodes) {
        NodeStatus status{.name = spec.name, .state = NodeState::lost, .reason = "the link was cut"};
        for (const auto &[name, node] : m_nodes)
            if (name == spec.name) status = node->status();
        view.nodes.push_back(std::move(status));
    }
    for (int rank = 0; rank < job.ranks(); ++rank) view.ranks.push_back(rankState(rank));
    view.flags = flags();
    view.attempt = launched;
    Inventory inventory;
    view.checkpoints = report(inventory);
    view.inventory = std::make_shared<const Inventory>(std::move(inventory));
    view.stepSeconds = stepSeconds;
    if (const auto lost = view.checkpoints.newestValid(); lost && view.ranks.front().progress.position)
        view.lostWork = {
            .steps = *view.ranks.front().progress.position - *lost->position, .since = lost->position, .known = true};
    view.stepsPerEpoch = 10;
    return view;
}

void TestHost::waitForChange(SteadyTime deadline) { std::this_thread::sleep_until(std::min(deadline, inSeconds(0.1))); }

NodeClient *TestHost::node(const std::string &name)
{
    for (auto &[own, node] : m_nodes)
        if (own == name) return node.get();
    return nullptr;
}

void TestHost::attemptLaunched(WallTime, std::optional<std::int64_t>) { ++launched; }

std::vector<PlacedSample> TestHost::lossesBefore(int rank, std::int64_t from, std::int64_t to) const
{
    std::vector<PlacedSample> samples;
    for (const auto &entry : fs::recursive_directory_iterator(m_dir.file("job"))) {
        const std::string path = entry.path();
        const bool own = path.find("worker_" + std::to_string(rank) + ".") != std::string::npos;
        if (!own) continue;
        for (const PlacedSample &sample : pictureOf(path).samples)
            if (sample.step >= from && sample.step <= to) samples.push_back(sample);
    }
    return samples;
}

}  // namespace rankdeck
