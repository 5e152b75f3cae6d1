// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/step_offsets.h"

#include <gmock/gmock.h>

namespace rankdeck::step_offsets_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

WallTime at(int second) { return WallTime{} + std::chrono::seconds(1'800'000'000 + second); }

CheckpointSet saved(int attempt, int epoch, int globalStep, int second)
{
    return {.id = {},
            .attempt = attempt,
            .epoch = epoch,
            .step = 5,
            .globalStep = globalStep,
            .time = at(second),
            .verdict = Verdict::valid};
}

std::map<int, std::int64_t> offsetsOf(std::vector<CheckpointSet> newestFirst, const std::vector<AttemptInfo> &attempts)
{
    CheckpointReport report;
    for (CheckpointSet &set : newestFirst) report.sets.push_back(std::move(set));
    return stepOffsetsOf(report, attempts, [](const CheckpointSet &set) { return (*set.epoch - 1) * 5 + *set.step; });
}

TEST(StepOffsets, AreDerivedFromTheNewestSetOfEachAttempt)
{
    const std::vector<AttemptInfo> attempts = {{.index = 0, .started = at(0)}, {.index = 1, .started = at(100)}};
    EXPECT_THAT(offsetsOf({saved(1, 6, 26, 140), saved(1, 5, 25, 120), saved(0, 2, 10, 60)}, attempts),
                ElementsAre(Pair(0, 0), Pair(1, -4)));
}

// Regression: a set of an earlier run, whose name says attempt 1, moved the second attempt of a console without
// history. That attempt had just been launched as a resume at step 21, and was NOT PROVEN: "it started at step 11".
TEST(StepOffsets, IgnoreSetsFromBeforeTheAttemptBegan)
{
    const std::vector<AttemptInfo> attempts = {{.index = 0, .started = at(150)}, {.index = 1, .started = at(200)}};
    EXPECT_THAT(offsetsOf({saved(1, 4, 10, 140), saved(0, 2, 10, 60)}, attempts), ElementsAre(Pair(0, 0)));
    EXPECT_THAT(offsetsOf({saved(1, 6, 26, 240), saved(1, 4, 10, 140)}, attempts), ElementsAre(Pair(1, -4)));
    EXPECT_THAT(offsetsOf({saved(1, 6, 26, 199)}, attempts), ElementsAre(Pair(1, -4)));  // times of files are coarse
}

// A console that starts late sees one attempt, which begins when the console starts.
TEST(StepOffsets, ForTheFirstAttemptAreDerivedFromExistingSets)
{
    EXPECT_THAT(offsetsOf({saved(0, 6, 26, 40)}, {{.index = 0, .started = at(100)}}), ElementsAre(Pair(0, -4)));
}

// Regression: the resume of a script that loads no optimizer was NOT PROVEN ("it started at step 1, expected the step after 20").
// This happened if a set of the new attempt was judged before its losses were read.
TEST(StepOffsets, IgnoreARestartedGlobalStepAtAnyProgress)
{
    for (const std::int64_t from : {5, 20, 400})
        for (const std::int64_t epochs : {1, 2, 3, 50, 400})  // epochs of this attempt, up to its newest set
            for (const std::int64_t printedEvery : {1, 2})    // of five steps an epoch
                for (const bool stepSeen : {true, false})
                    for (const bool anew : {true, false}) {
                        const std::int64_t before = from / 5, trained = 5 * epochs;
                        std::vector<AttemptInfo> attempts = {{.index = 0, .started = at(0)},
                                                             {.index = 1, .started = at(100), .resumedFrom = from}};
                        if (stepSeen) attempts[1].firstStep = from + printedEvery;
                        if (!stepSeen && trained > from)
                            continue;  // a rank that has trained for so long has printed a step
                        const int global = static_cast<int>((anew ? 0 : from) + trained);
                        const auto offsets =
                            offsetsOf({saved(1, static_cast<int>(before + epochs), global, 900)}, attempts);
                        SCOPED_TRACE(testing::Message()
                                     << from << ' ' << epochs << ' ' << printedEvery << ' ' << stepSeen);
                        if (anew) {
                            EXPECT_THAT(offsets, IsEmpty());
                        } else {
                            EXPECT_THAT(offsets, ElementsAre(Pair(1, 0)));
                        }
                    }
}

TEST(StepOffsets, NeedAValidPeriodicSetOfAKnownAttempt)
{
    CheckpointSet torn = saved(0, 6, 26, 40), graceful = torn, unnumbered = torn;
    torn.verdict = Verdict::corrupt;
    graceful.kind = CheckpointKind::graceful;
    unnumbered.globalStep.reset();
    EXPECT_THAT(offsetsOf({torn, graceful, unnumbered, saved(3, 6, 26, 40)}, {{.index = 0}}), IsEmpty());
}

}  // namespace
}  // namespace rankdeck::step_offsets_test
