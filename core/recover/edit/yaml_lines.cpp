// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/edit/yaml_lines.h"

#include "core/base/text.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr std::size_t maxBytes = 4u << 20;

bool blank(char c) { return c == ' ' || c == '\t'; }

class Lines {
public:
    explicit Lines(std::string_view text) : m_text(text) {}

    Result<YamlRoot> run()
    {
        if (m_text.size() > maxBytes) return fail(ErrorKind::invalid, "expected a configuration file below 4 MiB");
        std::size_t at = m_text.starts_with("\xef\xbb\xbf") ? 3 : 0;
        for (; at < m_text.size(); ++m_line) {
            std::size_t end = m_text.find('\n', at);
            const std::size_t next = end == std::string_view::npos ? m_text.size() : end + 1;
            if (end == std::string_view::npos) end = m_text.size();
            if (end > at && m_text[end - 1] == '\r') --end;
            if (const Status done = line(at, end); !done) return done.error();
            if (m_ended) break;
            at = next;
        }
        if (m_depth > 0) return wrong("expected the end of a flow mapping or sequence, found the end of the file");
        return YamlRoot{.keys = std::move(m_keys), .end = at};
    }

private:
    [[nodiscard]] Error wrong(const std::string &what) const
    {
        return fail(ErrorKind::invalid, "line " + std::to_string(m_line + 1) + ": " + what);
    }

    Status line(std::size_t begin, std::size_t end)
    {
        const std::string_view whole = m_text.substr(begin, end - begin);
        const std::size_t indent = std::min(whole.find_first_not_of(' '), whole.size());
        if (indent == whole.size()) return Done{};
        if (m_depth > 0) {  // the brackets of a line before are still open
            const auto last = scan(begin, end);
            return last ? Status(Done{}) : last.error();
        }
        if (m_scalarIndent) {  // inside | or >: not YAML, but text
            if (indent > *m_scalarIndent) return Done{};
            m_scalarIndent.reset();
        }
        if (whole[indent] == '#') return Done{};
        if (whole[indent] == '\t') {
            if (whole.find_first_not_of(" \t") == std::string_view::npos) return Done{};
            return wrong("expected blanks before the text, found a tab");
        }
        if (indent == 0 && (whole.starts_with("---") || whole.starts_with("..."))) return documentMark(whole);
        if (indent == 0 && whole.front() == '%') return Done{};
        if (indent > 0 || isSequence(whole)) {
            if (m_keys.empty()) return wrong("expected a key of the file at the beginning of the line");
            m_keys.back().nested = true;
            return skim(begin + indent, end, indent);
        }
        return rootKey(begin, end);
    }

    static bool isSequence(std::string_view whole)
    {
        return whole.starts_with("-") && (whole.size() == 1 || whole[1] == ' ');
    }

    Status documentMark(std::string_view whole)
    {
        const bool bare = whole.find_first_not_of(" \t", 3) == std::string_view::npos || whole[3] == ' ';
        if (whole.starts_with("---") && bare && m_keys.empty() && !m_started &&
            (whole.size() == 3 || whole.find_first_not_of(' ', 3) == std::string_view::npos ||
             whole[whole.find_first_not_of(' ', 3)] == '#')) {
            m_started = true;
            return Done{};
        }
        if (m_keys.empty()) return wrong("expected a document with a mapping, found the end of an empty one");
        m_ended = true;
        return Done{};
    }

    Status rootKey(std::size_t begin, std::size_t end)
    {
        const char first = m_text[begin];
        if (first == '{' || first == '[')
            return wrong("expected one key on each line, found a flow mapping or sequence ('" + std::string(1, first) +
                         "')");
        if (first == '?' || first == '&' || first == '*' || first == '!' || first == '|' || first == '>')
            return wrong("expected a plain key, found \"" + std::string(1, first) + "\"");
        std::size_t colon = begin;
        YamlKey key{.name = {}, .line = m_line};
        if (first == '"' || first == '\'') {
            const std::size_t close = m_text.find(first, begin + 1);
            if (close >= end) return wrong("expected a key, found a quote that does not end");
            key.name = m_text.substr(begin + 1, close - begin - 1);
            if (key.name.find('\\') != std::string::npos) return wrong("expected a key without escapes");
            colon = close + 1;
            while (colon < end && blank(m_text[colon])) ++colon;
        } else {
            while (colon < end && !(m_text[colon] == ':' && (colon + 1 == end || blank(m_text[colon + 1])))) ++colon;
            std::size_t last = colon;
            while (last > begin && blank(m_text[last - 1])) --last;
            key.name = m_text.substr(begin, last - begin);
        }
        if (colon >= end || m_text[colon] != ':') return wrong("expected \"key: value\", found no colon");
        if (key.name == "<<") return wrong("expected plain keys, found a merge key (<<) that brings others");
        for (const YamlKey &other : m_keys)
            if (other.name == key.name)
                return wrong("expected each key once, found " + printable(key.name) + " here and in line " +
                             std::to_string(other.line + 1));
        std::size_t value = colon + 1;
        while (value < end && blank(m_text[value])) ++value;
        const bool empty = value == end || m_text[value] == '#';
        key.valueBegin = key.valueEnd = empty ? colon + 1 : value;
        if (!empty) {
            auto last = scan(value, end);
            if (!last) return last.error();
            key.valueEnd = last.value();
            key.nested = m_depth > 0;
            markScalar(value, key.valueEnd, 0);
        }
        m_keys.push_back(std::move(key));
        return Done{};
    }

    // A line below a key of the root: only what may reach into the next line matters.
    Status skim(std::size_t begin, std::size_t end, std::size_t indent)
    {
        while (begin < end && m_text[begin] == '-' && begin + 1 < end && m_text[begin + 1] == ' ') {
            begin += 2;
            indent += 2;
            while (begin < end && m_text[begin] == ' ') ++begin, ++indent;
        }
        std::size_t value = begin;
        for (std::size_t at = begin; at + 1 < end; ++at) {  // behind the key, when there is one
            if (m_text[at] == '"' || m_text[at] == '\'' || m_text[at] == '{' || m_text[at] == '[') break;
            if (m_text[at] != ':' || !blank(m_text[at + 1])) continue;
            value = at + 1;
            while (value < end && blank(m_text[value])) ++value;
            break;
        }
        if (value >= end || m_text[value] == '#') return Done{};
        const auto last = scan(value, end);
        if (!last) return last.error();
        markScalar(value, last.value(), indent);
        return Done{};
    }

    // The end of the value without its comment; brackets that stay open are counted in m_depth. Error for an open quote,
    // as the next lines would be read wrongly.
    Result<std::size_t> scan(std::size_t begin, std::size_t end)
    {
        char quote = 0;
        std::size_t last = begin;
        const bool flow = m_depth > 0 || m_text[begin] == '{' || m_text[begin] == '[';
        const bool quoted = m_text[begin] == '"' || m_text[begin] == '\'';
        for (std::size_t at = begin; at < end; ++at) {
            const char c = m_text[at];
            if (quote) {
                const bool doubled = quote == '\'' && c == quote && at + 1 < end && m_text[at + 1] == quote;
                if (doubled || (quote == '"' && c == '\\'))
                    ++at;
                else if (c == quote)
                    quote = 0;
            } else if (c == '#' && (at == begin || blank(m_text[at - 1]))) {
                break;
            } else if ((c == '"' || c == '\'') && (flow || (at == begin && quoted))) {
                quote = c;
            } else if (flow) {
                m_depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            }
            if (!blank(c)) last = at + 1;
        }
        if (quote) return wrong("expected a value on one line, found a quote that does not end");
        if (m_depth < 0) return wrong("expected brackets in pairs, found one too many");
        return std::min(last, end);
    }

    void markScalar(std::size_t begin, std::size_t end, std::size_t indent)
    {
        std::string_view value = m_text.substr(begin, end - begin);
        while (value.starts_with("!") || value.starts_with("&")) {  // !tag |, &anchor >
            const std::size_t space = value.find(' ');
            if (space == std::string_view::npos) return;
            value.remove_prefix(std::min(value.find_first_not_of(' ', space), value.size()));
        }
        const bool header = !value.empty() && (value.front() == '|' || value.front() == '>') &&
                            value.find_first_not_of("+-0123456789", 1) == std::string_view::npos;
        if (header) m_scalarIndent = indent;
    }

    std::string_view m_text;
    std::size_t m_line = 0;
    std::vector<YamlKey> m_keys;
    std::optional<std::size_t> m_scalarIndent;
    int m_depth = 0;
    bool m_started = false;
    bool m_ended = false;  // the first document is over
};

}  // namespace

Result<YamlRoot> yamlRoot(std::string_view text) { return Lines(text).run(); }

}  // namespace rankdeck
