// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/facts/program_search.h"

#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/host/job_places.h"
#include "core/recover/launch/command_script.h"
#include "core/recover/resume/facts/program_lookup.h"

#include <algorithm>

namespace rankdeck {

namespace {

std::string loginPath(NodeClient &node, const std::string &name, SteadyTime deadline)
{
    auto reply = node.readFile("/proc/self/environ", 1u << 20);
    const auto environment = waitFor(reply, deadline, name);
    if (!environment) return {};
    for (const std::string &variable : split(environment->bytes, '\0'))
        if (variable.starts_with("PATH=")) return variable.substr(5);
    return {};
}

std::vector<std::string> candidates(NodeClient &node, const NodePlan &plan, const std::string &program,
                                    SteadyTime deadline)
{
    const LaunchRequest &launch = plan.launches.front();
    if (program.starts_with("/")) return {program};
    if (program.find('/') != std::string::npos) return {joinPath(launch.workdir, program)};
    const auto own = launch.env.find("PATH");
    std::vector<std::string> paths;
    for (const std::string &directory :
         split(own != launch.env.end() ? own->second : loginPath(node, plan.node, deadline), ':'))
        if (!directory.empty() && paths.size() < 64) paths.push_back(joinPath(directory, program));
    return paths;
}

struct Looked {
    std::vector<std::string> searched = {};  // directories
    bool missing = false;                    // certainly: every place was checked and none has it
    std::string realPath = {};
    std::string path = {};  // found path, before links are followed: it identifies a virtual environment
    [[nodiscard]] bool isKnown() const { return missing || !path.empty(); }
};

Looked lookFor(NodeClient &node, const NodePlan &plan, const std::string &program, SteadyTime deadline)
{
    const auto paths = candidates(node, plan, program, deadline);
    std::vector<Reply<FileContent>> replies;
    Looked looked;
    for (const std::string &path : paths) {
        replies.push_back(node.readFile(path, 0));
        looked.searched.push_back(dirName(path));
    }
    std::size_t absent = 0;
    for (std::size_t i = 0; i < replies.size(); ++i) {
        const auto about = waitFor(replies[i], deadline, plan.node);
        // A program may be executable but not readable, so only the error notFound counts as absent.
        if (!about && about.error().kind == ErrorKind::notFound) ++absent;
        if (about && about->stat.kind == 'f' && looked.realPath.empty()) {
            looked.realPath = about->realPath;
            looked.path = paths[i];
        }
    }
    looked.missing = !paths.empty() && absent == paths.size();  // no paths: the login's PATH is unknown
    return looked;
}

// /venv/bin/python3.11 → "3.11"
std::string pythonVersion(const std::string &realPath)
{
    const std::string name = baseName(realPath);
    return name.starts_with("python") ? name.substr(6) : std::string();
}

// The packages of an interpreter are beside it. If PYTHONPATH is set, it may add others, so nothing is concluded.
void findMindio(const NodePlan &plan, const Looked &python, NodeClient &node, ProgramFacts &facts, SteadyTime deadline)
{
    const LaunchRequest &launch = plan.launches.front();
    const std::string version = pythonVersion(python.realPath);
    if (!launch.env.contains("MS_ENABLE_TFT") || launch.env.contains("PYTHONPATH") || python.path.empty() ||
        version.find('.') == std::string::npos)
        return;
    std::vector<std::string> places;
    for (const std::string &found : {python.path, python.realPath})
        for (const char *folder : {"site-packages", "dist-packages"})
            places.push_back(dirName(dirName(found)) + "/lib/python" + version + "/" + folder);
    places.push_back("/usr/local/lib/python" + version + "/dist-packages");
    places.push_back("/usr/lib/python3/dist-packages");
    std::vector<Reply<FileContent>> replies;
    for (const std::string &place : places) replies.push_back(node.readFile(place + "/mindio_ttp/__init__.py", 0));
    std::size_t absent = 0;
    for (auto &reply : replies) {
        const auto about = waitFor(reply, deadline, plan.node);
        if (!about && about.error().kind == ErrorKind::notFound) ++absent;
    }
    if (absent == places.size()) facts.withoutMindio[plan.node] = places.front();
}

// The first of these files that can be read; empty: none.
std::string firstText(NodeClient &node, const std::string &name, const std::vector<std::string> &places,
                      SteadyTime deadline)
{
    std::vector<Reply<FileContent>> replies;
    for (const std::string &place : places) replies.push_back(node.readFile(place, 1u << 20));
    std::string text;
    for (auto &reply : replies) {
        const auto about = waitFor(reply, deadline, name);
        if (about && text.empty()) text = about->bytes;
    }
    return text;
}

// True if the wrapper sets --pre_trained itself, after its arguments: the last of several values counts.
bool saysItself(const std::string &wrapper)
{
    const std::size_t own = wrapper.rfind("--pre_trained");
    if (own == std::string::npos) return false;
    const std::size_t all = std::max(wrapper.rfind("$@") + 1, wrapper.rfind("$*") + 1);  // 0: not there
    return all <= own;
}

// Shell scripts that start each other, in the order of their starts.
struct WrapperChain {
    struct One {
        std::string path = {};
        bool isRead = false;
        WrapperText said = {};
        std::vector<std::size_t> starts = {};
    };
    std::vector<One> all = {};
    std::string unread = {};  // first unreadable script through which the arguments may go

    // True if the arguments of a script reach the training.
    bool handsOn(std::size_t at = 0)
    {
        const One &one = all[at];
        if (!one.isRead && unread.empty()) unread = one.path;
        if (!one.isRead || !one.said.handsOn) return false;
        if (one.said.startsItself || !one.said.scripts.empty() || one.starts.empty()) return true;
        return std::any_of(one.starts.begin(), one.starts.end(), [this](std::size_t next) { return handsOn(next); });
    }
};

bool isShellText(const std::string &text)
{
    const std::string first = text.substr(0, text.find('\n'));
    return first.starts_with("#!") && contains(first, "sh");
}

class BehindWrappers {
public:
    BehindWrappers(const Job &job, const NodePlan &plan, NodeClient &node, SteadyTime deadline)
        : m_job(job), m_plan(plan), m_node(node), m_deadline(deadline)
    {
        const int index = job.nodeIndex(plan.node);
        m_spec = index < 0 ? nullptr : &job.nodes[static_cast<std::size_t>(index)];
        m_directories = {m_spec ? workdirOn(job, *m_spec) : job.launch.workdir};
    }

    void read(const CommandScript &words, ProgramFacts &facts)
    {
        for (const std::string &place : words.places) m_directories.push_back(absolutePath(m_job, place, m_spec));
        if (!words.script.empty()) m_scripts.push_back(words.script);
        if (!words.wrapper.empty()) m_chain.all.push_back({.path = words.wrapper});
        std::string all = readProgram(words.program);
        for (std::size_t i = 0; i < m_chain.all.size() && i < deepest; ++i) readWrapperAt(i, facts);
        for (const std::string &script : m_scripts) all += text(script);
        if (!all.empty()) facts.scriptTexts[m_plan.node] = all;
        if (m_chain.all.empty()) return;
        const bool handsOn = m_chain.handsOn();
        if (const auto first = facts.wrappers.find(m_plan.node); first != facts.wrappers.end())
            first->second.handsOn = handsOn;
        if (!m_chain.unread.empty()) facts.unreadWrappers[m_plan.node] = m_chain.unread;
    }

private:
    static constexpr std::size_t deepest = 4, mostScripts = 6;

    std::string text(const std::string &path)
    {
        return firstText(m_node, m_plan.node, placesOfScript(path, m_directories), m_deadline);
    }

    // Identifies a program by its first line, if its name does not show its kind.
    std::string readProgram(const std::string &path)
    {
        if (path.empty()) return {};
        std::string content = text(path);
        if (isShellText(content)) m_chain.all.push_back({.path = path});
        return content.starts_with("#!") && contains(content.substr(0, content.find('\n')), "python") ? content
                                                                                                      : std::string();
    }

    void readWrapperAt(std::size_t at, ProgramFacts &facts)
    {
        const std::string path = m_chain.all[at].path, content = text(path);
        if (content.empty()) return;
        const WrapperText said = readWrapper(content);
        WrapperFacts &wrapper = facts.wrappers[m_plan.node];
        if (wrapper.path.empty()) wrapper.path = path;
        wrapper.startsRanks = wrapper.startsRanks || said.startsRanks;
        wrapper.saysItself = wrapper.saysItself || saysItself(content);
        facts.wrapperTexts[m_plan.node] += content;
        if (const std::string folder = dirName(path); folder != ".")
            m_directories.push_back(absolutePath(m_job, folder, m_spec));
        for (const std::string &script : said.scripts)
            if (m_scripts.size() < mostScripts) m_scripts.push_back(script);
        m_chain.all[at].isRead = true;
        for (const std::string &next : said.wrappers) {
            m_chain.all[at].starts.push_back(m_chain.all.size());
            m_chain.all.push_back({.path = next});
        }
        m_chain.all[at].said = said;
    }

    const Job &m_job;
    const NodePlan &m_plan;
    NodeClient &m_node;
    SteadyTime m_deadline;
    const NodeSpec *m_spec = nullptr;
    std::vector<std::string> m_directories, m_scripts;
    WrapperChain m_chain;
};

// Finds the program of each worker, which is not the launched program if a launcher starts it.
void findWorker(const Job &job, const NodePlan &plan, NodeClient &node, ProgramFacts &facts, SteadyTime deadline)
{
    const bool byEngine = job.launch.recipe == "slurm" || job.launch.recipe == "volcano";
    // If an engine runs the job on other nodes than the submitting one, the files that its script loads may still be
    // readable here.
    if (job.launch.command.empty()) return;
    const CommandScript words = scriptOfCommand(job.launch.command);
    std::string program = job.launch.command.front();
    if (program.ends_with(".py")) program = "python";  // as msrun and torchrun do
    if (!byEngine && program.find('{') == std::string::npos && program != plan.launches.front().argv.front()) {
        const Looked looked = lookFor(node, plan, program, deadline);
        if (looked.missing) facts.workerMissing[plan.node] = program;
        if (!looked.isKnown()) facts.unknown.try_emplace(plan.node, program);
        facts.pythonVersions[plan.node] = pythonVersion(looked.realPath);
        findMindio(plan, looked, node, facts, deadline);
    }
    if (!words.direct) return BehindWrappers(job, plan, node, deadline).read(words, facts);
    if (words.script.find('{') != std::string::npos) return;
    const int index = job.nodeIndex(plan.node);
    const std::string path =
        absolutePath(job, words.script, index < 0 ? nullptr : &job.nodes[static_cast<std::size_t>(index)]);
    auto asked = node.readFile(path, 1u << 20);
    const auto about = waitFor(asked, deadline, plan.node);
    if (about) facts.scriptTexts[plan.node] = about->bytes;
    if (about || byEngine) return;
    if (about.error().kind == ErrorKind::notFound)
        facts.scriptMissing[plan.node] = path;
    else
        facts.unknown.try_emplace(plan.node, path);
}

void findLaunchPrograms(const LaunchPlan &launch, const NodePlan &plan, NodeClient &node, ProgramFacts &facts,
                        SteadyTime deadline)
{
    const auto wanted = launch.programs.find(plan.node);
    if (wanted == launch.programs.end()) return;
    for (const std::string &program : wanted->second) {
        Looked looked = lookFor(node, plan, program, deadline);
        if (!looked.isKnown()) facts.unknown.try_emplace(plan.node, program);
        if (looked.missing)
            facts.missing.push_back({.node = plan.node, .program = program, .searched = std::move(looked.searched)});
    }
}

}  // namespace

ProgramFacts findProgramsOn(const Job &job, const LaunchPlan &launch, const NodePlan &plan, NodeClient &node,
                            SteadyTime deadline)
{
    ProgramFacts facts;
    findLaunchPrograms(launch, plan, node, facts, deadline);
    if (plan.launches.front().argv.empty()) return facts;
    const Looked looked = lookFor(node, plan, plan.launches.front().argv.front(), deadline);
    facts.searched[plan.node] = looked.searched;
    facts.pythonVersions[plan.node] = pythonVersion(looked.realPath);
    findMindio(plan, looked, node, facts, deadline);
    if (looked.missing) facts.nodesWithoutProgram.insert(plan.node);
    if (!looked.isKnown()) facts.unknown.try_emplace(plan.node, plan.launches.front().argv.front());
    findWorker(job, plan, node, facts, deadline);
    return facts;
}

ProgramFacts findPrograms(ActionContext &host, const Job &job, const LaunchPlan &launch, SteadyTime deadline)
{
    std::vector<std::future<ProgramFacts>> nodes;  // each sends one request after another
    for (const NodePlan &plan : launch.nodes)
        if (NodeClient *node = host.node(plan.node); node && !plan.launches.empty())
            nodes.push_back(std::async(std::launch::async,
                                       [&, node] { return findProgramsOn(job, launch, plan, *node, deadline); }));
    ProgramFacts all;
    for (std::future<ProgramFacts> &node : nodes) {
        ProgramFacts own = node.get();
        all.nodesWithoutProgram.merge(own.nodesWithoutProgram);
        all.searched.merge(own.searched);
        all.workerMissing.merge(own.workerMissing);
        all.scriptMissing.merge(own.scriptMissing);
        all.pythonVersions.merge(own.pythonVersions);
        all.scriptTexts.merge(own.scriptTexts);
        all.wrappers.merge(own.wrappers);
        all.wrapperTexts.merge(own.wrapperTexts);
        all.unreadWrappers.merge(own.unreadWrappers);
        all.withoutMindio.merge(own.withoutMindio);
        all.unknown.merge(own.unknown);
        std::move(own.missing.begin(), own.missing.end(), std::back_inserter(all.missing));
    }
    return all;
}

}  // namespace rankdeck
