// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/lines/line_prefix.h"

#include "core/parse/lines/scanner.h"

namespace rankdeck {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// "[default0]:", "[rank1]: ", "[gpu id: 0 ] ", "[1,0]<stdout>:"
bool takeBracket(Scanner &scanner)
{
    std::int64_t number = 0;
    Scanner at = scanner;
    if (!at.take("[")) return false;
    bool known = false;
    if (at.take("default"))
        known = at.takeInteger(number) && at.take("]:");
    else if (at.take("rank"))
        known = at.takeInteger(number) && at.take("]:") && (at.take(" ") || true);
    else if (at.take("gpu id: "))
        known = (at.takeInteger(number) || at.take("None")) && at.take(" ] ");
    else
        known = at.takeInteger(number) && at.take(",") && at.takeInteger(number) && at.take("]<std") &&
                (at.take("out>:") || at.take("err>:"));
    if (known) scanner = at;
    return known;
}

// " 3: "
bool takeLabel(Scanner &scanner)
{
    std::int64_t number = 0;
    Scanner at = scanner;
    for (int blanks = 0; blanks < 6 && at.take(" "); ++blanks) {}
    if (!at.takeInteger(number) || number > 1000000 || !at.take(": ")) return false;
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

std::string_view withoutPrefix(std::string_view line)
{
    Scanner scanner(line);
    for (int times = 0; times < 4; ++times) {
        const char first = scanner.peek();
        if (first == '[' ? !takeBracket(scanner)
                         : (!isDigit(first) && first != ' ') || (!takeTime(scanner) && !takeLabel(scanner)))
            break;
    }
    return scanner.rest();
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
