// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/keeper_plan.h"

#include <nlohmann/json.hpp>

namespace rankdeck::demo {

// The JSON keys are the member names; all of them are required.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProcessStart, pid, startTicks)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KeeperNode, name, sshdConfig, sshdLog)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ChildSpec, argv, env, workdir, output)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KeeperPlan, id, directory, owner, pollSeconds, stepSeconds, sshd, faults, linkFaults,
                                   nodes, ranks)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KeeperReady, error, boot, keeper, schedulerPort, ports, servers, ranks)

namespace {

template <typename Told>
Result<Told> readFrom(const std::string &text, const std::string &what)
{
    try {
        return nlohmann::json::parse(text).get<Told>();
    } catch (const nlohmann::json::exception &error) {
        return fail(ErrorKind::invalid, what + " cannot be read: " + error.what());
    }
}

}  // namespace

std::string planToJson(const KeeperPlan &plan) { return nlohmann::json(plan).dump(2); }

Result<KeeperPlan> planFromJson(const std::string &text) { return readFrom<KeeperPlan>(text, "the keeper's plan"); }

std::string readyToJson(const KeeperReady &ready) { return nlohmann::json(ready).dump(2); }

Result<KeeperReady> readyFromJson(const std::string &text)
{
    return readFrom<KeeperReady>(text, "the keeper's answer");
}

}  // namespace rankdeck::demo
