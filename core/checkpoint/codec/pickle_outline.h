// SPDX-License-Identifier: GPL-3.0-or-later
// Outline of a pickle, to read similar pickles quickly. A writer that saves the same objects again writes the same
// bytes, except a few texts near the end (an id, a path). A reader of the first pickle can read the others without
// building their objects again. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

class PickleOutline {
public:
    // Makes the outline of a pickle that Pickle::parse has read. Texts may differ only after the last text `from`, and
    // after the last name of a class or a function. Without such a text, none may differ. nullopt: the pickle is not
    // complete.
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
