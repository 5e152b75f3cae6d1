// SPDX-License-Identifier: GPL-3.0-or-later
// Parser of one rank's log. Each line, or each piece of a line with a progress bar, is first compared with the cheapest
// forms. Cannot fail: a line that has the form of a loss but no usable numbers is counted as rejected.
#pragma once

#include "core/parse/custom_pattern.h"
#include "core/parse/event_block.h"
#include "core/parse/fields/training_reader.h"
#include "core/parse/log_parser.h"
#include "core/parse/resume_lines.h"

#include <bitset>

namespace rankdeck {

struct CustomPatterns {
    std::optional<CustomPattern> sample = {}, resume = {};
};

class WorkerParser final : public LogParser {
public:
    WorkerParser(const std::map<std::string, std::string> &fields, std::shared_ptr<const CustomPatterns> patterns);
    void line(std::string_view bytes, std::uint64_t offset, Parsed &into) override;
    void finish(Parsed &into) override;
    void expectPaths(std::vector<std::string> paths) override { m_expected = std::move(paths); }
    [[nodiscard]] bool inEvent() const override { return m_block.open(); }
    [[nodiscard]] std::uint64_t rejected() const override { return m_rejected; }
    [[nodiscard]] std::optional<int> pid() const override { return m_pid; }

private:
    struct Line {
        std::string_view text;
        std::uint64_t offset;
        std::uint64_t end;
    };
    void slowLine(std::string_view bytes, std::uint64_t offset, Parsed &into);
    void piece(const Line &line, Parsed &into);
    bool recognise(const Line &line, Parsed &into);
    bool header(const Line &line, Parsed &into);
    void headerMessage(const Line &line, const HeaderLine &header, Parsed &into);
    bool monitor(const Line &line, Parsed &into);
    bool loss(const Line &line, Parsed &into);
    bool resume(const Line &line, Parsed &into);
    bool otherEvent(const Line &line, Parsed &into);
    bool settle(Match match, const Line &line, Parsed &into);
    void closeBlock(Parsed &into);
    void add(Parsed &into, const Line &line, EventKind kind, std::string_view text);

    std::shared_ptr<const CustomPatterns> m_patterns;
    bool m_hasSamplePattern = false;
    ResumeLines m_resumeLines;
    std::vector<std::string> m_expected;  // paths to load, until a line names one of them
    EventBlock m_block;
    Sample m_plain;             // values that all plain loss lines share, such as TimeMonitor's steps per epoch
    std::string m_destination;  // address that its process tried to reach last
    std::optional<int> m_pid;
    std::uint64_t m_rejected = 0;
    TrainingReader m_reader;
    std::bitset<8> m_warned;  // warnings that repeat at each step are events once
};

}  // namespace rankdeck
