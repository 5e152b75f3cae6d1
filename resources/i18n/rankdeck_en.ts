<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>rankdeck::ui::Acts</name>
    <message numerus="yes">
        <source>armed on %n node(s)</source>
        <translation>
            <numerusform>armed on %n node</numerusform>
            <numerusform>armed on %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>refused, %n reason(s)</source>
        <translation>
            <numerusform>refused, %n reason</numerusform>
            <numerusform>refused, %n reasons</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s), asks again</source>
        <translation>
            <numerusform>%n warning, asks again</numerusform>
            <numerusform>%n warnings, asks again</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n check(s) passed</source>
        <translation>
            <numerusform>%n check passed</numerusform>
            <numerusform>%n checks passed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::Banner</name>
    <message numerus="yes">
        <source>All %n…</source>
        <translation>
            <numerusform>All %n…</numerusform>
            <numerusform>All %n…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::CheckWords</name>
    <message numerus="yes">
        <source>%1 directories exist, with %n file(s) that look like checkpoints</source>
        <translation>
            <numerusform>%1 directories exist, with %n file that looks like a checkpoint</numerusform>
            <numerusform>%1 directories exist, with %n files that look like checkpoints</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::Deck</name>
    <message numerus="yes">
        <source>%n lines</source>
        <translation>
            <numerusform>%n line</numerusform>
            <numerusform>%n lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No loss line yet. Reading %n logs.</source>
        <translation>
            <numerusform>No loss line yet. Reading %n log.</numerusform>
            <numerusform>No loss line yet. Reading %n logs.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n nodes</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>NaN or Inf on %n ranks</source>
        <translation>
            <numerusform>NaN or Inf on %n rank</numerusform>
            <numerusform>NaN or Inf on %n ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::EventsPanel</name>
    <message numerus="yes">
        <source>None of the %n event(s) matches the filter. &quot;All events&quot; and &quot;All ranks&quot; show the others.</source>
        <translation>
            <numerusform>The %n event does not match the filter. &quot;All events&quot; and &quot;All ranks&quot; show it.</numerusform>
            <numerusform>None of the %n events matches the filter. &quot;All events&quot; and &quot;All ranks&quot; show the others.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::FailureViews</name>
    <message numerus="yes">
        <source>Cannot tell whether %n rank(s) run.</source>
        <translation>
            <numerusform>Cannot tell whether %n rank runs.</numerusform>
            <numerusform>Cannot tell whether %n ranks run.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::FoundCard</name>
    <message numerus="yes">
        <source>Scan %n more host(s) of this job</source>
        <translation>
            <numerusform>Scan %n more host of this job</numerusform>
            <numerusform>Scan %n more hosts of this job</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::FoundJobWords</name>
    <message numerus="yes">
        <source>, %n set(s)</source>
        <translation>
            <numerusform>, %n set</numerusform>
            <numerusform>, %n sets</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s)</source>
        <translation>
            <numerusform>%n rank</numerusform>
            <numerusform>%n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; %n more that were just found: searching for their files…</source>
        <translation>
            <numerusform>; %n more that was just found: searching for its files…</numerusform>
            <numerusform>; %n more that were just found: searching for their files…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::FoundJobs</name>
    <message numerus="yes">
        <source>on %n host(s)</source>
        <translation>
            <numerusform>on %n host</numerusform>
            <numerusform>on %n hosts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::HostsBox</name>
    <message numerus="yes">
        <source>from %1, %n name(s)</source>
        <translation>
            <numerusform>from %1, %n name</numerusform>
            <numerusform>from %1, %n names</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::HostsModel</name>
    <message numerus="yes">
        <source>%n process(es) look like training, but this login cannot read their environment (the first: pid %1 of %2). Log in as that user: %2@%3.</source>
        <translation>
            <numerusform>%n process looks like training, but this login cannot read its environment (pid %1 of %2). Log in as that user: %2@%3.</numerusform>
            <numerusform>%n processes look like training, but this login cannot read their environment (the first: pid %1 of %2). Log in as that user: %2@%3.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n training process(es)</source>
        <translation>
            <numerusform>%1, %n training process</numerusform>
            <numerusform>%1, %n training processes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::InspectorPane</name>
    <message numerus="yes">
        <source>%n record(s)</source>
        <translation>
            <numerusform>%n record</numerusform>
            <numerusform>%n records</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n complete record(s)</source>
        <translation>
            <numerusform>%n complete record</numerusform>
            <numerusform>%n complete records</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the same as %n other rank(s)</source>
        <translation>
            <numerusform>the same as %n other rank</numerusform>
            <numerusform>the same as %n other ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n differ(s)</source>
        <translation>
            <numerusform>%n differs</numerusform>
            <numerusform>%n differ</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::JobChecks</name>
    <message numerus="yes">
        <source>Connect to %n host(s)</source>
        <translation>
            <numerusform>Connect to %n host</numerusform>
            <numerusform>Connect to %n hosts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::KillDialog</name>
    <message numerus="yes">
        <source>Kill %n process(es)?</source>
        <translation>
            <numerusform>Kill %n process?</numerusform>
            <numerusform>Kill %n processes?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Terminate %n process(es)?</source>
        <translation>
            <numerusform>Terminate %n process?</numerusform>
            <numerusform>Terminate %n processes?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Kill %n process(es)</source>
        <translation>
            <numerusform>Kill %n process</numerusform>
            <numerusform>Kill %n processes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Terminate %n process(es)</source>
        <translation>
            <numerusform>Terminate %n process</numerusform>
            <numerusform>Terminate %n processes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::LaneModel</name>
    <message numerus="yes">
        <source>%n ranks without a file</source>
        <translation>
            <numerusform>%n rank without a file</numerusform>
            <numerusform>%n ranks without a file</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ranks of another step</source>
        <translation>
            <numerusform>%n rank of another step</numerusform>
            <numerusform>%n ranks of another step</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ranks torn</source>
        <translation>
            <numerusform>%n rank torn</numerusform>
            <numerusform>%n ranks torn</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ranks short</source>
        <translation>
            <numerusform>%n rank short</numerusform>
            <numerusform>%n ranks short</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ranks unreadable</source>
        <translation>
            <numerusform>%n rank unreadable</numerusform>
            <numerusform>%n ranks unreadable</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n bad</source>
        <translation>
            <numerusform>%n bad</numerusform>
            <numerusform>%n bad</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::LossPlot</name>
    <message numerus="yes">
        <source>median of %n ranks</source>
        <translation>
            <numerusform>loss of %n rank</numerusform>
            <numerusform>median of %n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ranks within 4 MAD</source>
        <translation>
            <numerusform>%n ranks within 4 MAD</numerusform>
            <numerusform>%n ranks within 4 MAD</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::Notices</name>
    <message numerus="yes">
        <source>And %n more.</source>
        <translation>
            <numerusform>And %n more.</numerusform>
            <numerusform>And %n more.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::Plans</name>
    <message numerus="yes">
        <source>  … %n more, all shown with Ctrl+D</source>
        <translation>
            <numerusform>  … %n more, all shown with Ctrl+D</numerusform>
            <numerusform>  … %n more, all shown with Ctrl+D</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::ProofPane</name>
    <message numerus="yes">
        <source>And %n more reason(s) in the table.</source>
        <translation>
            <numerusform>And %n more reason in the table.</numerusform>
            <numerusform>And %n more reasons in the table.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::ResumePane</name>
    <message numerus="yes">
        <source>%n check(s) passed</source>
        <translation>
            <numerusform>%n check passed</numerusform>
            <numerusform>%n checks passed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n refusal(s) left</source>
        <translation>
            <numerusform>%n refusal left</numerusform>
            <numerusform>%n refusals left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>being checked on %n node(s)</source>
        <translation>
            <numerusform>being checked on %n node</numerusform>
            <numerusform>being checked on %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>checked %1 on %n node(s)</source>
        <translation>
            <numerusform>checked %1 on %n node</numerusform>
            <numerusform>checked %1 on %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Resume %n rank(s) from %1</source>
        <translation>
            <numerusform>Resume %n rank from %1</numerusform>
            <numerusform>Resume %n ranks from %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::StatusLine</name>
    <message numerus="yes">
        <source>%n alarm(s) acknowledged…</source>
        <translation>
            <numerusform>%n alarm acknowledged…</numerusform>
            <numerusform>%n alarms acknowledged…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::StopPane</name>
    <message numerus="yes">
        <source>SIGTERM %n process(es)…</source>
        <translation>
            <numerusform>SIGTERM %n process…</numerusform>
            <numerusform>SIGTERM %n processes…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>SIGKILL %n process(es)</source>
        <translation>
            <numerusform>SIGKILL %n process</numerusform>
            <numerusform>SIGKILL %n processes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ranks</source>
        <translation>
            <numerusform>%n rank</numerusform>
            <numerusform>%n ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::ui::Story</name>
    <message numerus="yes">
        <source>%1 checks refuse</source>
        <translation>
            <numerusform>%1 check refuses</numerusform>
            <numerusform>%1 checks refuse</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 checks passed, %n warning(s)</source>
        <translation>
            <numerusform>%1 checks passed, %n warning</numerusform>
            <numerusform>%1 checks passed, %n warnings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n check(s) passed</source>
        <translation>
            <numerusform>%n check passed</numerusform>
            <numerusform>%n checks passed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s) died</source>
        <translation>
            <numerusform>%n rank died</numerusform>
            <numerusform>%n ranks died</numerusform>
        </translation>
    </message>
</context>
</TS>
