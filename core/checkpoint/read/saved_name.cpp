// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/read/saved_name.h"

#include "core/base/text.h"

#include <map>
#include <set>

namespace rankdeck {
namespace {

// In torch, the folder has the file's name without its last extension.
std::string stemOf(const std::string &path)
{
    const std::string base = baseName(path);
    return base.substr(0, base.rfind('.'));
}

// 007 and 7 are one number.
std::vector<std::string> numbersOf(std::string_view text)
{
    std::vector<std::string> out;
    bool inside = false;
    for (const char c : text) {
        const bool digit = c >= '0' && c <= '9';
        if (digit && !inside) out.emplace_back();
        if (digit && !(out.back() == "0")) out.back() += c;
        if (digit && out.back() == "0" && c != '0') out.back() = c;
        inside = digit;
    }
    return out;
}

struct Row {  // files of one folder and form
    std::set<std::vector<std::string>> numbers;
    std::vector<std::pair<std::size_t, std::vector<std::string>>> renamed;  // with their numbers
    bool some = false;                                                      // some file still has its name
};

}  // namespace

std::string withoutNumbers(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        const bool digit = c >= '0' && c <= '9';
        if (!digit)
            out += c;
        else if (out.empty() || out.back() != '#')
            out += '#';
    }
    return out;
}

std::string numberedStem(const SavedFile &file)
{
    const std::string stem = stemOf(file.path), form = withoutNumbers(stem);
    return form != stem && withoutNumbers(file.savedAs) == form ? stem : std::string();
}

std::vector<std::size_t> renamedAmong(const std::vector<SavedFile> &files)
{
    std::map<std::string, Row> rows;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::string stem = numberedStem(files[i]);
        if (stem.empty()) continue;
        Row &row = rows[joinPath(withoutNumbers(dirName(files[i].path)), withoutNumbers(stem))];
        const auto own = numbersOf(stem), before = numbersOf(files[i].savedAs);
        row.numbers.insert(own);
        if (own == before)
            row.some = true;
        else
            row.renamed.emplace_back(i, before);
    }
    std::vector<std::size_t> out;
    for (const auto &[form, row] : rows)
        for (const auto &[index, before] : row.renamed)
            if (row.some || row.numbers.count(before) != 0) out.push_back(index);
    return out;
}

}  // namespace rankdeck
