// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/launch/script_adapter.h"

#include "core/base/text.h"
#include "core/job/path_template.h"
#include "core/recover/wording.h"
#include "core/verdict/replica_groups.h"

#include <algorithm>

namespace rankdeck {

namespace {

bool holds(const std::vector<std::string> &words, const std::string &word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool onePath(const CheckpointSet &set)
{
    return std::all_of(set.members.begin(), set.members.end(),
                       [&](const MemberVerdict &member) { return member.path == set.members.front().path; });
}

class Teller {
public:
    Teller(const Job &job, const CheckpointSet &set) : m_set(set) { m_told.job = job; }

    AdaptedScript run()
    {
        const std::string &script = launch().script;
        // True if the operator's command or environment already names the checkpoint.
        m_written = names(launch().command, "checkpoint") || names(launch().command, "checkpoint_dir");
        if (script == "mindformers") tellMindFormers();
        if (script == "resnet") tellOne("pre_trained", "{checkpoint}");
        if (script == "pangu") tellPangu();
        if (script == "pytorch") tellPyTorch();
        if (script == "tensorflow")
            tellOne("restore_path", onePath(m_set) ? "{checkpoint_dir}" : "{checkpoint_dir}/rank_{rank}");
        for (const auto &[key, value] : launch().set) setting(key, value.text, value.literal);
        environment();
        std::vector<std::string> texts = launch().command;
        for (const ConfigSetting &one : m_told.settings) texts.push_back(one.value);
        m_told.usesView = names(texts, "checkpoint_dir");
        m_told.namesCheckpoint = m_told.usesView || names(texts, "checkpoint");
        return std::move(m_told);
    }

private:
    LaunchSpec &launch() { return m_told.job.launch; }

    [[nodiscard]] bool names(const std::vector<std::string> &texts, const std::string &placeholder) const
    {
        return environmentUses(m_told.job, placeholder) ||
               std::any_of(texts.begin(), texts.end(),
                           [&](const std::string &text) { return usesPlaceholder(text, placeholder); });
    }

    // If a key occurs twice, its last value counts, so launch.set has precedence.
    void setting(const std::string &key, const std::string &value, bool literal)
    {
        const auto same = [&](const ConfigSetting &one) { return one.key == key; };
        const auto found = std::find_if(m_told.settings.begin(), m_told.settings.end(), same);
        if (found != m_told.settings.end())
            *found = {.key = key, .value = value, .literal = literal};
        else
            m_told.settings.push_back({.key = key, .value = value, .literal = literal});
    }

    void tellOne(const std::string &key, const std::string &value, bool literal = false)
    {
        if (!launch().config.empty())
            setting(key, value, literal);
        else if (!m_written)
            setArgument(launch().command, "--" + key, value);
    }

    // With load_checkpoint, MindFormers takes the newest set that all ranks have; the staging directory contains only
    // the chosen set.
    void tellMindFormers()
    {
        tellOne("load_checkpoint", "{checkpoint_dir}");
        tellOne("resume_training", launch().config.empty() ? "True" : "true", true);
        tellOne("auto_trans_ckpt", launch().config.empty() ? "False" : "false", true);
    }

    // The script tests --pre_trained, and then looks for files below its own save path. It loads the emergency
    // checkpoints of RESTORE_RANKS if all exist and have the same size. Otherwise each rank loads its newest periodic
    // file.
    void tellPangu()
    {
        tellOne("pre_trained", "{checkpoint}");
        m_told.takesNewest = true;
        auto &env = launch().env;
        if (m_set.kind != CheckpointKind::breakpoint) {
            env["RESTORE_RANKS"] = "-1";
            env["RESTORE_RANKS_MAP"] = "";
            for (const MemberVerdict &member : m_set.members)
                if (member.fromRank && *member.fromRank != member.rank)
                    m_told.findings.push_back(
                        onRank(refusal("not_loadable",
                                       message("the Pangu script loads only a rank's own periodic checkpoints, and "
                                               "rank %1 has none in %2",
                                               member.rank, setText(m_set)),
                                       message("choose a set with a file for every rank, or an emergency checkpoint")),
                               member.rank));
            return;
        }
        const auto sources = restoreSources(m_set);
        env["RESTORE_RANKS"] = restoreRanks(sources);
        env["RESTORE_RANKS_MAP"] = restoreRanksMap(sources);
    }

    // With "--resume=true", the script loads the first file below the working directory that matches a glob:
    // rank_folders.h.
    void tellPyTorch()
    {
        const auto &command = launch().command;
        for (std::size_t i = 0; i < command.size(); ++i) {
            const bool alone = command[i] == "--resume" && i + 1 < command.size() &&
                               (command[i + 1] == "true" || command[i + 1] == "True");
            if (!alone && command[i] != "--resume=true" && command[i] != "--resume=True") continue;
            m_told.switchedOn = true;
            return;
        }
        tellOne("resume", "{checkpoint}");
    }

    void environment()
    {
        auto &env = launch().env;
        const Job &job = m_told.job;
        const bool mindspore = job.framework == Framework::automatic || job.framework == Framework::mindspore ||
                               job.framework == Framework::mindformers;
        if (mindspore && job.gracefulExit.hasConfig()) env.emplace("MS_ENABLE_GRACEFUL_EXIT", "1");
        if (launch().faultTolerance.empty()) return;
        const auto text = faultToleranceText(launch().faultTolerance);
        if (!text) {
            m_told.findings.push_back(refusal("fault_tolerance", text.error().message,
                                              message("correct launch.fault_tolerance in the job file")));
            return;
        }
        env.emplace("MS_ENABLE_TFT", text.value());
        const bool onlySteps = launch().faultTolerance == std::vector<std::string>{"TRE"};
        if (!onlySteps) env.emplace("MINDIO_FOR_MINDSPORE", "1");  // repeating a step needs no MindIO
    }

    const CheckpointSet &m_set;
    AdaptedScript m_told;
    bool m_written = false;
};

}  // namespace

AdaptedScript adaptScript(const Job &job, const CheckpointSet &set) { return Teller(job, set).run(); }

void setArgument(std::vector<std::string> &command, const std::string &name, const std::string &value)
{
    for (std::size_t i = 0; i < command.size(); ++i) {
        if (command[i].starts_with(name + "=")) {
            command[i] = name + "=" + value;
            return;
        }
        if (command[i] != name) continue;
        if (i + 1 < command.size() && !command[i + 1].starts_with("--"))
            command[i + 1] = value;
        else
            command.insert(command.begin() + static_cast<std::ptrdiff_t>(i) + 1, value);
        return;
    }
    command.push_back(name + "=" + value);
}

Result<std::string> faultToleranceText(const std::vector<std::string> &modes)
{
    if (holds(modes, "TRE") && (holds(modes, "UCE") || holds(modes, "ARF")))
        return fail(ErrorKind::invalid, message("expected either TRE alone, or UCE and ARF without TRE, as MindSpore "
                                                "does not support both; found TRE with %1",
                                                std::string(holds(modes, "UCE") ? "UCE" : "ARF")));
    std::vector<std::string> all = modes;
    if (holds(all, "UCE") || holds(all, "ARF")) all.emplace_back("TTP");
    std::string text;
    for (const std::string &mode : faultToleranceModes())
        if (holds(all, mode) && mode != "HCCE") text += (text.empty() ? "" : ",") + mode + ":1";
    if (holds(all, "HCCE")) text += (text.empty() ? "" : ",") + std::string("HCCE:1");
    return "{" + text + "}";
}

}  // namespace rankdeck
