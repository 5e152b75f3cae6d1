// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/incident_report.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace rankdeck {
namespace {

constexpr std::size_t mostSets = 20, mostEvents = 60, mostDeeds = 80;
constexpr int lossColumns = 400;

std::string attemptText(int index) { return "attempt " + std::to_string(index + 1); }
std::string orDash(const std::string &text) { return text.empty() ? "–" : text; }
std::string timeText(const std::optional<WallTime> &time) { return time ? isoTime(*time) : "–"; }
std::string stepText(const std::optional<std::int64_t> &step) { return step ? grouped(*step) : "–"; }
std::string secondsText(const std::optional<double> &seconds) { return seconds ? durationText(*seconds) : "–"; }
std::string firstLine(const std::string &text) { return text.substr(0, text.find('\n')); }

class Writer {
public:
    explicit Writer(const ReportFacts &facts) : m_facts(facts), m_view(facts.view) {}

    Document write()
    {
        m_out.emplace_back(Heading{"Incident report: " + m_view.job.name, 1});
        say((m_facts.offline ? "Only from this console's history, as of " : "As of ") + isoTime(m_facts.at) +
            ". Steps are counted on the job's axis.");
        now();
        incidents();
        drawing();
        attempts();
        sets();
        deeds();
        events();
        nodes();
        return std::move(m_out);
    }

private:
    void say(const std::string &text) { m_out.emplace_back(Paragraph{text}); }
    void head(const std::string &text) { m_out.emplace_back(Heading{text}); }
    void table(std::vector<std::string> columns, std::vector<std::vector<std::string>> rows)
    {
        m_out.emplace_back(DocumentTable{std::move(columns), std::move(rows)});
    }

    void now()
    {
        head("Now");
        if (!m_facts.settled && !m_facts.offline) say("Not every node has answered yet; their state is unknown.");
        if (m_facts.alarms.empty()) say("No known problems.");
        std::vector<std::vector<std::string>> rows;
        for (const Alarm &alarm : m_facts.alarms)
            rows.push_back({severityName(alarm.severity), timeText(alarm.since), alarm.text(), orDash(alarm.fix)});
        if (!rows.empty()) table({"", "Since", "What", "What to do"}, std::move(rows));
        const auto last = std::max_element(m_view.ranks.begin(), m_view.ranks.end(), [](const auto &a, const auto &b) {
            return a.progress.position < b.progress.position;
        });
        const bool known = last != m_view.ranks.end() && last->progress.position;
        std::string text =
            known ? "Last step " + grouped(*last->progress.position) + "; " : std::string("No step seen; ");
        const CheckpointSet *valid = m_view.checkpoints.newestValid();
        text += valid ? "newest VALID set " + valid->id + " (step " + stepText(valid->position) + ")"
                      : std::string("no known VALID set");
        const LostWork &lost = m_view.lostWork;
        if (lost.known)
            text += "; lost if it died now: " + std::string(lost.atMost && !lost.asOf ? "at most " : "") +
                    grouped(lost.steps) + " steps, " + durationText(lost.seconds) +
                    (lost.fromKept ? " since step " + stepText(lost.since) + ", which is kept" : "");
        say(withoutStop(text) + ".");
    }

    static std::string deadText(const Incident &one)
    {
        std::vector<int> all = one.died, first(all.begin(), all.begin() + one.first);
        std::sort(all.begin(), all.end());
        std::sort(first.begin(), first.end());
        const bool told = !first.empty() && (all.size() == 1 || first.size() < all.size());
        return rankList(all) +
               (told ? (first.size() == 1 ? ", rank " : ", ranks ") + rankList(first) + " first" : std::string());
    }

    static std::string whatHappened(const Incident &one)
    {
        std::string text;
        if (one.failed)
            text = "died: " + deadText(one) + (one.how.empty() ? "" : ": " + firstLine(one.how));
        else if (one.stopped)
            text = "stopped gracefully by " + one.stoppedBy;
        else if (one.wentOn)
            text = "ended for a reason unknown to this console";
        const auto add = [&](const std::string &more) { text += (text.empty() ? "" : "; ") + more; };
        if (one.notFinite)
            add("loss not finite since " + isoTime(*one.notFinite) +
                (one.notFiniteRank < 0 ? "" : ", rank " + std::to_string(one.notFiniteRank) + " first"));
        if (!one.wrong.empty()) add(one.wrong);
        return text;
    }

    void incidents()
    {
        head("What happened");
        const std::vector<Incident> all =
            incidentsOf(m_view.attempts, m_facts.events, m_facts.journal, m_facts.firstSteps, m_facts.alarms);
        if (all.empty())
            return say(m_facts.alarms.empty() ? "No attempt of this job has failed or been stopped, as far as this "
                                                "console knows."
                                              : "No attempt of this job has ended; problems are listed above.");
        std::vector<std::vector<std::string>> rows;
        for (const Incident &one : all)
            rows.push_back({attemptText(one.attempt), timeText(one.failed ? one.failed : one.stopped),
                            whatHappened(one), one.decided ? isoTime(*one.decided) + " by " + one.decidedBy : "–",
                            secondsText(one.toDecision()), secondsText(one.toFirstStep()), stepText(one.lostSteps()),
                            orDash(one.outcome)});
        table({"Ended", "When", "What", "Resume decided", "Until then", "From there to the first step", "Steps lost",
               "Resume"},
              std::move(rows));
    }

    void drawing()
    {
        std::string svg = lossDrawing(m_facts.loss);
        if (svg.empty()) return;
        head("Loss");
        std::string seams;
        for (const AttemptInfo &info : m_view.attempts)
            if (info.resumedFrom)
                seams += (seams.empty() ? ". Continued: " : ", ") + attemptText(info.index) + " from " +
                         grouped(*info.resumedFrom);
        m_out.emplace_back(Drawing{std::move(svg), "Median over ranks and the middle 80 %, steps " +
                                                       grouped(std::llround(m_facts.loss.from)) + " to " +
                                                       grouped(std::llround(m_facts.loss.to)) + seams + "."});
    }

    void attempts()
    {
        head("Attempts");
        std::vector<std::vector<std::string>> rows;
        for (const AttemptInfo &info : m_view.attempts)
            rows.push_back({attemptText(info.index), isoTime(info.started), stepText(info.resumedFrom),
                            stepText(info.firstStep), stepText(info.lastStep), stepText(info.discardedAfter)});
        if (rows.empty()) return say("None was seen.");
        table({"", "Began", "From step", "First step", "Last step", "Discarded after"}, std::move(rows));
    }

    void sets()
    {
        head("Checkpoint sets");
        std::vector<std::vector<std::string>> rows;
        for (const CheckpointSet &set : m_view.checkpoints.sets) {
            if (rows.size() == mostSets) break;
            rows.push_back({set.id, stepText(set.position), timeText(set.time), verdictName(set.verdict),
                            set.reasons.empty() ? "" : firstLine(set.reasons.front().text)});
        }
        if (rows.empty()) return say("None known.");
        table({"Set", "Step", "Saved", "Verdict", "Why"}, std::move(rows));
        more(m_view.checkpoints.sets.size(), mostSets, "older sets");
    }

    void deeds()
    {
        head("What was done");
        std::vector<std::vector<std::string>> rows;
        const std::size_t skipped = m_facts.journal.size() - std::min(m_facts.journal.size(), mostDeeds);
        for (std::size_t i = skipped; i < m_facts.journal.size(); ++i) {
            const JournalEntry &entry = m_facts.journal[i];
            if (entry.state == "progress") continue;
            rows.push_back(
                {isoTime(entry.time), entry.user + "@" + entry.host, entry.kind, entry.state, firstLine(entry.text)});
        }
        if (rows.empty()) return say("Nothing, from this machine.");
        table({"When", "Who", "Action", "State", "What"}, std::move(rows));
        more(m_facts.journal.size(), mostDeeds, "earlier entries");
    }

    void events()
    {
        head("Events");
        std::vector<const Event *> told;
        for (const Event &event : m_facts.events)
            if (event.kind != EventKind::setJudged && event.kind != EventKind::saved &&
                event.kind != EventKind::started)
                told.push_back(&event);
        std::vector<std::vector<std::string>> rows;
        for (std::size_t i = told.size() - std::min(told.size(), mostEvents); i < told.size(); ++i) {
            const Event &event = *told[i];
            rows.push_back({isoTime(event.time), eventKindName(event.kind),
                            event.rank >= 0 ? std::to_string(event.rank) : rankList(event.ranks), event.node,
                            stepText(event.position), firstLine(event.text),
                            event.logPath.empty() ? "" : event.logPath + ":" + std::to_string(event.logOffset)});
        }
        if (rows.empty()) return say("None was seen.");
        table({"When", "Kind", "Rank", "Node", "Step", "What", "Log and byte"}, std::move(rows));
        more(told.size(), mostEvents, "earlier events");
    }

    void nodes()
    {
        head("Nodes");
        std::vector<std::vector<std::string>> rows;
        for (const NodeStatus &node : m_view.nodes)
            rows.push_back({node.name, m_facts.offline ? "not asked" : nodeStateName(node.state), orDash(node.reason)});
        table({"Node", "State", "Why"}, std::move(rows));
    }

    void more(std::size_t all, std::size_t shown, const std::string &what)
    {
        if (all > shown) say(grouped(std::int64_t(all - shown)) + " " + what + " are left out.");
    }

    const ReportFacts &m_facts;
    const JobState &m_view;
    Document m_out;
};

}  // namespace

Document incidentReport(const ReportFacts &facts) { return Writer(facts).write(); }

void takeRun(const Run &run, ReportFacts &facts)
{
    facts.events = run.events();
    std::optional<std::int64_t> first, last;
    for (const AttemptInfo &info : run.attempts()) {
        if (!info.firstStep || !info.lastStep) continue;
        first = std::min(first.value_or(*info.firstStep), *info.firstStep);
        last = std::max(last.value_or(*info.lastStep), *info.lastStep);
        if (info.index > 0) facts.loss.seams.push_back(double(info.resumedFrom.value_or(*info.firstStep - 1)));
        if (const auto seen = run.anchors(info.index); !seen.empty())
            facts.firstSteps.emplace(info.index, seen.front().time);
    }
    if (!first || *last <= *first) return;
    facts.loss.from = double(*first);
    facts.loss.to = double(*last);
    const int columns = int(std::min<std::int64_t>(lossColumns, *last - *first + 1));
    const ColumnGrid grid = ColumnGrid::between(facts.loss.from, facts.loss.to, columns);
    facts.loss.kept = run.envelope(grid);
    facts.loss.discarded = run.envelope(grid, true);
}

}  // namespace rankdeck
