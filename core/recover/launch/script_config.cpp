// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/launch/script_config.h"

#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/edit/python_edit.h"
#include "core/recover/edit/unified_diff.h"
#include "core/recover/host/job_places.h"
#include "core/recover/wording.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr const char *where = "correct launch.config and launch.set in the job file";

bool same(const std::vector<ConfigSetting> &a, const std::vector<ConfigSetting> &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const ConfigSetting &x, const ConfigSetting &y) {
        return x.key == y.key && x.value == y.value;
    });
}

std::string firstDifference(const std::vector<ConfigSetting> &a, const std::vector<ConfigSetting> &b)
{
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
        if (a[i].value != b[i].value)
            return printable(a[i].key) + " would be " + printable(a[i].value) + " and " + printable(b[i].value);
    return "they differ";
}

Finding refusalOn(const std::string &node, FindingCode code, const Message &text, const Message &fix)
{
    return onNode(refusal(code, text, fix), node);
}

Finding sharedRefusal(const ScriptConfig &other, const std::vector<ConfigSetting> &settings, int rank)
{
    return refusalOn(other.copy.node, "config_shared",
                     message("rank %1 and %2 read the same file %3, but must load different checkpoints: %4", rank,
                             ranksText({other.copy.ranks.front()}), printable(other.copy.path),
                             firstDifference(other.settings, settings)),
                     message("give each rank its own file ({rank} in launch.config), or let the script load a "
                             "directory ({checkpoint_dir} in launch.set)"));
}

Result<std::vector<ConfigSetting>> settingsOf(const RecipeInput &input, const std::vector<ConfigSetting> &settings,
                                              int rank)
{
    std::vector<ConfigSetting> filled;
    const Placeholders values = launchPlaceholders(input, rank);
    for (const ConfigSetting &setting : settings) {
        auto value = setting.literal ? Result<std::string>(setting.value) : expand(setting.value, values);
        if (!value) return value.error();
        filled.push_back({.key = setting.key, .value = std::move(value.value()), .literal = setting.literal});
    }
    return filled;
}

// Adds the settings of one rank; returns a finding if they contradict those of another.
std::optional<Finding> want(ScriptConfigs &configs, const RecipeInput &input,
                            const std::vector<ConfigSetting> &settings, const NodeSpec &node, int rank)
{
    const Job &job = input.view.job;
    const auto path = pathOfRank(job, job.launch.config, rank);
    if (!path) return refusalOn({}, "placeholder", path.error().message, where);
    auto filled = settingsOf(input, settings, rank);
    if (!filled) return refusalOn({}, "placeholder", filled.error().message, where);
    const auto own = input.configs.find(rank);
    const std::string target = own == input.configs.end() ? std::string() : own->second;
    for (ScriptConfig &other : configs.files) {
        if (!target.empty() || other.copy.node != node.name || other.copy.path != path.value()) continue;
        other.copy.ranks.push_back(rank);
        if (same(other.settings, filled.value())) return {};
        return sharedRefusal(other, filled.value(), rank);
    }
    configs.files.push_back({.copy = {.node = node.name, .path = path.value(), .ranks = {rank}},
                             .settings = std::move(filled.value()),
                             .target = target});
    return {};
}

// The content of a file, which may have been read through another node.
const ConfigCopy &contentOf(const ScriptConfigs &configs, const ScriptConfig &one)
{
    if (!one.copy.content)
        for (const ScriptConfig &other : configs.files)
            if (other.copy.node == one.copy.sameAs && other.copy.path == one.copy.path && other.copy.content)
                return other.copy;
    return one.copy;
}

void edit(ConfigEdits &out, const ScriptConfigs &configs, const ScriptConfig &one)
{
    const std::string file = printable(one.copy.path) + " on node " + printable(one.copy.node);
    if (!one.copy.sameAs.empty() && one.target.empty()) {  // written through another node
        for (const ScriptConfig &other : configs.files)
            if (other.copy.node == one.copy.sameAs && other.copy.path == one.copy.path &&
                !same(other.settings, one.settings))
                out.findings.push_back(sharedRefusal(other, one.settings, one.copy.ranks.front()));
        return;
    }
    const ConfigCopy &read = contentOf(configs, one);
    if (!read.content) {
        out.findings.push_back(refusalOn(one.copy.node, "config_unreadable",
                                         message("expected the script's configuration %1, found %2", file,
                                                 (read.problem ? printable(read.problem->message) : "nothing")),
                                         where));
        return;
    }
    const std::string &before = read.content->bytes;
    const auto after =
        one.copy.path.ends_with(".py") ? editPython(before, one.settings) : editYaml(before, one.settings);
    if (!after) {
        out.findings.push_back(refusalOn(
            one.copy.node, "config_not_editable", file + ", " + after.error().message,
            message("write that line as plain \"key: value\", or set the keys by hand and leave launch.script out")));
        return;
    }
    if (!one.target.empty()) {
        out.directories[one.copy.node].push_back({.action = FileAction::makeDirectory, .path = dirName(one.target)});
        out.byNode[one.copy.node].push_back(newFile(one.target, after.value()));
        return;
    }
    if (after.value() == before) return;
    out.byNode[one.copy.node].push_back({.path = one.copy.path,
                                         .before = before,
                                         .after = after.value(),
                                         .diff = unifiedDiff(one.copy.path, before, after.value()),
                                         .expectedSha256 = one.copy.content->sha256});
}

}  // namespace

std::map<int, std::string> configCopies(const RecipeInput &input, const std::vector<ConfigSetting> &settings)
{
    const Job &job = input.view.job;
    const LaunchSpec &launch = job.launch;
    const bool perRank = launch.recipe == "command" || launch.recipe == "slurm" || launch.recipe == "volcano";
    std::map<int, std::string> copies;
    if (!perRank || startsItsRanks(job) || settings.empty() || launch.config.empty()) return copies;
    RecipeInput named = input;
    std::map<std::string, std::vector<ConfigSetting>> first;  // path → settings of its first rank
    bool differ = false;
    for (const NodeSpec *node : nodesByRank(job))
        for (const int rank : node->ranks) {
            const auto path = pathOfRank(job, launch.config, rank);
            auto filled = settingsOf(input, settings, rank);
            if (!path || !filled) return {};
            const auto known = first.emplace(path.value(), filled.value());
            differ = differ || (!known.second && !same(known.first->second, filled.value()));
            copies[rank] = joinPath(ownDirectory(job, node), "configs/" + input.id + "/rank_" + std::to_string(rank) +
                                                                 "/" + baseName(path.value()));
            const auto before = argvOfRank(input, rank);
            named.configs = {{rank, copies[rank]}};
            const auto after = argvOfRank(named, rank);
            if (!before || !after || before.value() == after.value()) return {};  // its command names no such file
        }
    return differ ? copies : std::map<int, std::string>();
}

ScriptConfigs wantedConfigs(const RecipeInput &input, const std::vector<ConfigSetting> &settings)
{
    ScriptConfigs configs;
    if (settings.empty() || input.view.job.launch.config.empty()) return configs;
    for (const NodeSpec *node : nodesByRank(input.view.job))
        for (const int rank : node->ranks)
            if (auto refused = want(configs, input, settings, *node, rank)) return {.refused = std::move(refused)};
    return configs;
}

void readScriptConfigs(ActionContext &host, const JobState &view, ScriptConfigs &configs, SteadyTime deadline)
{
    std::vector<Reply<FileContent>> replies;
    for (const ScriptConfig &one : configs.files) {
        NodeClient *node = host.node(one.copy.node);
        replies.push_back(node ? node->readFile(one.copy.path, 1u << 20) : Reply<FileContent>());
    }
    std::vector<ConfigCopy> copies;
    for (std::size_t i = 0; i < configs.files.size(); ++i) {
        ConfigCopy &copy = configs.files[i].copy;
        auto content = waitFor(replies[i], deadline, copy.node);
        if (content)
            copy.content = std::move(content.value());
        else
            copy.problem = content.error();
        copies.push_back(copy);
    }
    findShared(copies, view);
    for (std::size_t i = 0; i < configs.files.size(); ++i) configs.files[i].copy = std::move(copies[i]);
}

ConfigEdits scriptConfigEdits(const ScriptConfigs &configs)
{
    ConfigEdits out;
    if (configs.refused) out.findings.push_back(*configs.refused);
    for (const ScriptConfig &one : configs.files) edit(out, configs, one);
    return out;
}

}  // namespace rankdeck
