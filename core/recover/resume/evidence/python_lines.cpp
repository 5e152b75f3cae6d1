// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/evidence/python_lines.h"

#include <cctype>

namespace rankdeck {

namespace {

constexpr std::size_t mostLines = 20000;

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isQuote(char c) { return c == '"' || c == '\''; }

// Position after the string that begins at `at`.
std::size_t endOfString(std::string_view text, std::size_t at)
{
    const char quote = text[at];
    const bool triple = text.substr(at).starts_with(std::string(3, quote));
    const std::string close(triple ? 3 : 1, quote);
    for (std::size_t i = at + close.size(); i < text.size(); ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text.substr(i).starts_with(close))
            return i + close.size();
        else if (text[i] == '\n' && !triple)
            return i;
    }
    return text.size();
}

class LineReader {
public:
    std::vector<PythonLine> read(std::string_view script)
    {
        for (std::size_t at = 0; at < script.size() && m_lines.size() < mostLines; at = next(script, at)) {}
        end();
        return std::move(m_lines);
    }

private:
    std::size_t next(std::string_view script, std::size_t at)
    {
        const char c = script[at];
        if (isQuote(c)) return string(script, at);
        if (c == '#') {
            const std::size_t stop = script.find('\n', at);
            return stop == std::string_view::npos ? script.size() : stop;
        }
        if (c == '\\' && at + 1 < script.size() && script[at + 1] == '\n') return at + 2;
        if (c == '\n') {
            if (m_open == 0) end();
            return at + 1;
        }
        if (c == '(' || c == '[' || c == '{') ++m_open;
        if ((c == ')' || c == ']' || c == '}') && m_open > 0) --m_open;
        if (c == ' ' || c == '\t' || c == '\r') {
            if (m_text.empty()) m_indent += c == '\t' ? 8 : 1;
            if (!m_text.empty() && m_text.back() != ' ') m_text += ' ';
            return at + 1;
        }
        m_text += c;
        return at + 1;
    }

    std::size_t string(std::string_view script, std::size_t at)
    {
        const std::size_t stop = endOfString(script, at);
        const bool triple = script.substr(at).starts_with(std::string(3, script[at]));
        if (!triple) m_text += script.substr(at, stop - at);
        if (triple && !m_text.empty()) m_text += "\"\"";  // a docstring begins its line
        return stop;
    }

    void end()
    {
        if (!m_text.empty()) {
            while (!m_around.empty() && m_lines[m_around.back()].indent >= m_indent) m_around.pop_back();
            if (m_text.back() == ' ') m_text.pop_back();
            m_lines.push_back({.indent = m_indent, .text = m_text, .blocks = m_around});
            if (m_text.back() == ':') m_around.push_back(m_lines.size() - 1);
        }
        m_text.clear();
        m_indent = 0;
        m_open = 0;
    }

    std::vector<PythonLine> m_lines;
    std::vector<std::size_t> m_around;
    std::string m_text;
    std::size_t m_indent = 0;
    int m_open = 0;
};

// Calls take with each word outside of strings and its position.
template <class Take>
void eachWord(std::string_view text, Take take)
{
    for (std::size_t i = 0; i < text.size();) {
        if (isQuote(text[i])) {
            i = endOfString(text, i);
        } else if (isWord(text[i])) {
            std::size_t stop = i;
            while (stop < text.size() && isWord(text[stop])) ++stop;
            take(i, std::string(text.substr(i, stop - i)));
            i = stop;
        } else {
            ++i;
        }
    }
}

bool isOfSelf(std::string_view text, std::size_t at) { return at >= 5 && text.substr(at - 5, 5) == "self."; }

}  // namespace

std::vector<PythonLine> pythonLines(std::string_view script) { return LineReader().read(script); }

std::vector<std::string> namesIn(std::string_view expression)
{
    std::vector<std::string> names;
    eachWord(expression, [&](std::size_t at, std::string word) {
        if (at == 0 || expression[at - 1] != '.' || isOfSelf(expression, at)) names.push_back(std::move(word));
    });
    return names;
}

std::vector<std::string> stringsIn(std::string_view expression)
{
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < expression.size();) {
        if (!isQuote(expression[i])) {
            ++i;
            continue;
        }
        const std::size_t stop = endOfString(expression, i);
        if (stop > i + 2) texts.emplace_back(expression.substr(i + 1, stop - i - 2));
        i = stop;
    }
    return texts;
}

std::vector<PythonCall> callsIn(std::string_view expression)
{
    std::vector<PythonCall> calls;
    eachWord(expression, [&](std::size_t at, std::string word) {
        std::size_t i = at + word.size();
        if (i >= expression.size() || expression[i] != '(') return;
        PythonCall call{.name = std::move(word)};
        int open = 0;
        std::size_t begin = ++i;
        const auto take = [&](std::size_t stop) {
            while (begin < stop && expression[begin] == ' ') ++begin;
            if (stop > begin) call.arguments.emplace_back(expression.substr(begin, stop - begin));
            begin = stop + 1;
        };
        for (; i < expression.size(); ++i) {
            const char c = expression[i];
            if (isQuote(c)) {
                i = endOfString(expression, i) - 1;
            } else if (c == '(' || c == '[' || c == '{') {
                ++open;
            } else if (c == ')' || c == ']' || c == '}') {
                if (open-- == 0) break;
            } else if (c == ',' && open == 0) {
                take(i);
            }
        }
        take(i);
        calls.push_back(std::move(call));
    });
    return calls;
}

}  // namespace rankdeck
