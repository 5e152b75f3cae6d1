// SPDX-License-Identifier: GPL-3.0-or-later
// An answer that may be missing. Unknown is not no: who needs a yes or a no asks again, or refuses.
#pragma once

#include <cstdint>
#include <optional>

namespace rankdeck {

enum class Known : std::uint8_t { no, yes, unknown };

constexpr Known known(bool answer) { return answer ? Known::yes : Known::no; }
constexpr Known known(const std::optional<bool> &answer) { return answer ? known(*answer) : Known::unknown; }

}  // namespace rankdeck
