// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/text/json_lines.h"

#include "core/base/json_members.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr int deepest = 16;  // no key of ours is deeper

// Lines are counted on from the last value, as values come in the order of the text.
class Lines {
public:
    explicit Lines(std::string_view text) : m_text(text) {}

    void take(const std::string &path, JsonSpan span, int depth)
    {
        m_line += static_cast<int>(std::count(m_text.begin() + static_cast<std::ptrdiff_t>(m_counted),
                                              m_text.begin() + static_cast<std::ptrdiff_t>(span.begin), '\n'));
        m_counted = span.begin;
        lines.emplace(path, m_line);
        const std::string_view value = span.of(m_text);
        if (depth == deepest || value.empty()) return;
        if (value.front() == '{') {
            const auto object = locateMembers(value);
            if (!object) return;
            for (const JsonMember &member : object->members)
                take(path.empty() ? member.key : path + "." + member.key, moved(member.value, span.begin), depth + 1);
        } else if (value.front() == '[') {
            const auto elements = locateElements(value);
            if (!elements) return;
            for (std::size_t i = 0; i < elements->size(); ++i)
                take(path + "[" + std::to_string(i) + "]", moved((*elements)[i], span.begin), depth + 1);
        }
    }

    std::map<std::string, int> lines = {};

private:
    static JsonSpan moved(JsonSpan span, std::size_t by) { return {span.begin + by, span.end + by}; }

    std::string_view m_text;
    std::size_t m_counted = 0;
    int m_line = 1;
};

}  // namespace

std::map<std::string, int> jsonLines(std::string_view text)
{
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    Lines found(text);
    found.take({}, {begin, text.size()}, 0);
    return std::move(found.lines);
}

int lineAt(std::string_view text, std::size_t offset)
{
    return 1 + static_cast<int>(std::count(
                   text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size())), '\n'));
}

}  // namespace rankdeck
