// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/launch/cluster/rank_table.h"

#include "core/base/text.h"
#include "core/recover/host/job_places.h"
#include "core/recover/launch/cluster/vcjob.h"

#include <nlohmann/json.hpp>

namespace rankdeck {

using nlohmann::ordered_json;

namespace {

// Common beginning of both programs. MindSpore's scheduler accepts only an IP address. The cluster may take some time
// after the pod's start until it resolves a name, and Volcano's controller may still be writing the rank table.
constexpr const char *common = R"py(import json
import os
import signal
import socket
import subprocess
import sys
import time


def start(me):
    os.makedirs(os.path.dirname(me["log"]) or ".", exist_ok=True)
    with open(me["log"], "ab") as log:
        return subprocess.Popen(me["argv"], env=dict(os.environ, **me["env"]), stdout=log, stderr=log)


def address(name, seconds=120):
    until = time.time() + seconds
    while True:
        try:
            return socket.gethostbyname(name)
        except OSError as error:
            if time.time() > until:
                sys.exit("expected the address of the scheduler's host %s, found %s" % (name, error))
        time.sleep(1)


def meet(me, host):
    if SCHEDULER and "MS_SCHED_HOST" not in me["env"]:
        me["env"]["MS_SCHED_HOST"] = host


def wait_for_table(path, seconds=600):
    until = time.time() + seconds
    while True:
        try:
            with open(path) as table:
                if json.load(table).get("status", "completed") in ("completed", "complete"):
                    return
        except (OSError, ValueError):
            pass
        if time.time() > until:
            sys.exit("expected the rank table %s to become complete, found that it did not" % path)
        time.sleep(1)


)py";

// Turns this program into the rank. For the first rank, the program also starts the scheduler, stays beside it, and
// ends after it.
constexpr const char *becomeRank = R"py(me = TABLE[number]
if SCHEDULER and "MS_SCHED_HOST" not in me["env"]:
    host = address(MASTER or os.environ["SLURM_LAUNCH_NODE_IPADDR"])
    for one in (me, SCHEDULER):
        meet(one, host)
if SCHEDULER and number == "0":
    scheduler = start(SCHEDULER)
    rank = start(me)
    signal.signal(signal.SIGTERM, lambda *_: rank.send_signal(signal.SIGTERM))
    code = rank.wait()
    if code == 0:
        try:
            scheduler.wait(60)
        except subprocess.TimeoutExpired:
            pass
    if scheduler.poll() is None:
        scheduler.terminate()
    sys.exit(128 - code if code < 0 else code)
os.environ.update(me["env"])
os.makedirs(os.path.dirname(me["log"]) or ".", exist_ok=True)
log = os.open(me["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
os.dup2(log, 1)
os.dup2(log, 2)
os.execvp(me["argv"][0], me["argv"])
)py";

constexpr const char *podProgram = R"py(pod = os.environ.get("VC_TASK_INDEX") or os.environ["VK_TASK_INDEX"]
ranks = []
scheduler = None


def end(number, frame):
    for rank in ranks:
        if rank.poll() is None:
            rank.send_signal(signal.SIGTERM)
    if not ranks:
        if scheduler:
            scheduler.terminate()
        sys.exit(143)


# The first process of a pod hears no signal that it does not ask for: not while it waits for the table either.
signal.signal(signal.SIGTERM, end)
if SCHEDULER and "MS_SCHED_HOST" not in SCHEDULER["env"]:
    own = os.environ.get("POD_IP") if pod == "0" and not TOLD else None
    host = own or address(MASTER)
    for one in TABLE[pod] + [SCHEDULER]:
        meet(one, host)
if SCHEDULER and pod == "0":
    scheduler = start(SCHEDULER)
for me in TABLE[pod]:
    if WAITS and "RANK_TABLE_FILE" in me["env"]:
        wait_for_table(me["env"]["RANK_TABLE_FILE"])
    ranks.append(start(me))
failed = 0
while any(rank.poll() is None for rank in ranks):
    codes = [rank.poll() for rank in ranks if rank.poll()]
    if codes and not failed:
        failed = codes[0]
        end(None, None)
    time.sleep(1)
codes = [rank.poll() for rank in ranks if rank.poll()]
failed = failed or (codes[0] if codes else 0)
if scheduler:
    try:
        scheduler.wait(0 if failed else 60)
    except subprocess.TimeoutExpired:
        scheduler.terminate()
sys.exit(128 - failed if failed < 0 else failed)
)py";

ordered_json jsonOf(const std::map<std::string, std::string> &env)
{
    ordered_json out = ordered_json::object();
    for (const auto &[name, value] : env) out[validUtf8(name)] = validUtf8(value);
    return out;
}

Result<ordered_json> entryOf(const RecipeInput &input, const NodeSpec &node, int rank, bool roles = true)
{
    const auto argv = argvOfRank(input, rank);
    if (!argv) return argv.error();
    const auto log = pathOfRank(input.view.job, input.view.job.logs.path, rank);
    if (!log) return log.error();
    if (argv->empty()) return fail(ErrorKind::invalid, message("expected a program in launch.command, found none"));
    ordered_json entry{{"log", validUtf8(log.value())}, {"env", nullptr}, {"argv", ordered_json::array()}};
    std::map<std::string, std::string> env = environmentOfRank(input, node, rank);
    const auto own = launchEnvironment(input.view.job, node);
    if (roles && needsScheduler(input.view.job)) tellScheduler(env, input.view, {});
    for (const char *name : {"MS_ROLE", "MS_NODE_ID"})
        if (!roles && !own.contains(name)) env.erase(name);
    entry["env"] = jsonOf(env);
    for (const std::string &argument : argv.value()) entry["argv"].push_back(validUtf8(argument));
    return entry;
}

// One line of the table for each rank, so that a diff of the plan is readable. It becomes part of a raw Python string,
// so it must not contain a single quote.
std::string line(const ordered_json &value)
{
    return replaceAll(value.dump(-1, ' ', true, ordered_json::error_handler_t::replace), "'", "\\u0027");
}

// Description of the scheduler in the programs: the first rank's program in another role, or None.
Result<std::string> schedulerLine(const RecipeInput &input)
{
    const auto nodes = nodesByRank(input.view.job);
    if (nodes.empty() || !needsScheduler(input.view.job)) return std::string("None");
    auto entry = entryOf(input, *nodes.front(), nodes.front()->ranks.front());
    if (!entry) return entry.error();
    std::map<std::string, std::string> env = schedulerEnvironment(input, *nodes.front());
    tellScheduler(env, input.view, {});
    entry.value()["env"] = jsonOf(env);
    entry.value()["log"] = joinPath(dirName(entry.value()["log"].get<std::string>()), "scheduler.log");
    return "json.loads(r'''" + line(entry.value()) + "''')";
}

struct Place {
    std::string master;     // host of the scheduler; empty: the node that starts the ranks
    bool told = false;      // true: the job file names the host
    bool waits = false;     // the rank table is not written yet
    bool scheduler = true;  // the ranks meet at a scheduler, if the framework uses one
};

Result<std::string> program(const RecipeInput &input, const std::string &head, const std::string &table,
                            const Place &place, const std::string &body)
{
    const auto scheduler = place.scheduler ? schedulerLine(input) : std::string("None");
    if (!scheduler) return scheduler.error();
    const auto yes = [](bool value) { return value ? "True" : "False"; };
    return "#!/usr/bin/env python3\n# " + head + "\n" + common + "TABLE = json.loads(r'''{\n" + table +
           "\n}''')\nSCHEDULER = " + scheduler.value() + "\nMASTER = json.loads(r'''" +
           line(ordered_json(validUtf8(place.master))) + "''')\nTOLD, WAITS = " + yes(place.told) + ", " +
           yes(place.waits) + "\n" + body;
}

}  // namespace

Result<std::string> rankProgram(const RecipeInput &input, const std::string &starter, const std::string &variable,
                                bool roles)
{
    std::string table;
    for (const NodeSpec *node : nodesByRank(input.view.job))
        for (const int rank : node->ranks) {
            const auto entry = entryOf(input, *node, rank, roles);
            if (!entry) return entry.error();
            table += (table.empty() ? "" : ",\n") + ("\"" + std::to_string(rank) + "\": ") + line(entry.value());
        }
    const std::string &told = input.view.job.launch.masterAddr;
    return program(input, "One rank of " + printable(input.id) + ", by the number that " + starter + " gave it.", table,
                   {.master = told, .told = !told.empty(), .scheduler = roles},
                   "number = os.environ[\"" + variable + "\"]\n" + becomeRank);
}

Result<std::string> volcanoPodProgram(const RecipeInput &input, bool masterTold)
{
    std::string table;
    const bool perPod = startsItsRanks(input.view.job);
    int pod = 0;
    for (const NodeSpec *node : nodesByRank(input.view.job)) {
        std::string ranks;
        for (const int rank : node->ranks) {
            if (perPod && rank != node->ranks.front()) break;
            const auto entry = entryOf(input, *node, rank);
            if (!entry) return entry.error();
            ranks += (ranks.empty() ? "" : ",\n ") + line(entry.value());
        }
        table += (table.empty() ? "" : ",\n") + ("\"" + std::to_string(pod++) + "\": [" + ranks + "]");
    }
    return program(
        input, "The ranks of one pod of " + printable(input.id) + ", by the number that Volcano gave it.", table,
        {.master = masterAddress(input.view), .told = masterTold, .waits = hasRankTable(input.view.job)}, podProgram);
}

}  // namespace rankdeck
