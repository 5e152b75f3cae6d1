// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/keeper_plan.h"

#include <nlohmann/json.hpp>

namespace rankdeck::demo {

void to_json(nlohmann::json &into, const ProcessStart &p) { into = {{"pid", p.pid}, {"start", p.startTicks}}; }
void from_json(const nlohmann::json &from, ProcessStart &p)
{
    from.at("pid").get_to(p.pid);
    from.at("start").get_to(p.startTicks);
}

void to_json(nlohmann::json &into, const KeeperNode &n)
{
    into = {{"name", n.name}, {"config", n.sshdConfig}, {"log", n.sshdLog}};
}
void from_json(const nlohmann::json &from, KeeperNode &n)
{
    from.at("name").get_to(n.name);
    from.at("config").get_to(n.sshdConfig);
    from.at("log").get_to(n.sshdLog);
}

void to_json(nlohmann::json &into, const ChildSpec &c)
{
    into = {{"argv", c.argv}, {"env", c.env}, {"workdir", c.workdir}, {"output", c.output}};
}
void from_json(const nlohmann::json &from, ChildSpec &c)
{
    from.at("argv").get_to(c.argv);
    from.at("env").get_to(c.env);
    from.at("workdir").get_to(c.workdir);
    from.at("output").get_to(c.output);
}

std::string planToJson(const KeeperPlan &plan)
{
    const nlohmann::json json = {{"id", plan.id},
                                 {"directory", plan.directory},
                                 {"owner", plan.owner},
                                 {"poll", plan.pollSeconds},
                                 {"step", plan.stepSeconds},
                                 {"sshd", plan.sshd},
                                 {"faults", plan.faults},
                                 {"link_faults", plan.linkFaults},
                                 {"nodes", plan.nodes},
                                 {"ranks", plan.ranks}};
    return json.dump(2);
}

Result<KeeperPlan> planFromJson(const std::string &text)
{
    try {
        const auto json = nlohmann::json::parse(text);
        KeeperPlan plan;
        json.at("id").get_to(plan.id);
        json.at("directory").get_to(plan.directory);
        json.at("owner").get_to(plan.owner);
        json.at("poll").get_to(plan.pollSeconds);
        json.at("step").get_to(plan.stepSeconds);
        json.at("sshd").get_to(plan.sshd);
        json.at("faults").get_to(plan.faults);
        json.at("link_faults").get_to(plan.linkFaults);
        json.at("nodes").get_to(plan.nodes);
        json.at("ranks").get_to(plan.ranks);
        return plan;
    } catch (const nlohmann::json::exception &error) {
        return fail(ErrorKind::invalid, std::string("the keeper's plan cannot be read: ") + error.what());
    }
}

std::string readyToJson(const KeeperReady &ready)
{
    const nlohmann::json json = {{"error", ready.error},   {"boot", ready.boot},
                                 {"keeper", ready.keeper}, {"scheduler_port", ready.schedulerPort},
                                 {"ports", ready.ports},   {"servers", ready.servers},
                                 {"ranks", ready.ranks}};
    return json.dump(2);
}

Result<KeeperReady> readyFromJson(const std::string &text)
{
    try {
        const auto json = nlohmann::json::parse(text);
        KeeperReady ready;
        json.at("error").get_to(ready.error);
        json.at("boot").get_to(ready.boot);
        json.at("keeper").get_to(ready.keeper);
        json.at("scheduler_port").get_to(ready.schedulerPort);
        json.at("ports").get_to(ready.ports);
        json.at("servers").get_to(ready.servers);
        json.at("ranks").get_to(ready.ranks);
        return ready;
    } catch (const nlohmann::json::exception &error) {
        return fail(ErrorKind::invalid, std::string("the keeper's answer cannot be read: ") + error.what());
    }
}

}  // namespace rankdeck::demo
