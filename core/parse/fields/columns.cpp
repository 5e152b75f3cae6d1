// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/fields/columns.h"

#include "core/parse/fields/role.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr std::size_t longestRow = 2000, mostColumns = 60;

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// separator ' ': names are separated by two blanks or a tab, numbers by one blank.
std::vector<std::string_view> cells(std::string_view line, char separator, bool names)
{
    std::vector<std::string_view> found;
    line = trimmed(line);
    if (separator != ' ') {
        if (!line.empty() && line.front() == separator) line.remove_prefix(1);
        if (!line.empty() && line.back() == separator) line.remove_suffix(1);
    }
    while (!line.empty() && found.size() < mostColumns) {
        std::size_t end = line.find(separator);
        if (separator == ' ') end = names ? std::min(line.find("  "), line.find('\t')) : line.find_first_of(" \t");
        end = std::min(end, line.size());
        found.push_back(trimmed(line.substr(0, end)));
        line.remove_prefix(std::min(end + 1, line.size()));
        if (separator == ' ') line = trimmed(line);
    }
    return found;
}

std::string nameOf(std::string_view cell)
{
    if (cell == "E") return "epoch";
    if (cell == "#") return "step";
    return std::string(cell);
}

}  // namespace

bool ColumnTable::takeHeader(std::string_view line)
{
    if (line.size() > longestRow || line.find_first_of("=:{}") != std::string_view::npos) return false;
    const char separator = line.find('|') != std::string_view::npos   ? '|'
                           : line.find(',') != std::string_view::npos ? ','
                                                                      : ' ';
    const std::vector<std::string_view> names = cells(line, separator, true);
    const bool divided = separator != ' ' || line.find('\t') != std::string_view::npos;
    if (names.size() < (divided ? 2u : 3u)) return false;
    bool loss = false, counter = false;
    for (const std::string_view name : names) {
        if (name.size() > 60) return false;
        const FieldRole role = meaningOf(nameOf(name)).role;
        loss = loss || role == FieldRole::loss;
        counter = counter || role == FieldRole::epoch || role == FieldRole::step;
    }
    if (!loss || !counter) return false;
    m_separator = separator;
    m_names.clear();
    for (const std::string_view name : names) m_names.push_back(nameOf(name));
    return true;
}

bool ColumnTable::readRow(std::string_view line, LineFields &into) const
{
    if (m_names.empty() || line.size() > longestRow) return false;
    std::vector<std::string_view> row = cells(line, m_separator, false);
    const bool bar = row.size() > m_names.size() && line.find('%') != std::string_view::npos;
    if (row.size() < m_names.size() || (row.size() > m_names.size() && !bar)) return false;
    into.clear();
    LineFields cell;
    std::size_t numbers = 0;
    for (std::size_t i = 0; i < m_names.size(); ++i) {
        readFields(row[i], cell);
        const bool number = cell.fields.size() == 1 && cell.fields[0].begin == 0;
        const bool time = cell.fields.empty() && row[i].find(':') != std::string_view::npos;
        if (number || time) ++numbers;
        if (!number) continue;
        Field field = cell.fields[0];
        field.label = m_names[i];
        if (field.unit.size() > 3) field.unit = {};
        into.fields.push_back(field);
    }
    if (bar) {  // YOLO draws its progress behind the row
        const std::size_t behind =
            static_cast<std::size_t>(row[m_names.size() - 1].data() + row[m_names.size() - 1].size() - line.data());
        readFields(line.substr(behind), cell);
        for (Field field : cell.fields) {
            field.begin += behind;
            field.end += behind;
            into.fields.push_back(field);
        }
    }
    return numbers * 10 >= m_names.size() * 7;
}

}  // namespace rankdeck
