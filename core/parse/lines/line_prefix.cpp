// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/lines/line_prefix.h"

#include "core/parse/lines/scanner.h"

namespace rankdeck {

namespace {

constexpr std::int64_t mostRanks = 1000000;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// "[default0]:", "[rank1]: ", "[gpu id: 0 ] ", "[1,0]<stdout>:"
bool takeBracket(Scanner &scanner, LineOwner &owner)
{
    std::int64_t number = 0;
    Scanner at = scanner;
    if (!at.take("[")) return false;
    bool known = false;
    bool local = false;
    if (at.take("default")) {
        known = local = at.takeInteger(number) && at.take("]:");
    } else if (at.take("rank")) {
        known = at.takeInteger(number) && at.take("]:") && (at.take(" ") || true);
    } else if (at.take("gpu id: ")) {
        if (!at.take("None ] "))
            local = known = at.takeInteger(number) && at.take(" ] ");
        else
            known = true, number = -1;
    } else {
        known = at.takeInteger(number) && at.take(",") && at.takeInteger(number) && at.take("]<std") &&
                (at.take("out>:") || at.take("err>:"));
    }
    if (!known) return false;
    if (number >= 0 && number <= mostRanks) (local ? owner.localRank : owner.rank) = static_cast<int>(number);
    scanner = at;
    return true;
}

// " 3: "
bool takeLabel(Scanner &scanner, LineOwner &owner)
{
    std::int64_t number = 0;
    Scanner at = scanner;
    for (int blanks = 0; blanks < 6 && at.take(" "); ++blanks) {}
    if (!at.takeInteger(number) || number > mostRanks || !at.take(": ")) return false;
    owner.rank = static_cast<int>(number);
    scanner = at;
    return true;
}

// "2026-11-24T05:34:35.679545123Z "
bool takeTime(Scanner &scanner)
{
    Scanner at = scanner;
    std::int64_t number = 0;
    const auto part = [&](std::string_view end) { return at.takeInteger(number) && at.take(end); };
    if (!part("-") || !part("-") || !part("T") || !part(":") || !part(":") || !at.takeInteger(number)) return false;
    if (at.take(".") && !at.takeInteger(number)) return false;
    if (!at.take("Z")) {
        if (!at.take("+") && !at.take("-")) return false;
        if (!part(":") || !at.takeInteger(number)) return false;
    }
    if (!at.take(" ")) return false;
    scanner = at;
    return true;
}

}  // namespace

namespace {

// The rank after a logger's own prefix: "2022-01-01 10:00:01,123 INFO [train.py:815] (3/8) Epoch 1".
std::optional<int> rankOfWorld(std::string_view line)
{
    constexpr std::size_t longestPrefix = 160;
    const std::size_t at = line.substr(0, longestPrefix).find("] (");
    if (at == std::string_view::npos) return std::nullopt;
    Scanner scanner(line.substr(at + 3));
    std::int64_t rank = 0, world = 0;
    const bool pair =
        scanner.takeInteger(rank) && scanner.take("/") && scanner.takeInteger(world) && scanner.take(") ");
    if (!pair || world < 2 || world > mostRanks || rank >= world) return std::nullopt;
    return static_cast<int>(rank);
}

std::string_view takePrefix(std::string_view line, LineOwner &owner)
{
    Scanner scanner(line);
    for (int times = 0; times < 4; ++times) {
        const char first = scanner.peek();
        if (first == '[' ? !takeBracket(scanner, owner)
                         : (!isDigit(first) && first != ' ') || (!takeTime(scanner) && !takeLabel(scanner, owner)))
            break;
    }
    return scanner.rest();
}

}  // namespace

std::string_view withoutPrefix(std::string_view line)
{
    LineOwner owner;
    return takePrefix(line, owner);
}

LineOwner ownerOf(std::string_view line)
{
    LineOwner owner;
    takePrefix(line, owner);
    if (owner.isNone()) owner.rank = rankOfWorld(line);
    if (owner.rank) owner.localRank.reset();
    return owner;
}

std::string withoutColours(std::string_view line)
{
    std::string plain;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] != '\x1b' || at + 1 >= line.size() || line[at + 1] != '[') {
            plain += line[at];
            continue;
        }
        for (at += 2; at < line.size() && (isDigit(line[at]) || line[at] == ';' || line[at] == '?'); ++at) {}
    }
    return plain;
}

}  // namespace rankdeck
