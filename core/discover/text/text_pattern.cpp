// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/discover/text/text_pattern.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace rankdeck {

namespace {

constexpr char nodeMark = '\x01';  // replaces a component that is the node's name; no path of a node has it

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// Runs of digits and what is between them, in turn; the first piece is never of digits.
std::vector<std::string> pieces(const std::string &text)
{
    std::vector<std::string> out{{}};
    for (const char c : text) {
        const bool digits = out.size() % 2 == 0;
        if (isDigit(c) != digits) out.emplace_back();
        out.back() += c;
    }
    return out;
}

std::string markNode(const RankText &text)
{
    std::string out;
    for (const std::string &component : split(text.text, '/'))
        out += (component == text.node ? std::string(1, nodeMark) : component) + "/";
    if (!out.empty()) out.pop_back();
    return out;
}

std::optional<std::string> placeholderOf(const std::vector<RankText> &texts,
                                         const std::vector<std::vector<std::string>> &all, std::size_t at)
{
    using Value = int RankText::*;
    static constexpr std::array<std::pair<Value, const char *>, 3> known{
        std::pair{&RankText::rank, "{rank}"}, std::pair{&RankText::localRank, "{local_rank}"},
        std::pair{&RankText::nodeIndex, "{node_index}"}};
    for (const auto &[value, name] : known) {
        bool follows = true;
        for (std::size_t i = 0; i < texts.size() && follows; ++i)
            follows = all[i][at] == std::to_string(texts[i].*value);
        if (follows) return name;
    }
    return {};
}

std::optional<std::string> patternOf(const std::vector<RankText> &texts, const std::vector<std::string> &raw)
{
    std::vector<std::vector<std::string>> all;
    for (const std::string &text : raw) {
        all.push_back(pieces(text));
        if (all.back().size() != all.front().size()) return {};
    }
    std::string pattern;
    for (std::size_t at = 0; at < all.front().size(); ++at) {
        const bool same =
            std::all_of(all.begin(), all.end(), [&](const auto &each) { return each[at] == all.front()[at]; });
        if (same) {
            pattern += replaceAll(literalText(all.front()[at]), std::string(1, nodeMark), "{node}");
            continue;
        }
        if (at % 2 == 0) return {};
        const auto placeholder = placeholderOf(texts, all, at);
        if (!placeholder) return {};
        pattern += *placeholder;
    }
    return pattern;
}

}  // namespace

std::string literalText(const std::string &text) { return replaceAll(replaceAll(text, "{", "{{"), "}", "}}"); }

std::optional<std::string> textPattern(const std::vector<RankText> &texts)
{
    if (texts.empty()) return {};
    std::vector<std::string> plain, marked;
    bool severalNodes = false;
    for (const RankText &text : texts) {
        plain.push_back(text.text);
        marked.push_back(markNode(text));
        severalNodes = severalNodes || text.nodeIndex != texts.front().nodeIndex;
    }
    const bool same = std::all_of(plain.begin(), plain.end(), [&](const auto &text) { return text == plain.front(); });
    if (same) return literalText(plain.front());
    if (severalNodes)
        if (auto pattern = patternOf(texts, marked)) return pattern;
    return patternOf(texts, plain);
}

}  // namespace rankdeck
