// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/shared_vector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace rankdeck::shared_vector_test {
namespace {

struct Counted {
    int value = 0;
    static inline int copies = 0;
    Counted(int number) : value(number) {}
    Counted(const Counted &other) : value(other.value) { ++copies; }
    Counted(Counted &&) = default;
    Counted &operator=(const Counted &other)
    {
        value = other.value;
        ++copies;
        return *this;
    }
    Counted &operator=(Counted &&) = default;
    ~Counted() = default;
    bool operator==(const Counted &other) const { return value == other.value; }
};

TEST(SharedVector, CopySharesElementsAndAChangeCopiesOnlyOne)
{
    for (const int size : {8, 1024}) {
        SharedVector<Counted> all;
        for (int i = 0; i < size; ++i) all.push_back(i);
        Counted::copies = 0;
        const SharedVector<Counted> before = all;
        EXPECT_EQ(Counted::copies, 0);
        all[3].value = -1;
        EXPECT_EQ(Counted::copies, 1);
        EXPECT_EQ(before[3].value, 3) << "who holds the older one sees no change";
        EXPECT_FALSE(all.shares(3, before));
        EXPECT_TRUE(all.shares(4, before));
        all[3].value = -2;
        all.set(4, 7);
        EXPECT_EQ(Counted::copies, 1) << "its own already, and one that is replaced is not copied first";
        EXPECT_FALSE(all == before);
        EXPECT_TRUE((before == SharedVector<Counted>(before)));
    }
}

TEST(SharedVector, SupportsReadingAndSortingLikeAVector)
{
    SharedVector<std::string> all = {"c", "a", "b"};
    std::sort(all.begin(), all.end());
    all.insert(all.begin(), {"x", "y"});
    all.erase(std::remove(all.begin(), all.end(), "b"), all.end());
    const SharedVector<std::string> copy = all;
    EXPECT_EQ(copy.size(), 4u);
    EXPECT_EQ(copy.front(), "x");
    EXPECT_EQ(copy.back(), "c");
    EXPECT_EQ(*std::lower_bound(copy.begin() + 2, copy.end(), "b"), "c");
    EXPECT_EQ(*copy.rbegin(), "c");
    EXPECT_TRUE((copy == SharedVector<std::string>{"x", "y", "a", "c"}));
}

}  // namespace
}  // namespace rankdeck::shared_vector_test
