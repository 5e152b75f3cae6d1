// SPDX-License-Identifier: GPL-3.0-or-later
// Parser of the reports of msrun or torchrun about their workers. Their output also repeats the workers' logs (tail
// -f), and excerpts of them after a failure, with lines torn into each other. Therefore only the launcher's own
// messages count, at any place of a line.
#pragma once

#include "core/parse/log_parser.h"

#include <set>

namespace rankdeck {

class LauncherParser final : public LogParser {
public:
    void line(std::string_view bytes, std::uint64_t offset, Parsed &into) override;
    void finish(Parsed &into) override;
    [[nodiscard]] std::uint64_t rejected() const override { return m_rejected; }
    [[nodiscard]] std::optional<int> pid() const override { return m_pid; }

private:
    bool msrun(std::string_view line, LogEvent &event);
    void torchrun(std::string_view line, const LogEvent &where, Parsed &into);
    void flush(Parsed &into);

    std::optional<LogEvent> m_pending;  // torchrun: a death whose rank the final block may still name
    std::optional<int> m_blockRank;
    std::set<int> m_told;  // pids that were already reported
    std::optional<int> m_pid;
    std::uint64_t m_rejected = 0;
};

}  // namespace rankdeck
