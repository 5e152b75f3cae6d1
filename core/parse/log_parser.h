// SPDX-License-Identifier: GPL-3.0-or-later
// Parser from the lines of one log to samples and events, for the output of any framework. Keeps state between lines (a
// traceback in progress, a Keras epoch), so each log and attempt needs its own parser. Lines come whole, without their
// end, as bytes. Invalid lines are counted in rejected(), never dropped silently. One thread at a time. No allocation
// per plain line.
#pragma once

#include "core/base/result.h"
#include "core/job/job.h"
#include "core/parse/lines/sample.h"

#include <memory>
#include <string_view>
#include <vector>

namespace rankdeck {

struct Parsed {
    std::vector<Sample> samples;
    std::vector<LogEvent> events;
};

enum class LogRole { worker, launcher };  // launcher: msrun's or torchrun's stdout

class LogParser {
public:
    // Error invalid when a pattern of the job file is not a valid RE2 or has none of the groups.
    //
    // shared: several ranks write this log, and prefixes name the rank of a line.
    static Result<std::unique_ptr<LogParser>> make(const LogSpec &spec, LogRole role, bool shared = false);
    virtual ~LogParser() = default;
    virtual void line(std::string_view bytes, std::uint64_t offset, Parsed &into) = 0;
    virtual void finish(Parsed &into) = 0;  // call it when no lines come, or at the end: ends an open traceback
    // Sets the paths that this log's rank was given to load. The first line that names one of them is evidence of the
    // load (byPath).
    virtual void expectPaths(std::vector<std::string> /*paths*/) {}
    [[nodiscard]] virtual bool inEvent() const { return false; }  // the last line belongs to an unfinished event
    [[nodiscard]] virtual std::uint64_t rejected() const = 0;
    [[nodiscard]] virtual std::optional<int> pid() const = 0;  // pid of the log's process, from its header lines
};

}  // namespace rankdeck
