// SPDX-License-Identifier: GPL-3.0-or-later
// Parser of one log that several ranks write, in which launchers put a prefix before each rank's lines ("[rank3]:",
// "[default7]:", "3: "). The lines with one prefix are treated as a separate log, so that tracebacks and counters of
// different ranks do not mix. Without such prefixes it is the parser of one rank.
#pragma once

#include "core/parse/lines/line_prefix.h"
#include "core/parse/log_parser.h"

#include <functional>
#include <map>
#include <memory>

namespace rankdeck {

class PrefixedParser final : public LogParser {
public:
    using Maker = std::function<std::unique_ptr<LogParser>()>;
    explicit PrefixedParser(Maker make);
    void line(std::string_view bytes, std::uint64_t offset, Parsed &into) override;
    void finish(Parsed &into) override;
    void expectPaths(std::vector<std::string> paths) override;
    [[nodiscard]] bool inEvent() const override { return m_last->inEvent(); }
    [[nodiscard]] std::uint64_t rejected() const override;
    [[nodiscard]] std::optional<int> pid() const override { return m_plain->pid(); }

private:
    LogParser &parserOf(const LineOwner &owner);

    Maker m_make;
    std::unique_ptr<LogParser> m_plain;  // for lines without such a prefix
    std::map<LineOwner, std::unique_ptr<LogParser>> m_owned;
    LogParser *m_last;  // parser that read the last line
    std::vector<std::string> m_expected;
};

}  // namespace rankdeck
