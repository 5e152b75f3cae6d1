// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/fields/pieces.h"

#include <algorithm>

namespace rankdeck {

std::optional<std::size_t> endOfBar(std::string_view text)
{
    const std::size_t percent = text.find("%|");
    if (percent == std::string_view::npos) return std::nullopt;
    const std::size_t bar = text.find('|', percent + 2);
    if (bar == std::string_view::npos) return std::nullopt;
    const std::size_t open = text.find('[', bar);
    if (open == std::string_view::npos || open - bar > 60) return std::nullopt;
    int depth = 0;
    for (std::size_t at = open; at < text.size(); ++at) {
        if (text[at] == '[') ++depth;
        if (text[at] == ']' && --depth == 0) return at + 1;
    }
    return std::nullopt;
}

std::string_view withoutGlog(std::string_view piece)
{
    const std::string_view inner = piece.starts_with("[") ? piece.substr(1) : piece;  // c10's form
    if (inner.size() < 20 || std::string_view("IWEF").find(inner[0]) == std::string_view::npos || inner[1] < '0' ||
        inner[1] > '9')
        return piece;
    const std::size_t end = piece.find("] ");
    const std::size_t colon = piece.rfind(':', end);
    if (end == std::string_view::npos || end > 120 || colon == std::string_view::npos || piece.find('.') > end)
        return piece;
    return piece.substr(end + 2);
}

bool Pieces::divides(std::string_view line)
{
    return line.find('\r') != std::string_view::npos || line.find("%|") != std::string_view::npos;
}

std::optional<std::string_view> Pieces::next()
{
    while (!m_rest.empty()) {
        const std::size_t end = std::min(m_rest.find('\r'), m_rest.size());
        std::string_view piece = m_rest.substr(0, end);
        std::size_t taken = std::min(end + 1, m_rest.size());
        if (const std::optional<std::size_t> bar = endOfBar(piece); bar && *bar < piece.size()) {
            piece = piece.substr(0, *bar);
            taken = *bar;
        }
        m_rest.remove_prefix(taken);
        if (piece.find_first_not_of(" \t") != std::string_view::npos) return piece;
    }
    return std::nullopt;
}

}  // namespace rankdeck
