// SPDX-License-Identifier: GPL-3.0-or-later
// Outline of a pickle, for fast reading of similar pickles. A writer that saves the same objects again writes the same
// bytes, except a few texts near the end (an id, a path). After the first pickle, the others can be read without
// building their objects. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

class PickleOutline {
public:
    // Makes the outline of a pickle that Pickle::parse has read. Texts may vary only after the last occurrence of the
    // text `from`, and after the last name of a class or function. If `from` does not occur, no text may vary. nullopt:
    // the pickle is not complete.
    static std::optional<PickleOutline> of(std::string_view bytes, std::string_view from);

    // The varying texts of another pickle with the same outline; nullopt: it differs in other places.
    [[nodiscard]] std::optional<std::vector<std::string_view>> textsOf(std::string_view other) const;
    [[nodiscard]] std::size_t bytes() const { return m_bytes.size(); }

private:
    std::string m_bytes;
    std::vector<std::size_t> m_frames;  // positions of frame lengths before the end part; readers ignore them
    std::size_t m_end = 0;              // begin of the end part
};

}  // namespace rankdeck
