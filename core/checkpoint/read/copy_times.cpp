// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/read/copy_times.h"

#include "core/checkpoint/thresholds.h"

#include <algorithm>

namespace rankdeck {
bool looksCopied(std::vector<std::int64_t> files, std::int64_t mark)
{
    files.push_back(mark);
    std::sort(files.begin(), files.end());
    std::int64_t before = 0, after = 0;
    for (std::size_t i = 1; i < files.size(); ++i) {
        const std::int64_t pause = files[i] - files[i - 1];
        std::int64_t &longest = files[i] <= mark ? before : after;
        longest = std::max(longest, pause);
    }
    if (mark == files.front() && files.size() > 2) {  // copied first: the others follow at the same pace
        const std::int64_t first = files[1] - files[0];
        std::int64_t longest = 0;
        for (std::size_t i = 2; i < files.size(); ++i) longest = std::max(longest, files[i] - files[i - 1]);
        return first > 0 && first <= threshold::evenPace * longest;
    }
    return before > 0 && after <= threshold::evenPace * before;
}

}  // namespace rankdeck
