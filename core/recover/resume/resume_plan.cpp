// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/resume_plan.h"

#include "core/base/text.h"
#include "core/recover/flag/flag_write.h"
#include "core/recover/flag/graceful_tags.h"
#include "core/recover/host/job_places.h"
#include "core/recover/launch/checkpoint_staging.h"
#include "core/recover/launch/script_adapter.h"
#include "core/recover/launch/script_config.h"
#include "core/recover/resume/backup_newer_checkpoints.h"
#include "core/recover/resume/backup_outputs.h"
#include "core/recover/resume/choose_set.h"
#include "core/recover/resume/program_search.h"
#include "core/recover/resume/resume_preflight.h"
#include "core/recover/wording.h"

#include <algorithm>

namespace rankdeck {

namespace {

void append(std::vector<Finding> &into, std::vector<Finding> more)
{
    for (Finding &finding : more) into.push_back(std::move(finding));
}

bool checkJob(const AdaptedScript &told, ResumeDraft &draft)
{
    const Job &job = told.job;
    draft.recipe = findRecipe(job.launch.recipe);
    if (!draft.recipe)
        draft.findings.push_back(
            refusal("recipe_unknown",
                    "expected a launch recipe (" + namesText(recipeNames()) + "), found " +
                        (job.launch.recipe.empty() ? "none" : "\"" + printable(job.launch.recipe) + "\""),
                    "set launch.recipe in the job file"));
    if (job.launch.command.empty())
        draft.findings.push_back(
            refusal("no_command", "the job has no launch.command, so nothing is known to start it with",
                    "add launch.command to the job file, with {checkpoint} where the file to load is named"));
    if (job.logs.path.empty())
        draft.findings.push_back(refusal("no_logs", "the job has no logs.path, so a resume could not be proven",
                                         "add logs.path to the job file"));
    if (!job.launch.command.empty() && !told.namesCheckpoint && !told.takesNewest)
        draft.findings.push_back(warning(
            "checkpoint_not_named",
            "launch.command names neither {checkpoint} nor {checkpoint_dir}: the script chooses itself what it loads",
            "put {checkpoint} where the script takes the file to load, or name launch.script; else only the proof "
            "shows what it took"));
    return !anyRefusal(draft.findings);
}

void wantAll(PathStats &book, const Job &job, const CheckpointSet &set, const SavesByNode &found, bool wholeDirectory)
{
    wantLogs(book, job, wholeDirectory);
    wantSaves(book, job, found);
    for (const NodeSpec &node : job.nodes)
        for (const int rank : node.ranks)
            if (const auto log = pathOfRank(job, job.logs.path, rank)) book.want(node.name, *log);
    for (const NodeSpec &node : job.nodes)
        if (!node.ranks.empty()) book.want(node.name, workdirOn(job, node));
    for (const MemberVerdict &member : set.members)
        if (const NodeSpec *node = job.nodeOf(member.rank)) book.want(node->name, member.path);
}

void pinParts(ResumeDraft &draft, const MemberVerdict &member, const Member &listed)
{
    const auto pin = [&](const FileEntry &entry) {
        const bool had = std::any_of(draft.pinned.begin(), draft.pinned.end(), [&](const PinnedFile &other) {
            return other.node == member.node && other.path == entry.path;
        });
        if (!had)
            draft.pinned.push_back({.rank = member.rank,
                                    .node = member.node,
                                    .path = entry.path,
                                    .pathNow = entry.path,
                                    .stat = entry.stat});
    };
    if (listed.parts.empty()) pin(listed.file);
    for (const FileEntry &part : listed.parts) pin(part);
}

// Where each rank's file will be: a chosen set that is a graceful exit's own is moved aside with it.
void pinMembers(ResumeDraft &draft, const JobState &view, const PathStats &book, const Moves &saves)
{
    for (const MemberVerdict &member : draft.set->members) {
        const NodeSpec *node = view.job.nodeOf(member.rank);
        if (!node) continue;
        PinnedFile file{.rank = member.rank, .node = node->name, .path = member.path, .pathNow = member.path};
        if (const auto moved = saves.moved.find(node->name); moved != saves.moved.end())
            if (const auto to = moved->second.find(member.path); to != moved->second.end()) file.path = to->second;
        if (const auto stat = book.stat(node->name, member.path)) file.stat = *stat;
        const bool own = member.node == node->name;
        if (!own && !book.exists(node->name, member.path)) file.stat.inode = 0;  // a copy, compared by its hash
        for (const Member &listed : view.inventory->members) {
            if (listed.node != member.node || listed.file.path != member.path) continue;
            if (own) file.stat = listed.file.stat;
            // What is copied, and the files of a checkpoint of several, must stay as they were judged too.
            if (!own || !listed.parts.empty()) pinParts(draft, member, listed);
        }
        for (const Member &listed : view.inventory->members)
            if (listed.node == member.node && listed.file.path == member.path)
                for (const FileEntry &part : listed.parts)
                    if (dirName(part.path) == dirName(member.path) && part.path.starts_with(member.path))
                        file.parts.push_back(part.path);
        if (member.fromRank) file.fromRank = *member.fromRank;
        draft.members.push_back(std::move(file));
    }
}

// The VALID periodic set at the very step of a graceful exit's own.
std::optional<std::string> siblingOf(const JobState &view, const std::optional<CheckpointSet> &set)
{
    if (!set || set->kind != CheckpointKind::graceful || !set->position) return {};
    for (const CheckpointSet &other : view.checkpoints.sets)
        if (other.kind == CheckpointKind::periodic && other.verdict == Verdict::valid &&
            other.position == set->position)
            return other.id;
    return {};
}

NodePlan &nodeIn(Plan &plan, const std::string &name)
{
    auto found =
        std::find_if(plan.nodes.begin(), plan.nodes.end(), [&](const NodePlan &node) { return node.node == name; });
    return found != plan.nodes.end() ? *found : plan.nodes.emplace_back(NodePlan{.node = name});
}

using InodeOf = std::function<std::optional<std::uint64_t>(const std::string &node, const std::string &path)>;

// Of what is there, as it was listed: an undo knows by it what it moved.
InodeOf inodesOf(const PathStats &book, const Inventory &inventory)
{
    return [&](const std::string &node, const std::string &path) -> std::optional<std::uint64_t> {
        if (const auto stat = book.stat(node, path)) return stat->inode;
        for (const Member &member : inventory.members)
            if (member.node == node && member.file.path == path) return member.file.stat.inode;
        return {};
    };
}

void addSteps(Plan &plan, const Job &job, const std::map<std::string, std::vector<FileActionRequest>> &steps,
              const InodeOf &inodeOf)
{
    for (const NodeSpec &node : job.nodes)
        if (const auto own = steps.find(node.name); own != steps.end()) {
            auto &files = nodeIn(plan, node.name).files;
            files.insert(files.end(), own->second.begin(), own->second.end());
            for (const FileActionRequest &step : own->second)
                if (const auto inode = inodeOf(node.name, step.path))
                    nodeIn(plan, node.name).inodes[step.path] = *inode;
        }
}

void addViews(ResumeDraft &draft, const Job &job, const std::map<std::string, std::string> &directories)
{
    ViewMembers members;
    for (const PinnedFile &file : draft.members)
        members[file.rank] = {.path = file.path, .parts = file.parts, .fromRank = file.fromRank};
    append(draft.findings, viewFindings(job, directories));
    for (auto &[name, steps] : makeViews(job, directories, members)) {
        NodePlan &node = nodeIn(draft.plan, name);
        node.files.insert(node.files.end(), steps.files.begin(), steps.files.end());
        node.edits.insert(node.edits.end(), steps.trackers.begin(), steps.trackers.end());
    }
}

void addLaunches(ResumeDraft &draft, const JobState &view, LaunchPlan &launch)
{
    for (NodePlan &own : launch.nodes) {
        for (LaunchRequest &request : own.launches) {
            request.job = jobClaim(view, draft.plan.id);
            request.env[jobMarkName] = jobMark(view.job);
        }
        NodePlan &node = nodeIn(draft.plan, own.node);
        node.files.insert(node.files.end(), own.files.begin(), own.files.end());
        node.edits.insert(node.edits.end(), own.edits.begin(), own.edits.end());
        node.launches = std::move(own.launches);
    }
    draft.accepted = std::move(launch.accepted);
}

void summarise(ResumeDraft &draft, const Job &job)
{
    std::size_t launches = 0, files = 0, edits = 0, ends = 0, copies = 0;
    for (const NodePlan &node : draft.plan.nodes) {
        launches += node.launches.size();
        files += node.files.size();
        edits += node.edits.size();
        ends += node.ends.size();
        copies += node.copies.size();
    }
    draft.plan.summary = "resume " + job.name + " from " + setText(*draft.set) + " with the recipe " +
                         job.launch.recipe + ": " + std::to_string(launches) + " commands, " + std::to_string(files) +
                         " file steps, " + std::to_string(edits) + " edits" +
                         (ends > 0 ? ", " + std::to_string(ends) + " processes to end" : "") +
                         (copies > 0 ? ", " + std::to_string(copies) + " files to copy" : "") + " on " +
                         std::to_string(draft.plan.nodes.size()) + (draft.plan.nodes.size() == 1 ? " node" : " nodes");
}

}  // namespace

ResumeDraft draftResume(ActionContext &host, const JobState &asked, const ResumeOptions &options, const std::string &id,
                        SteadyTime deadline)
{
    ResumeDraft draft;
    draft.plan.id = id;
    draft.set = chooseSet(asked, options, draft.findings);
    const std::optional<std::string> sibling = siblingOf(asked, draft.set);
    if (sibling && options.fixing("graceful_set")) {
        draft.findings.push_back(okFinding(
            "graceful_set", "set " + printable(*sibling) + ", the periodic one of the same step, is taken instead of " +
                                setText(*draft.set)));
        draft.set = *asked.checkpoints.find(*sibling);
    }
    AdaptedScript told = draft.set ? adaptScript(asked.job, *draft.set) : AdaptedScript{.job = asked.job};
    const bool jobFit = checkJob(told, draft);
    if (!draft.set || !jobFit) return draft;
    JobState view = asked;
    view.job = told.job;
    const Job &job = view.job;

    ResumeFacts facts;
    const bool wholeDirectory = draft.recipe->ownsLogDirectory;
    const SavesByNode found = searchSaves(host, job, deadline);
    wantAll(facts.book, job, *draft.set, found, wholeDirectory);
    facts.book.read(host, deadline);
    facts.processes = askProcesses(host, view, deadline);
    facts.running = readRunning(host, view, deadline);
    draft.growth = lastGrowth(view, facts.book, facts.processes, facts.running);
    facts.places = readPlaces(host, view, *draft.set, deadline);
    if (!job.gracefulExit.config.empty())
        if (auto places = configPlaces(job)) {
            facts.copies = std::move(places.value());
            readConfigs(host, facts.copies, deadline);
            findShared(facts.copies, view);
        }
    facts.gracefulTags = carriesGracefulTags(host, view, *draft.set);
    facts.sibling = siblingOf(view, draft.set);

    const Moves saves = moveSaves(facts.book, view, id, found), logs = moveLogs(facts.book, view, wholeDirectory);
    const Moves newer = told.takesNewest ? moveNewer(view, *draft.set, id) : Moves{};
    pinMembers(draft, view, facts.book, saves);
    RecipeInput input{.view = view, .set = *draft.set, .id = id};
    if (told.usesView) input.viewDirectories = viewDirectories(job, id);
    for (const PinnedFile &member : draft.members) input.checkpoints[member.rank] = member.path;
    LaunchPlan launch = draft.recipe->plan(input);
    append(draft.findings, launch.findings);
    append(draft.findings, told.findings);
    findPrograms(host, job, launch, facts, deadline);
    append(draft.findings, missingPrograms(host, launch, deadline));
    facts.survivors = readSurvivors(host, view, facts.processes, launch, deadline);
    append(draft.findings, resumeFindings(view, *draft.set, facts, launch, options));
    append(draft.findings, saves.findings);
    append(draft.findings, newer.findings);
    append(draft.findings, logs.findings);
    const ConfigEdits config = planConfigEdits(host, input, told.settings, deadline);
    append(draft.findings, config.findings);

    if (auto edits = planFlag(facts.copies, false))
        for (NodePlan &node : edits.value()) nodeIn(draft.plan, node.node).edits = std::move(node.edits);
    for (const auto &[name, edits] : config.byNode) {
        auto &all = nodeIn(draft.plan, name).edits;
        all.insert(all.end(), edits.begin(), edits.end());
    }
    for (auto &[node, ends] : survivorEnds(facts.survivors, options)) nodeIn(draft.plan, node).ends = std::move(ends);
    for (auto &[node, copies] : memberCopies(view, *draft.set, facts.book, options))
        nodeIn(draft.plan, node).copies = std::move(copies);
    const InodeOf inodes = inodesOf(facts.book, *view.inventory);
    addSteps(draft.plan, job, saves.byNode, inodes);
    addSteps(draft.plan, job, autoLoadedMoves(facts.places, options, id), inodes);
    addSteps(draft.plan, job, newer.byNode, inodes);
    addSteps(draft.plan, job, logs.byNode, inodes);
    if (told.usesView) addViews(draft, job, input.viewDirectories);
    addLaunches(draft, view, launch);
    summarise(draft, job);
    return draft;
}

}  // namespace rankdeck
