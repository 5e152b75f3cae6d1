// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/launch/fault_controller.h"

#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/flag/tft_callback.h"
#include "core/recover/host/listeners.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr std::uint32_t tableBytes = 4u << 20;

// Whether a process listens on the port. Unknown: no answer, or the table cannot be read.
Known listens(NodeClient &node, const std::string &name, int port, SteadyTime deadline)
{
    auto four = node.readFile("/proc/net/tcp", tableBytes), six = node.readFile("/proc/net/tcp6", tableBytes);
    bool read = false, unread = false;
    for (Reply<FileContent> *reply : {&four, &six}) {
        const auto table = waitFor(*reply, deadline, name);
        if (!table) {
            unread = unread || table.error().kind != ErrorKind::notFound;  // a kernel without IPv6 has no tcp6
            continue;
        }
        read = true;
        for (const auto &[inode, open] : listenersOf(table->bytes))
            if (open == port) return true;
    }
    return read && !unread ? Known(false) : Known::unknown;
}

}  // namespace

FaultController readController(ActionContext &host, const JobState &view,
                               const std::map<std::string, std::string> &scripts, SteadyTime deadline)
{
    FaultController controller;
    const auto &env = view.job.launch.env;
    if (!env.contains("MS_ENABLE_TFT")) return controller;
    int rank = 0;
    for (const auto &[node, script] : scripts)
        if (const auto callback = tftCallbackOf(script); callback && callback->port > 0) {
            rank = callback->rank;
            controller.port = callback->port;
            controller.by = callback->name + " of the script";
        }
    if (const auto told = env.find("MS_TFT_PORT"); told != env.end())
        if (const auto port = decimal(told->second); port && *port > 0 && *port < 65536) {
            controller.port = static_cast<int>(*port);
            controller.by = "MS_TFT_PORT";
        }
    const NodeSpec *spec = view.job.nodeOf(rank);
    if (controller.port == 0 || !spec) return FaultController{};
    controller.node = spec->name;
    NodeClient *node = host.node(spec->name);
    if (node) controller.busy = listens(*node, spec->name, controller.port, deadline);
    return controller;
}

}  // namespace rankdeck
