// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/text.h"
#include "core/recover/resume/checks/resume_checks.h"
#include "core/recover/wording.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace rankdeck {

namespace {

std::optional<int> wholeNumber(const Message &text)
{
    int number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || problem != std::errc{} || end != text.data() + text.size() || number < 1) return {};
    return number;
}

// "tensor-model-parallel-size", "tensor_model_parallel_size", "TP" … → the name in checkpoints; otherwise "".
std::string degreeName(std::string word)
{
    std::replace(word.begin(), word.end(), '-', '_');
    std::transform(word.begin(), word.end(), word.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    static const std::map<std::string, std::string> names{
        {"tensor_model_parallel_size", "tensor_model_parallel_size"},
        {"tp", "tensor_model_parallel_size"},
        {"pipeline_model_parallel_size", "pipeline_model_parallel_size"},
        {"pp", "pipeline_model_parallel_size"},
        {"expert_model_parallel_size", "expert_model_parallel_size"},
        {"ep", "expert_model_parallel_size"},
        {"context_parallel_size", "context_parallel_size"},
        {"cp", "context_parallel_size"},
        {"op_level_model_parallel_num", "model_parallel"},  // Pangu of MindSpore, MindFormers
        {"model_parallel", "model_parallel"},
        {"stage_num", "pipeline_stages"},
        {"pipeline_stage", "pipeline_stages"},
        {"data_parallel", "data_parallel"}};
    const auto found = names.find(word);
    return found == names.end() ? std::string() : found->second;
}

int factNumber(const CheckpointSet &set, const std::string &name)
{
    const auto found = set.facts.find(name);
    return found == set.facts.end() ? 0 : wholeNumber(found->second).value_or(0);
}

std::string fact(const CheckpointSet &set, const std::string &name)
{
    const auto found = set.facts.find(name);
    return found == set.facts.end() ? std::string() : found->second;
}

Message conversionOf(const CheckpointSet &set)
{
    if (fact(set, "framework") == "deepspeed")
        return message("start the job with the world size that saved the set, or convert the set with "
                       "ds_to_universal.py and load the result");
    return message(
        "start the job with the degrees that saved the set, or convert the set with the framework's own tool first");
}

// Number of ranks in each group with the same parameters, from group or strategy files of the set's run. 0: unknown, or
// different between the groups.
int replicasOf(const CheckpointSet &set)
{
    std::size_t size = 0;
    for (const std::string &group : split(fact(set, "replica_groups"), ';')) {
        const std::size_t ranks = static_cast<std::size_t>(std::count(group.begin(), group.end(), ',')) + 1;
        if (group.empty() || (size != 0 && ranks != size)) return 0;
        size = ranks;
    }
    return static_cast<int>(size);
}

int told(const std::map<std::string, int> &degrees, const std::string &name)
{
    const auto found = degrees.find(name);
    return found == degrees.end() ? 0 : found->second;
}

// Recognises the option and its value as one argument of the command or as two.
bool shardsOptimizer(const std::vector<std::string> &command)
{
    for (std::size_t at = 0; at < command.size(); ++at)
        for (const char *name : {"--optimizer_shard", "--enable_parallel_optimizer"}) {
            const std::string next = at + 1 < command.size() ? command[at + 1] : std::string();
            const std::string value = command[at] == name ? next
                                      : command[at].starts_with(std::string(name) + "=")
                                          ? command[at].substr(std::string(name).size() + 1)
                                          : std::string();
            if (value == "1" || value == "True" || value == "true") return true;
        }
    return false;
}

// In MindSpore, the stages and the cuts of each operator are the degrees; the remaining factor of the world size is the
// number of replicas.
void checkReplicas(std::vector<Finding> &findings, const Job &job, const CheckpointSet &set,
                   const std::map<std::string, int> &degrees)
{
    const int saved = replicasOf(set);
    if (saved < 2) return;
    const auto refuse = [&](const Message &found) {
        findings.push_back(refusal("degrees_differ",
                                   message("expected groups of %1 ranks with the same parameters, as when %2 was "
                                           "saved, found %3; this set cannot be loaded with a different layout",
                                           saved, setText(set), found),
                                   conversionOf(set)));
    };
    if (shardsOptimizer(job.launch.command)) {
        refuse(message(
            "a sharded optimizer (optimizer_shard, enable_parallel_optimizer), in which every rank has its own part"));
        return;
    }
    const int model = told(degrees, "model_parallel"), stages = told(degrees, "pipeline_stages");
    const int cut = model * stages;
    int now = told(degrees, "data_parallel");
    if (now == 0 && cut > 0 && job.ranks() % cut == 0) now = job.ranks() / cut;
    if (now != 0 && now != saved)
        refuse(cut > 0 ? message("%1 (%2 stages, %3 parts per operator, %4 ranks)", now, stages, model, job.ranks())
                       : messagePart(now));
}

// "3.13" of "3.13.1"; false if either is unknown.
bool older(const std::string &version, const std::string &needed)
{
    const auto parts = split(version, '.'), wanted = split(needed, '.');
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto has = i < parts.size() ? wholeNumber(parts[i]) : std::nullopt;
        const auto wants = wholeNumber(wanted[i]);
        if (!has || !wants) return false;
        if (*has != *wants) return *has < *wants;
    }
    return false;
}

}  // namespace

std::map<std::string, int> degreesOf(const LaunchSpec &launch)
{
    std::map<std::string, int> degrees;
    for (std::size_t at = 0; at < launch.command.size(); ++at) {
        const std::string &word = launch.command[at];
        const std::size_t start = word.find_first_not_of('-');
        if (start != 2 && start != 1) continue;
        const std::size_t equals = word.find('=');
        const std::string name = degreeName(word.substr(start, equals == std::string::npos ? equals : equals - start));
        if (name.empty()) continue;
        const std::string value = equals != std::string::npos      ? word.substr(equals + 1)
                                  : at + 1 < launch.command.size() ? launch.command[at + 1]
                                                                   : std::string();
        if (const auto number = wholeNumber(value)) degrees[name] = *number;
    }
    for (const auto &[name, value] : launch.env)  // launch scripts of Megatron read TP, PP, EP
        if (const std::string degree = degreeName(name); !degree.empty() && !degrees.contains(degree))
            if (const auto number = wholeNumber(value)) degrees[degree] = *number;
    return degrees;
}

std::vector<Finding> degreeFindings(const Job &job, const CheckpointSet &set,
                                    const std::map<std::string, std::string> &python)
{
    std::vector<Finding> findings;
    const std::string reshardable = fact(set, "reshardable");
    const auto degrees = degreesOf(job.launch);
    const int world = factNumber(set, "world_size");
    const auto refuseUnless = [&](bool may, const std::string &what, int saved, int now) {
        if (saved == 0 || now == 0 || saved == now || may) return;
        findings.push_back(refusal(
            "degrees_differ",
            message("expected a launch with %1 %2, as when %3 was saved, found %4; %5", what, grouped(saved),
                    setText(set), grouped(now),
                    reshardable == "data" ? message("for this set, only the number of data-parallel ranks may change")
                                          : message("this set cannot be loaded with a different layout")),
            conversionOf(set)));
    };
    const bool data = reshardable == "all" || reshardable == "data";
    if (!reshardable.empty()) refuseUnless(data, "world size", world, job.ranks());
    static constexpr std::array<std::pair<const char *, const char *>, 4> known{
        std::pair{"tensor_model_parallel_size", "tensor parallel size"},
        std::pair{"pipeline_model_parallel_size", "pipeline parallel size"},
        std::pair{"expert_model_parallel_size", "expert parallel size"},
        std::pair{"context_parallel_size", "context parallel size"}};
    for (const auto &[name, what] : known)
        if (const auto told = degrees.find(name); told != degrees.end())
            refuseUnless(reshardable == "all", what, factNumber(set, name), told->second);
    checkReplicas(findings, job, set, degrees);
    if (const std::string needed = fact(set, "needs_python"); !needed.empty())
        for (const auto &[node, version] : python)
            if (older(version, needed))
                findings.push_back(
                    onNode(warning("python_older",
                                   message("%1 was written by Python %2 or newer and contains paths; "
                                           "node %3 would load it with Python %4",
                                           setText(set), printable(needed), printable(node), printable(version)),
                                   message("load it with Python %1 or newer", printable(needed))),
                           node));
    return findings;
}

}  // namespace rankdeck
