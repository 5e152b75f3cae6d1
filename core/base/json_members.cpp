// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_members.h"

#include "core/base/text.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace rankdeck {

namespace {

constexpr int maxDepth = 200;

void appendUtf8(std::string &into, std::uint32_t code)
{
    if (code < 0x80) {
        into += static_cast<char>(code);
    } else if (code < 0x800) {
        into += static_cast<char>(0xc0 | (code >> 6));
        into += static_cast<char>(0x80 | (code & 0x3f));
    } else {
        into += static_cast<char>(0xe0 | (code >> 12));
        into += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
        into += static_cast<char>(0x80 | (code & 0x3f));
    }
}

// A cursor that goes through the text once. The first thing that is not JSON stops it.
class Scanner {
public:
    explicit Scanner(std::string_view text) : m_text(text) {}

    Result<JsonObject> root()
    {
        skipBlanks();
        if (atEnd()) return fail(ErrorKind::invalid, message("expected a JSON object, found an empty file"), "empty");
        if (peek() != '{') {
            if (!value(0)) return error();
            return fail(ErrorKind::invalid,
                        message("expected a JSON object { … }, found %1 as the entire content", kindOf(peekFirst())),
                        "not_object");
        }
        JsonObject object;
        if (!members(object)) return error();
        skipBlanks();
        if (!atEnd()) {
            wrong("the end of the file after the object");
            return error();
        }
        return object;
    }

    Result<std::vector<JsonSpan>> elements()
    {
        std::vector<JsonSpan> found;
        skipBlanks();
        if (peek() != '[') wrong("a list");
        if (m_expected.empty() && container(']', 0, &found)) return found;
        return error();
    }

private:
    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    [[nodiscard]] char peek() const { return atEnd() ? '\0' : m_text[m_at]; }
    [[nodiscard]] char peekFirst() const
    {
        const std::size_t at = m_text.find_first_not_of(" \t\r\n");
        return at == std::string_view::npos ? '\0' : m_text[at];
    }
    void skipBlanks()
    {
        while (!atEnd() && std::string_view(" \t\r\n").find(m_text[m_at]) != std::string_view::npos) ++m_at;
    }
    bool wrong(std::string expected)
    {
        if (m_expected.empty()) m_expected = std::move(expected);
        return false;
    }

    static std::string kindOf(char c)
    {
        switch (c) {
        case '[': return "a list";
        case '"': return "a string";
        case 't':
        case 'f': return "true or false";
        case 'n': return "null";
        default: return "a number";
        }
    }

    [[nodiscard]] Error error() const
    {
        const std::string_view before = m_text.substr(0, m_at);
        const auto line = std::count(before.begin(), before.end(), '\n') + 1;
        const std::size_t lineStart = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
        const std::string found = atEnd() ? "the end of the file" : "'" + printable(m_text.substr(m_at, 12)) + "'";
        return fail(ErrorKind::invalid,
                    message("not JSON: line %1, column %2: expected %3, found %4", line, m_at - lineStart + 1,
                            m_expected, found),
                    "not_json");
    }

    bool members(JsonObject &object)
    {
        object.open = m_at++;
        skipBlanks();
        if (peek() == '}') {
            object.close = m_at++;
            return true;
        }
        while (true) {
            JsonMember member;
            if (!memberOf(member, 1)) return false;
            object.members.push_back(std::move(member));
            skipBlanks();
            if (peek() == '}') break;
            if (peek() != ',') return wrong("',' or '}'");
            ++m_at;
        }
        object.close = m_at++;
        return true;
    }

    bool memberOf(JsonMember &member, int depth)
    {
        skipBlanks();
        member.keySpan.begin = m_at;
        if (peek() != '"') return wrong("a key in double quotes");
        if (!string(member.key)) return false;
        member.keySpan.end = m_at;
        skipBlanks();
        if (peek() != ':') return wrong("':'");
        ++m_at;
        skipBlanks();
        member.value.begin = m_at;
        if (!value(depth)) return false;
        member.value.end = m_at;
        return true;
    }

    bool value(int depth)
    {
        if (depth > maxDepth) return wrong("at most " + std::to_string(maxDepth) + " levels of nesting");
        std::string ignored;
        switch (peek()) {
        case '{': return container('}', depth);
        case '[': return container(']', depth);
        case '"': return string(ignored);
        default: return number() || word();
        }
    }

    // elements: of an array, when they are wanted
    bool container(char close, int depth, std::vector<JsonSpan> *elements = nullptr)
    {
        ++m_at;
        skipBlanks();
        if (peek() == close) {
            ++m_at;
            return true;
        }
        while (true) {
            skipBlanks();
            JsonMember ignored;
            const std::size_t begin = m_at;
            if (close == '}' ? !memberOf(ignored, depth + 1) : !value(depth + 1)) return false;
            if (elements) elements->push_back({begin, m_at});
            skipBlanks();
            if (peek() == close) break;
            if (peek() != ',') return wrong(std::string("',' or '") + close + "'");
            ++m_at;
        }
        ++m_at;
        return true;
    }

    bool word()
    {
        for (const std::string_view known : {"true", "false", "null", "NaN", "Infinity", "-Infinity"})
            if (m_text.substr(m_at).starts_with(known)) {
                m_at += known.size();
                return true;
            }
        return wrong("a value");
    }

    [[nodiscard]] std::size_t digitsFrom(std::size_t at) const
    {
        while (at < m_text.size() && m_text[at] >= '0' && m_text[at] <= '9') ++at;
        return at;
    }

    bool number()
    {
        std::size_t at = m_at + (peek() == '-' ? 1 : 0);
        const std::size_t whole = digitsFrom(at);
        if (whole == at || (m_text[at] == '0' && whole > at + 1)) return false;
        at = whole;
        if (at < m_text.size() && m_text[at] == '.') {
            const std::size_t end = digitsFrom(at + 1);
            if (end > at + 1) at = end;
        }
        if (at < m_text.size() && (m_text[at] == 'e' || m_text[at] == 'E')) {
            std::size_t digits = at + 1;
            if (digits < m_text.size() && (m_text[digits] == '+' || m_text[digits] == '-')) ++digits;
            const std::size_t end = digitsFrom(digits);
            if (end > digits) at = end;
        }
        m_at = at;
        return true;
    }

    bool string(std::string &into)
    {
        ++m_at;
        while (!atEnd() && peek() != '"') {
            const auto byte = static_cast<unsigned char>(peek());
            if (byte < 0x20) return wrong("'\"' before the end of the line");
            if (peek() == '\\') {
                if (!escape(into)) return false;
            } else {
                into += m_text[m_at++];
            }
        }
        if (atEnd()) return wrong("'\"'");
        ++m_at;
        return true;
    }

    bool escape(std::string &into)
    {
        static constexpr std::string_view from = "\"\\/bfnrt", to = "\"\\/\b\f\n\r\t";
        const char c = m_at + 1 < m_text.size() ? m_text[m_at + 1] : '\0';
        if (const std::size_t known = from.find(c); c != '\0' && known != std::string_view::npos) {
            into += to[known];
            m_at += 2;
            return true;
        }
        if (c != 'u' || m_at + 6 > m_text.size()) return wrong("an escape such as \\n or \\u0041");
        std::uint32_t code = 0;
        for (const char digit : m_text.substr(m_at + 2, 4)) {
            const std::size_t nibble = std::string_view("0123456789abcdefABCDEF").find(digit);
            if (nibble == std::string_view::npos) return wrong("four hexadecimal digits");
            code = code * 16 + static_cast<std::uint32_t>(nibble > 15 ? nibble - 6 : nibble);
        }
        appendUtf8(into, code);
        m_at += 6;
        return true;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::string m_expected;
};

}  // namespace

Result<JsonObject> locateMembers(std::string_view text) { return Scanner(text).root(); }
Result<std::vector<JsonSpan>> locateElements(std::string_view text) { return Scanner(text).elements(); }

}  // namespace rankdeck
