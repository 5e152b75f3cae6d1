// SPDX-License-Identifier: GPL-3.0-or-later
// A log that a test writes line by line, and the parser's results for it. Throws if the parser cannot be created.
#pragma once

#include "core/parse/log_parser.h"

#include <memory>
#include <string>

namespace rankdeck {

inline constexpr std::uint64_t middle = 1000;  // offset after the first line of a log

struct Lines {
    std::unique_ptr<LogParser> parser;
    Parsed parsed;
    std::uint64_t offset = middle;

    explicit Lines(const LogSpec &spec = {}, LogRole role = LogRole::worker)
        : parser(std::move(LogParser::make(spec, role)).value())
    {}
    Lines &operator<<(const std::string &line)
    {
        parser->line(line, offset, parsed);
        offset += line.size() + 1;
        return *this;
    }
    Lines &end()
    {
        parser->finish(parsed);
        return *this;
    }
};

}  // namespace rankdeck
