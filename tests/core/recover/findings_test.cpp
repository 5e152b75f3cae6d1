// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/findings.h"

#include <gtest/gtest.h>

namespace rankdeck::findings_test {
namespace {

TEST(Refusals, EndInExactlyOneFullStop)
{
    EXPECT_EQ(refusalsText({refusal("journal", "the disk is full", "free space there")}),
              "the disk is full: free space there.");
    EXPECT_EQ(refusalsText({refusal("journal", "Cannot write x: the disk is full.", "Free space there.")}),
              "Cannot write x: the disk is full: Free space there.");
    EXPECT_EQ(refusalsText({refusal("journal", "a.", ""), refusal("journal", "b", "")}), "a. b.");
}

}  // namespace
}  // namespace rankdeck::findings_test
