// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/path_template.h"

#include <algorithm>
#include <functional>

namespace rankdeck {
namespace {

std::string namesOf(const Placeholders &values)
{
    std::string names;
    for (const auto &[name, value] : values) names += (names.empty() ? "{" : ", {") + name + "}";
    return names.empty() ? "none" : names;
}

// Calls literal for plain text and placeholder for each name; Error invalid on an unpaired brace.
Status walk(const std::string &text, const std::function<void(char)> &literal,
            const std::function<Status(const std::string &)> &placeholder)
{
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        const bool doubled = (c == '{' || c == '}') && at + 1 < text.size() && text[at + 1] == c;
        if (doubled) ++at;
        if (doubled || (c != '{' && c != '}')) {
            literal(c);
            continue;
        }
        const std::size_t end = c == '{' ? text.find('}', at) : std::string::npos;
        if (end == std::string::npos)
            return fail(ErrorKind::invalid,
                        message("unpaired \"%1\" in \"%2\"; write a literal brace twice", std::string(1, c), text));
        if (Status done = placeholder(text.substr(at + 1, end - at - 1)); !done) return done;
        at = end;
    }
    return Done{};
}

bool isWord(std::string_view text)
{
    return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string_view::npos;
}

struct Word {  // "{name}" or "{{name}}" in a text
    std::size_t begin = std::string::npos, end = 0;
    std::string name = {};
    bool literal = false;
};

Word nextWord(const std::string &text, std::size_t from)
{
    for (std::size_t at = text.find('{', from); at != std::string::npos; at = text.find('{', at + 1)) {
        const bool doubled = text.compare(at, 2, "{{") == 0;
        const std::size_t first = at + (doubled ? 2 : 1);
        const std::size_t last = text.find('}', first);
        if (last == std::string::npos) break;
        std::string name = text.substr(first, last - first);
        if (!isWord(name) || (doubled && text.compare(last, 2, "}}") != 0)) continue;
        return {.begin = at, .end = last + (doubled ? 2 : 1), .name = std::move(name), .literal = doubled};
    }
    return {};
}

}  // namespace

Result<std::string> expandWords(const std::string &text, const Placeholders &values)
{
    std::string out;
    std::size_t done = 0;
    for (Word word = nextWord(text, 0); word.begin != std::string::npos; word = nextWord(text, done)) {
        out += text.substr(done, word.begin - done);
        done = word.end;
        const auto value = values.find(word.name);
        if (word.literal)
            out += "{" + word.name + "}";
        else if (value != values.end())
            out += value->second;
        else
            return fail(ErrorKind::invalid,
                        message("unknown placeholder {%1} in \"%2\"; there are %3", word.name, text, namesOf(values)));
    }
    return out + text.substr(done);
}

bool environmentUses(const Job &job, const std::string &name)
{
    const auto uses = [&](const std::map<std::string, std::string> &env) {
        return std::any_of(env.begin(), env.end(), [&](const auto &variable) {
            const std::string &text = variable.second;
            for (Word word = nextWord(text, 0); word.begin != std::string::npos; word = nextWord(text, word.end))
                if (!word.literal && word.name == name) return true;
            return false;
        });
    };
    return uses(job.launch.env) ||
           std::any_of(job.nodes.begin(), job.nodes.end(), [&](const NodeSpec &node) { return uses(node.env); });
}

std::string literalWords(const std::string &text)
{
    std::string out;
    std::size_t done = 0;
    for (Word word = nextWord(text, 0); word.begin != std::string::npos; word = nextWord(text, done)) {
        out += text.substr(done, word.begin - done) + (word.literal ? "{" : "") + "{{" + word.name + "}}" +
               (word.literal ? "}" : "");
        done = word.end;
    }
    return out + text.substr(done);
}

Placeholders nodePlaceholders(const Job &job, const NodeSpec &node)
{
    return {{"node", node.name},
            {"node_index", std::to_string(job.nodeIndex(node.name))},
            {"world_size", std::to_string(job.ranks())}};
}

std::string textOnNode(const std::string &text, const Job &job, const NodeSpec &node)
{
    if (text.find('{') == std::string::npos) return text;
    const Result<std::string> expanded = expandWords(text, nodePlaceholders(job, node));
    return expanded ? *expanded : text;
}

Placeholders rankPlaceholders(const Job &job, int rank)
{
    Placeholders values{{"rank", std::to_string(rank)}, {"world_size", std::to_string(job.ranks())}};
    if (const NodeSpec *node = job.nodeOf(rank)) {
        const auto position = std::find(node->ranks.begin(), node->ranks.end(), rank) - node->ranks.begin();
        values["local_rank"] = std::to_string(position);
        values["device"] = std::to_string(position);
        values["node"] = node->name;
        values["node_index"] = std::to_string(job.nodeIndex(node->name));
    }
    return values;
}

Result<std::string> expand(const std::string &text, const Placeholders &values)
{
    std::string out;
    Status done = walk(
        text, [&](char c) { out += c; },
        [&](const std::string &name) -> Status {
            const auto value = values.find(name);
            if (value == values.end())
                return fail(ErrorKind::invalid,
                            message("unknown placeholder {%1} in \"%2\"; there are %3", name, text, namesOf(values)));
            out += value->second;
            return Done{};
        });
    if (!done) return done.error();
    return out;
}

bool usesPlaceholder(const std::string &text, const std::string &name)
{
    bool used = false;
    const Status done = walk(
        text, [](char) {},
        [&](const std::string &found) -> Status {
            used = used || found == name;
            return Done{};
        });
    return done.has_value() && used;
}

}  // namespace rankdeck
