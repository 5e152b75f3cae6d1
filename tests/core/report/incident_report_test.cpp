// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/incident_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::incident_report_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(IncidentDocument, TextOfANodeIsNeverMarkup)
{
    const std::string hostile = "<img src=x onerror=alert(1)> | [a](javascript:b) `c` \x1b[31m\n# no heading";
    const Document document{Heading{hostile, 1}, Paragraph{hostile}, DocumentTable{{"What"}, {{hostile}}},
                            Drawing{"<svg></svg>", hostile}};
    EXPECT_THAT(html(document), AllOf(Not(HasSubstr("<img")), Not(HasSubstr("\x1b")), HasSubstr("&lt;img"),
                                      HasSubstr("default-src 'none'")));
    EXPECT_THAT(markdown(document), AllOf(HasSubstr("\\<img src=x"), HasSubstr("\\| \\[a\\]"), HasSubstr("\\`c"),
                                          Not(HasSubstr("\n#")), Not(HasSubstr("\x1b"))));
}

TEST(IncidentDocument, TableHasItsRowsInMarkdownAndHtml)
{
    const Document document{DocumentTable{{"A", "B"}, {{"1", "2"}, {"3", "4"}}}};
    EXPECT_EQ(markdown(document), "| A | B |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n");
    EXPECT_THAT(html(document), HasSubstr("<tr><td>3</td><td>4</td></tr>"));
}

TEST(LossDrawing, DrawsAGapIfNoRankHasASample)
{
    EnvelopeColumn column{.min = 1, .max = 3, .median = 2, .low = 1, .high = 3, .ranks = 4};
    LossCurves curves{.from = 0, .to = 60, .kept = {column, column, {}, column, column, {}}};
    const std::string svg = lossDrawing(curves);
    std::size_t lines = 0;
    for (std::size_t found = svg.find("<polyline"); found != std::string::npos;
         found = svg.find("<polyline", found + 1))
        ++lines;
    EXPECT_EQ(lines, 2u);
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_EQ(lossDrawing({.from = 0, .to = 60, .kept = {{}, {}}}), "");
}

TEST(IncidentReport, StatesCauseLostWorkAndResumePoint)
{
    const auto at = [](int seconds) { return WallTime(std::chrono::seconds(1'700'000'000 + seconds)); };
    JobState view;
    view.job.name = "llama";
    view.attempts = {{.index = 0, .started = at(0)}, {.index = 1, .started = at(90)}};
    view.attempts[0].lastStep = 130;
    view.attempts[1].resumedFrom = 100;
    CheckpointSet set;
    set.id = "1:2-40";
    set.position = 140;
    set.verdict = Verdict::valid;
    view.checkpoints.sets.push_back(set);
    view.checkpoints.recommended = set.id;
    Event event;
    event.kind = EventKind::rankDied;
    event.rank = 5;
    event.time = at(60);
    event.text = "signal 9 (SIGKILL)\nTraceback";
    ReportFacts facts{.view = view, .at = at(200), .events = {event}};
    const std::string text = markdown(incidentReport(facts));
    EXPECT_THAT(text, HasSubstr("# Incident report: llama"));
    EXPECT_THAT(text, HasSubstr("No known problems"));
    EXPECT_THAT(text, HasSubstr("rank 5 first: signal 9 (SIGKILL) |"));
    EXPECT_THAT(text, HasSubstr("newest VALID set 1:2-40 (step 140)"));
    EXPECT_THAT(text, HasSubstr("| 30 |")) << "steps lost";
    EXPECT_THAT(text, HasSubstr("Nothing, from this machine."));
    EXPECT_THAT(text, Not(HasSubstr("Not every node has answered")));
    facts.settled = false;
    EXPECT_THAT(markdown(incidentReport(facts)), HasSubstr("Not every node has answered yet"));
}

}  // namespace
}  // namespace rankdeck::incident_report_test
