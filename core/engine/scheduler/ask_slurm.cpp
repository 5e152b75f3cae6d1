// SPDX-License-Identifier: GPL-3.0-or-later
// Questions about the job to which the ranks belong, with Slurm's own programs on the node that submits. TZ is set,
// because they print times without a zone.
#include "core/engine/scheduler/scheduler_asker.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/node/session/container/exec_command.h"
#include "core/recover/launch/recipe.h"
#include "core/scheduler/slurm_answers.h"

namespace rankdeck {

namespace {

constexpr const char *jobQuestion = "job";
constexpr const char *endsQuestion = "accounting";

class SlurmAsker final : public SchedulerAsker {
public:
    SlurmAsker(const Job &job, ShellRunner &shell) : m_job(job), m_shell(shell), m_prefix(engineName(job) + "-")
    {
        // The environment in which launches of the job find Slurm.
        const NodeSpec *node = submitNode(job);
        if (!node) return;
        for (const auto &[name, value] : launchEnvironment(job, *node))
            if (name == "SLURM_CONF" || name == "PATH") m_environment += name + "=" + quotedForShell(value) + " ";
    }

    SchedulerState round(const std::string &slurmJob) override
    {
        m_answers.begin();
        SchedulerState state{.kind = SchedulerKind::slurm};
        const auto id = jobId(slurmJob);
        SchedulerFacts facts = id ? askJob(*id, state) : SchedulerFacts(id.error());
        if (facts)
            m_said = state;
        else if (facts.error().kind != ErrorKind::notFound && (!id || *id == m_said.job))
            state = m_said;  // if there is no answer, the last report stays
        const bool isThere = facts || facts.error().kind == ErrorKind::notFound;
        const bool forgotten = !facts && facts.error().kind == ErrorKind::notFound;
        const std::optional<Error> why = facts ? std::nullopt : std::optional(facts.error());
        m_refused = why && why->kind == ErrorKind::refused;
        m_answers.take(jobQuestion, std::move(facts), steadyNow());
        if (id && isThere && (forgotten || state.restarts.value_or(0) > 0)) askAccounting(*id, state);
        if (!m_machines.empty() && isThere) askMachines();
        if (why && !isThere) m_answers.fail(*why);
        state.answers = m_answers.all();
        return state;
    }

    [[nodiscard]] bool refused() const override { return m_refused; }

private:
    Result<std::string> run(const std::string &program, const std::string &words)
    {
        const auto said =
            m_shell.run("{ export TZ=UTC " + m_environment + "; command -v " + program +
                            " >/dev/null 2>&1 || { echo rankdeck: no program >&2; false; }; } && " + words,
                        {}, steadyNow() + schedulerAnswerTime);
        if (!said) return said.error();
        if (said->exitCode == 0) return said->output;
        if (said->errors.find("rankdeck: no program") != std::string::npos)
            return fail(ErrorKind::unsupported,
                        message("%1 was not found on the node in launch.submit_on (or on the first node).", program));
        if (said->errors.find("Invalid job id") != std::string::npos)
            return fail(ErrorKind::notFound,
                        message("Slurm does not know this job; it ended some time ago, or never existed."));
        return fail(said->errors.find("denied") != std::string::npos ? ErrorKind::permission : ErrorKind::unreachable,
                    program + " said: " + printable(said->errors) + ".");
    }

    // The newest job id from the job file, the ranks and the names of this console's own launches.
    Result<std::string> jobId(const std::string &ofRanks)
    {
        if (!m_job.gracefulExit.slurmJob.empty()) return m_job.gracefulExit.slurmJob;
        const auto listed = run("squeue", "squeue --noheader --states=all --user=\"$(id -un)\" --format='%i %j'");
        if (!listed) return ofRanks.empty() ? listed : Result<std::string>(ofRanks);
        const std::string launched = newestSlurmJob(*listed, m_prefix);
        const auto number = [](const std::string &id) { return decimal(id).value_or(-1); };
        if (const std::string &newest = number(launched) > number(ofRanks) ? launched : ofRanks; !newest.empty())
            m_known = newest;
        if (!m_known.empty()) return m_known;
        return fail(
            ErrorKind::invalid,
            message("Slurm job unknown: no rank's environment contains its id, and no job of this login is named %1….",
                    m_prefix));
    }

    SchedulerFacts askJob(const std::string &id, SchedulerState &state)
    {
        state.job = id;
        const auto text = run("scontrol", "scontrol show job --oneliner " + quotedForShell(id));
        if (!text) return text.error();
        const auto said = readSlurmJob(*text);
        if (!said) return said.error();
        state.state = said->state;
        state.queue = said->partition;
        state.restarts = said->restarts;
        state.ends = said->ends;
        if (!said->nodes.empty()) m_machines = said->nodes;
        return said->facts;
    }

    void askAccounting(const std::string &id, SchedulerState &state)
    {
        const auto text = run("sacct", "sacct --noheader --parsable2 --allocations --duplicates "
                                       "--format=jobid,state,exitcode,start,end --jobs=" +
                                           quotedForShell(id));
        auto facts = text ? SchedulerFacts(readSlurmAccounting(*text)) : SchedulerFacts(text.error());
        if (text && !facts->empty() && state.state.empty()) state.state = "ended";
        m_answers.take(endsQuestion, std::move(facts), steadyNow());
    }

    void askMachines()
    {
        const auto text = run("scontrol", "scontrol show node --oneliner " + quotedForShell(m_machines));
        m_answers.take(machinesQuestion, text ? readSlurmNodes(*text, m_job) : SchedulerFacts(text.error()),
                       steadyNow());
    }

    const Job &m_job;
    ShellRunner &m_shell;
    const std::string m_prefix;
    std::string m_environment;  // NAME='VALUE' …
    std::string m_known, m_machines;
    SchedulerState m_said{.kind = SchedulerKind::slurm};  // the last answer about the job
    SchedulerAnswers m_answers;
    bool m_refused = false;
};

}  // namespace

std::unique_ptr<SchedulerAsker> askSlurm(const Job &job, ShellRunner &shell)
{
    return std::make_unique<SlurmAsker>(job, shell);
}

}  // namespace rankdeck
