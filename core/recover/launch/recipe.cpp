// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/launch/recipe.h"

#include "core/base/console.h"
#include "core/base/text.h"
#include "core/job/container_host.h"
#include "core/recover/host/job_places.h"

#include "core/recover/edit/unified_diff.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>

namespace rankdeck {

namespace {

const std::array<Recipe, 6> &recipes()
{
    static const std::array<Recipe, 6> all{
        Recipe{.name = "msrun", .ownsLogDirectory = true, .stop = {.signal = Signal::interrupt}, .plan = planMsrun},
        Recipe{.name = "command", .plan = planCommand},
        Recipe{.name = "torchrun", .plan = planTorchrun},
        Recipe{.name = "mpirun", .submits = true, .plan = planMpirun},
        Recipe{.name = "slurm", .stop = {.standsIn = true}, .submits = true, .plan = planSlurm},
        Recipe{.name = "volcano", .stop = {.standsIn = true}, .submits = true, .plan = planVolcano}};
    return all;
}

// FNV-1a: the same on every machine and in every version.
std::string shortHash(std::string_view text)
{
    std::uint64_t hash = 14695981039346656037u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
    return std::string(digits.data()).substr(0, 8);
}

// Replaces all other characters by '-'; a hash keeps different names distinct.
std::string fileNameOf(const std::string &text)
{
    std::string name;
    for (const char c : text)
        name += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
                        c == '-'
                    ? c
                    : '-';
    return name == text ? name : name + "." + shortHash(text);
}

void putNumber(Placeholders &into, const std::string &name, const std::optional<std::int64_t> &value)
{
    if (value) into[name] = std::to_string(*value);
}

// Replaces the configuration file in an argument ("--config_path=/job/a.yaml", "a.yaml") by the rank's copy; other
// arguments stay.
std::string withOwnConfig(const RecipeInput &input, int rank, const std::string &word)
{
    const auto own = input.configs.find(rank);
    const Job &job = input.view.job;
    const auto path = own == input.configs.end() ? Result<std::string>("") : pathOfRank(job, job.launch.config, rank);
    if (!path || path->empty()) return word;
    const std::size_t value = word.starts_with("-") ? word.find('=') + 1 : 0;
    const bool names = absolutePath(job, word.substr(value), job.nodeOf(rank)) == path.value();
    return names ? word.substr(0, value) + own->second : word;
}

}  // namespace

const Recipe *findRecipe(const std::string &name)
{
    const auto found =
        std::find_if(recipes().begin(), recipes().end(), [&](const Recipe &recipe) { return recipe.name == name; });
    return found == recipes().end() ? nullptr : &*found;
}

std::vector<std::string> recipeNames()
{
    std::vector<std::string> names;
    for (const Recipe &recipe : recipes()) names.push_back(recipe.name);
    return names;
}

Placeholders launchPlaceholders(const RecipeInput &input, int rank)
{
    const Job &job = input.view.job;
    Placeholders values = rankPlaceholders(job, rank);
    if (const auto path = input.checkpoints.find(rank); path != input.checkpoints.end())
        values["checkpoint"] = path->second;
    if (const NodeSpec *node = job.nodeOf(rank))
        if (const auto view = input.viewDirectories.find(node->name); view != input.viewDirectories.end())
            values["checkpoint_dir"] = view->second;
    putNumber(values, "epoch", input.set.epoch);
    putNumber(values, "step", input.set.step);
    putNumber(values, "global_step", input.set.globalStep);
    return values;
}

Result<std::vector<std::string>> argvOfRank(const RecipeInput &input, int rank)
{
    const Placeholders values = launchPlaceholders(input, rank);
    std::vector<std::string> argv;
    for (const std::string &part : input.view.job.launch.command) {
        auto argument = expand(part, values);
        if (!argument) return argument.error();
        argv.push_back(withOwnConfig(input, rank, argument.value()));
    }
    return argv;
}

std::map<std::string, std::string> launchEnvironment(const Job &job, const NodeSpec &node)
{
    std::map<std::string, std::string> env = job.launch.env;
    for (const auto &[name, value] : node.env) env[name] = value;
    for (auto &[name, value] : env) value = textOnNode(value, job, node);
    return env;
}

std::map<std::string, std::string> launchEnvironment(const RecipeInput &input, const NodeSpec &node)
{
    std::map<std::string, std::string> env = input.view.job.launch.env;
    for (const auto &[name, value] : node.env) env[name] = value;
    Placeholders values = nodePlaceholders(input.view.job, node);
    if (!node.ranks.empty())
        for (const auto &[name, value] : launchPlaceholders(input, node.ranks.front()))
            if (name == "checkpoint_dir" || name == "epoch" || name == "step" || name == "global_step")
                values[name] = value;
    for (auto &[name, value] : env)
        if (const Result<std::string> expanded = expandWords(value, values)) value = *expanded;
    return env;
}

std::vector<std::string> optionsOn(const Job &job, const NodeSpec &node)
{
    std::vector<std::string> options = job.launch.options;
    for (std::string &option : options) option = textOnNode(option, job, node);
    return options;
}

std::string runDirectory(const Job &job, const NodeSpec *node) { return joinPath(ownDirectory(job, node), "runs"); }

std::string launchId(const std::string &action, const std::string &part) { return action + "." + fileNameOf(part); }

namespace {

// The log files and checkpoint directories of the node's ranks, or of all ranks if this node launches for all. Two jobs
// may log into one directory, but a checkpoint directory belongs to one job. A node can claim only places whose
// complete path it knows. Each claim keeps a few files open on the node, so their number is limited.
std::vector<std::string> claimedPlaces(const Job &job, const NodeSpec &node)
{
    const Recipe *recipe = findRecipe(job.launch.recipe);
    const NodeSpec *submits = recipe && recipe->submits ? submitNode(job) : nullptr;
    std::vector<int> ranks = node.ranks;
    if (submits && submits->name == node.name) {
        ranks.resize(std::size_t(std::max(0, job.ranks())));
        std::iota(ranks.begin(), ranks.end(), 0);
    }
    constexpr std::size_t most = 64;
    std::vector<std::string> places;
    for (const std::string *path : {&job.checkpoints.path, &job.logs.path})
        for (const int rank : ranks) {
            const Result<std::string> place = pathOfRank(job, *path, rank);
            const bool known = place && std::find(places.begin(), places.end(), *place) != places.end();
            if (place && place->starts_with('/') && !known && places.size() < most) places.push_back(*place);
        }
    return places;
}

}  // namespace

JobClaim jobClaim(const JobState &view, const NodeSpec *node, const std::string &action)
{
    // The run directory is in the job's working directory, so the name alone is enough as a key.
    return {.key = fileNameOf(view.job.name),
            .action = action,
            .text =
                "attempt " + std::to_string(view.attempt + 1) + ", started by " + consoleName() + " (" + action + ")",
            .places = node ? claimedPlaces(view.job, *node) : std::vector<std::string>()};
}

JobClaim jobReservation(const JobState &view, const NodeSpec *node, const std::string &action)
{
    JobClaim claim = jobClaim(view, node, action);
    claim.text = "attempt " + std::to_string(view.attempt + 1) + ", reserved by " + consoleName() + " (" + action + ")";
    return claim;
}

std::string engineName(const Job &job)
{
    return "rd-" + fileNameOf(job.name) + "-" + shortHash(withoutSlash(job.launch.workdir));
}

std::vector<const NodeSpec *> nodesByRank(const Job &job)
{
    std::vector<const NodeSpec *> nodes;
    for (const NodeSpec &node : job.nodes)
        if (!node.ranks.empty()) nodes.push_back(&node);
    std::sort(nodes.begin(), nodes.end(),
              [](const NodeSpec *a, const NodeSpec *b) { return a->ranks.front() < b->ranks.front(); });
    return nodes;
}

std::string masterAddress(const JobState &view)
{
    const auto nodes = nodesByRank(view.job);
    const std::string &told = view.job.launch.masterAddr;
    if (!told.empty()) return nodes.empty() ? told : textOnNode(told, view.job, *nodes.front());
    if (nodes.size() < 2) return "127.0.0.1";
    for (const NodeStatus &status : view.nodes)
        if (status.name == nodes.front()->name && !status.facts.hostName.empty()) return status.facts.hostName;
    std::string host = nodes.front()->host;
    if (const auto container = parseContainerHost(host)) return container->name;  // the pod's own name
    if (const std::size_t at = host.rfind('@'); at != std::string::npos) host.erase(0, at + 1);
    const std::size_t colon = host.find(':');
    return colon != std::string::npos && host.find(':', colon + 1) == std::string::npos ? host.substr(0, colon) : host;
}

std::string schedulerAddress(const JobState &view)
{
    const auto address = [](const std::string &text) {
        return text.find_first_not_of("0123456789.") == std::string::npos &&
               std::count(text.begin(), text.end(), '.') == 3;
    };
    const std::string master = masterAddress(view);
    if (address(master)) return master;
    const auto nodes = nodesByRank(view.job);
    const auto here = [](const NodeSpec *node) { return node->transport == TransportKind::local; };
    if (view.job.launch.masterAddr.empty() && std::all_of(nodes.begin(), nodes.end(), here)) return "127.0.0.1";
    if (!view.job.launch.masterAddr.empty() || nodes.empty()) return {};
    std::string host = nodes.front()->host.substr(nodes.front()->host.rfind('@') + 1);
    host = host.substr(0, host.find(':'));
    return address(host) ? host : std::string();
}

FileEdit newFile(const std::string &path, const std::string &text)
{
    return {.path = path, .before = {}, .after = text, .diff = unifiedDiff(path, {}, text), .expectedSha256 = {}};
}

bool startsItsRanks(const Job &job)
{
    return job.launch.recipe == "volcano" ? job.launch.volcano.perPod
                                          : job.launch.perNode && job.launch.recipe == "command";
}

bool hasRankTable(const Job &job, const NodeSpec &node)
{
    return !job.launch.rankTable.empty() || job.launch.env.contains("RANK_TABLE_FILE") ||
           node.env.contains("RANK_TABLE_FILE");
}

bool needsScheduler(const Job &job)
{
    const FrameworkInfo *info = frameworkInfo(job.framework);
    if (!info || info->variables.scheduler.empty() || job.ranks() < 2 || startsItsRanks(job)) return false;
    const auto reportedElsewhere = [&](const NodeSpec &node) {
        return hasRankTable(job, node) || node.env.contains("MS_SCHED_HOST");
    };
    return !job.launch.env.contains("MS_SCHED_HOST") &&
           std::none_of(job.nodes.begin(), job.nodes.end(), reportedElsewhere);
}

std::map<std::string, std::string> environmentOfRank(const RecipeInput &input, const NodeSpec &node, int rank)
{
    const JobState &view = input.view;
    const Job &job = view.job;
    const auto place = std::find(node.ranks.begin(), node.ranks.end(), rank);
    const std::string local = std::to_string(place - node.ranks.begin());
    std::map<std::string, std::string> env;
    if (!startsItsRanks(job))
        env = {{"RANK_ID", std::to_string(rank)}, {"RANK_SIZE", std::to_string(job.ranks())}, {"DEVICE_ID", local}};
    // With a role variable, MindSpore would ask a scheduler and ignore the rank table.
    if (!startsItsRanks(job) && !hasRankTable(job, node))
        env.insert({{"MS_ROLE", "MS_WORKER"}, {"MS_NODE_ID", std::to_string(rank)}});
    if (!job.launch.rankTable.empty()) env["RANK_TABLE_FILE"] = textOnNode(job.launch.rankTable, job, node);
    const FrameworkInfo *info = frameworkInfo(job.framework);
    if (!startsItsRanks(job) && ((info && info->torchStyle) || job.launch.script == "pytorch")) {
        env["RANK"] = std::to_string(rank);
        env["LOCAL_RANK"] = local;
        env["WORLD_SIZE"] = std::to_string(job.ranks());
        env["MASTER_ADDR"] = masterAddress(view);
        env["MASTER_PORT"] = std::to_string(job.launch.masterPort);
    }
    const Placeholders values = launchPlaceholders(input, rank);
    std::map<std::string, std::string> own = job.launch.env;
    for (const auto &[name, value] : node.env) own[name] = value;
    for (const auto &[name, value] : own) {
        const Result<std::string> expanded = expandWords(value, values);
        env[name] = expanded ? *expanded : value;  // refused when the job file is read
    }
    return env;
}

void tellScheduler(std::map<std::string, std::string> &env, const JobState &view, const std::string &host)
{
    env["MS_WORKER_NUM"] = std::to_string(view.job.ranks());
    env["MS_SCHED_PORT"] = std::to_string(view.job.launch.masterPort);
    if (!host.empty()) env["MS_SCHED_HOST"] = host;
}

std::map<std::string, std::string> schedulerEnvironment(const RecipeInput &input, const NodeSpec &node)
{
    std::map<std::string, std::string> env = environmentOfRank(input, node, node.ranks.front());
    const std::map<std::string, std::string> told = launchEnvironment(input.view.job, node);
    for (const char *name : {"DEVICE_ID", "MS_NODE_ID"})
        if (!told.contains(name)) env.erase(name);
    env["MS_ROLE"] = "MS_SCHED";
    env["RANK_ID"] = "0";
    return env;
}

const NodeSpec *submitNode(const Job &job)
{
    for (const NodeSpec &node : job.nodes)
        if (node.name == job.launch.submitOn) return &node;
    const auto nodes = nodesByRank(job);
    if (!nodes.empty()) return nodes.front();
    return job.nodes.empty() ? nullptr : &job.nodes.front();
}

}  // namespace rankdeck
