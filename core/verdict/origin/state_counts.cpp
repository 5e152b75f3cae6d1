// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/origin/state_counts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace rankdeck {
namespace {

std::vector<StateCount> without(std::vector<StateCount> all, std::size_t at)
{
    all.erase(all.begin() + std::ptrdiff_t(at));
    return all;
}

// no: the count fits, or nothing is known. byTheOthers: the other counts fit together without this one. plainly: they
// also do so in the simplest way.
enum class Off { no, byTheOthers, plainly };

struct Expected {
    double value = 0;
    bool exact = false;  // no rounding in between
};

// A fixed count per step, or a fixed difference, derived from two saves and applied to a third. Rounding is allowed for
// a scheduler that moves once in several batches.
std::optional<Expected> expectedBy(const StateCount &a, const StateCount &b, std::int64_t position)
{
    const double perStep = double(b.value) / double(b.position);
    const double off = std::abs(double(a.value) - perStep * double(a.position));
    if (a.value > 0 && b.value > a.value && off <= 1) return Expected{perStep * double(position), off == 0};
    const std::int64_t ahead = b.value - b.position;
    return a.value - a.position == ahead ? std::optional(Expected{double(position + ahead), true}) : std::nullopt;
}

// From one other save only: its count must be the step itself or a multiple of it. A count of epochs can have the same
// value by accident.
std::optional<Expected> expectedByOne(const StateCount &other, std::int64_t position)
{
    if (other.position < 10 || other.value < other.position) return std::nullopt;
    if (other.value <= other.position + 1) return Expected{double(position + other.value - other.position), true};
    if (other.value % other.position != 0) return std::nullopt;
    const std::int64_t perStep = other.value / other.position;
    return Expected{double(perStep * position), true};
}

bool isSoManyPerStep(const std::vector<StateCount> &all)
{
    const StateCount &first = all.front();
    return first.value > 0 && first.value % first.position == 0 &&
           std::all_of(all.begin(), all.end(),
                       [&](const StateCount &one) { return one.value == first.value / first.position * one.position; });
}

// A loss scaler skips steps whose gradients overflowed: true if only a few were skipped since the previous save.
bool hasLeftOutSome(const std::vector<StateCount> &all, std::size_t at, double expected)
{
    const StateCount own = all[at], before = at > 0 ? all[at - 1] : StateCount{};
    const double since = expected * double(own.position - before.position) / double(own.position);
    const double behind = expected - double(own.value);
    return own.value > before.value && behind > 0 && behind <= since / 10;
}

Off offCourse(const std::vector<StateCount> &all, std::size_t at)
{
    const std::vector<StateCount> others = without(all, at);
    const StateCount &own = all[at];
    std::optional<Expected> expected;
    bool exact = true;
    if (others.size() == 1) expected = expectedByOne(others.front(), own.position);
    for (std::size_t i = 0; i + 1 < others.size(); ++i) {
        expected = expectedBy(others[i], others.back(), own.position);
        if (!expected) return Off::no;
        exact = exact && expected->exact;
    }
    if (!expected) return Off::no;
    const double off = std::abs(expected->value - double(own.value));
    const bool repeats =
        std::any_of(others.begin(), others.end(), [&](const StateCount &other) { return other.value == own.value; });
    // A rounded count proves little about a save far away. A save may also come just before or just after a count.
    const double rounding = exact ? 0 : 2 * double(own.position) / double(others.back().position);
    if (hasLeftOutSome(all, at, expected->value)) return Off::no;
    const bool isOff = exact && repeats && others.size() > 1 ? off >= 1 : off > 2 + rounding;
    return !isOff ? Off::no : isSoManyPerStep(others) ? Off::plainly : Off::byTheOthers;
}

// True if the counts fit a data loader with perStep batches per step. Epochs have one length and each begins a new
// count, so the count is behind by whole epochs.
bool canBeData(const std::vector<StateCount> &all, std::int64_t perStep)
{
    std::int64_t length = 0, most = 0, before = 0;
    for (const StateCount &one : all) {
        const std::int64_t lag = one.position * perStep - one.value;
        if (lag < before) return false;
        before = lag;
        length = std::gcd(length, lag);
        most = std::max(most, one.value);
    }
    return length == 0 || length >= most;
}

Off offData(const std::vector<StateCount> &all, std::size_t at)
{
    const std::vector<StateCount> others = without(all, at);
    std::int64_t perStep = 1;
    for (const StateCount &one : others) perStep = std::max(perStep, (one.value + one.position - 1) / one.position);
    const bool counted = others.size() > 1 || others.front().value == others.front().position * perStep;
    if (!counted || !canBeData(others, perStep) || canBeData(all, perStep)) return Off::no;
    return isSoManyPerStep(others) ? Off::plainly : Off::byTheOthers;
}

}  // namespace

// In the simplest way.
std::optional<std::size_t> countThatIsOff(const std::vector<StateCount> &all, bool ofData)
{
    if (all.empty() || (!ofData && isSoManyPerStep(all))) return std::nullopt;
    std::map<Off, std::vector<std::size_t>> off;
    for (std::size_t at = 0; at < all.size(); ++at) off[ofData ? offData(all, at) : offCourse(all, at)].push_back(at);
    for (const Off way : {Off::plainly, Off::byTheOthers})
        if (!off[way].empty()) return off[way].size() == 1 ? std::optional(off[way].front()) : std::nullopt;
    return std::nullopt;
}

}  // namespace rankdeck
