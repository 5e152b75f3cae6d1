// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/launch_keys.h"

#include "core/base/text.h"

#include <algorithm>

namespace rankdeck {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

Message quotedNames(std::vector<std::string> names)
{
    for (std::string &name : names) name = "\"" + name + "\"";
    return alternatives(names);
}

void checkName(ReadState &state, const std::string &key, const std::string &value,
               const std::vector<std::string> &names)
{
    if (value.empty() || std::find(names.begin(), names.end(), value) != names.end()) return;
    const std::string near = nearest(value, names);
    state.wrong(key, quotedNames(names),
                "\"" + printable(value) + "\"" + (near.empty() ? "" : "; did you mean \"" + near + "\"?"));
}

void readSet(ReadState &state, const json &object, std::map<std::string, ConfigValue> &into)
{
    for (const auto &[name, value] : object.items()) {
        const std::string key = "launch.set." + name;
        if (name.empty() || name.find_first_of(" \t\n:#'\"{}[],&*") != std::string::npos)
            return state.wrong(key, message("the name of a key in launch.config"), "\"" + printable(name) + "\"");
        if (value.is_string())
            into[name] = {.text = value.get<std::string>()};
        else if (value.is_boolean() || value.is_number())
            into[name] = {.text = value.dump(), .literal = true};
        else
            return state.wrong(key, message("a string, a number, true or false"), found(value));
    }
}

void readVolcano(ReadState &state, const json &object, VolcanoSpec &volcano)
{
    ObjectReader reader(state, object, "launch.volcano");
    std::int64_t grace = volcano.graceSeconds;
    reader.text("file", volcano.file);
    reader.text("image", volcano.image);
    reader.text("namespace", volcano.nameSpace);
    reader.text("queue", volcano.queue);
    reader.text("resource", volcano.resource);
    reader.env("mounts", volcano.mounts);
    reader.env("labels", volcano.labels);
    reader.env("node_selector", volcano.nodeSelector);
    reader.number("grace_seconds", grace, 0, 3600);
    volcano.graceSeconds = static_cast<int>(grace);
    reader.boolean("per_pod", volcano.perPod);
}

ordered_json volcanoToJson(const VolcanoSpec &volcano)
{
    const VolcanoSpec usual;
    ordered_json out;
    const auto text = [&](const char *key, const std::string &value, const std::string &usually) {
        if (value != usually) out[key] = value;
    };
    text("file", volcano.file, usual.file);
    text("image", volcano.image, usual.image);
    text("namespace", volcano.nameSpace, usual.nameSpace);
    text("queue", volcano.queue, usual.queue);
    text("resource", volcano.resource, usual.resource);
    if (!volcano.mounts.empty()) out["mounts"] = volcano.mounts;
    if (!volcano.labels.empty()) out["labels"] = volcano.labels;
    if (!volcano.nodeSelector.empty()) out["node_selector"] = volcano.nodeSelector;
    if (volcano.graceSeconds != usual.graceSeconds) out["grace_seconds"] = volcano.graceSeconds;
    if (volcano.perPod) out["per_pod"] = true;
    return out;
}

}  // namespace

void readLaunch(ReadState &state, const json &object, LaunchSpec &launch)
{
    ObjectReader reader(state, object, "launch");
    std::int64_t port = launch.masterPort;
    reader.text("recipe", launch.recipe);
    reader.text("script", launch.script);
    reader.text("config", launch.config);
    if (const json *set = reader.object("set")) readSet(state, *set, launch.set);
    reader.text("workdir", launch.workdir);
    reader.texts("command", launch.command);
    reader.boolean("per_node", launch.perNode);
    reader.env("env", launch.env);
    reader.texts("fault_tolerance", launch.faultTolerance);
    reader.texts("options", launch.options);
    reader.text("views", launch.views);
    reader.text("submit_on", launch.submitOn);
    reader.text("master_addr", launch.masterAddr);
    reader.number("master_port", port, 1, 65535);
    reader.text("msrun", launch.msrun);
    reader.text("rank_table", launch.rankTable);
    reader.text("fault_npus", launch.faultNpus);
    if (const json *volcano = reader.object("volcano")) readVolcano(state, *volcano, launch.volcano);
    launch.masterPort = static_cast<int>(port);
    checkName(state, "launch.recipe", launch.recipe, launchRecipes());
    checkName(state, "launch.script", launch.script, trainingScripts());
    if (launch.perNode && !launch.recipe.empty() && launch.recipe != "command")
        state.wrong("launch.per_node", message("the recipe \"command\"; for Volcano it is launch.volcano.per_pod"),
                    "\"" + printable(launch.recipe) + "\"");
    for (std::size_t i = 0; i < launch.faultTolerance.size(); ++i)
        checkName(state, "launch.fault_tolerance[" + std::to_string(i) + "]", launch.faultTolerance[i],
                  faultToleranceModes());
    if (!launch.set.empty() && launch.config.empty())
        state.wrong("launch.set", message("launch.config, the file whose keys are set"), message("no such key"));
}

ordered_json launchToJson(const LaunchSpec &launch)
{
    ordered_json out;
    const auto text = [&](const char *key, const std::string &value) {
        if (!value.empty()) out[key] = value;
    };
    text("recipe", launch.recipe);
    text("script", launch.script);
    text("config", launch.config);
    for (const auto &[name, value] : launch.set)
        out["set"][name] = value.literal ? ordered_json::parse(value.text) : ordered_json(value.text);
    text("workdir", launch.workdir);
    if (!launch.command.empty()) out["command"] = launch.command;
    if (launch.perNode) out["per_node"] = true;
    if (!launch.env.empty()) out["env"] = launch.env;
    if (!launch.faultTolerance.empty()) out["fault_tolerance"] = launch.faultTolerance;
    if (!launch.options.empty()) out["options"] = launch.options;
    text("views", launch.views);
    text("submit_on", launch.submitOn);
    text("rank_table", launch.rankTable);
    if (launch.faultNpus != LaunchSpec().faultNpus) out["fault_npus"] = launch.faultNpus;
    if (!launch.recipe.empty()) {
        text("master_addr", launch.masterAddr);
        text("msrun", launch.msrun);
        out["master_port"] = launch.masterPort;
    }
    if (ordered_json volcano = volcanoToJson(launch.volcano); !volcano.is_null()) out["volcano"] = std::move(volcano);
    return out;
}

}  // namespace rankdeck
