// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/job_file.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/job/cluster_keys.h"
#include "core/job/job_reader.h"
#include "core/job/launch_keys.h"
#include "core/job/launcher_words.h"
#include "core/job/template_checks.h"
#include "core/job/text/job_keys.h"
#include "core/job/text/json_lines.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace rankdeck {
namespace {

using nlohmann::json;

void readNode(ReadState &state, const json &object, const std::string &path, SharedVector<NodeSpec> &into)
{
    if (!object.is_object()) return state.wrong(path, message("an object with name, host and ranks"), found(object));
    ObjectReader reader(state, object, path);
    NodeSpec node;
    std::string transport;
    reader.text("host", node.host, true);
    node.name = node.host;
    reader.text("name", node.name);
    reader.ranks("ranks", node.ranks);
    reader.text("transport", transport);
    reader.text("python", node.python);
    reader.env("env", node.env);
    reader.text("via", node.via);
    reader.text("relay", node.relay.name);
    if (node.host == "local" || transport == "local")
        node.transport = TransportKind::local;
    else if (transport == "ssh")
        node.transport = TransportKind::sshChild;
    else if (!transport.empty() && transport != "libssh")
        state.wrong(path + ".transport", message("\"libssh\", \"ssh\" or \"local\""),
                    "\"" + printable(transport) + "\"");
    std::sort(node.ranks.begin(), node.ranks.end());
    for (const NodeSpec &other : into)
        if (other.name == node.name)
            state.wrong(path + ".name", message("a name that no other node has"),
                        message("\"%1\" twice", printable(node.name)));
    into.push_back(std::move(node));
}

void readSignal(ReadState &state, ObjectReader &reader, const std::string &key, std::string &into)
{
    const std::vector<std::string> known = choicesOf(*jobKeyOf(reader.keyPath(key)));
    std::string name;
    reader.text(key, name);
    into = name.starts_with("SIG") ? name.substr(3) : name;
    if (!into.empty() && std::find(known.begin(), known.end(), into) == known.end())
        state.wrong(reader.keyPath(key), alternatives(known), "\"" + printable(name) + "\"");
}

void readGracefulExit(ReadState &state, const json &object, GracefulExitSpec &exit)
{
    ObjectReader reader(state, object, "graceful_exit");
    reader.text("config", exit.config);
    reader.text("configmap", exit.configMap);
    reader.text("saves", exit.saves);
    readSignal(state, reader, "signal", exit.signal);
    reader.text("stop_file", exit.stopFile);
    readSignal(state, reader, "scancel", exit.scancel);
    reader.text("slurm_job", exit.slurmJob);
    Message ways;
    int count = 0;
    // Beside a ConfigMap, `config` is not a second way: it is the path at which the pods see it.
    std::string &file = exit.configMap.empty() ? exit.config : exit.configMap;
    const char *fileKey = exit.configMap.empty() ? "config" : "configmap";
    for (const auto &[key, value] : {std::pair(fileKey, &file), std::pair("signal", &exit.signal),
                                     std::pair("stop_file", &exit.stopFile), std::pair("scancel", &exit.scancel)})
        if (!value->empty()) ways = count++ == 0 ? Message(key) : message("%1 and %2", ways, key);
    if (count > 1) state.wrong("graceful_exit", message("one way to request the stop"), ways);
    const bool number = exit.slurmJob.find_first_not_of("0123456789_+") == std::string::npos;
    if (!number)
        state.wrong("graceful_exit.slurm_job", message("a Slurm job id"), "\"" + printable(exit.slurmJob) + "\"");
}

// Each rank is on exactly one node, and none is beyond the world size.
void checkRanks(ReadState &state, Job &job)
{
    const bool assigned =
        std::any_of(job.nodes.begin(), job.nodes.end(), [](const NodeSpec &node) { return !node.ranks.empty(); });
    if (!assigned && job.worldSize > 0 && !job.nodes.empty()) {
        const int nodes = static_cast<int>(job.nodes.size());
        if (job.worldSize % nodes != 0)
            return state.wrong("nodes",
                               message("ranks for each node, because %1 ranks cannot be divided evenly among %2 nodes",
                                       job.worldSize, nodes),
                               message("no ranks"));
        for (int rank = 0; rank < job.worldSize; ++rank)
            job.nodes[static_cast<std::size_t>(rank / (job.worldSize / nodes))].ranks.push_back(rank);
        return;
    }
    std::map<int, std::string> owner;
    for (std::size_t n = 0; n < job.nodes.size(); ++n)
        for (int rank : job.nodes[n].ranks) {
            const std::string key = "nodes[" + std::to_string(n) + "].ranks";
            if (job.worldSize > 0 && rank >= job.worldSize)
                state.wrong(key, message("ranks below world_size %1", job.worldSize), message("rank %1", rank));
            if (!owner.emplace(rank, job.nodes[n].name).second)
                state.wrong(key, message("each rank on one node"),
                            message("rank %1 on \"%2\" and on \"%3\"", rank, owner[rank], job.nodes[n].name));
        }
    std::vector<int> homeless;
    for (int rank = 0; assigned && rank < job.ranks(); ++rank)
        if (!owner.count(rank)) homeless.push_back(rank);
    if (!homeless.empty())
        state.wrong("nodes", message("every rank below %1 on a node", job.ranks()),
                    message("no node for rank %1", rankList(homeless)));
}

std::vector<int> readGroup(ReadState &state, const json &list, const std::string &key, const Job &job)
{
    std::vector<int> group;
    if (!list.is_array() || list.empty()) {
        state.wrong(key, message("an array of ranks"), found(list));
        return group;
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
        const bool rank = list[i].is_number_unsigned() && list[i].get<std::uint64_t>() < std::uint64_t(job.ranks());
        if (!rank) {
            state.wrong(key + "[" + std::to_string(i) + "]", message("a rank below %1", job.ranks()), found(list[i]));
            return group;
        }
        group.push_back(list[i].get<int>());
    }
    std::sort(group.begin(), group.end());
    return group;
}

// "all", or lists of ranks, with each rank in one list.
void readReplicaGroups(ReadState &state, const json &value, Job &job)
{
    const std::string key = "checkpoints.replica_groups";
    if (value == "all") {
        job.checkpoints.replicasAreAll = true;
        return;
    }
    if (!value.is_array() || value.empty())
        return state.wrong(key, message("\"all\" or an array of arrays of ranks"), found(value));
    std::map<int, std::size_t> seen;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const std::string at = key + "[" + std::to_string(i) + "]";
        std::vector<int> group = readGroup(state, value[i], at, job);
        for (const int rank : group)
            if (!seen.emplace(rank, i).second)
                state.wrong(at, message("each rank in one group"), message("rank %1 twice", rank));
        job.checkpoints.replicaGroups.push_back(std::move(group));
    }
}

void readCheckpoints(ReadState &state, const json &object, Job &job)
{
    ObjectReader reader(state, object, "checkpoints");
    reader.text("path", job.checkpoints.path);
    reader.text("prefix", job.checkpoints.prefix);
    std::string by;
    reader.text("saved_by", by);
    bool known = by.empty();
    for (const SavedBy one : {SavedBy::everyRank, SavedBy::firstOfNode, SavedBy::rank0}) {
        if (by != savedByName(one)) continue;
        job.checkpoints.savedBy = one;
        known = true;
    }
    if (!known)
        state.wrong("checkpoints.saved_by", message("\"every_rank\", \"first_of_node\" or \"rank0\""),
                    "\"" + printable(by) + "\"");
    if (reader.has("replica_groups")) readReplicaGroups(state, object["replica_groups"], job);
}

void readLogFields(ReadState &state, const json &object, LogSpec &logs)
{
    const std::vector<std::string> roles(logFieldRoles.begin(), logFieldRoles.end());
    for (const auto &[role, label] : object.items()) {
        const std::string key = "logs.fields." + printable(role);
        if (std::find(roles.begin(), roles.end(), role) == roles.end())
            state.wrong(key, message("one of the roles %1", alternatives(roles)), message("an unknown role"));
        else if (!label.is_string() || label.get<std::string>().empty())
            state.wrong(key, message("the label of a number in the log lines, such as \"train_loss\""), found(label));
        else
            logs.fields[role] = label.get<std::string>();
    }
}

void readSections(ReadState &state, ObjectReader &root, Job &job)
{
    if (const json *object = root.object("logs")) {
        ObjectReader reader(state, *object, "logs");
        reader.text("path", job.logs.path);
        reader.text("sample", job.logs.sample);
        reader.text("resume", job.logs.resume);
        reader.text("launcher", job.logs.launcher);
        reader.text("ttp", job.logs.ttp);
        if (const json *fields = reader.object("fields")) readLogFields(state, *fields, job.logs);
    }
    if (const json *object = root.object("checkpoints")) readCheckpoints(state, *object, job);
    if (const json *object = root.object("graceful_exit")) { readGracefulExit(state, *object, job.gracefulExit); }
    if (const json *object = root.object("launch")) readLaunch(state, *object, job.launch);
}

Job readJob(ReadState &state, const json &document)
{
    Job job;
    ObjectReader root(state, document, "");
    std::int64_t version = 0;
    std::int64_t worldSize = 0;
    std::string framework = "auto";
    if (!root.has("rankdeck"))
        state.wrong("rankdeck", message("1, the version of the job file"), message("no such key"));
    root.number("rankdeck", version, 1, 1);
    root.text("name", job.name, true);
    root.number("world_size", worldSize, 1, 1000000);
    job.worldSize = static_cast<int>(worldSize);
    root.text("framework", framework);
    if (const auto known = frameworkFromName(framework))
        job.framework = *known;
    else
        state.wrong("framework", alternatives(frameworkNames()), "\"" + printable(framework) + "\"");
    root.boolean("paths_shared", job.pathsShared);
    root.number("steps_per_epoch", job.stepsPerEpoch, 1, std::int64_t{1} << 40);
    root.text("ssh_config", job.sshConfig);
    if (const json *nodes = root.array("nodes", true)) {
        if (nodes->empty()) state.wrong("nodes", message("at least one node"), message("an empty array"));
        for (std::size_t i = 0; i < nodes->size(); ++i)
            readNode(state, (*nodes)[i], "nodes[" + std::to_string(i) + "]", job.nodes);
    }
    readSections(state, root, job);
    readCluster(state, root, job);
    readRelays(state, root, job);
    checkRanks(state, job);
    for (const Message &note : adoptLauncher(job.launch, job.ranks())) state.warn("launch.command", note);
    checkTemplates(state, job);
    return job;
}

}  // namespace

Result<JobFile> parseJob(const std::string &text, const std::string &fileName)
{
    ReadState state;
    state.fileName = fileName;
    json document;
    try {
        document = json::parse(text);
    } catch (const json::parse_error &error) {
        const std::string what = error.what();
        const std::size_t reason = what.find("while parsing");
        return fail(ErrorKind::invalid, message("%1: expected JSON, found a syntax error %2",
                                                (fileName.empty() ? "job" : fileName) + ":" +
                                                    std::to_string(lineAt(text, error.byte ? error.byte - 1 : 0)),
                                                printable(reason == std::string::npos ? what : what.substr(reason))));
    }
    state.lines = jsonLines(text);
    if (!document.is_object())
        return fail(ErrorKind::invalid, message("%1:1: expected an object with rankdeck, name and nodes, found %2",
                                                fileName.empty() ? "job" : fileName, found(document)));
    JobFile file;
    file.job = readJob(state, document);
    if (state.error) return *state.error;
    file.job.file = fileName;
    file.warnings = std::move(state.warnings);
    return file;
}

Result<JobFile> readJobFile(const std::string &path)
{
    const Result<std::string> text = readLocalFile(path, 8u << 20);
    if (!text) return text.error();
    return parseJob(*text, path);
}

std::string jobToJson(const Job &job)
{
    nlohmann::ordered_json out{{"rankdeck", 1}, {"name", job.name}};
    if (job.worldSize > 0) out["world_size"] = job.worldSize;
    out["framework"] = frameworkName(job.framework);
    for (const NodeSpec &node : job.nodes) {
        nlohmann::ordered_json entry{{"name", node.name}, {"host", node.host}, {"ranks", node.ranks}};
        if (node.transport == TransportKind::sshChild) entry["transport"] = "ssh";
        if (!node.python.empty()) entry["python"] = node.python;
        if (!node.via.empty() && node.via != job.kubernetes.via) entry["via"] = node.via;
        if (!node.relay.name.empty()) entry["relay"] = node.relay.name;
        if (!node.env.empty()) entry["env"] = node.env;
        out["nodes"].push_back(entry);
    }
    out["paths_shared"] = job.pathsShared;
    const auto section = [&](const char *name,
                             std::initializer_list<std::pair<const char *, const std::string *>> keys) {
        for (const auto &[key, value] : keys)
            if (!value->empty()) out[name][key] = *value;
    };
    section("logs", {{"path", &job.logs.path},
                     {"sample", &job.logs.sample},
                     {"resume", &job.logs.resume},
                     {"launcher", &job.logs.launcher},
                     {"ttp", &job.logs.ttp}});
    if (!job.logs.fields.empty()) out["logs"]["fields"] = job.logs.fields;
    section("checkpoints", {{"path", &job.checkpoints.path}, {"prefix", &job.checkpoints.prefix}});
    if (job.checkpoints.replicasAreAll) out["checkpoints"]["replica_groups"] = "all";
    if (!job.checkpoints.replicaGroups.empty()) out["checkpoints"]["replica_groups"] = job.checkpoints.replicaGroups;
    if (job.checkpoints.savedBy != SavedBy::everyRank)
        out["checkpoints"]["saved_by"] = savedByName(job.checkpoints.savedBy);
    section("graceful_exit", {{"config", &job.gracefulExit.config},
                              {"configmap", &job.gracefulExit.configMap},
                              {"saves", &job.gracefulExit.saves},
                              {"signal", &job.gracefulExit.signal},
                              {"stop_file", &job.gracefulExit.stopFile},
                              {"scancel", &job.gracefulExit.scancel},
                              {"slurm_job", &job.gracefulExit.slurmJob}});
    if (job.stepsPerEpoch > 0) out["steps_per_epoch"] = job.stepsPerEpoch;
    if (nlohmann::ordered_json launch = launchToJson(job.launch); !launch.is_null()) out["launch"] = std::move(launch);
    if (!job.sshConfig.empty()) out["ssh_config"] = job.sshConfig;
    clusterToJson(job.kubernetes, out);
    return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace rankdeck
