// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/launch/rank_table.h"

#include "core/base/text.h"
#include "core/recover/host/job_places.h"

#include <nlohmann/json.hpp>

namespace rankdeck {

using nlohmann::ordered_json;

namespace {

constexpr const char *becomeRank = R"py(
os.environ.update(me["env"])
os.makedirs(os.path.dirname(me["log"]) or ".", exist_ok=True)
log = os.open(me["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
os.dup2(log, 1)
os.dup2(log, 2)
os.execvp(me["argv"][0], me["argv"])
)py";

constexpr const char *podProgram = R"py(import signal
import subprocess
import time

ranks = []
for me in TABLE[os.environ.get("VC_TASK_INDEX") or os.environ["VK_TASK_INDEX"]]:
    os.makedirs(os.path.dirname(me["log"]) or ".", exist_ok=True)
    with open(me["log"], "ab") as log:
        ranks.append(subprocess.Popen(me["argv"], env=dict(os.environ, **me["env"]), stdout=log, stderr=log))


def end(number, frame):
    for rank in ranks:
        if rank.poll() is None:
            rank.send_signal(signal.SIGTERM)


signal.signal(signal.SIGTERM, end)
failed = 0
while any(rank.poll() is None for rank in ranks):
    codes = [rank.poll() for rank in ranks if rank.poll()]
    if codes and not failed:
        failed = codes[0]
        end(None, None)
    time.sleep(1)
codes = [rank.poll() for rank in ranks if rank.poll()]
failed = failed or (codes[0] if codes else 0)
sys.exit(128 - failed if failed < 0 else failed)
)py";

Result<ordered_json> entryOf(const RecipeInput &input, const NodeSpec &node, int rank, bool roles)
{
    const auto argv = argvOfRank(input, rank);
    if (!argv) return argv.error();
    const auto log = pathOfRank(input.view.job, input.view.job.logs.path, rank);
    if (!log) return log.error();
    if (argv->empty()) return fail(ErrorKind::invalid, "expected a program in launch.command, found none");
    ordered_json entry{
        {"log", validUtf8(log.value())}, {"env", ordered_json::object()}, {"argv", ordered_json::array()}};
    const auto own = launchEnvironment(input.view.job, node);
    for (const auto &[name, value] : environmentOfRank(input.view, node, rank))
        if (roles || own.contains(name) || (name != "MS_ROLE" && name != "MS_NODE_ID"))
            entry["env"][validUtf8(name)] = validUtf8(value);
    for (const std::string &argument : argv.value()) entry["argv"].push_back(validUtf8(argument));
    return entry;
}

// One line for each rank, so that the plan's diff can be read. In a raw Python string: no single quote in it.
std::string line(const ordered_json &value)
{
    return replaceAll(value.dump(-1, ' ', true, ordered_json::error_handler_t::replace), "'", "\\u0027");
}

std::string program(const std::string &head, const std::string &table, const std::string &body)
{
    return "#!/usr/bin/env python3\n# " + head + "\nimport json\nimport os\nimport sys\n\nTABLE = json.loads(r'''{\n" +
           table + "\n}''')\n" + body;
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
    return program("One rank of " + printable(input.id) + ", by the number that " + starter + " gave it.", table,
                   "me = TABLE[os.environ[\"" + variable + "\"]]" + becomeRank);
}

Result<std::string> volcanoPodProgram(const RecipeInput &input)
{
    std::string table;
    const bool perPod = input.view.job.launch.volcano.perPod;
    int pod = 0;
    for (const NodeSpec *node : nodesByRank(input.view.job)) {
        std::string ranks;
        for (const int rank : node->ranks) {
            if (perPod && rank != node->ranks.front()) break;
            const auto entry = entryOf(input, *node, rank, true);
            if (!entry) return entry.error();
            ranks += (ranks.empty() ? "" : ",\n ") + line(entry.value());
        }
        table += (table.empty() ? "" : ",\n") + ("\"" + std::to_string(pod++) + "\": [" + ranks + "]");
    }
    return program("The ranks of one pod of " + printable(input.id) + ", by the number that Volcano gave it.", table,
                   podProgram);
}

}  // namespace rankdeck
