// SPDX-License-Identifier: GPL-3.0-or-later
// Explanation of how a log is read: its kinds of lines, the role of each number in them, and the lines that give
// nothing. For operators and for `logs --explain`; it uses the same parser as everything else. Bounded: only the most
// frequent kinds are kept.
#pragma once

#include "core/parse/fields/training_reader.h"
#include "core/parse/log_parser.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct ExplainedField {
    std::string label = {};  // as printed; empty: the number has no label
    FieldRole role = FieldRole::none;
    std::string value = {};          // as printed
    std::size_t begin = 0, end = 0;  // position of the number in the kind's sample
};

// Lines that differ only in their numbers.
struct LineKind {
    std::string sample = {};  // the latest line of this kind, printable, without colours and prefix
    std::vector<ExplainedField> fields = {};
    std::uint64_t count = 0;
};

struct LogExplanation {
    std::uint64_t lines = 0;
    std::uint64_t matched = 0;           // lines that gave an observation or an event, or belong to one
    std::vector<LineKind> kinds = {};    // kinds that give observations or counters for them, the most frequent first
    std::vector<LineKind> unknown = {};  // kinds that give nothing; first those with a number after "loss"
    bool hasLoss = false, hasStep = false;
    [[nodiscard]] bool mayHideLoss() const;  // true: in a line that gives nothing, a number is labelled as a loss
};

class LogExplainer {
public:
    static constexpr std::uint32_t partBytes = 1u << 20;  // the end of a log that is read: enough to learn its lines
    // Error invalid: a pattern of the job file that RE2 does not take.
    static Result<LogExplainer> make(const LogSpec &spec);
    void line(std::string_view bytes);  // without the line end
    // Adds all lines of a part of the log. If the part does not begin at offset 0, its first line may be incomplete and
    // is skipped.
    void part(std::string_view bytes, std::uint64_t offset);
    [[nodiscard]] LogExplanation finish();

private:
    explicit LogExplainer(std::unique_ptr<LogParser> parser, const LogSpec &spec);
    void keep(std::map<std::string, LineKind> &kinds, std::string_view piece, bool withFields);

    std::unique_ptr<LogParser> m_parser;
    TrainingReader m_reader;
    LogExplanation m_explanation;
    std::map<std::string, LineKind> m_kinds, m_unknown;  // by the line with its numbers replaced
    std::uint64_t m_offset = 1;
};

}  // namespace rankdeck
