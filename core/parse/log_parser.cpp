// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/log_parser.h"

#include "core/parse/custom_pattern.h"
#include "core/parse/launcher_parser.h"
#include "core/parse/prefixed_parser.h"
#include "core/parse/worker_parser.h"

namespace rankdeck {

Result<std::unique_ptr<LogParser>> LogParser::make(const LogSpec &spec, LogRole role, bool shared)
{
    std::optional<CustomPattern> sample;
    std::optional<CustomPattern> resume;
    if (!spec.sample.empty()) {
        Result<CustomPattern> made = CustomPattern::make("logs.sample", spec.sample, {"loss"}, {});
        if (!made) return made.error();
        sample = std::move(made).value();
    }
    if (!spec.resume.empty()) {
        Result<CustomPattern> made =
            CustomPattern::make("logs.resume", spec.resume, {}, {"epoch", "step", "global_step", "path"});
        if (!made) return made.error();
        resume = std::move(made).value();
    }
    if (role == LogRole::launcher) return std::unique_ptr<LogParser>(std::make_unique<LauncherParser>());
    // The patterns are compiled once, for all ranks that write the log.
    const auto patterns = std::make_shared<const CustomPatterns>(CustomPatterns{std::move(sample), std::move(resume)});
    const auto parserOfOne = [fields = spec.fields, patterns]() -> std::unique_ptr<LogParser> {
        return std::make_unique<WorkerParser>(fields, patterns);
    };
    if (!shared) return parserOfOne();
    return std::unique_ptr<LogParser>(std::make_unique<PrefixedParser>(parserOfOne));
}

}  // namespace rankdeck
