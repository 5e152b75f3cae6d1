// SPDX-License-Identifier: GPL-3.0-or-later
// The job file's own patterns: RE2 with named groups, which may match anywhere in a line. Linear time for any line.
// Error ErrorKind::invalid: a pattern that RE2 does not accept, or that lacks a group. A line whose number is invalid
// gives Match::broken.
#pragma once

#include "core/base/result.h"
#include "core/parse/lines/mindspore_lines.h"
#include "core/parse/lines/sample.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace re2 {
class RE2;
}

namespace rankdeck {

class CustomPattern {
public:
    // The key is that of the job file, for the message. The pattern must have all groups in `needed` and at least one
    // in `allowed`.
    static Result<CustomPattern> make(const std::string &key, const std::string &pattern,
                                      const std::vector<std::string> &needed, const std::vector<std::string> &allowed);
    CustomPattern(CustomPattern &&) noexcept;
    CustomPattern &operator=(CustomPattern &&) noexcept;
    ~CustomPattern();

    // Uses the groups loss, epoch, step, global_step, lr, step_time_ms.
    Match sample(std::string_view line, Sample &sample) const;
    // Uses the groups epoch, step, global_step, path.
    Match resume(std::string_view line, LogEvent &event) const;

private:
    explicit CustomPattern(std::unique_ptr<re2::RE2> pattern);
    bool match(std::string_view line, std::vector<std::string_view> &groups) const;
    [[nodiscard]] std::string_view group(const std::vector<std::string_view> &groups, const char *name) const;

    std::unique_ptr<re2::RE2> m_pattern;
    std::map<std::string, int> m_groups;
};

}  // namespace rankdeck
