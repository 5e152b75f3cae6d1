// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/launch/script_config.h"

#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/edit/python_edit.h"
#include "core/recover/edit/unified_diff.h"
#include "core/recover/flag/config_copies.h"
#include "core/recover/host/job_places.h"
#include "core/recover/wording.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr const char *where = "correct launch.config and launch.set in the job file";

struct Wanted {  // of one file of one node
    ConfigCopy copy;
    std::vector<ConfigSetting> settings;
};

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

class Planner {
public:
    Planner(const RecipeInput &input, const std::vector<ConfigSetting> &settings) : m_input(input), m_settings(settings)
    {}

    ConfigEdits run(ActionContext &host, SteadyTime deadline)
    {
        if (m_settings.empty() || m_input.view.job.launch.config.empty()) return {};
        for (const NodeSpec *node : nodesByRank(m_input.view.job))
            for (const int rank : node->ranks)
                if (!want(*node, rank)) return std::move(m_out);
        read(host, deadline);
        for (std::size_t i = 0; i < m_wanted.size(); ++i) edit(i);
        return std::move(m_out);
    }

private:
    void refuse(FindingCode code, const std::string &text, const std::string &fix, const std::string &node = {})
    {
        m_out.findings.push_back(onNode(refusal(code, text, fix), node));
    }

    bool want(const NodeSpec &node, int rank)
    {
        const Job &job = m_input.view.job;
        const auto path = pathOfRank(job, job.launch.config, rank);
        if (!path) {
            refuse("placeholder", path.error().message, where);
            return false;
        }
        std::vector<ConfigSetting> settings;
        const Placeholders values = launchPlaceholders(m_input, rank);
        for (const ConfigSetting &setting : m_settings) {
            auto value = setting.literal ? Result<std::string>(setting.value) : expand(setting.value, values);
            if (!value) {
                refuse("placeholder", value.error().message, where);
                return false;
            }
            settings.push_back({.key = setting.key, .value = std::move(value.value()), .literal = setting.literal});
        }
        for (Wanted &other : m_wanted) {
            if (other.copy.node != node.name || other.copy.path != path.value()) continue;
            other.copy.ranks.push_back(rank);
            return same(other.settings, settings) || refuseShared(other, settings, rank);
        }
        m_wanted.push_back(
            {.copy = {.node = node.name, .path = path.value(), .ranks = {rank}}, .settings = std::move(settings)});
        return true;
    }

    bool refuseShared(const Wanted &other, const std::vector<ConfigSetting> &settings, int rank)
    {
        refuse("config_shared",
               "rank " + std::to_string(rank) + " and " + ranksText({other.copy.ranks.front()}) + " read one file, " +
                   printable(other.copy.path) +
                   ", and are to load different ones: " + firstDifference(other.settings, settings),
               "give each rank its own file ({rank} in launch.config), or let the script take a directory "
               "({checkpoint_dir} in launch.set)",
               other.copy.node);
        return false;
    }

    void read(ActionContext &host, SteadyTime deadline)
    {
        std::vector<Reply<FileContent>> replies;
        for (Wanted &one : m_wanted) {
            NodeClient *node = host.node(one.copy.node);
            replies.push_back(node ? node->readFile(one.copy.path, 1u << 20) : Reply<FileContent>());
        }
        std::vector<ConfigCopy> copies;
        for (std::size_t i = 0; i < m_wanted.size(); ++i) {
            ConfigCopy &copy = m_wanted[i].copy;
            auto content = waitFor(replies[i], deadline, copy.node);
            if (content)
                copy.content = std::move(content.value());
            else
                copy.problem = content.error();
            copies.push_back(copy);
        }
        findShared(copies, m_input.view);
        for (std::size_t i = 0; i < m_wanted.size(); ++i) m_wanted[i].copy = std::move(copies[i]);
    }

    void edit(std::size_t index)
    {
        const Wanted &one = m_wanted[index];
        const std::string file = printable(one.copy.path) + " on node " + printable(one.copy.node);
        if (!one.copy.sameAs.empty()) {  // written through another node
            for (const Wanted &other : m_wanted)
                if (other.copy.node == one.copy.sameAs && other.copy.path == one.copy.path &&
                    !same(other.settings, one.settings))
                    refuseShared(other, one.settings, one.copy.ranks.front());
            return;
        }
        if (!one.copy.content)
            return refuse("config_unreadable",
                          "expected the script's configuration " + file + ", found " +
                              (one.copy.problem ? printable(one.copy.problem->message) : "nothing"),
                          where, one.copy.node);
        const std::string &before = one.copy.content->bytes;
        const auto after =
            one.copy.path.ends_with(".py") ? editPython(before, one.settings) : editYaml(before, one.settings);
        if (!after)
            return refuse(
                "config_not_editable", file + ", " + after.error().message,
                "write that line as plain \"key: value\", or set the keys by hand and leave launch.script out",
                one.copy.node);
        if (after.value() == before) return;
        m_out.byNode[one.copy.node].push_back({.path = one.copy.path,
                                               .before = before,
                                               .after = after.value(),
                                               .diff = unifiedDiff(one.copy.path, before, after.value()),
                                               .expectedSha256 = one.copy.content->sha256});
    }

    const RecipeInput &m_input;
    const std::vector<ConfigSetting> &m_settings;
    std::vector<Wanted> m_wanted;
    ConfigEdits m_out;
};

}  // namespace

ConfigEdits planConfigEdits(ActionContext &host, const RecipeInput &input, const std::vector<ConfigSetting> &settings,
                            SteadyTime deadline)
{
    return Planner(input, settings).run(host, deadline);
}

}  // namespace rankdeck
