// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/fields/field.h"

#include "core/parse/fields/characters.h"
#include "core/parse/fields/clock_text.h"
#include "core/parse/fields/label_text.h"
#include "core/parse/lines/scanner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace rankdeck {

namespace {

class FieldReader {
public:
    FieldReader(std::string_view line, LineFields &into) : m_line(line), m_into(into) {}
    void read();

private:
    [[nodiscard]] char at(std::size_t index) const { return index < m_line.size() ? m_line[index] : '\0'; }
    [[nodiscard]] bool startsNumber() const;
    [[nodiscard]] bool startsNonFinite() const;
    void number();
    bool takeValue(Field &field);
    void takeSuffix(Field &field);
    void takeOf(Field &field);
    void takeUnit(Field &field);
    void takeRepeats();
    void word();
    void punctuation();
    void labelEnds(std::size_t next);
    [[nodiscard]] std::string_view labelBefore(std::size_t number);
    void addFree(std::string_view text);

    std::string_view m_line;
    LineFields &m_into;
    std::size_t m_at = 0;
    std::size_t m_label = 0;        // where the label of the next number may begin
    std::string_view m_outer = {};  // label of a call: "loss" in "loss: Tensor(…, value= 2.3)"
    std::string_view m_cell = {};   // previous cell of a table, if it contains words: "loss" in "| loss | 0.5 |"
};

void FieldReader::read()
{
    while (m_at < m_line.size() && m_into.fields.size() < mostFields) {
        const char c = m_line[m_at];
        if (isDigit(c) || c == '+' || c == '-' || c == '.') {
            if (startsNumber())
                number();
            else
                punctuation();
        } else if (isLetter(c) && startsNonFinite()) {
            number();
        } else if (isInWord(c)) {
            word();
        } else {
            punctuation();
        }
    }
    labelEnds(m_line.size());
}

bool FieldReader::startsNumber() const
{
    if (m_at > 0 && (isInWord(m_line[m_at - 1]) || m_line[m_at - 1] == '.')) return false;
    std::size_t digit = m_at;
    if (at(digit) == '+' || at(digit) == '-') ++digit;
    if (at(digit) == '.') ++digit;
    if (isDigit(at(digit))) return true;
    const std::string_view rest = m_line.substr(std::min(digit, m_line.size()), 4);
    return digit > m_at && (rest.starts_with("inf") || rest.starts_with("nan"));
}

// NaN and infinity count as numbers only in the place of a number: in "loss: nan", not in "number of nan iterations".
bool FieldReader::startsNonFinite() const
{
    static constexpr std::array<std::string_view, 3> names{"infinity", "nan", "inf"};
    for (const std::string_view name : names) {
        const std::string_view found = m_line.substr(m_at, name.size());
        if (found.size() != name.size() ||
            !std::equal(found.begin(), found.end(), name.begin(), [](char a, char b) { return (a | 0x20) == b; }))
            continue;
        if (isInWord(at(m_at + name.size()))) return false;
        std::size_t before = m_at;
        while (before > 0 && isBlank(m_line[before - 1])) --before;
        if (before > 0 && std::string_view(":=[(,'\"").find(m_line[before - 1]) != std::string_view::npos) return true;
        if (m_line.substr(0, before).ends_with(" is")) return true;
        std::size_t next = m_at + name.size();
        while (isBlank(at(next))) ++next;
        const bool labelled = before > 0 && (isLetter(m_line[before - 1]) || m_line[before - 1] == ')');
        // Accepts "loss nan lr 0.1", but not "number of nan iterations".
        const std::string_view label = m_line.substr(m_label, before - m_label);
        const bool measured =
            label.find("oss") != std::string_view::npos || label.find("orm") != std::string_view::npos;
        return labelled && (!isLetter(at(next)) || measured || next > m_at + name.size() + 1);
    }
    return false;
}

void FieldReader::number()
{
    const std::size_t begin = m_at;
    if (const std::size_t end = endOfClock(m_line, m_at); end > m_at) {
        m_at = m_label = end;
        return;
    }
    Field field;
    field.begin = begin;
    if (!takeValue(field)) {
        word();
        return;
    }
    field.end = m_at;
    field.text = m_line.substr(begin, m_at - begin);
    field.label = labelBefore(begin);
    takeSuffix(field);
    takeOf(field);
    takeUnit(field);
    m_label = m_at;
    m_cell = {};
    m_into.fields.push_back(field);
    takeRepeats();
}

bool FieldReader::takeValue(Field &field)
{
    Scanner scanner(m_line.substr(m_at));
    if (!scanner.takeNumber(field.value)) {
        ++m_at;
        return false;
    }
    const std::size_t begin = m_at;
    m_at = m_line.size() - scanner.rest().size();
    std::string_view text = m_line.substr(begin, m_at - begin);
    field.integer = std::isfinite(field.value) && text.find_first_of(".eE") == std::string_view::npos;
    // Parses "1,023,456".
    const std::size_t first = text.find_first_of("0123456789");
    if (!field.integer || first == std::string_view::npos || text.size() - first > 3) return true;
    double grouped = field.value;
    std::size_t end = m_at;
    while (at(end) == ',' && isDigit(at(end + 1)) && isDigit(at(end + 2)) && isDigit(at(end + 3)) &&
           !isDigit(at(end + 4))) {
        Scanner three(m_line.substr(end + 1, 3));
        std::int64_t part = 0;
        three.takeInteger(part);
        grouped = grouped * 1000 + static_cast<double>(part);
        end += 4;
    }
    const bool list = begin > 0 && m_line[begin - 1] == '[';
    if (end == m_at || list) return true;
    field.value = grouped;
    m_at = end;
    return true;
}

// "11.5K", "1.05M"
void FieldReader::takeSuffix(Field &field)
{
    static constexpr std::string_view suffixes = "KMGBk";
    static constexpr std::array<double, 5> factors{1e3, 1e6, 1e9, 1e9, 1e3};
    const std::size_t index = at(m_at) == '\0' ? std::string_view::npos : suffixes.find(at(m_at));
    if (index == std::string_view::npos || isInWord(at(m_at + 1)) || !std::isfinite(field.value)) return;
    field.value *= factors[index];
    field.integer = std::abs(field.value - std::round(field.value)) < 1e-6 * std::abs(field.value);
    if (field.integer) field.value = std::round(field.value);
    ++m_at;
}

void FieldReader::takeOf(Field &field)
{
    if (!field.integer) return;
    std::size_t next = m_at;
    while (isBlank(at(next))) ++next;
    if (at(next) == '/') {
        ++next;
    } else if (m_line.substr(next, 3) == "of " && next > m_at) {
        next += 3;
    } else {
        return;
    }
    while (isBlank(at(next))) ++next;
    Field of;
    FieldReader rest(m_line, m_into);
    rest.m_at = next;
    if (!isDigit(at(next)) || !rest.takeValue(of)) return;
    rest.takeSuffix(of);
    if (!of.integer || of.value >= 1e15 || of.value < 0) return;
    field.of = static_cast<std::int64_t>(of.value);
    m_at = rest.m_at;
    field.end = m_at;
}

void FieldReader::takeUnit(Field &field)
{
    std::size_t end = m_at;
    while (isLetter(at(end)) || at(end) == '%' || (end > m_at && at(end) == '/' && isLetter(at(end + 1)))) ++end;
    if (end == m_at && at(end) == '/' && isLetter(at(end + 1))) {
        ++end;
        while (isLetter(at(end)) || at(end) == '/') ++end;
    }
    if (end > m_at && at(end) != '_' && at(end) != '=') {
        field.unit = m_line.substr(m_at, end - m_at);
        m_at = end;
        return;
    }
    if (!field.label.empty() || !isBlank(at(m_at))) return;
    std::size_t begin = m_at + 1;
    end = begin;
    while (isLetter(at(end)) || at(end) == '/' || (at(end) == ' ' && isLetter(at(end + 1)) && end > begin)) ++end;
    const std::string_view phrase = m_line.substr(begin, end - begin);
    while (isBlank(at(end))) ++end;
    // In "600 loss=2.5" and "12 Grad Norm 1.2", the text after the number is the label of the next number.
    const bool labels =
        isDigit(at(end)) || at(end) == '=' || at(end) == ':' || at(end) == '(' || at(end) == '[' || at(end) == '-';
    if (!labels) field.unit = phrase;  // not consumed: the next number's label may begin here
}

// Takes "(0.6)" or "( 0.410)" after a number: its average.
void FieldReader::takeRepeats()
{
    std::size_t next = m_at;
    while (isBlank(at(next))) ++next;
    if (at(next) != '(') return;
    ++next;
    while (isBlank(at(next))) ++next;
    Scanner scanner(m_line.substr(std::min(next, m_line.size())));
    double value = 0;
    if (!scanner.takeNumber(value)) return;
    const std::size_t end = m_line.size() - scanner.rest().size();
    if (at(end) != ')' && at(end) != '%') return;
    Field field;
    field.begin = next;
    field.end = end;
    field.text = m_line.substr(next, end - next);
    field.label = m_into.fields.back().label;
    field.value = value;
    field.repeats = true;
    if (at(end) == '%') field.unit = m_line.substr(end, 1);
    m_into.fields.push_back(field);
    m_at = m_label = at(end) == ')' ? end + 1 : end + 2;
}

void FieldReader::word()
{
    const std::size_t begin = m_at;
    // "pod-0" and "train-loss" are single words.
    while (m_at < m_line.size() &&
           (isInWord(m_line[m_at]) || (m_line[m_at] == '-' && m_at > begin && isInWord(at(m_at + 1)))))
        ++m_at;
    if (m_at == begin) ++m_at;
    const std::string_view text = m_line.substr(begin, m_at - begin);
    if (at(m_at) == '(' && (text == "Tensor" || text == "Parameter"))
        m_outer = lastPart(withoutSeparators(m_line.substr(m_label, begin - m_label)));
}

void FieldReader::punctuation()
{
    const char c = m_line[m_at];
    std::size_t next = m_at + 1;
    if (c == '?' && m_at > 0 && isInWord(m_line[m_at - 1]) &&
        isInWord(at(next))) {  // of an address: "/runs?step=300&loss=0.5"
        m_at = std::min(m_line.find_first_of(" \"'", m_at), m_line.size());
        m_label = m_at;
        return;
    }
    if (c == '[' || c == '(') {
        while (isBlank(at(next))) ++next;
        const bool number =
            isDigit(at(next)) || ((at(next) == '-' || at(next) == '+' || at(next) == '.') && isDigit(at(next + 1)));
        const bool nonFinite = m_line.substr(std::min(next, m_line.size()), 3) == "nan" ||
                               m_line.substr(std::min(next, m_line.size()), 3) == "inf";
        if (c == '(' && !number) {  // "(ms)", "(train)", "(TFLOP/s/GPU)" are part of their label
            std::size_t end = next;
            while (isLetter(at(end)) || at(end) == '/' || at(end) == '_' || at(end) == ' ' || at(end) == '%') ++end;
            if (end > next && at(end) == ')') {
                m_at = end + 1;
                return;
            }
        }
        if (!number && !nonFinite) labelEnds(m_at + 1);
    } else if (c == '\'' || c == '"') {
        // Quotes are removed from labels later.
    } else if (std::string_view(",;|{}\t\b])").find(c) != std::string_view::npos) {
        const std::string_view cell = withoutSeparators(m_line.substr(m_label, m_at - m_label));
        labelEnds(m_at + 1);
        if (c == '|' && !cell.empty() && isLetter(cell.front())) m_cell = cell;
    }
    ++m_at;
}

// The text up to this place is not a label.
void FieldReader::labelEnds(std::size_t next)
{
    addFree(m_line.substr(m_label, std::min(m_at, m_line.size()) - std::min(m_label, m_at)));
    m_label = next;
    m_cell = {};
}

void FieldReader::addFree(std::string_view text)
{
    text = withoutSeparators(text);
    if (!text.empty() && m_into.free.size() < mostFields) m_into.free.push_back(text);
}

std::string_view FieldReader::labelBefore(std::size_t number)
{
    const std::string_view before = m_line.substr(m_label, number - m_label);
    std::string_view text = withoutSeparators(before);
    // "loss=tensor(2.3)", "loss: np.float32(2.3)": the name of the call is not the label.
    if (!before.empty() && before.back() == '(')
        if (const std::size_t call = text.find_last_of("=:"); call != std::string_view::npos)
            text = withoutSeparators(text.substr(0, call));
    for (const std::string_view verb : {" is", " was", " of", " at", " to"})
        if (text.ends_with(verb)) text = withoutSeparators(text.substr(0, text.size() - verb.size()));
    std::string_view label = withoutSeparators(lastPart(text));
    if (const std::size_t blank = std::min(label.find(' '), label.size()); isLevel(label.substr(0, blank)))
        label = withoutSeparators(label.substr(blank));
    if (label.data() != text.data() && !text.empty()) addFree(text.substr(0, text.size() - label.size()));
    if (label == "value" && !m_outer.empty()) return std::exchange(m_outer, {});
    return label.empty() ? std::exchange(m_cell, {}) : label;
}

}  // namespace

bool isCount(const Field &field)
{
    return field.integer && field.unit != "%" && field.value >= 0 && field.value < mostCounted;
}

void readFields(std::string_view line, LineFields &into)
{
    into.clear();
    FieldReader(line, into).read();
}

}  // namespace rankdeck
