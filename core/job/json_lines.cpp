// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/json_lines.h"

#include <algorithm>
#include <vector>

namespace rankdeck {
namespace {

// One open object or array while the text is walked.
struct Level {
    std::string path;
    bool array = false;
    int index = 0;
    std::string key;  // of the value to come, in an object
    bool wantsKey = true;
};

class Walk {
public:
    explicit Walk(std::string_view json) : m_json(json) {}

    std::map<std::string, int> lines()
    {
        for (; m_at < m_json.size(); ++m_at) {
            const char c = m_json[m_at];
            if (c == '\n')
                ++m_line;
            else if (c == '"')
                string();
            else if (c == '{' || c == '[')
                open(c == '[');
            else if (c == '}' || c == ']')
                close();
            else if (c == ',')
                next();
            else if (std::string_view("-0123456789tfn").find(c) != std::string_view::npos)
                scalar();
        }
        return std::move(m_lines);
    }

private:
    void string()
    {
        const std::size_t start = ++m_at;
        while (m_at < m_json.size() && m_json[m_at] != '"') m_at += m_json[m_at] == '\\' ? 2 : 1;
        if (!m_levels.empty() && !m_levels.back().array && m_levels.back().wantsKey) {
            m_levels.back().key = m_json.substr(start, m_at - start);
            m_levels.back().wantsKey = false;
            return;
        }
        m_lines.emplace(here(), m_line);
    }
    void scalar()
    {
        m_lines.emplace(here(), m_line);
        while (m_at + 1 < m_json.size() &&
               std::string_view(",]} \t\r\n").find(m_json[m_at + 1]) == std::string_view::npos)
            ++m_at;
    }
    void open(bool array)
    {
        const std::string path = here();
        m_lines.emplace(path, m_line);
        m_levels.push_back({path, array, 0, {}, true});
    }
    void close()
    {
        if (!m_levels.empty()) m_levels.pop_back();
    }
    void next()
    {
        if (m_levels.empty()) return;
        ++m_levels.back().index;
        m_levels.back().wantsKey = true;
    }
    [[nodiscard]] std::string here() const
    {
        // no key of ours lies deeper, and paths of hostile depth would add up to gigabytes
        if (m_levels.empty() || m_levels.size() > 32) return {};
        const Level &level = m_levels.back();
        if (level.array) return level.path + "[" + std::to_string(level.index) + "]";
        return level.path.empty() ? level.key : level.path + "." + level.key;
    }

    std::string_view m_json;
    std::size_t m_at = 0;
    int m_line = 1;
    std::vector<Level> m_levels;
    std::map<std::string, int> m_lines;
};

}  // namespace

std::map<std::string, int> jsonLines(std::string_view json) { return Walk(json).lines(); }

int lineAt(std::string_view text, std::size_t offset)
{
    return 1 + static_cast<int>(std::count(
                   text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size())), '\n'));
}

}  // namespace rankdeck
