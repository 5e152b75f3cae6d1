// SPDX-License-Identifier: GPL-3.0-or-later
// Pickles that are alike: a writer that saves the same objects again and again writes the same bytes, but for a few texts
// near the end (an id, a path). Who has read one knows the others without building their objects anew. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

class PickleOutline {
public:
    // Of a pickle that Pickle::parse has read; behind the last text `from`, and behind the last name of a class or a
    // function, texts may be others. Without such a text, none may. nullopt: no whole pickle.
    static std::optional<PickleOutline> of(std::string_view bytes, std::string_view from);

    // The texts of the end of another pickle that would be read as this one was; nullopt: it differs in more.
    [[nodiscard]] std::optional<std::vector<std::string_view>> textsOf(std::string_view other) const;
    [[nodiscard]] std::size_t bytes() const { return m_bytes.size(); }

private:
    std::string m_bytes;
    std::vector<std::size_t> m_frames;  // where the lengths of frames lie before the end; they mean nothing to a reader
    std::size_t m_end = 0;              // where the end begins
};

}  // namespace rankdeck
