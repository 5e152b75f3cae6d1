// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/facts/resume_facts.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/flag/graceful_tags.h"
#include "core/recover/host/job_places.h"
#include "core/recover/launch/cluster/vcjob_template.h"
#include "core/recover/launch/first_folder.h"
#include "core/recover/resume/aside/backup_newer_checkpoints.h"
#include "core/recover/resume/aside/newest_loader.h"

#include <algorithm>
#include <iterator>

namespace rankdeck {

namespace {

constexpr double leastSeconds = 5;  // for each question, however long the earlier ones took

void wantAll(PathStats &book, const Job &job, const CheckpointSet &set, const SavesByNode &found, bool wholeDirectory)
{
    wantLogs(book, job, wholeDirectory);
    wantSaves(book, job, found);
    for (const NodeSpec &node : job.nodes)
        for (const int rank : node.ranks)
            if (const auto log = pathOfRank(job, job.logs.path, rank)) book.want(node.name, *log);
    for (const NodeSpec &node : job.nodes)
        for (const int rank : node.ranks)
            for (const std::string &save : savesOfRank(job, rank)) book.want(node.name, dirName(save));
    for (const NodeSpec &node : job.nodes)
        if (!node.ranks.empty()) book.want(node.name, workdirOn(job, node));
    for (const NodeSpec &node : job.nodes)
        if (const std::string strategy = strategyToLoad(job, node); !strategy.empty() && !node.ranks.empty())
            book.want(node.name, strategy);
    for (const MemberVerdict &member : set.members)
        if (const NodeSpec *node = job.nodeOf(member.rank)) {
            book.want(node->name, member.path);
            if (ownPlace(member) != member.path) book.want(node->name, dirName(ownPlace(member)));
        }
}

std::vector<ConfigCopy> readCopies(ActionContext &host, const JobState &view, SteadyTime deadline)
{
    if (!view.job.gracefulExit.hasConfig()) return {};
    auto places = configPlaces(view.job);
    if (!places) return {};  // the recipe also reports it
    readConfigs(host, places.value(), deadline);
    findShared(places.value(), view);
    return std::move(places.value());
}

// Adds the files with which the submitting script writes the fault record into the pods' ConfigMap, together with the
// vcjob.
void tellPods(ResumeFacts &facts)
{
    LaunchPlan &launch = facts.layout.launch;
    const std::vector<int> faults = faultsFor(*facts.choice.set);
    if (faults.empty() || launch.accepted.empty() || launch.nodes.empty()) return;
    auto files = faultConfigFiles(facts.view.job, facts.layout.vcjobYaml, dirName(launch.accepted.begin()->second),
                                  faultRecord(faults, facts.gasps.at));
    facts.gasps.podsAreTold = !files.empty();
    auto &edits = launch.nodes.back().edits;
    edits.insert(edits.end(), std::make_move_iterator(files.begin()), std::make_move_iterator(files.end()));
}

// Finds how the script handles emergency checkpoints, and which of them it would load before the chosen set: these are
// renamed.
void readGasps(ActionContext &host, ResumeFacts &facts, SteadyTime deadline)
{
    const CheckpointSet &set = *facts.choice.set;
    facts.gasps.loader = emergencyLoaderOf(facts.programs.scriptTexts);
    facts.gasps.at = std::chrono::system_clock::to_time_t(wallNow());
    if (facts.gasps.loader == EmergencyLoader::notSeen) return;
    if (!facts.choice.script.takesNewest) facts.layout.newer = moveEmergencyCheckpoints(facts.view, set, facts.id);
    const bool wanted = facts.gasps.loader == EmergencyLoader::generator && set.kind == CheckpointKind::breakpoint;
    if (wanted && facts.view.job.launch.recipe != "volcano")
        facts.gasps.records = readFaultRecords(host, facts.view, deadline);
    if (wanted && facts.view.job.launch.recipe == "volcano") tellPods(facts);
}

// True if the command gives the ranks their files, and its arguments reach the script.
bool isTold(const ResumeFacts &facts)
{
    const auto &wrappers = facts.programs.wrappers;
    return facts.choice.script.namesCheckpoint && std::all_of(wrappers.begin(), wrappers.end(), [](const auto &entry) {
               return entry.second.handsOn && !entry.second.saysItself;
           });
}

// A script that is not given a file takes one from a folder in its working directory.
void readFolders(ActionContext &host, ResumeFacts &facts, SteadyTime deadline)
{
    FolderQuestion question{
        .scripts = facts.programs.scriptTexts, .switchedOn = facts.choice.script.switchedOn, .id = facts.id};
    for (const PinnedFile &file : facts.layout.members)
        question.chosen.push_back({.rank = file.rank, .path = file.path, .stat = file.stat});
    question.told = isTold(facts);
    facts.folders = readRankFolders(host, facts.view.job, question, facts.book, deadline);
    if (!facts.folders.glob) facts.folders = readFirstFolder(host, facts.view.job, question, facts.book, deadline);
}

// If no folder rule applies, the script may take the newest file of its output directory.
void readNewest(ResumeFacts &facts)
{
    const bool otherwise = facts.choice.script.takesNewest || facts.folders.loads() || !facts.exitLoad.files.empty();
    const NewestBy by = otherwise || isTold(facts) ? NewestBy::nothing : newestBy(facts.programs.scriptTexts);
    if (by == NewestBy::nothing) return;
    const CheckpointSet &set = *facts.choice.set;
    facts.layout.newer = facts.gasps.loader == EmergencyLoader::notSeen
                             ? moveNewest(facts.view, set, facts.book, by, facts.id)
                             : moveNewer(facts.view, set, facts.id);
}

// The operator's own vcjob, read from the node that submits it.
std::optional<Result<std::string>> readVcjob(ActionContext &host, const Job &job, SteadyTime deadline)
{
    const std::string &file = job.launch.volcano.file;
    const NodeSpec *node = submitNode(job);
    if (job.launch.recipe != "volcano" || file.empty() || !node) return {};
    NodeClient *client = host.node(node->name);
    if (!client) return fail(ErrorKind::unreachable, message("node %1 was not found", node->name));
    auto asked = client->readFile(absolutePath(job, file, node), 1u << 20);
    const auto content = waitFor(asked, deadline, node->name);
    if (!content) return content.error();
    return content->bytes;
}

// Finds from the texts of the scripts how the set is loaded: into the train cell, or only by OnRequestExit.
void tellLoaders(ResumeFacts &facts, const SavesByNode &searched)
{
    const auto &scripts = facts.programs.scriptTexts;
    const bool trainCell =
        std::any_of(scripts.begin(), scripts.end(), [](const auto &entry) { return loadsIntoTrainCell(entry.second); });
    facts.exitLoad = exitLoadOf(facts.view, facts.choice, scripts, facts.book, facts.layout, facts.mends);
    if (!facts.exitLoad.files.empty()) {  // nothing else gives the ranks their files
        facts.layout.viewDirectories.clear();
        for (PinnedFile &file : facts.layout.members) file.link.clear();
        return;
    }
    facts.mendsWanted = !facts.mends.byRank.empty() && (facts.choice.set->kind == CheckpointKind::graceful ||
                                                        trainCell || facts.options.fixing("graceful_tags"));
    if (!facts.mendsWanted) return;
    facts.layout =
        layoutOf(facts.view, facts.choice, facts.book, searched, facts.id, facts.layout.vcjobYaml, facts.mends);
}

// The scheduler is asked at its own intervals, so a console that has just started waits for the first answers.
SchedulerState hearScheduler(ActionContext &host, SteadyTime deadline)
{
    SchedulerState said = host.scheduler();
    while (said.kind != SchedulerKind::none && said.answers.empty() && !host.stopRequested() &&
           steadyNow() < deadline) {
        host.waitForChange(deadline);
        said = host.scheduler();
    }
    return said;
}

}  // namespace

ResumeFacts readResumeFacts(ActionContext &host, const JobState &asked, const ResumeOptions &options,
                            const std::string &id, SteadyTime deadline)
{
    ResumeFacts facts{.id = id, .options = options, .view = asked, .choice = chooseResume(asked, options)};
    if (!facts.choice.fit()) return facts;
    const ResumeChoice &choice = facts.choice;
    const CheckpointSet &set = *choice.set;
    facts.view.job = choice.script.job;
    const JobState &view = facts.view;

    // A slow answer of one node must not shorten the time for the next questions to the other nodes.
    const auto until = [deadline] { return std::max(deadline, inSeconds(leastSeconds)); };
    // Asked first: files that another action still moves can be listed only after that action has ended.
    facts.running = readRunning(host, view, id, until());
    const SavesByNode searched = searchSaves(host, view.job, until(), facts.unsearched);
    wantAll(facts.book, view.job, set, searched, choice.recipe->ownsLogDirectory);
    facts.book.read(host, until());
    facts.processes = askProcesses(host, view, until());
    facts.places = readPlaces(host, view, set, until());
    facts.copies = readCopies(host, view, until());
    facts.gracefulTags = carriesGracefulTags(host, view, set);
    if (facts.gracefulTags == true) facts.mends = readMends(host, view, set, until());

    facts.layout = layoutOf(view, choice, facts.book, searched, id, readVcjob(host, view.job, until()));
    facts.programs = findPrograms(host, view.job, facts.layout.launch, until());
    tellLoaders(facts, searched);
    readGasps(host, facts, until());
    readFolders(host, facts, until());
    readNewest(facts);
    facts.controller = readController(host, view, facts.programs.scriptTexts, until());
    facts.logouts = readLogoutRules(host, facts.layout.launch, until());
    facts.survivors = readLeftovers(host, view, facts.processes, facts.layout.launch, until());
    facts.scriptConfigs = wantedConfigs(recipeInput(view, set, facts.layout, id), choice.script.settings);
    readScriptConfigs(host, view, facts.scriptConfigs, until());
    facts.scheduler = hearScheduler(host, until());
    return facts;
}

}  // namespace rankdeck
