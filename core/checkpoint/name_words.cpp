// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/name_words.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace rankdeck {
namespace {

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> known)
{
    return std::find(known.begin(), known.end(), word) != known.end();
}

// In UTF-8, letters beyond ASCII are bytes from 0x80 on.
bool isLetter(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || std::isalpha(byte) != 0;
}
char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

}  // namespace

std::string_view withoutJoints(std::string_view word)
{
    while (!word.empty() && std::string_view("_-=.").find(word.back()) != std::string_view::npos) word.remove_suffix(1);
    return word;
}

bool countsRanks(std::string_view word)
{
    word = withoutJoints(word);
    // tp_rank_3, mp_rank_03: without another number beside it, this number is the whole rank.
    if (word.ends_with("_rank") && word.find_first_of("0123456789") == std::string_view::npos) return true;
    return isOneOf(
        word, {"device", "worker", "npu", "gpu", "card", "process", "proc", "train_parallel", "device_id", "rank"});
}

bool countsSaves(std::string_view word)
{
    word = withoutJoints(word);
    for (const std::string_view end : {"step", "steps", "iter", "iteration", "epoch", "batch"})
        if (word.ends_with(end)) return true;
    return isOneOf(word, {"e", "s", "ep", "it", "ba"});
}

bool countsRuns(std::string_view word)
{
    return isOneOf(withoutJoints(word), {"run", "exp", "experiment", "trial", "seed", "fold", "attempt", "job",
                                         "version", "v", "task", "phase", "try", "lr"});
}

bool namesACopy(std::string_view name)
{
    std::string word;
    for (std::size_t at = 0; at <= name.size(); ++at) {
        if (at < name.size() && isLetter(name[at])) {
            word += lower(name[at]);
            continue;
        }
        if (isOneOf(word, {"best", "last", "latest", "final", "backup", "bak", "copy", "old", "keep"})) return true;
        word.clear();
    }
    return false;
}

std::string lettersOf(std::string_view baseName)
{
    std::string letters;
    for (const char c : baseName.substr(0, baseName.rfind('.')))
        if (isLetter(c)) letters += lower(c);
    return letters;
}

std::vector<std::string_view> numbersIn(std::string_view text)
{
    constexpr const char *digit = "0123456789";
    std::vector<std::string_view> numbers;
    for (std::size_t at = text.find_first_of(digit); at != std::string_view::npos; at = text.find_first_of(digit, at)) {
        const std::size_t end = std::min(text.find_first_not_of(digit, at), text.size());
        numbers.push_back(text.substr(at, end - at));
        at = end;
    }
    return numbers;
}

}  // namespace rankdeck
