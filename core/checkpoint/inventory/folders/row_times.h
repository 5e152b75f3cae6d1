// SPDX-License-Identifier: GPL-3.0-or-later
// Times of the files in a row of folders: ranks save at the same time, and saves, stages and runs do not. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace rankdeck {

struct RowFolder {
    std::string path;                                // of the folder with the number
    std::string rest = {};                           // FolderRank::rest
    std::vector<std::string> twins = {};             // folders above it that have the same number
    std::map<std::string, std::int64_t> files = {};  // names, and times in nanoseconds
    std::map<std::string, std::int64_t> forms = {};  // the same with the number as '#'
};

// True if the folders were written one after the other, in the order of their numbers. Then the numbers count saves.
bool followInTime(const std::map<int, RowFolder> &row);

// Times of the saves in several rows.
class RowTimes {
public:
    void add(const std::map<int, RowFolder> &row);
    void addSave(std::int64_t oldest, std::int64_t newest) { m_saves.emplace_back(oldest, newest); }
    // True if the files of each save are much closer in time than two saves. A single save proves nothing.
    [[nodiscard]] bool areTogether() const;
    // True if most saves are not, as those of two runs with equal steps.
    [[nodiscard]] bool areApart() const;

private:
    using Saves = std::vector<std::pair<std::int64_t, std::int64_t>>;
    [[nodiscard]] Saves sorted() const;
    Saves m_saves;  // oldest and newest file
};

}  // namespace rankdeck
