// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/folders/row_times.h"

#include "core/checkpoint/thresholds.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace rankdeck {
namespace {

std::pair<std::int64_t, std::int64_t> timesOf(const RowFolder &folder)
{
    std::pair<std::int64_t, std::int64_t> times{std::numeric_limits<std::int64_t>::max(), 0};
    for (const auto &[file, time] : folder.files) times = {std::min(times.first, time), std::max(times.second, time)};
    return times;
}

}  // namespace

bool followInTime(const std::map<int, RowFolder> &row)
{
    for (auto at = row.begin(), next = std::next(at); next != row.end(); ++at, ++next)
        if (timesOf(next->second).first < timesOf(at->second).second + threshold::generations) return false;
    return row.size() > 1;
}

void RowTimes::add(const std::map<int, RowFolder> &row)
{
    using Times = std::map<std::string, std::vector<std::int64_t>>;
    Times byFile, byForm;
    for (const auto &[number, folder] : row) {
        for (const auto &[file, time] : folder.files) byFile[file].push_back(time);
        for (const auto &[form, time] : folder.forms) byForm[form].push_back(time);
    }
    const auto inSeveral = [](const auto &file) { return file.second.size() > 1; };
    const bool haveOneName = std::any_of(byFile.begin(), byFile.end(), inSeveral);
    for (auto &[file, times] : haveOneName ? byFile : byForm) {
        if (times.size() < 2) continue;
        const auto [oldest, newest] = std::minmax_element(times.begin(), times.end());
        m_saves.emplace_back(*oldest, *newest);
    }
}

RowTimes::Saves RowTimes::sorted() const
{
    Saves saves = m_saves;
    std::sort(saves.begin(), saves.end());
    saves.erase(std::unique(saves.begin(), saves.end()), saves.end());
    return saves;
}

bool RowTimes::areTogether() const
{
    const Saves saves = sorted();
    for (std::size_t i = 0; i < saves.size(); ++i) {
        const std::int64_t spread = saves[i].second - saves[i].first;
        if (spread > threshold::stagger) return false;
        if (i > 0 && saves[i].first - saves[i - 1].second < threshold::timesCloser * spread) return false;
    }
    return saves.size() > 1;
}

bool RowTimes::areApart() const
{
    const Saves saves = sorted();
    std::size_t apart = 0;
    for (std::size_t i = 1; i < saves.size(); ++i) {
        const std::int64_t spread = saves[i - 1].second - saves[i - 1].first;
        const std::int64_t gap = saves[i].first - saves[i - 1].second;
        apart += spread > threshold::generations && gap < threshold::timesCloser * spread ? 1 : 0;
    }
    return 2 * apart > saves.size() - 1 && saves.size() > 1;
}

}  // namespace rankdeck
