// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testbed/engine/engine_fixture.h"

#include "core/engine/engine_context.h"
#include "core/job/job_file.h"
#include "core/node/wait_for.h"
#include "core/recover/host/job_places.h"
#include "core/recover/launch/recipe.h"
#include "tests/testbed/paths.h"
#include "tests/testbed/process_count.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
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

// The last whole "epoch: E step: S" of a log, as a position; 0: none.
std::int64_t lastStep(const std::string &log)
{
    const std::size_t end = log.rfind('\n');
    const std::size_t at = end == std::string::npos ? end : log.rfind("epoch: ", end);
    if (at == std::string::npos) return 0;
    long long epoch = 0, step = 0;
    if (std::sscanf(log.c_str() + at, "epoch: %lld step: %lld", &epoch, &step) != 2) return 0;
    return (epoch - 1) * 10 + step;
}

class NobodyListens final : public NodeListener {
    void nodeStatus(const std::string &, const NodeStatus &) override {}
    void tailChunk(const std::string &, TailChunk) override {}
    void tailEvent(const std::string &, TailEvent) override {}
    void directory(const std::string &, int, Listing) override {}
    void processes(const std::string &, ProcessList) override {}
};

bool hasEnvironment(const std::string &environment, const std::string &entry)
{
    return ('\0' + environment).find('\0' + entry + '\0') != std::string::npos;
}

}  // namespace

EngineHost::EngineHost(const std::vector<std::vector<int>> &ranks, const std::string &recipe, EngineNodes where)
    : m_where(std::move(where))
{
    m_where.timing.clock = &links;
    job.name = "fake";
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        job.nodes.push_back(
            {.name = "n" + std::to_string(i), .host = "local", .ranks = ranks[i], .transport = TransportKind::local});
        job.worldSize += static_cast<int>(ranks[i].size());
        if (!m_where.hosts.empty()) {
            job.nodes.back().host = m_where.hosts[i];
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
    job.launch.masterPort = 1;  // no program of a user can listen there
}

EngineHost::~EngineHost()
{
    endAll();
    closeEngine();
}

bool EngineHost::waitFor(const std::function<bool()> &condition, double seconds) const
{
    return eventually(condition, std::chrono::milliseconds(static_cast<long long>(seconds * 1000)));
}

bool EngineHost::exists(const std::string &name) const { return fs::exists(m_dir.file(name)); }

namespace {

// Field 22 of /proc/PID/stat: the start time of the process, in ticks since boot.
std::string startOf(const std::string &stat)
{
    std::istringstream fields(stat.substr(std::min(stat.rfind(')') + 1, stat.size())));
    std::string field;
    for (int i = 3; i <= 22 && fields >> field; ++i) {}
    return field;
}

}  // namespace

std::vector<int> EngineHost::pids() const
{
    std::vector<int> found;
    for (const auto &entry : fs::directory_iterator("/proc")) {
        const std::string name = entry.path().filename();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        const std::string stat = slurp(entry.path() / "stat");
        const bool gone = stat.rfind(") Z") != std::string::npos || stat.empty();
        if (gone) continue;
        const std::pair process(std::stoi(name), startOf(stat));
        // The environment of a process that is about to end is empty before the process is gone.
        if (m_ours.count(process) == 0 &&
            !hasEnvironment(slurp(entry.path() / "environ"), "FAKE_JOB=" + m_dir.file("job")))
            continue;
        m_ours.insert(process);
        found.push_back(process.first);
    }
    return found;
}

std::vector<int> EngineHost::rankPids() const
{
    std::vector<int> ranks(static_cast<std::size_t>(job.worldSize), -1);
    for (const int pid : pids()) {
        const std::string environment = slurp("/proc/" + std::to_string(pid) + "/environ");
        for (int rank = 0; rank < job.worldSize; ++rank)
            if (hasEnvironment(environment, "MS_ROLE=MS_WORKER") &&
                hasEnvironment(environment, "RANK_ID=" + std::to_string(rank)))
                ranks[static_cast<std::size_t>(rank)] = pid;
    }
    return ranks;
}

void EngineHost::endAll()
{
    const bool ended = waitFor([this] {
        const auto left = pids();
        for (const int pid : left) ::kill(pid, SIGKILL);
        return left.empty();
    });
    if (!ended) std::fputs("processes of the job could not be ended\n", stderr);
}

void EngineHost::stopNode(const std::string &name)
{
    m_sessions->cut(name);
    if (!waitFor([&] { return node(name)->status().state == NodeState::lost; }))
        throw std::runtime_error("the cut node is not lost");
}

void EngineHost::joinNode(const std::string &name)
{
    m_sessions->join(name);
    engine().retryNow(name);
}

void EngineHost::putBehind(const std::string &name, const std::vector<std::string> &words)
{
    m_sessions->putBehind(name, words);
    closeEngine();
    engine();
}

void EngineHost::startFirst(std::size_t words)
{
    NobodyListens nobody;
    std::map<std::string, std::unique_ptr<Node>> nodes;
    for (const NodeSpec &spec : job.nodes) {
        nodes[spec.name] =
            std::make_unique<Node>(spec, ConnectOptions{.sshConfig = m_where.sshConfig}, makeSessionFactory(), nobody);
        nodes[spec.name]->start();
    }
    Job plain = job;
    plain.launch.command.resize(words);
    JobState picture{.job = plain};
    const CheckpointSet none;
    const auto plan = findRecipe(job.launch.recipe)->plan({.view = picture, .set = none, .id = "first"});
    for (const NodePlan &part : plan.nodes)
        for (const LaunchRequest &launch : part.launches) {
            Node &node = *nodes[part.node];
            if (!waitFor([&] { return node.status().state == NodeState::live; }))
                throw std::runtime_error("the node is not live");
            auto reply = node.launch(launch);
            const auto started = rankdeck::waitFor(reply, inSeconds(30), part.node);
            if (!started) throw std::runtime_error(started.error().message);
        }
    waitStep(6);
    if (m_engine) catchUp();
}

std::string EngineHost::logOf(int rank) const { return pathOfRank(job, job.logs.path, rank).value(); }

void EngineHost::waitStep(std::int64_t step)
{
    const bool reached = waitFor([&] {
        for (int rank = 0; rank < job.ranks(); ++rank)
            if (lastStep(slurp(logOf(rank))) < step) return false;
        return true;
    });
    if (!reached) throw std::runtime_error("the ranks did not reach step " + std::to_string(step));
}

void EngineHost::crashLongAgo()
{
    job.launch.env["FAKE_LAST"] = "8";  // the ranks end before the save of step 10
    startFirst();
    job.launch.env.erase("FAKE_LAST");
    endLongAgo();
}

void EngineHost::endLongAgo()
{
    endAll();
    for (const char *place : {"job/log", "job/ckpt"})
        for (const auto &entry : fs::recursive_directory_iterator(file(place)))
            if (entry.is_regular_file()) fs::last_write_time(entry, entry.last_write_time() - std::chrono::minutes(2));
}

// True if every running rank is known to run, and no rank that is gone counts as running. For a running rank any line
// is enough; for a rank that is gone, its last line must be known.
bool EngineHost::seesAll(const JobState &state) const
{
    const std::vector<int> running = rankPids();
    for (const RankState &rank : state.ranks) {
        const int pid = running[static_cast<std::size_t>(rank.rank)];
        if (pid >= 0 && !(rank.alive == true && rank.process && rank.process->id.pid == pid)) return false;
        if (pid < 0 && rank.alive == true) return false;
        const std::int64_t last = lastStep(slurp(logOf(rank.rank)));
        if (last > 0 && !rank.progress.position) return false;
        if (last > 0 && pid < 0 && *rank.progress.position != last) return false;
    }
    return true;
}

bool EngineHost::seesCheckpoints(const JobState &state) const
{
    if (!state.checkpoints.settled) return false;
    const auto timeOf = [](const std::string &path) -> std::int64_t {
        struct stat info {};
        return ::stat(path.c_str(), &info) == 0 ? info.st_mtim.tv_sec * 1000000000LL + info.st_mtim.tv_nsec : -1;
    };
    std::set<std::string> listed;
    for (const Member &member : state.inventory->members) {
        listed.insert(member.file.path);
        // A prefix is only the beginning of file names, not a file.
        if (fs::exists(member.file.path) && member.file.stat.mtimeNs != timeOf(member.file.path)) return false;
    }
    for (int rank = 0; rank < job.ranks(); ++rank) {
        const auto directory = pathOfRank(job, job.checkpoints.path, rank);
        if (!directory || !fs::exists(directory.value())) continue;
        for (const auto &entry : fs::directory_iterator(directory.value()))
            if (entry.path().extension() == ".ckpt" && !listed.contains(entry.path())) return false;
    }
    return true;
}

void EngineHost::catchUp()
{
    Engine &watched = engine();
    const bool whole = waitFor([&] {
        const JobState state = watched.snapshot()->view;
        const bool live = std::all_of(state.nodes.begin(), state.nodes.end(),
                                      [](const NodeStatus &node) { return node.state == NodeState::live; });
        if (!live) return true;
        const std::vector<int> running = rankPids();
        const bool over = std::all_of(running.begin(), running.end(), [](int pid) { return pid < 0; });
        return seesAll(state) && (!over || seesCheckpoints(state));
    });
    if (!whole) throw std::runtime_error("the engine does not see the job as it is");
}

void EngineHost::allJudged()
{
    const bool all = waitFor([this] {
        const JobState state = engine().snapshot()->view;
        return seesCheckpoints(state) &&
               std::none_of(state.checkpoints.sets.begin(), state.checkpoints.sets.end(), [](const CheckpointSet &set) {
                   return set.verdict == Verdict::unknown || set.verdict == Verdict::inProgress;
               });
    });
    if (!all) throw std::runtime_error("the engine does not judge every set");
}

Engine &EngineHost::engine()
{
    const std::string wanted = jobToJson(job);
    if (m_engine && m_watched == wanted) return *m_engine;
    closeEngine();
    EngineOptions options;
    options.stateDirectory = m_dir.file("state");
    options.connect.sshConfig = m_where.sshConfig;
    options.sessions = m_sessions;
    options.timing = std::make_shared<const LinkTiming>(m_where.timing);
    auto made = Engine::make(job, std::move(options));
    if (!made) throw std::runtime_error(made.error().message);
    m_engine = std::move(made.value());
    m_watched = wanted;
    m_engine->start();
    if (!m_engine->waitSettled(60)) throw std::runtime_error("the engine does not settle");
    catchUp();
    return *m_engine;
}

void EngineHost::closeEngine()
{
    if (m_engine) m_engine->stop();
    m_engine.reset();
}

ExitReport EngineHost::exit(const ExitOptions &options, const ExitProgress &progress)
{
    Engine &watched = engine();
    if (const Status started = watched.startExit(options); !started) throw std::runtime_error(started.error().message);
    while (!watched.waitAction(0.05))
        if (const auto now = watched.snapshot(); progress && now->exit) progress(*now->exit);
    return *watched.snapshot()->exit;
}

std::vector<std::string> EngineHost::journalStates(const std::string &kind)
{
    std::vector<std::string> states;
    const auto kept = Journal::open(m_dir.file("state"));
    if (!kept) return states;
    for (const JournalEntry &entry : (*kept)->read().value())
        if (entry.kind == kind) states.push_back(entry.state);
    return states;
}

std::string EngineHost::gracefulSet() const
{
    std::string id;
    for (const CheckpointSet &set : view().checkpoints.sets)
        if (set.kind == CheckpointKind::graceful) id = set.id;
    return id;
}

ActionContext &EngineHost::context() const { return actionContextOf(const_cast<EngineHost *>(this)->engine()); }

JobState EngineHost::view() const { return context().view(); }

// Waits for an action on the test's own thread. Whenever the engine's view changes, the stop flag of the test is
// checked.
void EngineHost::waitForChange(SteadyTime deadline)
{
    const SteadyTime soon = std::min(deadline, inSeconds(0.1));
    if (!stop) context().waitForChange(soon);
}

NodeClient *EngineHost::node(const std::string &name) { return context().node(name); }
FileStore *EngineHost::cluster() { return context().cluster(); }
SchedulerState EngineHost::scheduler() const { return context().scheduler(); }

Journal &EngineHost::journal() { return context().journal(); }

void EngineHost::attemptLaunched(WallTime at, std::optional<std::int64_t> resumedFrom)
{
    ++launched;
    context().attemptLaunched(at, resumedFrom);
}

void EngineHost::attemptCountsAnew(std::int64_t position) { context().attemptCountsAnew(position); }

void EngineHost::expectLoads(const std::map<int, std::vector<std::string>> &paths) { context().expectLoads(paths); }

void EngineHost::refreshFlags() { context().refreshFlags(); }

std::optional<ConfirmedRung> EngineHost::takeConfirmedRung() { return context().takeConfirmedRung(); }

std::vector<PlacedSample> EngineHost::lossesBefore(int rank, std::int64_t from, std::int64_t to) const
{
    return context().lossesBefore(rank, from, to);
}

FasterAfterReset::FasterAfterReset(EngineHost &host)
    : m_host(host), m_thread([&host](const std::stop_token &over) {
          const auto isReset = [&] { return host.read("state/journal.jsonl").find("\"reset\"") != std::string::npos; };
          if (host.waitFor([&] { return over.stop_requested() || isReset(); }) && !over.stop_requested())
              host.clock.setPace(10);
      })
{}

FasterAfterReset::~FasterAfterReset()
{
    m_thread.request_stop();
    m_thread.join();
    m_host.clock.setPace(1);
}

ExitReport planExit(EngineHost &host, const ExitOptions &options)
{
    host.catchUp();
    return planExit(static_cast<ActionContext &>(host), options);
}

ExitReport runExit(EngineHost &host, const ExitOptions &options, const ExitProgress &progress)
{
    host.catchUp();
    return runExit(static_cast<ActionContext &>(host), options, progress);
}

ResumeReport planResume(EngineHost &host, const ResumeOptions &options)
{
    host.catchUp();
    return planResume(static_cast<ActionContext &>(host), options);
}

ResumeReport runResume(EngineHost &host, const ResumeOptions &options, const ResumeProgress &progress)
{
    host.catchUp();
    return runResume(static_cast<ActionContext &>(host), options, progress);
}

}  // namespace rankdeck
