// SPDX-License-Identifier: GPL-3.0-or-later
// Lines in which scripts and frameworks report what they loaded, used if the job file has no pattern of its own. Some
// frameworks need several lines for it (Hugging Face, MindFormers), so the parser remembers earlier lines. Numbers are
// returned as they are in the line.
#pragma once

#include "core/parse/lines/sample.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

class ResumeLines {
public:
    // The event of this line, without offset and length; nullopt: the line is not about a load or a finished save.
    std::optional<LogEvent> parse(std::string_view line);
    // True if the line belongs to a load that a later line will complete.
    [[nodiscard]] bool remembers() const { return m_remembers; }
    // A line in which a script reports that it loaded nothing: a warning, with nothingLoaded. nullopt: any other line.
    static std::optional<LogEvent> nothing(std::string_view line);

private:
    std::optional<LogEvent> script(std::string_view line) const;
    std::optional<LogEvent> torch(std::string_view line);
    std::optional<LogEvent> mindFormers(std::string_view line);
    std::optional<LogEvent> others(std::string_view line) const;
    std::optional<LogEvent> modelZoo(std::string_view line);

    bool m_remembers = false;
    std::string m_path;
    std::optional<std::int64_t> m_epoch;
};

}  // namespace rankdeck
